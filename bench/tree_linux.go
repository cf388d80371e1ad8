package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/poscrape/poscrape/internal/proc"
)

// adoptOrphans makes this process the parent of every descendant whose own
// parent ends, so that no CPU time is lost: what a browser's children have used
// comes here when the browser is killed.
func adoptOrphans() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("asking to be the parent of orphans: %w", err)
	}
	return nil
}

// shield keeps the terminal's Ctrl-C from the command, and ends it with this process.
func shield(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// awaitExit returns when the child has ended, and leaves its figures to be read
// until it is waited for.
func awaitExit(pid int) error {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// errUnreadable: the system does not let this user read a process's memory.
var errUnreadable = errors.New("the memory of a process may not be read")

// descendants returns all descendants of this process but one.
func descendants(except int) ([]proc.Process, error) {
	all, err := proc.All()
	parents := make(map[int]int, len(all))
	for _, p := range all {
		parents[p.PID] = p.Parent
	}
	return slices.DeleteFunc(all, func(p proc.Process) bool {
		return p.PID == except || !descends(parents, p.PID, os.Getpid())
	}), err
}

// descends reports whether a process has this one among its ancestors.
func descends(parents map[int]int, pid, ancestor int) bool {
	for range len(parents) {
		if pid = parents[pid]; pid == ancestor {
			return true
		}
	}
	return false
}

// memory returns the PSS in bytes of all descendants of this process but one:
// the memory of each, and its share of what several of them use.
func memory(except int) (int64, error) {
	all, err := descendants(except)
	var sum int64
	for _, p := range all {
		n, err := proc.Memory(p.PID)
		if errors.Is(err, fs.ErrPermission) {
			return 0, errUnreadable
		}
		sum += n // of one that has ended meanwhile there is none
	}
	return sum, err
}

// processorTime returns the CPU time of each descendant of this process but one, by
// its id, without that of its children.
func processorTime(except int) (map[int]time.Duration, error) {
	all, err := descendants(except)
	used := map[int]time.Duration{}
	for _, p := range all {
		used[p.PID] = p.Own
	}
	return used, err
}

// reap waits for those children of this process that have ended, but for some
// that somebody else waits for, and returns the CPU time that they and theirs
// have used, and the ids of those that still run.
func reap(keep ...int) (used time.Duration, running []int, err error) {
	all, err := proc.All()
	if err != nil {
		return 0, nil, err
	}
	for _, p := range all {
		if p.Parent != os.Getpid() || slices.Contains(keep, p.PID) {
			continue
		}
		if !p.Ended {
			running = append(running, p.PID)
			continue
		}
		var usage unix.Rusage
		if _, err := unix.Wait4(p.PID, nil, unix.WNOHANG, &usage); err != nil {
			return used, running, fmt.Errorf("waiting for the process %d: %w", p.PID, err)
		}
		used += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	return used, running, nil
}
