package browser

import (
	"strings"

	"golang.org/x/sys/unix"

	"github.com/poscrape/poscrape/internal/proc"
)

// limitPages bounds the data of each process in a group that renders pages. Such a process
// is forked from a zygote, whose limit it inherits. Where the system refuses, a
// page is bounded by what Chrome allows its scripts, some 4 GB.
func limitPages(pgid int, limit uint64) {
	if limit == 0 || pgid == 0 {
		return
	}
	for _, pid := range members(pgid) {
		if command := proc.Command(pid); strings.Contains(command, "--type=zygote") || strings.Contains(command, "--type=renderer") {
			_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: limit, Max: limit}, nil)
		}
	}
}
