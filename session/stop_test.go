package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// runUntil runs a session and calls do once, as soon as the progress is as is wanted.
func runUntil(t *testing.T, cfg session.Config, when func(session.Progress) bool, do func(*session.ProcessingSession)) (session.End, wholeReport) {
	t.Helper()
	reached := make(chan struct{})
	var once sync.Once
	cfg.OnProgress = func(p session.Progress) {
		if when(p) {
			once.Do(func() { close(reached) })
		}
	}
	s, err := session.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var beside sync.WaitGroup
	ended := make(chan struct{})
	beside.Go(func() {
		select {
		case <-reached:
			do(s)
		case <-ended:
		}
	})
	end, err := s.Run(context.WithoutCancel(t.Context()))
	close(ended)
	beside.Wait()
	if err != nil {
		t.Fatal(err)
	}
	return end, readReport(t, end.Dir)
}

func TestFirstInterruptFinishesWhatHasBegun(t *testing.T) {
	t.Parallel()
	_, sheet := startPortal(t, portal.Config{Orders: 60, Variations: []portal.Variation{portal.Plain}})
	cfg := config(t, sheet)
	cfg.Grace = 5 * time.Minute
	end, r := runUntil(t, cfg,
		func(p session.Progress) bool { return p.Done >= 3 && p.Busy > 0 },
		func(s *session.ProcessingSession) { s.Interrupt("Ctrl-C"); s.Interrupt("Ctrl-C again changes nothing") })
	if end.Status != tasks.SessionInterrupted || end.Cause != session.CauseUser || end.Reason != "Ctrl-C" {
		t.Fatalf("got %+v", end)
	}
	if r.Totals.Pending == 0 || r.Totals.Completed < 3 || r.Totals.Completed+r.Totals.Pending != 60 {
		t.Errorf("got %+v", r.Totals)
	}
	for _, task := range r.Tasks {
		switch {
		case task.State == tasks.StateCompleted && len(task.Attempts) == 1:
		case task.State == tasks.StatePending && task.Outcome == "" && len(task.Attempts) == 0:
		default:
			t.Errorf("%s is %s, %q after %d attempts", task.PO, task.State, task.Outcome, len(task.Attempts))
		}
	}
	checkCleared(t, end)
}

func TestAbortPutsOrdersBack(t *testing.T) {
	t.Parallel()
	_, sheet := startPortal(t, portal.Config{Orders: 12, Variations: []portal.Variation{portal.Slow}, Slow: time.Hour})
	for name, stop := range map[string]struct {
		grace time.Duration
		do    func(*session.ProcessingSession)
	}{
		"second interrupt":        {time.Hour, func(s *session.ProcessingSession) { s.Interrupt("one"); s.Abort("two") }},
		"end of the grace period": {0, func(s *session.ProcessingSession) { s.Interrupt("one") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := config(t, sheet)
			cfg.Workers, cfg.Grace = 2, stop.grace
			end, r := runUntil(t, cfg, func(p session.Progress) bool { return p.Busy == 2 }, stop.do)
			if end.Status != tasks.SessionInterrupted || r.Session.Status != tasks.SessionInterrupted {
				t.Errorf("got %+v", end)
			}
			interrupted := 0
			for _, task := range r.Tasks {
				if task.State != tasks.StatePending {
					t.Errorf("%s is %s", task.PO, task.State)
				}
				if task.Outcome == tasks.OutcomeInterrupted {
					interrupted++
				}
			}
			if interrupted != 2 || r.Totals.Attempts != 0 {
				t.Errorf("%d orders are interrupted and %d attempts counted; want 2 and 0", interrupted, r.Totals.Attempts)
			}
			checkCleared(t, end)
		})
	}
}

func TestCancelledContextEndsTheSession(t *testing.T) {
	t.Parallel()
	_, sheet := startPortal(t, portal.Config{Orders: 4, Variations: []portal.Variation{portal.Slow}, Slow: time.Hour})
	ctx, cancel := context.WithCancelCause(t.Context())
	cfg := alone(t, sheet)
	cfg.OnProgress = func(p session.Progress) {
		if p.Busy > 0 {
			cancel(errors.New("enough"))
		}
	}
	s, err := session.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	end, err := s.Run(ctx)
	if err != nil || end.Status != tasks.SessionInterrupted {
		t.Fatalf("got %+v, %v", end, err)
	}
	checkCleared(t, end)
	if _, err := s.Run(t.Context()); !errors.Is(err, session.ErrClosed) {
		t.Errorf("a second run: %v", err)
	}
}

func TestCloseWithoutRun(t *testing.T) {
	t.Parallel()
	_, sheet := startPortal(t, portal.Config{Orders: 2})
	s, err := session.Open(t.Context(), config(t, sheet))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// checkCleared checks that a session has left only what is meant to stay.
func checkCleared(t *testing.T, end session.End) {
	t.Helper()
	if end.Cleanup.BrowsersLeft != 0 || end.Cleanup.ProfilesLeft != 0 {
		t.Errorf("left behind: %+v", end.Cleanup)
	}
	known := map[string]bool{"session.db": true, "report.json": true, "report.html": true, "results.csv": true, "results.xlsx": true,
		"failed.csv": true, "orders": true, "evidence": true, "poscrape.log": true}
	entries, err := os.ReadDir(end.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !known[e.Name()] {
			t.Errorf("%s is in the session folder", filepath.Join(end.Dir, e.Name()))
		}
	}
}
