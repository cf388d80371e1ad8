package monitor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/internal/proc"
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
	waiting := startHelper(t, 0, file)
	idle := waiting.cmd.Process.Pid
	s := NewUsageSampler()
	earliest, idleFrom := busy.do(t, "look"), waiting.do(t, "look")
	before := sampleUsage(t, s, group, idle)
	from := busy.do(t, "look")
	until := busy.do(t, "burn")
	after := sampleUsage(t, s, group, idle)
	latest, idleUntil := busy.do(t, "look"), waiting.do(t, "look")

	// Each sample was taken between two looks of the process itself, and is rounded to ticks.
	const rounding = 4 * proc.Tick
	elapsed := after[group].At.Sub(before[group].At)
	got := time.Duration(after[group].CPU * float64(elapsed))
	if least, most := until-from, latest-earliest; least < helperBurn || got < least-rounding || got > most+rounding {
		t.Errorf("a process that used %v to %v of processor time is said to have used %v", least, most, got)
	}
	if used := time.Duration(after[idle].CPU * float64(elapsed)); used > idleUntil-idleFrom+rounding {
		t.Errorf("a process that used %v at the most is said to have used %v", idleUntil-idleFrom, used)
	}
	if again := sampleUsage(t, s, idle); len(again) != 1 {
		t.Errorf("got %+v", again)
	}
	if fresh := sampleUsage(t, s, group); fresh[group].CPU != 0 {
		t.Errorf("a group that was not asked for in the sample before has CPU %v", fresh[group].CPU)
	}
}

// Its own time and that of its ended children are in ticks.
func fakeProcess(pid, group int, own, children time.Duration) proc.Process {
	return proc.Process{PID: pid, Group: group, Own: own * proc.Tick, Children: children * proc.Tick, Resident: 7000}
}

func TestUsageOfStrangeProcesses(t *testing.T) {
	t.Parallel()
	zombie, alone := fakeProcess(52, 50, 60, 0), fakeProcess(54, 54, 0, 0)
	zombie.Ended, alone.Ended = true, true
	all := []proc.Process{
		fakeProcess(50, 50, 20, 20), fakeProcess(51, 50, 0, 0), zombie, fakeProcess(53, 77, 0, 0), alone,
		fakeProcess(99, 99, 0, 0), // it ends before its memory is read
	}
	s := NewUsageSampler()
	s.all = func() ([]proc.Process, error) { return all, nil }
	s.memory = func(pid int) (int64, error) {
		switch pid {
		case 50:
			return 120 << 10, nil
		case 51:
			return 0, os.ErrNotExist // a system that does not tell
		default:
			return 0, proc.ErrEnded
		}
	}
	first := sampleUsage(t, s, 50, 54, 99)
	u := first[50]
	if want := int64(120<<10 + 7000); u.Processes != 2 || u.Resident != 1 || u.Memory != want {
		t.Errorf("got %+v, want 2 processes, one of them by its resident set, and %d bytes", u, want)
	}
	if len(first) != 1 {
		t.Errorf("groups without a process are in %+v", first)
	}

	// Its parent has noticed the end of 52: nothing that it used is lost or
	// counted twice, and 20 ticks are new.
	all = []proc.Process{fakeProcess(50, 50, 40, 80), fakeProcess(51, 50, 0, 0)}
	second := sampleUsage(t, s, 50)
	if used := second[50].CPU * second[50].At.Sub(u.At).Seconds(); used < 0.199 || used > 0.201 {
		t.Errorf("20 ticks are said to be %v s", used)
	}

	all = all[1:]
	if third := sampleUsage(t, s, 50); third[50].CPU != 0 {
		t.Errorf("a group whose id was given again has CPU %v", third[50].CPU)
	}
}

// TestMemoryIsReadNowAndThen: every 15 s; in between it grows as the resident set does.
func TestMemoryIsReadNowAndThen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		resident, read := int64(1000), 0
		s := NewUsageSampler()
		s.all = func() ([]proc.Process, error) {
			p := fakeProcess(50, 50, 0, 0)
			p.Resident = resident
			return []proc.Process{p}, nil
		}
		s.memory = func(int) (int64, error) { read++; return 400, nil }
		for i, want := range []int64{400, 800, 1200, 400} {
			if u := sampleUsage(t, s, 50)[50]; u.Memory != want || u.Processes != 1 {
				t.Errorf("sample %d is %+v, want %d bytes", i, u, want)
			}
			resident += 1000
			<-time.After(5 * time.Second)
		}
		if read != 2 {
			t.Errorf("the memory was read %d times", read)
		}
	})
}

func TestUsageCannotBeMeasured(t *testing.T) {
	t.Parallel()
	s := NewUsageSampler()
	s.all = func() ([]proc.Process, error) { return nil, os.ErrNotExist }
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
