package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// runUntil runs a session and calls do once, as soon as the progress is as is wanted.
func runUntil(t *testing.T, cfg session.Config, when func(session.Progress) bool, do func(*session.ProcessingSession)) (session.End, wholeReport) {
	t.Helper()
	return finishAfter(t, &cfg, func() *session.ProcessingSession { return open(t, cfg) }, when, do)
}

func TestFirstInterruptFinishesWhatHasBegun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cfg := standing(t, 60)
		cfg.Grace = 5 * time.Minute
		end, r := runOnUntil(t, cfg, takes(2*time.Second),
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
		checkBrought(t, end.Dir, r)
		checkCleared(t, end)
	})
}

func TestAbortPutsOrdersBack(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]struct {
		grace time.Duration
		do    func(*session.ProcessingSession)
		took  time.Duration
	}{
		"second interrupt":        {time.Hour, func(s *session.ProcessingSession) { s.Interrupt("one"); s.Abort("two") }, 0},
		"no grace period":         {0, func(s *session.ProcessingSession) { s.Interrupt("one") }, 0},
		"end of the grace period": {20 * time.Second, func(s *session.ProcessingSession) { s.Interrupt("one") }, 20 * time.Second},
	} {
		inBubble(t, name, func(t *testing.T) {
			cfg := standing(t, 12)
			cfg.Grace = stop.grace
			var stopped time.Time
			end, r := runOnUntil(t, cfg, takes(time.Minute), func(p session.Progress) bool { return p.Busy == 2 },
				func(s *session.ProcessingSession) { stopped = time.Now(); stop.do(s) })
			if end.Status != tasks.SessionInterrupted || r.Session.Status != tasks.SessionInterrupted {
				t.Errorf("got %+v", end)
			}
			if took := time.Since(stopped); took < stop.took || took > stop.took+time.Second {
				t.Errorf("it ended %v after it was stopped, want %v", took, stop.took)
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
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cfg := standing(t, 4)
		cfg.Workers = 1
		cfg.OnProgress = func(p session.Progress) {
			if p.Busy > 0 {
				cancel(errors.New("enough"))
			}
		}
		s := openOn(t, cfg, takes(time.Hour))
		end, err := s.Run(ctx)
		if err != nil || end.Status != tasks.SessionInterrupted {
			t.Fatalf("got %+v, %v", end, err)
		}
		checkCleared(t, end)
		if _, err := s.Run(t.Context()); !errors.Is(err, session.ErrClosed) {
			t.Errorf("a second run: %v", err)
		}
	})
}

func TestCloseWithoutRun(t *testing.T) {
	t.Parallel()
	s := openOn(t, standing(t, 2), takes(0))
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
