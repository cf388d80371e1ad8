package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/poscrape/poscrape/internal/disk"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/monitor"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/session/worker"
)

const (
	// workerProcesses are the processes and threads of a browser: with an empty
	// page the headless shell measures 62 and the full Chrome 114.
	workerProcesses = 150
	// leastOpenFiles is what one Chrome with a page of many requests may need.
	leastOpenFiles = 1024
	// leastOutput is what a session folder needs to begin with.
	leastOutput = 8 << 20
	// tempAdvice is for a directory in which no profile can be made.
	tempAdvice = "name a directory that can be written to with --temp-dir"
)

// examineCapacity checks memory, processors and limits.
func examineCapacity(ctx context.Context, cfg Config) []Finding {
	c, err := monitor.MeasureCapacity(ctx)
	if err != nil {
		return []Finding{fact("memory", "unknown: %v", err).warn("use --no-scale, as the load cannot be watched either")}
	}
	where := "on this machine"
	if c.Contained {
		where = "in this container"
	}
	fits := min(max(int(c.MemoryFree/worker.TypicalMemory), 1), cfg.MostWorkers)
	memory := fact("memory", "%s of %s free %s, enough for %d workers", disk.Bytes(c.MemoryFree), disk.Bytes(c.Memory), where, fits).
		with("free_bytes", float64(c.MemoryFree)).with("bytes", float64(c.Memory)).with("workers", float64(fits))
	if fits < cfg.Workers {
		memory = memory.warn(fmt.Sprintf("use --workers %d, or end other programs", fits))
	}
	processors := fact("processors", "%s %s", strconv.FormatFloat(math.Round(c.Processors*100)/100, 'f', -1, 64), where).
		with("count", c.Processors)
	if c.Processors < 1 {
		processors = processors.warn("Chrome is slow with less than one: use --workers 1, or a longer --task-timeout")
	}
	return []Finding{
		memory, processors,
		limitOf("open files", c.OpenFiles, leastOpenFiles, "raise it with ulimit -n"),
		limitOf("processes", c.Processes, int64(cfg.Workers)*workerProcesses, "raise it with ulimit -u or in the container's settings, or use fewer --workers"),
	}
}

// limitOf judges one limit; 0 is none.
func limitOf(subject string, limit, least int64, advice string) Finding {
	if limit == 0 {
		return fact(subject, "no limit")
	}
	found := fact(subject, "up to %d", limit).with("limit", float64(limit))
	if limit < least {
		found = found.warn(fmt.Sprintf("%d are better: %s", least, advice))
	}
	return found
}

func examineSharedMemory() Finding {
	const subject = "shared memory"
	free, needed := browser.SharedMemory()
	found := fact(subject, "%s free in /dev/shm", disk.Bytes(int64(free))).with("free_bytes", float64(free))
	switch {
	case free < needed:
		return found.warn("Chrome's goes to files, which is slower: give a container more, as with --shm-size=1g")
	case free == needed:
		return fact(subject, "as Chrome needs it")
	}
	return found
}

// examineTemp checks the disk that profiles are made on.
func examineTemp(cfg Config) Finding {
	const subject = "disk for profiles"
	dir := cmp.Or(cfg.Temp, os.TempDir())
	err := tryWriting(dir)
	if err != nil {
		return fact(subject, "%v", err).fail(tempAdvice)
	}
	free, err := profiles.FreeSpace(dir)
	if err != nil {
		return fact(subject, "%v", err).fail(tempAdvice)
	}
	found := fact(subject, "%s free in %s", disk.Bytes(free), dir).with("free_bytes", float64(free))
	switch {
	case free < profiles.DefaultMinFree:
		return found.fail(fmt.Sprintf("a profile needs %s: free some, or name a directory on another disk with --temp-dir", disk.Bytes(profiles.DefaultMinFree)))
	case free < int64(cfg.MostWorkers)*profiles.DefaultMinFree:
		return found.warn(fmt.Sprintf("%s are better: free some, or name a directory on another disk with --temp-dir", disk.Bytes(int64(cfg.MostWorkers)*profiles.DefaultMinFree)))
	}
	return found
}

// examineOut checks the disk that sessions are written to.
func examineOut(cfg Config) Finding {
	const subject = "disk for sessions"
	dir, err := filepath.Abs(".")
	if info, statErr := os.Stat(cfg.Out); statErr == nil && info.IsDir() {
		dir, err = filepath.Abs(cfg.Out)
	}
	if err == nil {
		err = tryWriting(dir)
	}
	if err != nil {
		return fact(subject, "%v", err).warn("name a session folder elsewhere with --out")
	}
	free, err := profiles.FreeSpace(dir)
	if err != nil {
		return fact(subject, "%v", err).warn("name a session folder elsewhere with --out")
	}
	found := fact(subject, "%s free in %s", disk.Bytes(free), dir).with("free_bytes", float64(free))
	switch {
	case free < leastOutput:
		return found.fail("free some, or name a session folder on another disk with --out")
	case free < profiles.DefaultMinFree:
		return found.warn("free some, or name a session folder on another disk with --out")
	}
	return found
}

// tryWriting makes a file in a directory and removes it again.
func tryWriting(dir string) error {
	f, err := os.CreateTemp(dir, ".poscrape-doctor-*")
	if err != nil {
		return fmt.Errorf("a file cannot be made: %w", err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
