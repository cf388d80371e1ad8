package session_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// TestCleanUpIsBounded: a session whose workers do not close ends all the same, within 10 s of its
// last order, and says what is left of them.
func TestCleanUpIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cfg := standing(t, 8)
		cfg.Workers = 4
		var last atomic.Value // the end of the last order
		on := &session.StandIns{CloseTakes: time.Hour, Act: func(*tasks.ProcessingTask) session.Act {
			last.Store(time.Now().Add(time.Second))
			return session.Act{Takes: time.Second}
		}}
		end, r := runOn(t, cfg, on)
		if took := time.Since(last.Load().(time.Time)); took > 10*time.Second || end.Cleanup.Took > 10*time.Second {
			t.Errorf("clearing up took %v, and is said to have taken %v", took, end.Cleanup.Took)
		}
		if n := checkBrought(t, end.Dir, r); n != 8 || end.Cleanup.BrowsersLeft != 4 {
			t.Errorf("%d orders have ended; left: %+v", n, end.Cleanup)
		}
	})
}
