package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// accountCommand makes this program run another one whose CPU time is counted.
const accountCommand = "account"

// account counts the CPU time of a command with all its processes.
type account struct {
	self string
	// parent is the control group whose children the commands get, or empty where none
	// can be made: then the system's account of each process is summed up.
	parent string
	// file of a control group says what has been used, see usedIn.
	file  string
	count *atomic.Int64
}

// String says what counts.
func (a account) String() string {
	if a.parent == "" {
		return "the system's accounts of all processes, as no control group can be made here"
	}
	return "control group"
}

// newAccount finds where control groups can be made: of version 2 or, with cpuacct, of 1.
func newAccount(ctx context.Context) (account, error) {
	self, err := os.Executable()
	if err != nil {
		return account{}, err
	}
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return account{}, fmt.Errorf("CPU time can be counted on Linux only: %w", err)
	}
	for line := range strings.Lines(string(own)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		var mounts []string
		file := "cpu.stat"
		switch controllers := "," + fields[1] + ","; {
		case fields[1] == "":
			mounts = []string{"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}
		case strings.Contains(controllers, ",cpuacct,"):
			mounts, file = []string{"/sys/fs/cgroup/cpuacct"}, "cpuacct.usage"
		}
		for _, mount := range mounts {
			// In a container the path may be given as the host sees it.
			for _, parent := range []string{filepath.Join(mount, fields[2]), mount} {
				a := account{self: self, parent: parent, file: file, count: &atomic.Int64{}}
				if a.works(ctx) {
					return a, nil
				}
			}
		}
	}
	return account{self: self, count: &atomic.Int64{}}, nil
}

// works reports whether a command can be counted.
func (a account) works(ctx context.Context) bool {
	cmd, sum, err := a.command(ctx, "/bin/true", nil)
	if err != nil {
		return false
	}
	err = cmd.Run()
	used, sumErr := sum()
	return err == nil && sumErr == nil && used > 0
}

// command returns a command that is counted, and what returns its CPU time when it has ended.
func (a account) command(ctx context.Context, program string, args []string) (*exec.Cmd, func() (time.Duration, error), error) {
	dir := ""
	if a.parent != "" {
		dir = filepath.Join(a.parent, fmt.Sprintf("poscrape-pair-%d-%d", os.Getpid(), a.count.Add(1)))
		if err := os.Mkdir(dir, 0o755); err != nil {
			return nil, nil, err
		}
	}
	cmd := exec.CommandContext(ctx, a.self, append([]string{accountCommand, dir, program}, args...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = grace
	if dir == "" {
		var told bytes.Buffer
		cmd.Stdout = &told
		return cmd, func() (time.Duration, error) { return time.ParseDuration(told.String()) }, nil
	}
	return cmd, func() (time.Duration, error) {
		used, err := usedIn(filepath.Join(dir, a.file))
		return used, errors.Join(err, removeGroup(dir))
	}, nil
}

// usedIn reads nanoseconds from cpuacct.usage, or microseconds from cpu.stat.
func usedIn(file string) (time.Duration, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	number, unit := first, time.Nanosecond
	if micro, ok := strings.CutPrefix(first, "usage_usec "); ok {
		number, unit = micro, time.Microsecond
	}
	n, err := strconv.ParseInt(number, 10, 64)
	return time.Duration(n) * unit, err
}

// removeGroup removes a control group when the last of its processes has ended.
func removeGroup(dir string) error {
	deadline := time.After(grace)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		err := os.Remove(dir)
		if !errors.Is(err, syscall.EBUSY) {
			return err
		}
		select {
		case <-tick.C:
		case <-deadline:
			return fmt.Errorf("processes were left behind: %w", err)
		}
	}
}

// runCounted is what accountCommand does: it becomes the program within the control
// group, or runs it and says on standard output what it and its processes have used.
func runCounted(dir string, line []string) error {
	if dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte("0"), 0o644); err != nil {
			return err
		}
		return syscall.Exec(line[0], line, os.Environ())
	}
	if err := adoptOrphans(); err != nil {
		return err
	}
	ctx, stop := interrupted()
	defer stop()
	u, err := meter{every: 2 * time.Second, grace: grace}.run(ctx, exec.Command(line[0], line[1:]...))
	if err == nil {
		fmt.Print(u.own + u.browsers)
	}
	return err
}
