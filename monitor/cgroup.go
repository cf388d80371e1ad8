package monitor

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// group is one control group. Its files are read anew each time, since limits
// can be changed; a file that is not there means that there is no limit.
type group struct {
	version int
	// Where the files for memory, the CPU quota and the CPU usage are; version
	// 1 has a tree for each. Empty: not in this group.
	memoryDir, quotaDir, usageDir string
	own                           bool // the process itself is in it, not in one below

	used    time.Duration // CPU time at the last sample
	hasUsed bool
}

// groups are the control groups of this process, with all above them. None where
// there are no control groups.
type groups []*group

// cpu returns the greatest share of its quota that a group has used during the
// elapsed time, and false where no group limits the CPU or this is the first
// sample.
func (g groups) cpu(elapsed time.Duration) (share float64, ok bool) {
	for _, one := range g {
		used, known := one.cpuTime()
		before, hadBefore := one.used, one.hasUsed
		one.used, one.hasUsed = used, known
		processors := one.processors()
		if !known || !hadBefore || processors == 0 || elapsed <= 0 {
			continue
		}
		share, ok = max(share, (used-before).Seconds()/(elapsed.Seconds()*processors)), true
	}
	return share, ok
}

// memory returns the greatest share of its limit that a group uses, or 0 where no
// group limits the memory.
func (g groups) memory() float64 {
	share := 0.0
	for _, one := range g {
		if limit, ok := one.memoryLimit(); ok {
			share = max(share, one.memoryUsed()/limit)
		}
	}
	return share
}

// processors returns how many processors the group may use, or 0 for no limit. In
// the process's own group, those that its threads may run on are the limit.
func (g *group) processors() float64 {
	quota, period := 0.0, 0.0
	if g.version == 2 {
		fields := strings.Fields(readText(g.quotaDir, "cpu.max"))
		if len(fields) == 2 {
			quota, period = parse(fields[0]), parse(fields[1])
		}
	} else {
		quota, period = readNumber(g.quotaDir, "cpu.cfs_quota_us"), readNumber(g.quotaDir, "cpu.cfs_period_us")
	}
	limit := 0.0
	if quota > 0 && period > 0 {
		limit = quota / period
	}
	if here := float64(runtime.NumCPU()); g.own && (limit == 0 || limit > here) {
		limit = here
	}
	return limit
}

func (g *group) cpuTime() (time.Duration, bool) {
	if g.version == 2 {
		used, ok := readStat(g.usageDir, "cpu.stat")["usage_usec"]
		return time.Duration(used) * time.Microsecond, ok
	}
	used := readNumber(g.usageDir, "cpuacct.usage")
	return time.Duration(used), used > 0
}

func (g *group) memoryLimit() (float64, bool) {
	name := "memory.limit_in_bytes"
	if g.version == 2 {
		name = "memory.max"
	}
	limit := readNumber(g.memoryDir, name)
	// Version 1 says "no limit" with a number that is near the greatest one.
	return limit, limit > 0 && limit < 1<<60
}

// memoryUsed returns the bytes in use without the file cache that no process has
// mapped: that is what the kernel gives back first.
func (g *group) memoryUsed() float64 {
	usage, prefix, mapped := "memory.usage_in_bytes", "total_", "total_mapped_file"
	if g.version == 2 {
		usage, prefix, mapped = "memory.current", "", "file_mapped"
	}
	stat := readStat(g.memoryDir, "memory.stat")
	cache := stat[prefix+"active_file"] + stat[prefix+"inactive_file"] - stat[mapped]
	return max(0, readNumber(g.memoryDir, usage)-max(0, cache))
}

func readText(dir, name string) string {
	if dir == "" {
		return ""
	}
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(content))
}

// readNumber returns 0 for what is no number, such as "max".
func readNumber(dir, name string) float64 { return parse(readText(dir, name)) }

func parse(text string) float64 {
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return number
}

// readStat reads a file of lines "name number".
func readStat(dir, name string) map[string]float64 {
	stat := make(map[string]float64)
	for line := range strings.Lines(readText(dir, name)) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			stat[key] = parse(value)
		}
	}
	return stat
}
