//go:build linux

package chaos

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
)

// cage is a control group below the test's own, with little memory and few processors.
type cage struct {
	t *testing.T
	// memory and cpu are its directories: the same in version 2, and of the two trees in version 1.
	memory, cpu string
	// besides are further ones, in whose figures the rest of the machine would show.
	besides []string
	second  bool
	limit   float64 // bytes
}

// newCage makes one, or skips the test where the machine does not allow that.
func newCage(t *testing.T, memory int64, processors float64) *cage {
	t.Helper()
	c := &cage{t: t, limit: float64(memory)}
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		t.Skip(err)
	}
	name := fmt.Sprintf("poscrape-%s-%d", filepath.Base(t.Name()), os.Getpid())
	for line := range strings.Lines(string(groups)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		switch fields[1] {
		case "memory":
			c.memory = filepath.Join("/sys/fs/cgroup/memory", fields[2], name)
		case "cpu", "cpu,cpuacct":
			c.cpu = filepath.Join("/sys/fs/cgroup/cpu", fields[2], name)
		case "cpuacct":
			c.besides = append(c.besides, filepath.Join("/sys/fs/cgroup/cpuacct", fields[2], name))
		case "":
			if _, err := os.Stat("/sys/fs/cgroup/unified"); err == nil {
				c.besides = append(c.besides, filepath.Join("/sys/fs/cgroup/unified", fields[2], name))
			}
		}
	}
	if c.memory == "" {
		c.second = true
		c.memory = filepath.Join("/sys/fs/cgroup", strings.TrimSpace(strings.TrimPrefix(string(groups), "0::")), name)
		c.cpu = c.memory
	}
	for _, dir := range c.dirs() {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Skipf("this machine allows no control group: %v", err)
		}
		t.Cleanup(func() {
			if !testkit.Holds(func() bool { return errors.Is(os.Remove(dir), fs.ErrNotExist) }) {
				t.Errorf("the control group %s is left", dir)
			}
		})
	}
	quota := int(processors * 100_000)
	settings := [][2]string{
		{c.memory + "/memory.limit_in_bytes", fmt.Sprint(memory)},
		{c.cpu + "/cpu.cfs_quota_us", fmt.Sprint(quota)}, {c.cpu + "/cpu.shares", "20000"},
	}
	if c.second {
		settings = [][2]string{{c.memory + "/memory.max", fmt.Sprint(memory)}, {c.memory + "/memory.swap.max", "0"},
			{c.cpu + "/cpu.max", fmt.Sprint(quota, " 100000")}, {c.cpu + "/cpu.weight", "2000"}}
	}
	for _, s := range settings {
		if err := os.WriteFile(s[0], []byte(s[1]), 0o644); err != nil {
			t.Skipf("this machine limits no control group: %v", err)
		}
	}
	return c
}

// dirs returns its directories.
func (c *cage) dirs() []string {
	if c.second {
		return []string{c.memory}
	}
	return append([]string{c.memory, c.cpu}, c.besides...)
}

// around returns a command that runs its arguments in the cage.
func (c *cage) around() []string {
	script := ""
	for _, dir := range c.dirs() {
		script += fmt.Sprintf("echo $$ >'%s/cgroup.procs' && ", dir)
	}
	return []string{"/bin/sh", "-c", script + `exec "$0" "$@"`}
}

// used returns the share of its memory that is in use, without what the kernel takes back first.
func (c *cage) used() float64 {
	usage, cached := "memory.usage_in_bytes", []string{"total_active_file", "total_inactive_file"}
	if c.second {
		usage, cached = "memory.current", []string{"active_file", "inactive_file"}
	}
	bytes := c.number(usage, "")
	for _, name := range cached {
		bytes -= c.number("memory.stat", name)
	}
	return bytes / c.limit
}

// killed returns how many of its processes were killed for want of memory.
func (c *cage) killed() int {
	if c.second {
		return int(c.number("memory.events", "oom_kill"))
	}
	return int(c.number("memory.oom_control", "oom_kill"))
}

// number reads a number from a file, that of a line with this name where there are several.
func (c *cage) number(file, name string) float64 {
	text, err := os.ReadFile(filepath.Join(c.memory, file))
	if err != nil {
		c.t.Error(err)
		return 0
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if name != "" && (len(fields) != 2 || fields[0] != name) {
			continue
		}
		n, err := strconv.ParseFloat(fields[len(fields)-1], 64)
		if err != nil {
			c.t.Error(err)
		}
		return n
	}
	return 0
}

// stillMachine returns the environment of a poscrape that sees nothing of what else runs on this
// machine but in its cage: a copy of what the system says, in which no processor is busy.
func stillMachine(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	err := errors.Join(os.WriteFile(filepath.Join(dir, "stat"), []byte("cpu  1 0 1 1000 0 0 0 0 0 0\ncpu0 1 0 1 1000 0 0 0 0 0 0\n"), 0o644),
		os.Symlink("/proc/meminfo", filepath.Join(dir, "meminfo")), os.Symlink("/proc/vmstat", filepath.Join(dir, "vmstat")))
	if err != nil {
		t.Fatal(err)
	}
	return []string{"HOST_PROC=" + dir}
}
