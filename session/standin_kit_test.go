package session_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// standing returns the settings of a session of the orders PO1001, PO1002, ... at a host that is
// not there, for stand-ins.
func standing(t *testing.T, orders int) session.Config {
	t.Helper()
	dir := t.TempDir()
	cfg := session.DefaultConfig()
	cfg.File, cfg.Out, cfg.NoScale, cfg.Workers = filepath.Join(dir, "pos.csv"), filepath.Join(dir, "out"), true, 2
	testkit.Write(t, cfg.File, "po,url\n"+rowsFrom(1001, orders, "https://portal.example"))
	return cfg
}

// rowsFrom returns the rows of orders that have pages at this address.
func rowsFrom(first, orders int, base string) string {
	var rows strings.Builder
	for n := range orders {
		fmt.Fprintf(&rows, "PO%[1]d,%[2]s/orders/PO%[1]d\n", first+n, base)
	}
	return rows.String()
}

// inBubble runs subtests in time of their own, side by side.
func inBubble(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, test)
	})
}

// takes returns stand-ins that bring home every order, in a time.
func takes(d time.Duration) *session.StandIns {
	return &session.StandIns{Act: func(*tasks.ProcessingTask) session.Act { return session.Act{Takes: d} }}
}

func openOn(t *testing.T, cfg session.Config, on *session.StandIns) *session.ProcessingSession {
	t.Helper()
	s, err := session.OpenOn(t.Context(), cfg, on)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// runOn runs a session with stand-ins to its end and returns its report.
func runOn(t *testing.T, cfg session.Config, on *session.StandIns) (session.End, wholeReport) {
	t.Helper()
	return finish(t, openOn(t, cfg, on))
}

// resumeOn goes on with a session to its end, with stand-ins.
func resumeOn(t *testing.T, dir string, cfg session.ResumeConfig, on *session.StandIns) (session.End, wholeReport) {
	t.Helper()
	s, err := session.ResumeOn(t.Context(), dir, cfg, on)
	if err != nil {
		t.Fatal(err)
	}
	return finish(t, s)
}

// runOnUntil runs a session with stand-ins and calls do once, as soon as the progress is as is wanted.
func runOnUntil(t *testing.T, cfg session.Config, on *session.StandIns, when func(session.Progress) bool, do func(*session.ProcessingSession)) (session.End, wholeReport) {
	t.Helper()
	return finishAfter(t, &cfg, func() *session.ProcessingSession { return openOn(t, cfg, on) }, when, do)
}

// finishAfter opens a session and runs it to its end, and meanwhile calls do once, as soon as the
// progress is as is wanted.
func finishAfter(t *testing.T, cfg *session.Config, open func() *session.ProcessingSession, when func(session.Progress) bool, do func(*session.ProcessingSession)) (session.End, wholeReport) {
	t.Helper()
	reached := make(chan struct{})
	var once sync.Once
	cfg.OnProgress = func(p session.Progress) {
		if when(p) {
			once.Do(func() { close(reached) })
		}
	}
	s := open()
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

// interruptedOn runs a session with stand-ins until some of its orders have ended, and stops it.
func interruptedOn(t *testing.T, cfg session.Config, on *session.StandIns) (session.End, wholeReport) {
	t.Helper()
	end, r := runOnUntil(t, cfg, on, func(p session.Progress) bool { return p.Done >= 3 && p.Busy > 0 },
		func(s *session.ProcessingSession) { s.Abort("stopped by the test") })
	if end.Status != tasks.SessionInterrupted {
		t.Fatalf("got %+v", end)
	}
	return end, r
}

// checkBrought checks that each order that has ended is complete, with the one document that
// stand-ins bring it, at one attempt, and returns how many there are.
func checkBrought(t *testing.T, dir string, r wholeReport) (ended int) {
	t.Helper()
	for _, task := range r.Tasks {
		charged, _ := charges(task)
		if task.State == tasks.StatePending {
			if charged > 0 || len(task.Attachments) > 0 {
				t.Errorf("%s is pending after %d attempts, with %v", task.PO, charged, task.Attachments)
			}
			continue
		}
		ended++
		if task.Outcome != tasks.OutcomeComplete || charged != 1 || len(task.Attachments) != 1 {
			t.Errorf("%s is %s after %d attempts, with %v: %+v", task.PO, task.Outcome, charged, task.Attachments, task.Error)
			continue
		}
		doc := task.Attachments[0]
		if got := sum(t, filepath.Join(dir, filepath.FromSlash(doc.Path))); doc.Name != task.PO+".pdf" || got != doc.SHA256 || got != sumOf(session.Documents(task.PO)[doc.Name]) {
			t.Errorf("%s: %s is not its own", task.PO, doc.Path)
		}
	}
	return ended
}

// down returns what an attempt meets at a host that cannot be connected to.
func down(host string) error {
	f := tasks.Retry(tasks.ClassNavigation, "%s cannot be reached: connection refused", host)
	f.Unreached, f.Seen = true, "connection refused"
	return f
}
