package pool_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// fitting has workers that need a minute for each task, of which no more than fit can
// be there at once.
func fitting(fit *atomic.Int64) *yard {
	y := &yard{}
	y.make = func(_ context.Context, w *standIn) error {
		if _, there, _ := y.count(); there >= int(fit.Load()) {
			return errNoChrome
		}
		w.do = func(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
			return complete(), spend(ctx, time.Minute)
		}
		return nil
	}
	return y
}

// steps returns the numbers of workers that a pool was scaled to because of launches.
func steps(events *story) []int {
	var list []int
	for _, e := range events.of(pool.EventScaled) {
		if e.Owner == pool.LimitedByLaunches {
			list = append(list, e.To)
		}
	}
	return list
}

// TestFewerWorkersWhereNoMoreCanBeOpened: those that stand work on, one more is tried
// now and then, and all are had again when they can be opened.
func TestFewerWorkersWhereNoMoreCanBeOpened(t *testing.T) {
	t.Parallel()
	for _, fits := range []int64{1, 2, 3} {
		synctest.Test(t, func(t *testing.T) {
			var fit atomic.Int64
			fit.Store(fits)
			q, y, events := newQueue(t, 1000), fitting(&fit), &story{}
			p := started(t, pool.Config{Queue: q, Open: y.open, Size: 4, Lifetime: pool.LifetimeReusable, OnEvent: events.tell})
			pass(t, 30*time.Second)
			limits := p.Limits()
			if got := p.Stats(); got.Wanted != int(fits) || got.Asked != 4 || got.Busy != int(fits) || got.Starting != 0 {
				t.Errorf("where %d fit: %+v", fits, got)
			}
			if len(limits) != 1 || limits[0].Owner != pool.LimitedByLaunches || limits[0].Reason != "launches keep failing" {
				t.Errorf("where %d fit: %+v", fits, limits)
			}
			before := len(events.of(pool.EventWorkerFailed))
			pass(t, time.Hour)
			if tried := len(events.of(pool.EventWorkerFailed)) - before; tried < 50 || tried > 61 {
				t.Errorf("where %d fit, one more was tried %d times in an hour, want about once in a minute", fits, tried)
			}
			if opened := len(events.of(pool.EventWorkerStarted)); opened != int(fits) {
				t.Errorf("where %d fit, %d were opened: one that stands must stay", fits, opened)
			}
			fit.Store(4)
			pass(t, 5*time.Minute)
			if got := p.Stats(); got.Wanted != 4 || got.Busy != 4 || len(p.Limits()) != 0 {
				t.Errorf("where all fit again: %+v, %+v", got, p.Limits())
			}
			finish(t, p, y)
			if _, charged := states(t, q); charged != 1000 {
				t.Errorf("%d attempts were charged for 1000 tasks", charged)
			}
		})
	}
}

// TestDownToOneWorkerBeforeThePoolGivesUp: at least one launch is tried with each
// number.
func TestDownToOneWorkerBeforeThePoolGivesUp(t *testing.T) {
	t.Parallel()
	for size, want := range map[int][]int{1: nil, 2: {1}, 3: {1}, 4: {2, 1}, 5: {2, 1}, 8: {4, 2, 1}} {
		for _, most := range []int{0, 1} {
			synctest.Test(t, func(t *testing.T) {
				y := &yard{make: func(context.Context, *standIn) error { return errNoChrome }}
				q, events := newQueue(t, 50), &story{}
				p := started(t, pool.Config{Queue: q, Open: y.open, Size: size, OnEvent: events.tell, MaxLaunchFailures: most})
				wantErr(t, "Wait", p.Wait(t.Context()), pool.ErrNoWorker)
				stopClean(t, p, y)
				if got := steps(events); !slices.Equal(got, want) {
					t.Errorf("%d workers went down to %v, want %v", size, got, want)
				}
				scaled, failed := events.of(pool.EventScaled), events.of(pool.EventWorkerFailed)
				if n := len(scaled); n > 0 && !failed[len(failed)-1].At.After(scaled[n-1].At) {
					t.Errorf("of %d workers, none was tried alone", size)
				}
				if most == 0 && len(failed) != max(5, 2*size) {
					t.Errorf("%d workers gave up after %d launches, want %d", size, len(failed), max(5, 2*size))
				}
				if byState, charged := states(t, q); byState[tasks.StatePending] != 50 || charged != 0 {
					t.Errorf("tasks are %v", byState)
				}
			})
		}
	}
}

