package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// clockTick is the unit of CPU time in /proc: 1/100 s on every Linux (proc_pid_stat(5)).
const clockTick = 10 * time.Millisecond

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

// process is one line of /proc/<pid>/stat.
type process struct {
	parent int
	zombie bool
	// own is its CPU time, children that of those of its children that it has
	// waited for, with theirs.
	own, children time.Duration
}

func readProcess(pid int) (process, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, err
	}
	// The command's name, in parentheses, may hold anything. After it come the
	// fields from the third on (proc_pid_stat(5)).
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 15 {
		return process{}, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	number := func(i int) int {
		n, parseErr := strconv.Atoi(string(fields[i-3]))
		err = errors.Join(err, parseErr)
		return n
	}
	p := process{
		parent: number(4), zombie: fields[0][0] == 'Z',
		own:      time.Duration(number(14)+number(15)) * clockTick,
		children: time.Duration(number(16)+number(17)) * clockTick,
	}
	return p, err
}

// readProcesses returns all processes of the machine by id. Those that end
// meanwhile are left out.
func readProcesses() (map[int]process, error) {
	names, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	all := map[int]process{}
	for _, name := range names {
		pid, err := strconv.Atoi(name.Name())
		if err != nil {
			continue
		}
		if p, err := readProcess(pid); err == nil {
			all[pid] = p
		}
	}
	return all, nil
}

// errUnreadable: the system does not let this user read a process's memory.
var errUnreadable = errors.New("the memory of a process may not be read")

// memory returns the PSS in bytes of all descendants of this process but one:
// the memory of each, and its share of what several of them use.
func memory(except int) (int64, error) {
	all, err := readProcesses()
	if err != nil {
		return 0, err
	}
	var sum int64
	for pid := range all {
		if pid == except || !descends(all, pid, os.Getpid()) {
			continue
		}
		n, err := proportional(pid)
		if errors.Is(err, fs.ErrPermission) {
			return 0, errUnreadable
		}
		sum += n // of one that has ended meanwhile there is none
	}
	return sum, nil
}

// descends reports whether a process has this one among its ancestors.
func descends(all map[int]process, pid, ancestor int) bool {
	for range len(all) {
		p, ok := all[pid]
		if !ok {
			return false
		}
		if p.parent == ancestor {
			return true
		}
		pid = p.parent
	}
	return false
}

func proportional(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		if fields := bytes.Fields(lines.Bytes()); len(fields) == 3 && string(fields[0]) == "Pss:" {
			kilobytes, err := strconv.ParseInt(string(fields[1]), 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, errors.New("no Pss line")
}

// processorTime returns the CPU time of each descendant of this process but one, by
// its id, without that of its children.
func processorTime(except int) (map[int]time.Duration, error) {
	all, err := readProcesses()
	if err != nil {
		return nil, err
	}
	used := map[int]time.Duration{}
	for pid, p := range all {
		if pid != except && descends(all, pid, os.Getpid()) {
			used[pid] = p.own
		}
	}
	return used, nil
}

// reap waits for those children of this process that have ended, but for some
// that somebody else waits for, and returns the CPU time that they and theirs
// have used, and the ids of those that still run.
func reap(keep ...int) (used time.Duration, running []int, err error) {
	all, err := readProcesses()
	if err != nil {
		return 0, nil, err
	}
	for pid, p := range all {
		if p.parent != os.Getpid() || slices.Contains(keep, pid) {
			continue
		}
		if !p.zombie {
			running = append(running, pid)
			continue
		}
		var usage unix.Rusage
		if _, err := unix.Wait4(pid, nil, unix.WNOHANG, &usage); err != nil {
			return used, running, fmt.Errorf("waiting for the process %d: %w", pid, err)
		}
		used += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	return used, running, nil
}
