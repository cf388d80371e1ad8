// Package proc reads what Linux says of processes in /proc. It reads all that it needs of
// a process at once, and says nothing of any on other systems.
//
// It decides nothing: whose a process is, and what follows, is for its callers to say.
package proc

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Tick is the unit of processor times in /proc, the same on every system that Go
// runs on (USER_HZ, see proc_pid_stat(5)).
const Tick = time.Second / 100

// Process is what /proc/<pid>/stat says of a process.
type Process struct {
	PID, Parent, Group, Session int
	// Name is the command's short name, which may hold anything.
	Name string
	// Ended: it is a zombie, which waits for its parent to notice.
	Ended bool
	// Start is when it started, in ticks since the system did.
	Start uint64
	// Own is its processor time, Children that of those of its children that have ended
	// and that it has waited for, with theirs.
	Own, Children time.Duration
	// Resident is its resident set in bytes.
	Resident int64
}

func file(pid int, name string) string { return fmt.Sprintf("/proc/%d/%s", pid, name) }

// Read returns the process with this id. The error is for one that is gone, too.
func Read(pid int) (Process, error) {
	stat, err := os.ReadFile(file(pid, "stat"))
	if err != nil {
		return Process{}, err
	}
	return parse(pid, stat)
}

// parse reads a process's line, see proc_pid_stat(5). Its second field is the name in
// parentheses; the third one follows the last parenthesis.
func parse(pid int, stat []byte) (Process, error) {
	from, to := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	fields := bytes.Fields(stat[to+1:])
	if from < 0 || to < from || len(fields) < 22 {
		return Process{}, fmt.Errorf("the status of process %d is cut short: %q", pid, stat)
	}
	var err error
	number := func(field int) int64 {
		n, wrong := strconv.ParseInt(string(fields[field-3]), 10, 64)
		err = errors.Join(err, wrong)
		return n
	}
	p := Process{
		PID: pid, Name: string(stat[from+1 : to]), Ended: fields[0][0] == 'Z' || fields[0][0] == 'X',
		Parent: int(number(4)), Group: int(number(5)), Session: int(number(6)),
		Own: time.Duration(number(14)+number(15)) * Tick, Children: time.Duration(number(16)+number(17)) * Tick,
		Start: uint64(number(22)), Resident: number(24) * int64(os.Getpagesize()),
	}
	return p, err
}

// All returns all processes that this one can see, zombies among them. Those that end
// meanwhile are left out.
func All() ([]Process, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, fmt.Errorf("list the processes: %w", err)
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("list the processes: %w", err)
	}
	var all []Process
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if p, err := Read(pid); err == nil {
			all = append(all, p)
		}
	}
	return all, nil
}

// Command returns the process's arguments with spaces between them, or "" for one that
// has none or is gone.
func Command(pid int) string {
	line, _ := os.ReadFile(file(pid, "cmdline"))
	return strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " "))
}

// ErrEnded: the process has ended, or does so now.
var ErrEnded = errors.New("the process has ended")

// Memory returns the process's proportional set size (PSS) in bytes, in which memory that
// several processes share counts once, with what of it was swapped out. The error
// matches ErrEnded or, where this user may not know it, fs.ErrPermission. It takes the
// kernel about a millisecond.
func Memory(pid int) (int64, error) {
	text, err := os.ReadFile(file(pid, "smaps_rollup"))
	switch {
	case errors.Is(err, fs.ErrPermission):
		return 0, err
	case err != nil:
		// ESRCH where the process has ended, ENOENT also on kernels before 4.14.
		if _, statErr := os.Stat(file(pid, "")); statErr != nil || !errors.Is(err, fs.ErrNotExist) {
			return 0, ErrEnded
		}
		return 0, err
	}
	return proportional(text)
}

func proportional(rollup []byte) (int64, error) {
	var total int64
	found := false
	for line := range bytes.Lines(rollup) {
		fields := bytes.Fields(line)
		if len(fields) < 2 || string(fields[0]) != "Pss:" && string(fields[0]) != "SwapPss:" {
			continue
		}
		kilobytes, err := strconv.ParseInt(string(fields[1]), 10, 64)
		if err != nil {
			return 0, err
		}
		total, found = total+kilobytes<<10, true
	}
	if !found {
		return 0, ErrEnded // between open and read: nothing is mapped any more
	}
	return total, nil
}

// User returns the user of a process: false for one that is gone, and for one that
// acts as another user than the one who started it.
func User(pid int) (uid int, ok bool) {
	status, err := os.ReadFile(file(pid, "status"))
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(status)) {
		if ids, found := strings.CutPrefix(line, "Uid:"); found {
			all := slices.Compact(strings.Fields(ids))
			uid, err = strconv.Atoi(strings.Join(all, " "))
			return uid, err == nil
		}
	}
	return 0, false
}

// Program returns the path of the file that the process runs, or "".
func Program(pid int) string { return link(file(pid, "exe")) }

// Home returns the home directory that the process was started with, or "": also
// where this process may not know it, and where the other one sees other file
// systems, in which the same path is another directory.
func Home(pid int) string {
	if mounts := link(file(pid, "ns/mnt")); mounts == "" || mounts != Namespace("mnt") {
		return ""
	}
	environment, err := os.ReadFile(file(pid, "environ"))
	if err != nil {
		return ""
	}
	for entry := range bytes.SplitSeq(environment, []byte{0}) {
		if home, found := bytes.CutPrefix(entry, []byte("HOME=")); found {
			return filepath.Clean(string(home))
		}
	}
	return ""
}

// Namespace names the namespace of a kind that this process is in, or is "".
func Namespace(kind string) string { return link("/proc/self/ns/" + kind) }

func link(name string) string {
	target, _ := os.Readlink(name)
	return target
}

// Boot distinguishes one start of the system from the others. It is "" where there is no
// telling.
func Boot() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id))
}
