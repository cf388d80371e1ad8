package monitor

import (
	"context"
	"runtime"
)

// Capacity is what this machine offers to workers, or the container where that
// is less.
type Capacity struct {
	// Memory and MemoryFree are bytes: all, and what can be had without harm.
	Memory, MemoryFree int64
	// Processors is how many may be used; a quota can make it a fraction.
	Processors float64
	// Contained is whether a container's limit is the tighter one of memory or
	// processors.
	Contained bool
	// OpenFiles is how many files this process may have open, Processes how many
	// processes and threads its user may have or, where that is less, its
	// container; 0 where there is no limit, or none is known.
	OpenFiles, Processes int64
}

// MeasureCapacity reads what this machine offers. It takes some milliseconds.
func MeasureCapacity(ctx context.Context) (Capacity, error) { return measureCapacity(ctx, "/") }

// measureCapacity reads control groups below root.
func measureCapacity(ctx context.Context, root string) (Capacity, error) {
	total, available, err := machineMemory(ctx)
	if err != nil {
		return Capacity{}, err
	}
	c := Capacity{Memory: int64(total), MemoryFree: int64(available), Processors: float64(runtime.NumCPU())}
	c.OpenFiles, c.Processes = softLimits()
	for _, g := range findGroups(root) {
		if limit, ok := g.memoryLimit(); ok {
			c.Contained = c.Contained || int64(limit) < c.Memory
			c.Memory = min(c.Memory, int64(limit))
			c.MemoryFree = min(c.MemoryFree, max(0, int64(limit-g.memoryUsed())))
		}
		if n := g.processors(); n > 0 && n < c.Processors {
			c.Processors, c.Contained = n, true
		}
	}
	if n := processLimit(root); n > 0 && (c.Processes == 0 || n < c.Processes) {
		c.Processes = n
	}
	return c, nil
}

// processLimit returns the least number of processes that a control group of this
// process, or one above, allows; 0 for no limit.
func processLimit(root string) int64 {
	least := int64(0)
	paths := findPaths(root)
	for _, controller := range []string{"", "pids"} {
		m := mountOf(findMounts(root), controller)
		if m == nil {
			continue
		}
		for _, dir := range m.levels(paths[controller]) {
			if n := int64(readNumber(root+dir, "pids.max")); n > 0 && (least == 0 || n < least) {
				least = n
			}
		}
	}
	return least
}
