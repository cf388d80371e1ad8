package main

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

func interruptedEnd() session.End {
	return session.End{
		Dir: "the-folder", Files: []string{"report.json"}, Status: tasks.SessionInterrupted, Cause: session.CauseUser,
		Total: 3, ByOutcome: map[tasks.Outcome]int{tasks.OutcomeComplete: 2, tasks.OutcomeInterrupted: 1},
	}
}

func TestFirstSignalInterrupts(t *testing.T) {
	t.Parallel()
	r := newStandIn()
	tr := newTrial(r, nil)
	tr.start(t, "run", "--grace", "90s", "pos.csv")
	testkit.Wait(t, "the run", func() bool { return r.called("run") })
	tr.signals <- os.Interrupt
	testkit.Wait(t, "the interrupt", func() bool { return r.called("interrupt: interrupted by Ctrl-C") })
	r.stop <- interruptedEnd()
	if code := tr.wait(t); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	want := "Interrupted: no new order is begun; those in progress have up to 1m30s to finish. Press Ctrl-C again to stop them at once.\n"
	if tr.err.String() != want {
		t.Errorf("standard error has %q, want %q", tr.err.String(), want)
	}
	if !strings.Contains(tr.out.String(), "Interrupted after 0s: 2 of 3 orders ended, 1 still open.") {
		t.Errorf("standard output has\n%s", tr.out.String())
	}
	if got := r.told(); got != "run; interrupt: interrupted by Ctrl-C" {
		t.Errorf("the session was told %q", got)
	}
}

func TestSecondSignalAborts(t *testing.T) {
	t.Parallel()
	r := newStandIn()
	tr := newTrial(r, nil)
	tr.start(t, "run", "-q", "pos.csv") // quiet is no reason not to answer
	testkit.Wait(t, "the run", func() bool { return r.called("run") })
	tr.signals <- os.Interrupt
	tr.signals <- os.Interrupt
	testkit.Wait(t, "the abort", func() bool { return r.called("abort: interrupted by Ctrl-C") })
	r.stop <- interruptedEnd()
	if code := tr.wait(t); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	for _, want := range []string{"no new order is begun", "stopped and put back", "Press Ctrl-C again to end without cleaning up"} {
		if !strings.Contains(tr.err.String(), want) {
			t.Errorf("standard error does not say %q:\n%s", want, tr.err.String())
		}
	}
}

func TestThirdSignalGivesUp(t *testing.T) {
	t.Parallel()
	r := newStandIn()
	tr := newTrial(r, nil)
	tr.start(t, "run", "pos.csv")
	testkit.Wait(t, "the run", func() bool { return r.called("run") })
	for range 3 {
		tr.signals <- os.Interrupt
	}
	if code := tr.wait(t); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	if want := "poscrape: ended at once, without a report and without cleaning up; 'poscrape resume the-folder' goes on, and clears up what is left\n"; !strings.HasSuffix(tr.err.String(), want) {
		t.Errorf("standard error ends with\n%s\nwant %s", tr.err.String(), want)
	}
	if tr.out.String() != "" {
		t.Errorf("standard output has %q, though nothing is known", tr.out.String())
	}
	r.stop <- session.End{} // lets go the goroutine that the program's end would end
}

// An interrupt is an interrupt, even if all orders came to their end meanwhile.
func TestInterruptedRunThatFinishes(t *testing.T) {
	t.Parallel()
	r := newStandIn()
	tr := newTrial(r, nil)
	tr.start(t, "run", "pos.csv")
	testkit.Wait(t, "the run", func() bool { return r.called("run") })
	tr.signals <- syscall.SIGTERM
	testkit.Wait(t, "the interrupt", func() bool {
		return r.called("interrupt: interrupted by a signal to terminate") || r.called("abort: interrupted by a signal to terminate")
	})
	r.stop <- wellEnd()
	if code := tr.wait(t); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	if !strings.Contains(tr.out.String(), "2 orders in 3s: all ended well and are confirmed.") {
		t.Errorf("standard output has\n%s", tr.out.String())
	}
}

