package browser

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// groupRuns reports whether a process of the group is more than a zombie.
func groupRuns(pgid int) bool {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return true
	}
	for _, entry := range entries {
		if _, err := strconv.Atoi(entry.Name()); err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + entry.Name() + "/stat")
		if err != nil {
			continue
		}
		// The command's name, in parentheses, may hold anything. After it come
		// state, ppid and pgrp (proc_pid_stat(5)).
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) > 2 && string(fields[2]) == strconv.Itoa(pgid) && fields[0][0] != 'Z' && fields[0][0] != 'X' {
			return true
		}
	}
	return false
}

// sharedMemory returns the free bytes of /dev/shm, or 0 where there is none.
func sharedMemory() uint64 {
	var fs unix.Statfs_t
	if unix.Statfs("/dev/shm", &fs) != nil {
		return 0
	}
	return fs.Bavail * uint64(fs.Bsize)
}
