package pool_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// TestBoundsOfStartAndStop: unless told otherwise, a worker has 30 s to be ready, and 10 s
// to be gone when its pool is stopped. One that ignores the end of that time is left behind
// after the grace, and Stop waits for it as long once more.
func TestBoundsOfStartAndStop(t *testing.T) {
	t.Parallel()
	const grace = 5 * time.Second
	for name, c := range map[string]struct {
		hang        func(ctx context.Context) error
		start, stop time.Duration
	}{
		"one that obeys":   {func(ctx context.Context) error { return spend(ctx, time.Hour) }, 30 * time.Second, 10 * time.Second},
		"one that ignores": {func(context.Context) error { return spend(context.Background(), time.Hour) }, 30*time.Second + grace, 10*time.Second + 2*grace},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := &yard{}
				y.make = func(ctx context.Context, w *standIn) error {
					if w.n == 1 {
						return c.hang(ctx)
					}
					w.close = c.hang
					return nil
				}
				events := &story{}
				p := started(t, pool.Config{Queue: newQueue(t, 1), Open: y.open, Size: 1, Lifetime: pool.LifetimeReusable, Grace: grace, OnEvent: events.tell})
				began := time.Now()
				if err := p.Wait(t.Context()); err != nil {
					t.Fatal(err)
				}
				stopped := time.Now()
				if err := p.Stop(t.Context()); err == nil {
					t.Error("a worker that is not gone is no error")
				}
				if took := time.Since(stopped); took != c.stop {
					t.Errorf("Stop took %v, want %v", took, c.stop)
				}
				failed := events.of(pool.EventWorkerFailed)
				if len(failed) == 0 || failed[0].At.Sub(began) != c.start {
					t.Errorf("want a launch given up after %v, and got %+v", c.start, failed)
				}
				if err := spend(t.Context(), 2*time.Hour); err != nil { // what was left behind ends
					t.Fatal(err)
				}
			})
		})
	}
}

// TestManyWorkersInTheTimeOfOne: however many workers there are, the pool adds nothing to the time that
// one of them needs to be ready, and to be gone.
func TestManyWorkersInTheTimeOfOne(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ open, close time.Duration }{
		"no time":       {0, 0},
		"just in bound": {29 * time.Second, 9 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := &yard{make: func(ctx context.Context, w *standIn) error {
					w.do = func(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
						return complete(), spend(ctx, time.Minute)
					}
					w.close = func(ctx context.Context) error { return spend(ctx, c.close) }
					return spend(ctx, c.open)
				}}
				began := time.Now()
				p := started(t, pool.Config{Queue: newQueue(t, 100), Open: y.open, Size: 100, Lifetime: pool.LifetimeReusable})
				if err := p.Wait(t.Context()); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took != c.open+time.Minute {
					t.Errorf("100 workers had done a task of a minute each after %v, want %v", took, c.open+time.Minute)
				}
				stopped := time.Now()
				stopClean(t, p, y)
				if took := time.Since(stopped); took != c.close {
					t.Errorf("Stop took %v, want %v", took, c.close)
				}
			})
		})
	}
}
