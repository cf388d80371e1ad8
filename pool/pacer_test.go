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

// tiring is a stand-in that must rest after its first task.
type tiring struct {
	*standIn
	rest func(ctx context.Context) error

	done   int
	rested bool
}

func (w *tiring) Do(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
	w.done++
	return complete(), spend(ctx, time.Second)
}

func (w *tiring) Tired() bool { return w.done > 0 && !w.rested }

func (w *tiring) Rest(ctx context.Context) error {
	w.rested = true
	return w.rest(ctx)
}

// tire has the first stand-in of the yard rest so.
func tire(y *yard, rest func(ctx context.Context) error) pool.Open {
	return func(ctx context.Context, id string) (pool.Worker, error) {
		w, err := y.open(ctx, id)
		if err != nil || w.(*standIn).n > 1 {
			return w, err
		}
		return &tiring{standIn: w.(*standIn), rest: rest}, nil
	}
}

func TestOthersTakeTheTasksOfAWorkerThatRests(t *testing.T) {
	t.Parallel()
	for _, distribution := range []tasks.Distribution{tasks.LoadBalanced, tasks.RoundRobin} {
		t.Run(string(distribution), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := taking(time.Second)
				began := time.Now()
				open := tire(y, func(ctx context.Context) error { return spend(ctx, 10*time.Second) })
				q := newQueue(t, 20)
				p := started(t, pool.Config{Queue: q, Open: open, Size: 2, Lifetime: pool.LifetimeReusable, Distribution: distribution})
				finish(t, p, y)
				// One works in seconds 1, 12, 13, ...; the other in each. Either may get the last.
				if took := time.Since(began); took < 15*time.Second || took > 16*time.Second {
					t.Errorf("20 tasks took %v", took)
				}
				one, two := p.Workers()[0].Processed, p.Workers()[1].Processed
				tired, other := min(one, two), max(one, two)
				if tired > 6 || tired < 4 || tired+other != 20 {
					t.Errorf("the one that rested did %d tasks, the other %d", tired, other)
				}
			})
		})
	}
}

func TestARestDoesNotHoldUpTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := &yard{}
		began := time.Now()
		open := tire(y, func(ctx context.Context) error { return spend(ctx, time.Hour) })
		finish(t, started(t, pool.Config{Queue: newQueue(t, 1), Open: open, Size: 1, Lifetime: pool.LifetimeReusable}), y)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("a pool without tasks ended after %v", took)
		}

		open = tire(&yard{}, func(ctx context.Context) error { return spend(ctx, time.Hour) })
		p := started(t, pool.Config{Queue: newQueue(t, 2), Open: open, Size: 1, Lifetime: pool.LifetimeReusable})
		_ = spend(t.Context(), time.Minute)
		if stats := p.Stats(); stats.Idle != 1 || stats.InHand != 0 {
			t.Errorf("while the worker rests the pool says %+v", stats)
		}
		began = time.Now()
		stopClean(t, p, y)
		if took := time.Since(began); took > time.Second {
			t.Errorf("stopping took %v", took)
		}
	})
}

func TestAWorkerThatDoesNotRecoverIsReplaced(t *testing.T) {
	t.Parallel()
	hot := errors.New("it is hot still")
	for name, c := range map[string]struct {
		rest  func(context.Context) error
		event string
	}{
		"recycled":    {func(context.Context) error { return hot }, pool.EventWorkerRecycled},
		"panics":      {func(context.Context) error { panic(hot) }, pool.EventWorkerFailed},
		"comes round": {func(context.Context) error { return nil }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y, events, q := taking(time.Second), &story{}, newQueue(t, 5)
				p := started(t, pool.Config{Queue: q, Open: tire(y, c.rest), Size: 1, Lifetime: pool.LifetimeReusable, OnEvent: events.tell})
				finish(t, p, y)
				opened, _, most := y.count()
				want := 1
				if c.event != "" {
					want = 2
					if got := events.of(c.event); len(got) != 1 || got[0].Worker != "worker_001" {
						t.Errorf("got %+v", got)
					}
				}
				if opened != want || most != 1 {
					t.Errorf("%d workers were opened, %d at once; want %d and 1", opened, most, want)
				}
				for po, task := range all(t, q) {
					if len(task.History) != 1 || task.Outcome != tasks.OutcomeComplete {
						t.Errorf("%s is %s after %d attempts", po, task.Outcome, len(task.History))
					}
				}
			})
		})
	}
}
