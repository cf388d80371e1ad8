package session_test

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/session"
)

// burn keeps all processors busy until stop is called.
func burn() (stop func()) {
	var over atomic.Bool
	var burners sync.WaitGroup
	for range runtime.NumCPU() {
		burners.Go(func() {
			for n := 0; !over.Load(); n++ {
				_ = n * n
			}
		})
	}
	return sync.OnceFunc(func() { over.Store(true); burners.Wait() })
}

// TestLoadTakesWorkersAwayAndGivesThemBack makes real load, sees four workers go
// down to one, takes the load away, and sees one come back, without an order
// lost or retried. It ends when it has seen that, however long it takes.
func TestLoadTakesWorkersAwayAndGivesThemBack(t *testing.T) {
	_, sheet := startPortal(t, portal.Config{Orders: 2000, Variations: []portal.Variation{portal.Slow}, MaxDocument: 8 << 10, Slow: 500 * time.Millisecond})
	cfg := config(t, sheet)
	cfg.Mode = session.ModeRender // one order at a time, as each is to take its time
	cfg.NoScale, cfg.CPUThreshold, cfg.CheckInterval, cfg.Grace = false, 0.95, time.Second, 5*time.Minute
	stop := burn()
	defer stop()
	low := false
	end, r := runUntil(t, cfg, func(p session.Progress) bool {
		if p.Running == 1 && strings.HasPrefix(p.Reason, "1 of 4 ") && !low { // and not: the others have yet to start
			low = true
			go stop()
		}
		return low && p.Running > 1
	}, func(s *session.ProcessingSession) { s.Interrupt("seen enough") })

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
