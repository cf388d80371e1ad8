package session

import (
	"fmt"
	"time"
)

// CodeLimitExceeded is the code of messages about a worker over a limit.
const CodeLimitExceeded = "WORKER-005"

// LimitAction says what is done about a worker that is over one of its limits at
// two looks in a row. Whichever it is, it is told once for a browser and limit.
type LimitAction string

// The actions.
const (
	// LimitWarn only tells it.
	LimitWarn LimitAction = "warn"
	// LimitThrottle lowers the priority of the browser's processes and gives the
	// worker no next order until it is below its limits again. One that is not
	// within a minute is replaced.
	LimitThrottle LimitAction = "throttle"
	// LimitKill ends the browser. Its order is put back, and its attempt does
	// not count; one that has lost two browsers so has failed.
	LimitKill LimitAction = "kill"
)

// The bounds of a worker's limits.
const (
	// minWorkerMemory in bytes: a Chrome with an empty page takes about as much
	// (PSS; 196 MB for chrome-headless-shell, 384 MB with a window).
	minWorkerMemory = 200_000_000
	// minWorkerDisk in bytes: what a fresh profile grows to.
	minWorkerDisk = 10_000_000
	// looksOver is how many looks in a row must find a worker over a limit.
	looksOver = 2
)

// LimitError says which limit a worker is over.
type LimitError struct {
	// Flag is that of the limit, without dashes, "worker-memory-limit".
	Flag string
	// Using says what there is too much of, "it uses 312 MB of memory", Allowed
	// what the limit is, "250 MB".
	Using, Allowed string
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: %s, over its limit of %s (--%s)", CodeLimitExceeded, e.Using, e.Allowed, e.Flag)
}

// over returns the limits, of those with an action, that a worker is over.
func (c Config) over(u use) []*LimitError {
	var list []*LimitError
	if c.WorkerMemoryLimit > 0 && u.memory > c.WorkerMemoryLimit {
		list = append(list, &LimitError{"worker-memory-limit", "it uses " + bytesText(u.memory) + " of memory", bytesText(c.WorkerMemoryLimit)})
	}
	if c.WorkerCPULimit > 0 && u.cpu > c.WorkerCPULimit {
		list = append(list, &LimitError{"worker-cpu-limit", fmt.Sprintf("it keeps %.2f processors busy", u.cpu), fmt.Sprint(c.WorkerCPULimit)})
	}
	if c.WorkerDiskLimit > 0 && u.disk > c.WorkerDiskLimit {
		list = append(list, &LimitError{"worker-disk-limit", "its profile has " + bytesText(u.disk), bytesText(c.WorkerDiskLimit)})
	}
	return list
}

// outgrown returns an error if the profile has grown over what it may ever have.
func (c Config) outgrown(u use) error {
	if u.disk <= c.ProfileSizeLimit {
		return nil
	}
	return &LimitError{"profile-size-limit", "its profile has " + bytesText(u.disk), bytesText(c.ProfileSizeLimit)}
}

// worn returns why a browser of this age and use must be replaced before its
// next order, or nil.
func (c Config) worn(age time.Duration, u use) error {
	if c.MaxWorkerAge > 0 && age >= c.MaxWorkerAge {
		return fmt.Errorf("it is %v old, and %v is the most (--max-worker-age)", age.Round(time.Millisecond), c.MaxWorkerAge)
	}
	if c.MaxWorkerMemory > 0 && u.memory > c.MaxWorkerMemory {
		return fmt.Errorf("it uses %s of memory, and %s is the most (--max-worker-memory)", bytesText(u.memory), bytesText(c.MaxWorkerMemory))
	}
	return c.outgrown(u)
}

// validateLimits returns a *ConfigError for the first limit of the workers that
// is out of bounds.
func (c Config) validateLimits() error {
	for _, m := range []struct {
		field string
		value int64
		least int64
		why   string
	}{
		{"max-worker-memory", c.MaxWorkerMemory, minWorkerMemory, "a Chrome with an empty page needs about 200MB"},
		{"worker-memory-limit", c.WorkerMemoryLimit, minWorkerMemory, "a Chrome with an empty page needs about 200MB"},
		{"worker-disk-limit", c.WorkerDiskLimit, minWorkerDisk, "a profile needs at least 10MB"},
	} {
		if m.value != 0 && m.value < m.least {
			return bad(m.field, "%d bytes are too few: %s; 0 means no limit", m.value, m.why)
		}
	}
	switch {
	case c.MaxWorkerAge < 0:
		return bad("max-worker-age", "%v is negative; 0 means no limit", c.MaxWorkerAge)
	case c.UsageInterval != 0 && c.UsageInterval < 10*time.Millisecond:
		// No flag sets it.
		return fmt.Errorf("session: UsageInterval is %v: it must be at least 10ms, or 0 for %v", c.UsageInterval, DefaultUsageInterval)
	case !(c.WorkerCPULimit >= 0):
		return bad("worker-cpu-limit", "%v is out of bounds: name a number of processors such as 1.5, or 0 for no limit", c.WorkerCPULimit)
	case c.LimitAction != "" && c.LimitAction != LimitWarn && c.LimitAction != LimitThrottle && c.LimitAction != LimitKill:
		return bad("limit-action", "%q is neither warn nor throttle nor kill", c.LimitAction)
	}
	return nil
}

// bytesText writes a number of bytes for people.
func bytesText(n int64) string {
	switch {
	case n >= 1_000_000_000:
		return fmt.Sprintf("%.2f GB", float64(n)/1e9)
	case n >= 1_000_000:
		return fmt.Sprintf("%d MB", n/1_000_000)
	}
	return fmt.Sprintf("%d bytes", n)
}
