package monitor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/mem"
)

// shortest is the least time over which a rate is measured: the processor's
// counters move in steps of 10 ms.
const shortest = 100 * time.Millisecond

// machineSampler measures the machine and, on Linux, the control groups that
// this process is in, and reports the tighter of the two.
type machineSampler struct {
	groups   groups
	pressure pressure

	at          time.Time
	busy, total float64 // seconds of processor time
	lastMachine float64 // the machine's part of lastCPU
	lastCPU     float64
	lastStalled float64
}

// NewSampler returns the sampler of this machine. Its CPU load is that of all
// processors together, or, where a control group (version 1 or 2, at any level)
// has a quota, the part of that quota that is used up, if that is more. Memory
// likewise. Time that a hypervisor withholds counts as used.
//
// A call within 100 ms of the one before repeats its CPU load and pressure. On
// macOS, CPU is measured only in a binary that was built with cgo; elsewhere
// Sample returns an error.
func NewSampler() Sampler { return newSampler("/") }

// newSampler reads control groups and pressure below root.
func newSampler(root string) *machineSampler {
	g := findGroups(root)
	return &machineSampler{groups: g, pressure: findPressure(root, g), lastStalled: -1}
}

// Sample implements Sampler. The first one measures from the machine's start.
func (s *machineSampler) Sample(ctx context.Context) (Sample, error) {
	now := time.Now()
	elapsed := now.Sub(s.at)
	if s.at.IsZero() || elapsed >= shortest {
		if err := s.measureRates(ctx, elapsed); err != nil {
			return Sample{}, err
		}
		s.at = now
	}
	total, available, err := machineMemory(ctx)
	if err != nil {
		return Sample{}, err
	}
	used := 1 - float64(available)/float64(total)
	return Sample{
		At: now, CPU: s.lastCPU,
		Memory:   clamp(max(used, s.groups.memory()), 1),
		Pressure: s.lastStalled,
	}, nil
}

// machineMemory returns the machine's memory in bytes, and what of it can be had
// without harm.
func machineMemory(ctx context.Context) (total, available uint64, err error) {
	memory, err := mem.VirtualMemoryWithContext(ctx)
	if err != nil {
		return 0, 0, fmt.Errorf("read the memory in use: %w", err)
	}
	if memory.Total == 0 {
		return 0, 0, errors.New("read the memory in use: the system says that it has none")
	}
	return memory.Total, memory.Available, nil
}

// measureRates updates CPU load and pressure to what they were since the call
// before.
func (s *machineSampler) measureRates(ctx context.Context, elapsed time.Duration) error {
	times, err := cpu.TimesWithContext(ctx, false)
	if err != nil {
		return fmt.Errorf("read the processor's times: %w", err)
	}
	if len(times) != 1 {
		return fmt.Errorf("read the processor's times: %d answers instead of one", len(times))
	}
	t := times[0]
	busy := t.User + t.Nice + t.System + t.Irq + t.Softirq + t.Steal
	total := busy + t.Idle + t.Iowait
	// The counters can run backwards when a processor is taken offline.
	if total > s.total {
		s.lastMachine = clamp((busy-s.busy)/(total-s.total), 1)
	}
	s.busy, s.total, s.lastCPU = busy, total, s.lastMachine
	if group, ok := s.groups.cpu(elapsed); ok {
		s.lastCPU = max(s.lastCPU, clamp(group, 1))
	}
	s.lastStalled = s.pressure.share(elapsed)
	return nil
}