func TestSignalWhileOpening(t *testing.T) {
	t.Parallel()
	tr := newTrial(nil, nil)
	opening := make(chan struct{})
	tr.open = func(ctx context.Context, _ session.Config) (runner, error) {
		close(opening)
		<-ctx.Done()
		if !errors.Is(context.Cause(ctx), errInterrupted) {
			t.Errorf("the cause is %v, want %v", context.Cause(ctx), errInterrupted)
		}
		return nil, errors.New("a program was killed by the end of the context")
	}
	tr.start(t, "run", "pos.csv")
	<-opening
	tr.signals <- os.Interrupt
	if code := tr.wait(t); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	want := "Interrupted before any order was begun: stopping. Press Ctrl-C again to end at once.\n"
	if got := tr.err.String(); got != want {
		t.Errorf("standard error has %q, want %q alone", got, want)
	}
}

func TestSecondSignalWhileOpening(t *testing.T) {
	t.Parallel()
	tr := newTrial(nil, nil)
	opening, release := make(chan struct{}), make(chan struct{})
	tr.open = func(context.Context, session.Config) (runner, error) {
		close(opening)
		<-release // deaf to its context
		return nil, errors.New("too late")
	}
	tr.start(t, "run", "pos.csv")
	<-opening
	tr.signals <- os.Interrupt
	tr.signals <- os.Interrupt
	if code := tr.wait(t); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	if want := "poscrape: ended at once; no order was begun\n"; !strings.HasSuffix(tr.err.String(), want) {
		t.Errorf("standard error ends with\n%s\nwant %s", tr.err.String(), want)
	}
	close(release)
}

// A session that was opened although a signal came is run without an order, so
// that its folder has a true report.
func TestSignalThatComesTooLateForOpen(t *testing.T) {
	t.Parallel()
	r := newStandIn()
	tr := newTrial(r, nil)
	opening := make(chan struct{})
	tr.open = func(ctx context.Context, _ session.Config) (runner, error) {
		close(opening)
		<-ctx.Done()
		return r, nil
	}
	tr.start(t, "run", "pos.csv")
	<-opening
	tr.signals <- os.Interrupt
	r.stop <- interruptedEnd()
	if code := tr.wait(t); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	if got := r.told(); got != "interrupt: "+errInterrupted.Error()+"; run" {
		t.Errorf("the session was told %q", got)
	}
}

// Each row: signals in order, and what they amount to.
func TestCountingSignals(t *testing.T) {
	t.Parallel()
	onWindows := func(there, elsewhere int) int {
		if runtime.GOOS == "windows" {
			return there
		}
		return elsewhere
	}
	for _, c := range []struct {
		name    string
		signals []os.Signal
		want    []int
	}{
		{"Ctrl-C", []os.Signal{os.Interrupt, os.Interrupt, os.Interrupt}, []int{1, 2, 3}},
		{"a terminal that is closed says so twice", []os.Signal{syscall.SIGHUP, syscall.SIGHUP, syscall.SIGHUP}, []int{1, 0, 0}},
		{"closed after Ctrl-C", []os.Signal{os.Interrupt, syscall.SIGHUP, os.Interrupt}, []int{1, 0, 2}},
		{"terminate", []os.Signal{syscall.SIGTERM, syscall.SIGTERM}, []int{onWindows(2, 1), onWindows(3, 2)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var i interrupts
			for n, s := range c.signals {
				if got := i.add(s); got != c.want[n] {
					t.Errorf("signal %d counts as %d, want %d", n+1, got, c.want[n])
				}
			}
		})
	}
}

// TestEchoesAreOneSignal: what timeout(1) sends to a program and its group, and a key that is held down.
func TestEchoesAreOneSignal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		received, meant := make(chan os.Signal), make(chan os.Signal, maxSignals)
		go withoutEchoes(received, meant)
		for _, one := range []struct {
			after time.Duration
			os.Signal
		}{{0, os.Interrupt}, {0, os.Interrupt}, {echo, os.Interrupt}, {echo, os.Interrupt}, {0, syscall.SIGTERM}, {2 * echo, syscall.SIGTERM}} {
			time.Sleep(one.after) //nolint:forbidigo // in a synctest bubble
			received <- one.Signal
		}
		close(received)
		synctest.Wait()
		close(meant)
		var got []os.Signal
		for s := range meant {
			got = append(got, s)
		}
		if want := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGTERM}; !slices.Equal(got, want) {
			t.Errorf("passed on are %v, want %v", got, want)
		}
	})
}
