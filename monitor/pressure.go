package monitor

import (
	"path/filepath"
	"strings"
	"time"
)

// pressure reads Linux's pressure-stall information: for how long some of the
// work stood still for want of a resource.
type pressure []*stall

// stall is one file of it.
type stall struct {
	file  string
	total time.Duration // stalled until the last sample
	known bool
}

// findPressure returns the files for CPU and memory of the machine, and of the
// process's own control group. None where the kernel does not measure it.
func findPressure(root string, g groups) pressure {
	files := []string{filepath.Join(root, "proc/pressure/cpu"), filepath.Join(root, "proc/pressure/memory")}
	for _, one := range g {
		if one.own && one.version == 2 {
			files = append(files, filepath.Join(one.usageDir, "cpu.pressure"), filepath.Join(one.memoryDir, "memory.pressure"))
		}
	}
	var p pressure
	for _, file := range files {
		if exists(file) {
			p = append(p, &stall{file: file})
		}
	}
	return p
}

// share returns the greatest share of the elapsed time that was lost, or -1 if
// that is not known.
func (p pressure) share(elapsed time.Duration) float64 {
	share := -1.0
	for _, one := range p {
		total, known := readStall(one.file)
		if known && one.known && elapsed > 0 {
			share = max(share, clamp(float64(total-one.total)/float64(elapsed), 1))
		}
		one.total, one.known = total, known
	}
	return share
}

// readStall returns the total of the line "some avg10=0.00 ... total=<microseconds>".
func readStall(file string) (time.Duration, bool) {
	for line := range strings.Lines(readText(filepath.Dir(file), filepath.Base(file))) {
		if !strings.HasPrefix(line, "some ") {
			continue
		}
		if _, total, ok := strings.Cut(strings.TrimSpace(line), "total="); ok {
			return time.Duration(parse(total)) * time.Microsecond, true
		}
	}
	return 0, false
}
