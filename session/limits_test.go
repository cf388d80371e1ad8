package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

const quickLooks = 250 * time.Millisecond

// ofType returns the details of the events of one type.
func ofType(r wholeReport, kind string) []string {
	var found []string
	for _, e := range r.Events {
		if e.Type == kind {
			found = append(found, e.Worker+": "+e.Detail)
		}
	}
	return found
}

// checkOver checks that one limit was told, once, as event and as notice.
func checkOver(t *testing.T, r wholeReport, notices []string, parts ...string) {
	t.Helper()
	told := ofType(r, tasks.EventLimitExceeded)
	if len(told) != 1 || len(notices) != 1 {
		t.Fatalf("the events are %q, the notices %q; want one of each", told, notices)
	}
	for _, part := range append(parts, "worker_001: WORKER-005: ") {
		if !strings.Contains(told[0], part) || !strings.Contains(notices[0], part) {
			t.Errorf("the event %q or the notice %q does not say %q", told[0], notices[0], part)
		}
	}
}

// listen collects a session's notices about limits, and calls then at each.
func listen(cfg *session.Config, then func()) *[]string {
	var mu sync.Mutex
	var told []string
	cfg.OnNotice = func(n session.Notice) {
		if !strings.Contains(n.Message, worker.CodeLimitExceeded) {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		told = append(told, n.Message)
		then()
	}
	return &told
}

func TestAWarningChangesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		limit  func(*session.Config)
		flag   string
	}{
		"memory":        {eats + waits, func(c *session.Config) { c.MemoryLimit = 250_000_000 }, "over its limit of 250 MB (--worker-memory-limit)"},
		"thorough: cpu": {burns + waits, func(c *session.Config) { c.CPULimit = 0.2 }, "over its limit of 0.2 (--worker-cpu-limit)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			longOnly(t, name)
			h, cfg := newHungry(t, c.script, tame)
			c.limit(&cfg)
			// Enough for looks in plenty, so that it could be told again.
			notices := listen(&cfg, h.letGo)
			end, r := run(t, cfg)
			checkOver(t, r, *notices, c.flag)
			if !end.Well() || len(ofType(r, tasks.EventWorkerFailed)) > 0 {
				t.Errorf("got %+v", end)
			}
			checkCleared(t, end)
		})
	}
}

func TestAKilledBrowsersOrderIsPutBack(t *testing.T) {
	t.Parallel()
	_, cfg := newHungry(t, eats+waits, tame)
	if cfg.Isolation == worker.InContainer {
		t.Skip("the container's own limit ends the page first")
	}
	cfg.MemoryLimit, cfg.Action = 250_000_000, worker.LimitKill
	notices := listen(&cfg, func() {})
	end, r := run(t, cfg)
	if len(*notices) != 2 || len(ofType(r, tasks.EventLimitExceeded)) != 2 {
		t.Errorf("told %q; want one for each of two browsers", *notices)
	}
	for _, task := range r.Tasks {
		if task.PO == "PO1001" {
			if task.Outcome != tasks.OutcomeComplete {
				t.Errorf("PO1001 ended as %s: %+v", task.Outcome, task.Error)
			}
			continue
		}
		if task.Outcome != tasks.OutcomeFailed || task.Error == nil || task.Error.Class != tasks.ClassBrowserLost ||
			!strings.Contains(task.Error.Message, "WORKER-005") || !strings.Contains(task.Error.Message, "(--worker-memory-limit)") {
			t.Errorf("PO1000 ended as %s: %+v", task.Outcome, task.Error)
		}
		if len(task.Attempts) != 2 || !task.Attempts[0].Released {
			t.Errorf("PO1000 has the attempts %+v; want one that was not charged, and one", task.Attempts)
		}
	}
	if failed := ofType(r, tasks.EventWorkerFailed); len(failed) != 2 || !strings.Contains(failed[0], "WORKER-005") {
		t.Errorf("workers failed: %q", failed)
	}
	checkCleared(t, end)
}

func TestAThrottledWorkerRecovers(t *testing.T) {
	t.Parallel()
	longOnly(t, "thorough")
	h, cfg := newHungry(t, eats+waits, tame, tame)
	cfg.MemoryLimit, cfg.Action = 250_000_000, worker.LimitThrottle
	notices := listen(&cfg, h.letGo)
	s := open(t, cfg)
	s.RestAtMost(time.Hour)
	end, r := finish(t, s)
	checkOver(t, r, *notices, "(--worker-memory-limit); it gets no other order until it is below")
	// Leaving the page is what frees the memory.
	if !end.Well() || len(ofType(r, tasks.EventWorkerStarted)) != 1 {
		t.Errorf("got %+v, browsers: %q", end, ofType(r, tasks.EventWorkerStarted))
	}
	checkCleared(t, end)
}

