package pool_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// TestClaimingWaitsForNothingButTheQueue has two workers take orders of 15 s each, while something
// that concerns the first order, or its worker, takes half an hour: a worker that is free has its next
// order in the same moment. A worker whose results are not recorded has one order more, and no third.
func TestClaimingWaitsForNothingButTheQueue(t *testing.T) {
	t.Parallel()
	const first = "PO00001"
	each, atFirst := []int{0, 0, 15, 15, 30, 30, 45, 45}, []int{0, 0, 15, 15, 30, 45}
	for name, c := range map[string]struct {
		// spoil has hang called where it is to hang. Of an order but the first, it returns at once.
		spoil func(q *queue, y *yard, cfg *pool.Config, hang func(order string))
		// claims are the seconds at which an order is claimed in the first 50.
		claims []int
	}{
		"an event is told": {func(_ *queue, _ *yard, cfg *pool.Config, hang func(string)) {
			cfg.OnEvent = func(e pool.Event) { hang(e.Order) }
		}, each},
		"a record is written": {func(q *queue, _ *yard, _ *pool.Config, hang func(string)) {
			q.record = func(_ context.Context, l *tasks.Lease, _ tasks.Decision) error { hang(l.Task.PO); return nil }
		}, atFirst},
		"documents are published": {func(_ *queue, _ *yard, cfg *pool.Config, hang func(string)) {
			cfg.Publish = func(_ context.Context, l *tasks.Lease, _ *tasks.Result) error { hang(l.Task.PO); return nil }
		}, atFirst},
		"a record is settled": {func(_ *queue, _ *yard, cfg *pool.Config, hang func(string)) {
			cfg.Publish = func(context.Context, *tasks.Lease, *tasks.Result) error { return nil }
			cfg.Settled = func(l *tasks.Lease, _ *tasks.Result, _ bool) { hang(l.Task.PO) }
		}, atFirst},
		"a lease is extended": {func(q *queue, _ *yard, _ *pool.Config, hang func(string)) {
			q.extend = func(l *tasks.Lease) error { hang(l.Task.PO); return nil }
		}, atFirst},
		"an attempt is begun": {func(q *queue, _ *yard, _ *pool.Config, hang func(string)) {
			var begun atomic.Bool
			q.start = func() error {
				if begun.CompareAndSwap(false, true) {
					hang(first)
				}
				return nil
			}
		}, []int{0, 0, 15, 30, 45}},
		"an order is worked on": {func(_ *queue, y *yard, _ *pool.Config, hang func(string)) {
			y.make = func(_ context.Context, w *standIn) error {
				w.do = func(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error) {
					hang(task.PO)
					return complete(), spend(ctx, 15*time.Second)
				}
				return nil
			}
		}, []int{0, 0, 15, 30, 45}},
		"a worker is opened": {func(_ *queue, y *yard, _ *pool.Config, hang func(string)) {
			prepare := y.make
			y.make = func(ctx context.Context, w *standIn) error {
				if w.n == 1 {
					hang(first)
				}
				return prepare(ctx, w)
			}
		}, []int{0, 15, 30, 45}},
		"a worker is closed": {func(_ *queue, y *yard, _ *pool.Config, hang func(string)) {
			prepare := y.make
			y.make = func(ctx context.Context, w *standIn) error {
				if w.n == 1 {
					began := time.Now()
					w.fit = func() error {
						if time.Since(began) > 0 {
							return errors.New("it is worn out")
						}
						return nil
					}
					w.close = func(context.Context) error { hang(first); return nil }
				}
				return prepare(ctx, w)
			}
		}, []int{0, 0, 15, 30, 45}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q, y, began := newQueue(t, 8), taking(15*time.Second), time.Now()
				var mu sync.Mutex
				var claims []int
				q.claimed = func(leases []*tasks.Lease) {
					mu.Lock()
					defer mu.Unlock()
					for range leases {
						claims = append(claims, int(time.Since(began)/time.Second))
					}
				}
				cfg := pool.Config{Queue: q, Open: y.open, Size: 2, Lifetime: pool.LifetimeReusable,
					TaskTimeout: time.Hour, StartTimeout: time.Hour, CloseTimeout: time.Hour, RecordTimeout: time.Hour}
				c.spoil(q, y, &cfg, func(order string) {
					if order == first {
						_ = spend(context.Background(), 30*time.Minute)
					}
				})
				p := started(t, cfg)
				if err := spend(t.Context(), 50*time.Second); err != nil {
					t.Fatal(err)
				}
				mu.Lock()
				if slices.Sort(claims); !slices.Equal(claims, c.claims) {
					t.Errorf("orders were claimed at the seconds %v, want %v", claims, c.claims)
				}
				mu.Unlock()
				if err := spend(t.Context(), 2*time.Hour); err != nil { // nothing hangs any more
					t.Fatal(err)
				}
				finish(t, p, y)
			})
		})
	}
}
