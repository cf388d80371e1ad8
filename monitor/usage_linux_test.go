package monitor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

func sampleUsage(t *testing.T, s *UsageSampler, pgids ...int) map[int]Usage {
	t.Helper()
	usage, err := s.Sample(t.Context(), pgids)
	if err != nil {
		t.Fatal(err)
	}
	return usage
}

func emptyFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "shared")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, helperBytes); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestUsageCountsSharedMemoryOnce(t *testing.T) {
	t.Parallel()
	file := emptyFile(t)
	group := startHelper(t, 0, file).cmd.Process.Pid
	startHelper(t, group, file)
	alone := startHelper(t, 0, emptyFile(t)).cmd.Process.Pid
	ended := startHelper(t, 0, emptyFile(t))
	ended.end()

	usage := sampleUsage(t, NewUsageSampler(), group, alone, ended.cmd.Process.Pid)
	// What a test program needs besides: some 15 MB, with the race detector 40.
	const least, most = helperBytes, helperBytes + 60<<20
	if u := usage[group]; u.Processes != 2 || u.Resident != 0 || u.CPU != 0 || u.At.IsZero() || u.Memory < least || u.Memory > most+60<<20 {
		t.Errorf("two processes that share %d bytes use %+v", helperBytes, u)
	}
	if u := usage[alone]; u.Processes != 1 || u.Memory < least || u.Memory > most {
		t.Errorf("one process with %d bytes uses %+v", helperBytes, u)
	}
	if len(usage) != 2 {
		t.Errorf("got %+v", usage)
	}
}

func TestUsageMeasuresProcessorTime(t *testing.T) {
	t.Parallel()
	file := emptyFile(t)
	busy := startHelper(t, 0, file)
	group := busy.cmd.Process.Pid
	idle := startHelper(t, 0, file).cmd.Process.Pid
	s := NewUsageSampler()
	before := sampleUsage(t, s, group, idle)
	from := busy.do(t, "look")
	until := busy.do(t, "burn")
	after := sampleUsage(t, s, group, idle)

	elapsed := after[group].At.Sub(before[group].At)
	got, want := time.Duration(after[group].CPU*float64(elapsed)), until-from
	if want < helperBurn || (got-want).Abs() > 60*time.Millisecond {
		t.Errorf("a process that used %v of processor time is said to have used %v", want, got)
	}
	if used := time.Duration(after[idle].CPU * float64(elapsed)); used > 60*time.Millisecond {
		t.Errorf("a process that waited is said to have used %v", used)
	}
	if again := sampleUsage(t, s, idle); len(again) != 1 {
		t.Errorf("got %+v", again)
	}
	if fresh := sampleUsage(t, s, group); fresh[group].CPU != 0 {
		t.Errorf("a group that was not asked for at the look before has CPU %v", fresh[group].CPU)
	}
}

// fakeProcess writes the files of a process below a stand-in for /proc. Its time
// is in ticks: user, system, and the same of its ended children.
func fakeProcess(t *testing.T, proc string, pid int, state string, group int, ticks [4]int, rollup string) {
	t.Helper()
	dir := filepath.Join(proc, strconv.Itoa(pid))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	stat := fmt.Sprintf("%d (a) S 9 9 (b) %s 1 %d %d 0 -1 4194304 1 2 3 4 %d %d %d %d 20 0 1 0 100 1000 7 0 0\n",
		pid, state, group, group, ticks[0], ticks[1], ticks[2], ticks[3])
	if err := os.WriteFile(filepath.Join(dir, "stat"), []byte(stat), 0o600); err != nil {
		t.Fatal(err)
	}
	if rollup == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(dir, "smaps_rollup"), []byte(rollup), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestUsageOfStrangeProcesses(t *testing.T) {
	t.Parallel()
	proc := t.TempDir()
	const rollup = "00400000-7ffd [rollup]\nRss:  900 kB\nPss:  100 kB\nPss_Dirty:  50 kB\nSwap:  90 kB\nSwapPss:  20 kB\n"
	fakeProcess(t, proc, 50, "S", 50, [4]int{10, 10, 10, 10}, rollup)
	fakeProcess(t, proc, 51, "R", 50, [4]int{0, 0, 0, 0}, "") // a system that has no such file
	fakeProcess(t, proc, 52, "Z", 50, [4]int{60, 0, 0, 0}, "")
	fakeProcess(t, proc, 53, "S", 77, [4]int{}, rollup)
	fakeProcess(t, proc, 54, "Z", 54, [4]int{}, "")
	for _, name := range []string{"self", "99"} { // 99 has ended since the processes were listed
		if err := os.Mkdir(filepath.Join(proc, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s := NewUsageSampler()
	s.proc = proc
	first := sampleUsage(t, s, 50, 54, 99)
	u := first[50]
	if want := int64(120<<10 + 7*os.Getpagesize()); u.Processes != 2 || u.Resident != 1 || u.Memory != want {
		t.Errorf("got %+v, want 2 processes, one of them by its resident set, and %d bytes", u, want)
	}
	if len(first) != 1 {
		t.Errorf("groups without a process are in %+v", first)
	}

	// Its parent has noticed the end of 52: nothing that it used is lost or
	// counted twice, and 20 ticks are new.
	if err := os.RemoveAll(filepath.Join(proc, "52")); err != nil {
		t.Fatal(err)
	}
	fakeProcess(t, proc, 50, "S", 50, [4]int{30, 10, 70, 10}, rollup)
	second := sampleUsage(t, s, 50)
	if used := second[50].CPU * second[50].At.Sub(u.At).Seconds(); used < 0.199 || used > 0.201 {
		t.Errorf("20 ticks are said to be %v s", used)
	}

	fakeProcess(t, proc, 50, "S", 50, [4]int{}, rollup)
	if third := sampleUsage(t, s, 50); third[50].CPU != 0 {
		t.Errorf("a group whose id was given again has CPU %v", third[50].CPU)
	}
}

func TestUsageCannotBeMeasured(t *testing.T) {
	t.Parallel()
	s := NewUsageSampler()
	s.proc = filepath.Join(t.TempDir(), "not there")
	if _, err := s.Sample(t.Context(), []int{1}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewUsageSampler().Sample(ctx, []int{syscall.Getpgrp()}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// BenchmarkUsage measures one process among all that this machine has.
func BenchmarkUsage(b *testing.B) {
	s := NewUsageSampler()
	for b.Loop() {
		if _, err := s.Sample(b.Context(), []int{syscall.Getpgrp()}); err != nil {
			b.Fatal(err)
		}
	}
}
