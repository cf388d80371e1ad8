package browser

import (
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/poscrape/poscrape/internal/proc"
)

func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// members returns the processes of the group that are more than zombies.
func members(pgid int) []int {
	all, err := proc.All()
	if err != nil {
		return []int{pgid} // better one too many than none
	}
	var pids []int
	for _, p := range all {
		if p.Group == pgid && !p.Ended {
			pids = append(pids, p.PID)
		}
	}
	return pids
}

// groupRuns reports whether a process of the group is more than a zombie.
func groupRuns(pgid int) bool { return len(members(pgid)) > 0 }

// sharedMemory returns the free bytes of /dev/shm, or 0 where there is none.
func sharedMemory() uint64 {
	var fs unix.Statfs_t
	if unix.Statfs("/dev/shm", &fs) != nil {
		return 0
	}
	return fs.Bavail * uint64(fs.Bsize)
}