// open opens a session, and finish runs it to its end and returns its report.
func open(t *testing.T, cfg session.Config) *session.ProcessingSession {
	t.Helper()
	s, err := session.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func finish(t *testing.T, s *session.ProcessingSession) (session.End, wholeReport) {
	t.Helper()
	end, err := s.Run(context.WithoutCancel(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return end, readReport(t, end.Dir)
}

// fill makes the profiles of a session's browsers seem so large, in bytes, with a
// file that takes no room.
func fill(t *testing.T, s *session.ProcessingSession, size int64) {
	for _, path := range s.Profiles() {
		f, err := os.Create(filepath.Join(path, "large"))
		if err != nil {
			t.Error(err)
			return
		}
		if err := errors.Join(f.Truncate(size), f.Close()); err != nil {
			t.Error(err)
		}
	}
}

func TestAThrottledWorkerThatDoesNotRecoverIsReplaced(t *testing.T) {
	t.Parallel()
	h, cfg := newHungry(t, waits, tame)
	cfg.DiskLimit, cfg.Action = 300_000_000, worker.LimitThrottle
	notices := listen(&cfg, h.letGo)
	s := open(t, cfg)
	s.RestAtMost(time.Millisecond)
	h.asked = func() { fill(t, s, 400_000_000) }
	end, r := finish(t, s)
	checkOver(t, r, *notices, "over its limit of 300 MB (--worker-disk-limit)")
	recycled := ofType(r, tasks.EventWorkerRecycled)
	if len(recycled) != 1 || !strings.Contains(recycled[0], "did not recover: WORKER-005: its profile has 4") {
		t.Errorf("recycled: %q", recycled)
	}
	if !end.Well() || r.Totals.Attempts != 2 {
		t.Errorf("got %+v", end)
	}
	checkCleared(t, end)
}

// TestAProfileThatOutgrowsItsLimitIsEnded fills the profile of the first browser
// while it works; the action, which is to warn, has nothing to say in this.
func TestAProfileThatOutgrowsItsLimitIsEnded(t *testing.T) {
	t.Parallel()
	h, cfg := newHungry(t, waits, tame)
	notices := listen(&cfg, h.letGo)
	s := open(t, cfg)
	var once sync.Once
	h.asked = func() { once.Do(func() { fill(t, s, 600_000_000) }) }
	end, r := finish(t, s)
	checkOver(t, r, *notices, "over its limit of 500 MB (--profile-size-limit); its browser is ended")
	for _, task := range r.Tasks {
		if task.PO == "PO1000" && (len(task.Attempts) != 2 || !task.Attempts[0].Released ||
			!strings.Contains(task.Attempts[0].Error.Message, "(--profile-size-limit)")) {
			t.Errorf("PO1000 has the attempts %+v; want one that was put back, and one", task.Attempts)
		}
	}
	if !end.Well() {
		t.Errorf("got %+v", end)
	}
	checkCleared(t, end)
}

func TestBrowsersAreRecycledByAge(t *testing.T) {
	t.Parallel()
	longOnly(t, "thorough")
	_, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: 4, Variations: []portal.Variation{portal.Plain}})
	cfg := config(t, sheet)
	cfg.Workers, cfg.MaxAge = 1, time.Millisecond
	end, r := run(t, cfg)
	recycled := ofType(r, tasks.EventWorkerRecycled)
	if !end.Well() || len(recycled) < 3 || !strings.Contains(recycled[0], "--max-worker-age") {
		t.Errorf("got %+v, recycled %q", end, recycled)
	}
	checkCleared(t, end)
}

// TestBrowsersAreRecycledByMemory sees a browser go between the order that has
// filled it and the next.
func TestBrowsersAreRecycledByMemory(t *testing.T) {
	t.Parallel()
	longOnly(t, "thorough")
	h, cfg := newHungry(t, eats+waits, tame)
	cfg.MaxMemory, cfg.MemoryLimit = 250_000_000, 250_000_000
	listen(&cfg, h.letGo) // it was looked at
	end, r := run(t, cfg)
	recycled := ofType(r, tasks.EventWorkerRecycled)
	if !end.Well() || len(recycled) != 1 || !strings.Contains(recycled[0], "250 MB is the most (--max-worker-memory)") {
		t.Errorf("got %+v, recycled %q", end, recycled)
	}
	if w := r.Workers[0]; w.MemoryPeakBytes <= 250_000_000 || w.MemoryPeakBytes < w.MemoryBytes || w.DiskBytes == 0 {
		t.Errorf("the worker's record says %+v", w)
	}
	checkCleared(t, end)
}
