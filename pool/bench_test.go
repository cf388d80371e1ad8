package pool_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// BenchmarkTask is what the pool costs for each task, with stand-ins that open,
// work and close in no time, by lifetime and size.
func BenchmarkTask(b *testing.B) {
	for _, lifetime := range []pool.Lifetime{pool.LifetimeReusable, pool.LifetimeTransient} {
		for _, size := range []int{1, 8} {
			b.Run(fmt.Sprintf("%s/workers=%d", lifetime, size), func(b *testing.B) {
				b.ReportAllocs()
				y := &yard{}
				p := started(b, pool.Config{Queue: tasks.NewMemory(), Open: y.open, Size: size, Lifetime: lifetime, KeepResults: true})
				i := 0
				for b.Loop() {
					i++
					key := fmt.Sprint(i)
					if err := p.Submit(context.Background(), tasks.Spec{Key: key, PO: key}); err != nil {
						b.Fatal(err)
					}
					if _, err := p.Result(context.Background()); err != nil {
						b.Fatal(err)
					}
				}
				finish(b, p, y)
			})
		}
	}
}

// BenchmarkLifetime is what a fresh worker for each task costs, where opening
// takes 5 ms and holds 1 MB: reuse against once.
func BenchmarkLifetime(b *testing.B) {
	const batch = 100
	for _, lifetime := range []pool.Lifetime{pool.LifetimeReusable, pool.LifetimeTransient} {
		b.Run(string(lifetime), func(b *testing.B) {
			b.ReportAllocs()
			y := &yard{make: func(ctx context.Context, w *standIn) error {
				held := make([]byte, 1<<20)
				w.do = func(context.Context, *tasks.ProcessingTask) (*tasks.Result, error) {
					held[0]++
					return complete(), nil
				}
				return spend(ctx, 5*time.Millisecond)
			}}
			for b.Loop() {
				q := newQueue(b, batch)
				p := started(b, pool.Config{Queue: q, Open: y.open, Size: 4, Lifetime: lifetime})
				finish(b, p, y)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*batch), "µs/task")
			opened, _, _ := y.count()
			b.ReportMetric(float64(opened)/float64(b.N*batch), "opened/task")
		})
	}
}

// BenchmarkAllocation is what it takes to get an idle worker and to give it
// back. It should take less than 1 ms.
func BenchmarkAllocation(b *testing.B) {
	b.ReportAllocs()
	l, err := pool.NewReusable(pool.LenderConfig{Open: (&yard{}).open})
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	for b.Loop() {
		loan, err := l.Get(ctx)
		if err != nil {
			b.Fatal(err)
		}
		if err := l.Release(ctx, loan, nil); err != nil {
			b.Fatal(err)
		}
	}
	if err := l.Terminate(ctx); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkHundredWorkers takes 10,000 tasks through a ledger with 100 workers.
// A claim should take less than 50 ms.
func BenchmarkHundredWorkers(b *testing.B) {
	for b.Loop() {
		c := &crowd{}
		l := openLedger(b)
		took := c.run(b, l, 10_000)
		b.ReportMetric(10_000/took.Seconds(), "tasks/s")
		b.ReportMetric(float64(c.claim(0.5).Microseconds())/1000, "claim-p50-ms")
		b.ReportMetric(float64(c.claim(0.99).Microseconds())/1000, "claim-p99-ms")
	}
}

// BenchmarkLedger is what an order costs in all between the ledger and a worker
// that needs no time for it: claim, start, record, and what the pool does. The
// workers take one task at a time, or eight.
func BenchmarkLedger(b *testing.B) {
	const orders = 1000
	for _, size := range []int{1, 4, 8} {
		for _, room := range []int{1, 8} {
			b.Run(fmt.Sprintf("workers=%d/room=%d", size, room), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					q, y := openLedger(b), &yard{}
					if _, err := q.Enqueue(b.Context(), specs(orders)...); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
					p := started(b, pool.Config{Queue: q, Open: rooms(y, roomFor(room)), Size: size, Lifetime: pool.LifetimeReusable})
					finish(b, p, y)
				}
				b.ReportMetric(float64(b.N*orders)/b.Elapsed().Seconds(), "orders/s")
			})
		}
	}
}
