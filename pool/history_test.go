package pool_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// TestHistoryOfAPool has one worker do six tasks of a minute each: the second task's
// worker is worn out after it, the fourth's is lost with it.
func TestHistoryOfAPool(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(t, 6)
		worn, lost := false, false
		y := &yard{}
		y.make = func(_ context.Context, w *standIn) error {
			w.do = func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
				if err := spend(ctx, time.Minute); err != nil {
					return nil, err
				}
				switch {
				case task.PO == "PO00002":
					worn = true
				case task.PO == "PO00004" && task.Attempts == 0 && task.Losses == 0:
					lost = true
					return nil, tasks.Release(tasks.ClassBrowserLost, "it is gone")
				}
				return complete(), nil
			}
			w.fit = func() error {
				switch {
				case worn && w.n == 1:
					return errors.New("worn out")
				case lost && w.n == 2:
					return errors.New("gone")
				}
				return nil
			}
			return nil
		}
		began := time.Now()
		p := mustNew(t, pool.Config{Queue: q, Open: y.open, Size: 1, Lifetime: pool.LifetimeReusable})
		if got := p.History(); got != (pool.History{Made: began}) {
			t.Errorf("of a new pool: %+v", got)
		}
		pass(t, time.Hour) // in which it is not started: its tasks are due all the same
		if err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		finish(t, p, y)
		// Seven claims, one a minute, each after an hour at least; the task that was
		// released was due only from then on.
		want := pool.History{Made: began, Opened: 3, Replaced: 2, Lost: 1, Claims: 7}
		got := p.History()
		waited := time.Duration(0)
		for _, task := range all(t, q) {
			for i, a := range task.History {
				wait := time.Duration(a.PhaseMS["wait"] * float64(time.Millisecond))
				waited += wait
				if i == 0 && wait != a.StartedAt.Sub(began) {
					t.Errorf("%s waited %v for its first attempt, which began after %v", task.PO, wait, a.StartedAt.Sub(began))
				}
				if i > 0 && wait > a.StartedAt.Sub(task.History[i-1].EndedAt) {
					t.Errorf("%s waited %v for attempt %d", task.PO, wait, i+1)
				}
			}
		}
		if got.Waited != waited || waited < 6*time.Hour {
			t.Errorf("tasks waited %v, and %v by their records", got.Waited, waited)
		}
		if got.Waited = 0; got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}
