package pool_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// watch adds up for each task how long the pool waited for its queue: while it was
// claimed, started and recorded.
type watch struct {
	tasks.TaskQueue
	mu   sync.Mutex
	took map[uuid.UUID]time.Duration
}

func (w *watch) add(id uuid.UUID, began time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.took[id] += time.Since(began)
}

func (w *watch) Claim(ctx context.Context, req tasks.ClaimRequest) ([]*tasks.Lease, error) {
	began := time.Now()
	leases, err := w.TaskQueue.Claim(ctx, req)
	for _, l := range leases {
		w.add(l.Task.ID, began)
	}
	return leases, err
}

func (w *watch) Start(ctx context.Context, lease *tasks.Lease) error {
	defer w.add(lease.Task.ID, time.Now())
	return w.TaskQueue.Start(ctx, lease)
}

func (w *watch) Record(ctx context.Context, lease *tasks.Lease, d tasks.Decision) error {
	defer w.add(lease.Task.ID, time.Now())
	return w.TaskQueue.Record(ctx, lease, d)
}

// BenchmarkOverhead is the wall time of an order that goes into its distribution
// and its recording, beside four workers that need 20 ms for each.
func BenchmarkOverhead(b *testing.B) {
	const orders = 200
	for b.Loop() {
		w := &watch{TaskQueue: openLedger(b), took: map[uuid.UUID]time.Duration{}}
		throughLedger(b, w, 4, orders, 20*time.Millisecond)
		var each []time.Duration
		for _, d := range w.took {
			each = append(each, d)
		}
		slices.Sort(each)
		b.ReportMetric(float64(each[len(each)/2].Microseconds())/1000, "p50-ms/order")
		b.ReportMetric(float64(each[len(each)*99/100].Microseconds())/1000, "p99-ms/order")
	}
}

// throughLedger takes n orders through a queue, and returns how long that took.
func throughLedger(b *testing.B, q tasks.TaskQueue, workers, n int, each time.Duration) time.Duration {
	b.Helper()
	if _, err := q.Enqueue(b.Context(), specs(n)...); err != nil {
		b.Fatal(err)
	}
	y, began := taking(each), time.Now()
	p := started(b, pool.Config{Queue: q, Open: y.open, Size: workers, Lifetime: pool.LifetimeReusable})
	if err := p.Wait(b.Context()); err != nil {
		b.Fatal(err)
	}
	took := time.Since(began)
	finish(b, p, y)
	return took
}
