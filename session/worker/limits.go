package worker

import (
	"fmt"
	"time"

	"github.com/poscrape/poscrape/internal/disk"
)

// CodeLimitExceeded is the code of messages about a worker over a limit.
const CodeLimitExceeded = "WORKER-005"

// LimitAction says what is done about a worker that is over one of its limits at
// two samples in a row. Whichever it is, it is told once for a browser and limit.
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
	// unusualMemory in bytes and unusualCPU in processors are what is warned about where no
	// limit is set: a browser that works as it should stays well below.
	unusualMemory = 2_000_000_000
	unusualCPU    = 2
	// samplesOver is how many samples in a row must find a worker over a limit.
	samplesOver = 2
)

// LimitError says which limit a worker is over.
type LimitError struct {
	// Flag is that of the limit, without dashes, "worker-memory-limit".
	Flag string
	// Using says what there is too much of, "it uses 312 MB of memory", Allowed
	// what the limit is, "250 MB".
	Using, Allowed string
	// Unset: the user has set no such limit. Allowed is what is unusual to exceed.
	Unset bool
}

func (e *LimitError) Error() string {
	if e.Unset {
		return fmt.Sprintf("%s: %s, more than %s, which is unusual (--%s sets a limit)", CodeLimitExceeded, e.Using, e.Allowed, e.Flag)
	}
	return fmt.Sprintf("%s: %s, over its limit of %s (--%s)", CodeLimitExceeded, e.Using, e.Allowed, e.Flag)
}

// Limits are what a browser may use. Their JSON names are those of the session's settings.
type Limits struct {
	// MaxOrders is after how many orders a browser is replaced; those that were only
	// fetched do not count.
	MaxOrders int `json:"max_orders_per_worker"`
	// MaxAge and MaxMemory, in bytes of all its processes, are what a browser may reach
	// before it is replaced, between orders; 0 means anything.
	MaxAge    time.Duration `json:"max_worker_age,omitempty"`
	MaxMemory int64         `json:"max_worker_memory,omitempty"`
	// MemoryLimit in bytes, CPULimit in processors and DiskLimit in bytes are what a worker
	// may use at any time, 0 anything, about which there is but a warning where it is unusual.
	// Action is what is done about one that uses more than its limits.
	MemoryLimit int64       `json:"worker_memory_limit,omitempty"`
	CPULimit    float64     `json:"worker_cpu_limit,omitempty"`
	DiskLimit   int64       `json:"worker_disk_limit,omitempty"`
	Action      LimitAction `json:"limit_action,omitempty"`
	// ProfileSize in bytes is how large a profile may grow. A browser whose profile is found
	// larger is ended, also while it works on an order.
	ProfileSize int64 `json:"profile_size_limit"`
}

// over returns the limits, of those with an action, that a worker is over.
func (l Limits) over(u use) []*LimitError {
	var list []*LimitError
	if l.MemoryLimit > 0 && u.memory > l.MemoryLimit {
		list = append(list, overMemory(u, l.MemoryLimit))
	}
	if l.CPULimit > 0 && u.cpu > l.CPULimit {
		list = append(list, overCPU(u, l.CPULimit))
	}
	if l.DiskLimit > 0 && u.disk > l.DiskLimit {
		list = append(list, &LimitError{Flag: "worker-disk-limit", Using: "its profile has " + disk.Bytes(u.disk), Allowed: disk.Bytes(l.DiskLimit)})
	}
	return list
}

// unusual returns what a worker uses unusually much of, where no limit says how much it may.
func (l Limits) unusual(u use) []*LimitError {
	var list []*LimitError
	if l.MemoryLimit == 0 && u.memory > unusualMemory {
		list = append(list, overMemory(u, unusualMemory))
	}
	if l.CPULimit == 0 && u.cpu > unusualCPU {
		list = append(list, overCPU(u, unusualCPU))
	}
	for _, e := range list {
		e.Unset = true
	}
	return list
}

func overMemory(u use, allowed int64) *LimitError {
	return &LimitError{Flag: "worker-memory-limit", Using: "it uses " + disk.Bytes(u.memory) + " of memory", Allowed: disk.Bytes(allowed)}
}

func overCPU(u use, allowed float64) *LimitError {
	return &LimitError{Flag: "worker-cpu-limit", Using: fmt.Sprintf("it keeps %.2f processors busy", u.cpu), Allowed: fmt.Sprint(allowed)}
}

// outgrown returns an error if the profile has grown over what it may ever have.
func (l Limits) outgrown(u use) error {
	if u.disk <= l.ProfileSize {
		return nil
	}
	return &LimitError{Flag: "profile-size-limit", Using: "its profile has " + disk.Bytes(u.disk), Allowed: disk.Bytes(l.ProfileSize)}
}

// worn returns why a browser of this age and use must be replaced before its
// next order, or nil.
func (l Limits) worn(age time.Duration, u use) error {
	if l.MaxAge > 0 && age >= l.MaxAge {
		return fmt.Errorf("it is %v old, and %v is the most (--max-worker-age)", age.Round(time.Millisecond), l.MaxAge)
	}
	if l.MaxMemory > 0 && u.memory > l.MaxMemory {
		return fmt.Errorf("it uses %s of memory, and %s is the most (--max-worker-memory)", disk.Bytes(u.memory), disk.Bytes(l.MaxMemory))
	}
	return l.outgrown(u)
}

// Check returns the flag, without dashes, of the first limit that is out of bounds, and
// what is wrong with it; or "".
func (l Limits) Check() (flag, problem string) {
	for _, m := range []struct {
		flag  string
		value int64
		least int64
		why   string
	}{
		{"max-worker-memory", l.MaxMemory, minWorkerMemory, "a Chrome with an empty page needs about 200MB"},
		{"worker-memory-limit", l.MemoryLimit, minWorkerMemory, "a Chrome with an empty page needs about 200MB"},
		{"worker-disk-limit", l.DiskLimit, minWorkerDisk, "a profile needs at least 10MB"},
	} {
		if m.value != 0 && m.value < m.least {
			return m.flag, fmt.Sprintf("%d bytes are too few: %s; 0 means no limit", m.value, m.why)
		}
	}
	switch {
	case l.MaxAge < 0:
		return "max-worker-age", fmt.Sprintf("%v is negative; 0 means no limit", l.MaxAge)
	case !(l.CPULimit >= 0):
		return "worker-cpu-limit", fmt.Sprintf("%v is out of bounds: name a number of processors such as 1.5, or 0 for no limit", l.CPULimit)
	case l.Action != "" && l.Action != LimitWarn && l.Action != LimitThrottle && l.Action != LimitKill:
		return "limit-action", fmt.Sprintf("%q is neither warn nor throttle nor kill", l.Action)
	}
	return "", ""
}
