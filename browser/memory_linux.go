package browser

import (
	"bytes"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// limitPages bounds the data of each process that renders pages. Such a process
// is forked from a zygote, whose limit it inherits. Where the system refuses, a
// page is bounded by what Chrome allows its scripts, some 4 GB.
func (g *processGroup) limitPages(limit uint64) {
	if limit == 0 {
		return
	}
	for _, pid := range members(g.pid()) {
		command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil || !bytes.Contains(command, []byte("--type=zygote")) && !bytes.Contains(command, []byte("--type=renderer")) {
			continue
		}
		_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: limit, Max: limit}, nil)
	}
}
