package monitor

import (
	"context"
	"time"
)

// Usage is what the processes of one group use together.
type Usage struct {
	// At is when it was measured.
	At time.Time
	// Processes is how many there are; those that have ended and wait for their
	// parent do not count.
	Processes int
	// Memory in bytes: the proportional set size (PSS), in which memory that
	// several processes share counts once, with what of it was swapped out.
	Memory int64
	// Resident is the number of processes whose Memory is the resident set size
	// (RSS), because their PSS could not be read: those of another user, where
	// this process has no privileges. RSS counts shared memory for each process
	// again, for a Chrome some 2.5 times too much.
	Resident int
	// CPU is how many processors' worth of time they used since the look
	// before: 1.5 is one and a half. It is 0 at the first look at a group.
	CPU float64
}

// UsageSampler measures what process groups use. Its method may be called by one
// goroutine at a time.
type UsageSampler struct {
	before map[int]groupTime
	proc   string // where the system tells of its processes; tests have another
}

// groupTime is the processor time that a group had used at a look.
type groupTime struct {
	at   time.Time
	used time.Duration
}

// NewUsageSampler returns a sampler of this machine's processes.
func NewUsageSampler() *UsageSampler {
	return &UsageSampler{before: map[int]groupTime{}, proc: "/proc"}
}

// Sample measures the groups with these ids, all in one look at the list of
// processes. A group without a process is left out of the answer. It takes
// about a millisecond for each process of the groups. Where the system cannot tell (only
// Linux can), the error matches errors.ErrUnsupported.
func (s *UsageSampler) Sample(ctx context.Context, pgids []int) (map[int]Usage, error) {
	return s.sample(ctx, pgids)
}