// TestALoneWorkerIsReplaced though as many launches as make a pool give up have failed before,
// all of them tries of one more, and the first launch in its place does, too.
func TestALoneWorkerIsReplaced(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var fit atomic.Int64
		fit.Store(1)
		q, y, events := newQueue(t, 1000), fitting(&fit), &story{}
		inner := y.make
		var unfit, refuse atomic.Bool
		y.make = func(ctx context.Context, w *standIn) error {
			if refuse.CompareAndSwap(true, false) {
				return errNoChrome
			}
			w.fit = func() error {
				if unfit.CompareAndSwap(true, false) {
					refuse.Store(true)
					return errNoChrome
				}
				return nil
			}
			return inner(ctx, w)
		}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 4, Lifetime: pool.LifetimeReusable, OnEvent: events.tell})
		pass(t, time.Hour)
		if failed := len(events.of(pool.EventWorkerFailed)); failed < 10 {
			t.Fatalf("%d launches have failed", failed)
		}
		before := len(events.of(pool.EventWorkerStarted))
		unfit.Store(true)
		pass(t, 5*time.Minute)
		if started := len(events.of(pool.EventWorkerStarted)); started <= before || p.Stats().Busy != 1 {
			t.Errorf("the worker that was worn out was not replaced: %+v", p.Stats())
		}
		fit.Store(4)
		pass(t, 10*time.Minute)
		finish(t, p, y)
	})
}

// TestOneWorkerWhereTwoLaunchesDisturbEachOther: what cannot be done side by side is
// done one after another.
func TestOneWorkerWhereTwoLaunchesDisturbEachOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var alone atomic.Int64
		y := &yard{make: func(ctx context.Context, _ *standIn) error {
			defer alone.Add(-1)
			if alone.Add(1) > 1 {
				return errNoChrome
			}
			if err := spend(ctx, time.Second); err != nil {
				return err
			}
			if alone.Load() > 1 {
				return errNoChrome
			}
			return nil
		}}
		q, events := newQueue(t, 60), &story{}
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 6, OnEvent: events.tell})
		finish(t, p, y)
		if _, charged := states(t, q); charged != 60 {
			t.Errorf("%d attempts were charged for 60 tasks", charged)
		}
	})
}

// TestFewerWorkersAndWhatIsAskedFor: the limit of the launches is one beside others.
func TestFewerWorkersAndWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var fit atomic.Int64
		fit.Store(2)
		q, y := newQueue(t, 3000), fitting(&fit)
		p := started(t, pool.Config{Queue: q, Open: y.open, Size: 4, Lifetime: pool.LifetimeReusable})
		pass(t, 30*time.Second)
		scale := func(n, want int) {
			t.Helper()
			if err := p.Scale(n); err != nil {
				t.Error(err)
			}
			synctest.Wait()
			if got := p.Stats(); got.Asked != n || got.Wanted != want {
				t.Errorf("asked for %d: %+v, want %d", n, got, want)
			}
		}
		scale(8, 2)
		scale(1, 1)
		scale(3, 2)
		limit(t, p, "load", 1)
		pass(t, 10*time.Minute)
		if got := p.Stats().Wanted; got != 1 {
			t.Errorf("the load allows 1 worker, there are %d", got)
		}
		fit.Store(8)
		limit(t, p, "load", 8)
		scale(8, 8) // meanwhile no launch had failed
		pass(t, time.Minute)
		if got := p.Stats(); got.Busy != 8 {
			t.Errorf("where all fit: %+v", got)
		}
		finish(t, p, y)
	})
}
