package browser

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// The fields of a process's status that are used here, counted from the one
// behind the command's name (proc_pid_stat(5)).
const (
	fieldState  = 0
	fieldGroup  = 2
	fieldUser   = 11
	fieldKernel = 12
)

// status returns a process's fields behind its command's name, which may hold
// anything, or nil.
func status(pid string) [][]byte {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return nil
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= fieldKernel {
		return nil
	}
	return fields
}

// members returns the processes of the group that are more than zombies.
func members(pgid int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return []int{pgid} // better one too many than none
	}
	var pids []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		fields := status(entry.Name())
		if fields != nil && string(fields[fieldGroup]) == strconv.Itoa(pgid) && !bytes.ContainsAny(fields[fieldState], "ZX") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// groupRuns reports whether a process of the group is more than a zombie.
func groupRuns(pgid int) bool { return len(members(pgid)) > 0 }

// cpuTime returns how much processor time the process has had, in clock ticks.
func cpuTime(pid int) uint64 {
	fields := status(strconv.Itoa(pid))
	if fields == nil {
		return 0
	}
	user, _ := strconv.ParseUint(string(fields[fieldUser]), 10, 64) // 0 where it is no number
	kernel, _ := strconv.ParseUint(string(fields[fieldKernel]), 10, 64)
	return user + kernel
}

// sharedMemory returns the free bytes of /dev/shm, or 0 where there is none.
func sharedMemory() uint64 {
	var fs unix.Statfs_t
	if unix.Statfs("/dev/shm", &fs) != nil {
		return 0
	}
	return fs.Bavail * uint64(fs.Bsize)
}
