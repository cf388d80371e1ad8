package profiles

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// process is what the system's table says of one process.
type process struct {
	pid, parent, pgid, session int
	startTicks                 uint64
	zombie                     bool
	name                       string
}

// readProcess returns false for a process that is gone.
func readProcess(pid int) (process, bool) {
	stat, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return process{}, false
	}
	// The second field is the command in parentheses, and may hold anything.
	// Behind it come state, parent, group and session; the start is the
	// twentieth, see proc_pid_stat(5).
	from, to := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	fields := strings.Fields(string(stat[to+1:]))
	if from < 0 || to < from || len(fields) < 20 {
		return process{}, false
	}
	p := process{pid: pid, name: string(stat[from+1 : to]), zombie: fields[0] == "Z" || fields[0] == "X"}
	for i, id := range []*int{&p.parent, &p.pgid, &p.session} {
		if *id, err = strconv.Atoi(fields[1+i]); err != nil {
			return process{}, false
		}
	}
	p.startTicks, err = strconv.ParseUint(fields[19], 10, 64)
	return p, err == nil
}

// allProcesses returns all that this process can see, zombies among them.
func allProcesses() ([]process, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, fmt.Errorf("read the table of processes: %w", err)
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("read the table of processes: %w", err)
	}
	var all []process
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if p, there := readProcess(pid); there {
			all = append(all, p)
		}
	}
	return all, nil
}

// identify returns what distinguishes the process from a later one with the same id.
// All of it is empty if the process is gone already.
func identify(pid int) identity {
	p, there := readProcess(pid)
	uid, known := userOf(pid)
	if !there || !known {
		return identity{}
	}
	return identity{
		StartTicks: p.startTicks, BootID: bootID(), PIDNamespace: ownNamespace("pid"),
		Session: p.session, UID: uid, Exe: programOf(pid),
	}
}

func procFile(pid int, name string) string { return fmt.Sprintf("/proc/%d/%s", pid, name) }

func bootID() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}

// ownNamespace names the namespace of a kind that this process is in.
func ownNamespace(kind string) string {
	name, err := os.Readlink("/proc/self/ns/" + kind)
	if err != nil {
		return ""
	}
	return name
}

// userOf returns the user of a process: false for one that is gone, and for one
// that acts as another user than the one who started it.
func userOf(pid int) (uid int, ok bool) {
	status, err := os.ReadFile(procFile(pid, "status"))
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(status)) {
		ids, found := strings.CutPrefix(line, "Uid:")
		if !found {
			continue
		}
		all := slices.Compact(strings.Fields(ids))
		if len(all) != 1 {
			return 0, false
		}
		uid, err = strconv.Atoi(all[0])
		return uid, err == nil
	}
	return 0, false
}

// programOf returns the path of the file that the process runs, or "".
func programOf(pid int) string {
	path, err := os.Readlink(procFile(pid, "exe"))
	if err != nil {
		return ""
	}
	return path
}

// homeOf returns the home directory that the process was started with, or "":
// also where this process may not know it, and where the other one sees other
// file systems, in which the same path is another directory.
func homeOf(pid int) string {
	mounts, err := os.Readlink(procFile(pid, "ns/mnt"))
	if err != nil || mounts != ownNamespace("mnt") {
		return ""
	}
	environment, err := os.ReadFile(procFile(pid, "environ"))
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
