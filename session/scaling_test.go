package session_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/monitor"
	"github.com/poscrape/poscrape/session"
)

// loaded is a sampler that says how busy the processors are.
type loaded struct{ busy atomic.Bool }

func (l *loaded) Sample(context.Context) (monitor.Sample, error) {
	s := monitor.Sample{At: time.Now(), CPU: 0.1, Memory: 0.1, Pressure: -1}
	if l.busy.Load() {
		s.CPU = 0.99
	}
	return s, nil
}

// TestLoadTakesWorkersAwayAndGivesThemBack sees four workers of a busy machine go down to
// one, and one come back when it is busy no more, without an order lost or retried.
// Package monitor has a test with real load.
func TestLoadTakesWorkersAwayAndGivesThemBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, loadScales)
}

func loadScales(t *testing.T) {
	cfg := standing(t, 400)
	cfg.Workers = 4
	cfg.NoScale, cfg.CPUThreshold, cfg.CheckInterval, cfg.Grace = false, 0.95, time.Second, 5*time.Minute
	machine := &loaded{}
	machine.busy.Store(true)
	cfg.Sampler = machine
	low, told := false, map[float64]bool{} // the load of the processors
	end, r := runOnUntil(t, cfg, takes(500*time.Millisecond), func(p session.Progress) bool {
		told[p.Load.CPU] = true
		if p.Running == 1 && strings.HasPrefix(p.Reason, "1 of 4 ") && !low { // and not: the others have yet to start
			low = true
			machine.busy.Store(false)
		}
		return low && p.Running > 1
	}, func(s *session.ProcessingSession) { s.Interrupt("seen enough") })

	if !told[0.99] {
		t.Errorf("progress told of the loads %v, not of 0.99", told)
	}
	lowest, up := cfg.Workers, false
	for _, s := range r.Scaling {
		lowest = min(lowest, s.To)
		up = up || s.To > s.From
		if s.From-s.To > 1 || s.To < 1 || s.Reason == "" || s.CPU < 0 || s.CPU > 1 || s.To < s.From && s.CPU <= 0.95 {
			t.Errorf("got %+v", s)
		}
	}
	if lowest != 1 || !up {
		t.Errorf("workers went down to %d, and up again: %v", lowest, up)
	}
	for _, task := range r.Tasks {
		if n := len(task.Attempts); n > 1 || n == 1 && task.Attempts[0].Released {
			t.Errorf("%s has %d attempts: %+v", task.PO, n, task.Attempts)
		}
	}
	checkCleared(t, end)
}
