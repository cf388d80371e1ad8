package monitor

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/poscrape/poscrape/internal/proc"
)

// proportionalEvery is how often the proportional memory of a group is read, which takes half a
// millisecond for each process. In between it is taken to grow as the resident memory does.
const proportionalEvery = 15 * time.Second

// Usage is what the processes of one group use together.
type Usage struct {
	// At is when it was measured.
	At time.Time
	// Processes is how many there are; those that have ended and wait for their
	// parent do not count.
	Processes int
	// Memory in bytes: the proportional set size (PSS), in which memory that
	// several processes share counts once, with what of it was swapped out. It is read every
	// 15 s; in between it is what it was, grown as the resident set size has.
	Memory int64
	// Resident is the number of processes whose Memory is the resident set size
	// (RSS), because their PSS could not be read: those of another user, where
	// this process has no privileges. RSS counts shared memory for each process
	// again, for a Chrome some 2.5 times too much.
	Resident int
	// CPU is how many processors' worth of time they used since the sample
	// before: 1.5 is one and a half. It is 0 in the first sample of a group.
	CPU float64
}

// UsageSampler measures what process groups use. Its method may be called by one
// goroutine at a time.
type UsageSampler struct {
	before map[int]groupTime
	read   map[int]reading
	// What the system says of its processes; tests have another.
	all    func() ([]proc.Process, error)
	memory func(pid int) (int64, error)
}

// groupTime is the processor time that a group had used at a sample.
type groupTime struct {
	at   time.Time
	used time.Duration
}

// reading is what was read of a group's memory, and when.
type reading struct {
	at time.Time
	// memory in bytes, when the resident sets of all its processes were as large together.
	memory, resident int64
	// unread is the number of processes whose PSS could not be read.
	unread int
}

// NewUsageSampler returns a sampler of this machine's processes.
func NewUsageSampler() *UsageSampler {
	return &UsageSampler{before: map[int]groupTime{}, read: map[int]reading{}, all: proc.All, memory: proc.Memory}
}

// Sample measures the groups with these ids, all from one list of processes. A group without a process is left out of the answer. It takes
// about a millisecond for each process of the groups. Where the system cannot tell (only
// Linux can), the error matches errors.ErrUnsupported.
func (s *UsageSampler) Sample(ctx context.Context, pgids []int) (map[int]Usage, error) {
	if runtime.GOOS != "linux" {
		return nil, fmt.Errorf("measure the use of process groups: %w on this system", errors.ErrUnsupported)
	}
	all, err := s.all()
	if err != nil {
		return nil, err
	}
	now := time.Now()
	groups, used := map[int][]proc.Process{}, map[int]time.Duration{}
	for _, p := range all {
		if !slices.Contains(pgids, p.Group) {
			continue
		}
		// What a child has used is so neither lost nor counted twice.
		used[p.Group] += p.Own + p.Children
		if !p.Ended {
			groups[p.Group] = append(groups[p.Group], p)
		}
	}
	usage, readings := map[int]Usage{}, map[int]reading{}
	for group, processes := range groups {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if u := s.memoryOf(group, processes, now, readings); u.Processes > 0 {
			usage[group] = u
		}
	}
	s.read = readings
	s.addCPU(usage, used, now)
	return usage, nil
}

// memoryOf returns a group's use without its CPU, and keeps what was read for the next sample.
func (s *UsageSampler) memoryOf(group int, processes []proc.Process, now time.Time, readings map[int]reading) Usage {
	u := Usage{At: now, Processes: len(processes)}
	var resident int64
	for _, p := range processes {
		resident += p.Resident
	}
	if last, known := s.read[group]; known && now.Sub(last.at) < proportionalEvery && last.resident > 0 {
		readings[group] = last
		u.Memory, u.Resident = int64(float64(last.memory)*float64(resident)/float64(last.resident)), last.unread
		return u
	}
	for _, p := range processes {
		memory, err := s.memory(p.PID)
		switch {
		case errors.Is(err, proc.ErrEnded):
			u.Processes--
			resident -= p.Resident
			continue
		case err != nil:
			memory = p.Resident
			u.Resident++
		}
		u.Memory += memory
	}
	readings[group] = reading{at: now, memory: u.Memory, resident: resident, unread: u.Resident}
	return u
}

// addCPU turns the groups' processor times into what they used since the sample
// before, and keeps them for the next.
func (s *UsageSampler) addCPU(usage map[int]Usage, used map[int]time.Duration, now time.Time) {
	times := make(map[int]groupTime, len(usage))
	for pgid, u := range usage {
		times[pgid] = groupTime{at: now, used: used[pgid]}
		before, known := s.before[pgid]
		if elapsed := now.Sub(before.at); known && elapsed > 0 {
			u.CPU = max(0, (used[pgid]-before.used).Seconds()/elapsed.Seconds())
			usage[pgid] = u
		}
	}
	s.before = times
}
