package pool_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
)

// openings returns when each of four workers was being opened, where one needs a
// second to open and each task so long.
func openings(t *testing.T, task time.Duration, failing int, cfg pool.Config) []time.Duration {
	t.Helper()
	y, began := taking(task), time.Now()
	outfit := y.make
	var at []time.Duration
	y.make = func(ctx context.Context, w *standIn) error {
		y.mu.Lock()
		at = append(at, time.Since(began))
		y.mu.Unlock()
		if w.n <= failing {
			return errNoChrome
		}
		_ = outfit(ctx, w)
		return spend(ctx, time.Second)
	}
	cfg.Queue, cfg.Open, cfg.Size, cfg.Lifetime = newQueue(t, 40), y.open, 4, pool.LifetimeReusable
	p := started(t, cfg)
	finish(t, p, y)
	return at
}

func TestTheFirstWorkerHasAHeadStart(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		task, headStart time.Duration
		failing         int
		others          time.Duration
	}{
		"until its first task is done":   {task: 3 * time.Second, headStart: 10 * time.Second, others: 4 * time.Second},
		"until it has failed to open":    {task: time.Second, headStart: 10 * time.Second, failing: 1, others: 0},
		"until its time is up":           {task: 20 * time.Second, headStart: 10 * time.Second, others: 10 * time.Second},
		"no head start, all are at once": {task: 3 * time.Second, others: 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				at := openings(t, test.task, test.failing, pool.Config{HeadStart: test.headStart})
				if at[0] != 0 || at[1] != test.others || at[2] != test.others || at[3] != test.others {
					t.Errorf("the workers were opened at %v, want the first at 0 and the others at %v", at, test.others)
				}
			})
		})
	}
}

// TestAHeadStartHoldsUpNoEnd: with one task there is nothing for the others to do.
func TestAHeadStartHoldsUpNoEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began, y := time.Now(), taking(time.Second)
		p := started(t, pool.Config{Queue: newQueue(t, 1), Open: y.open, Size: 4, Lifetime: pool.LifetimeReusable, HeadStart: time.Minute})
		finish(t, p, y)
		if opened, _, _ := y.count(); opened != 1 || time.Since(began) != time.Second {
			t.Errorf("%d workers were opened in %v", opened, time.Since(began))
		}
	})
}
