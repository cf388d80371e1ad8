package pool_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

func TestRoundRobinDealsInTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q, y := newQueue(t, 12), taking(time.Second)
		p := started(t, pool.Config{
			Queue: q, Open: y.open, Size: 3, Lifetime: pool.LifetimeReusable, Distribution: tasks.RoundRobin,
		})
		finish(t, p, y)
		for _, w := range p.Workers() {
			if w.Processed != 4 {
				t.Errorf("%s did %d of 12 tasks dealt to 3", w.ID, w.Processed)
			}
		}
	})
}

func TestRoundRobinDealsAnewWhenAWorkerIsGone(t *testing.T) {
	t.Parallel()
	ways := map[string]func(t *testing.T, p *pool.WorkerPool){
		"scaled down": func(t *testing.T, p *pool.WorkerPool) { scale(t, p, 1) },
		"cannot open": func(*testing.T, *pool.WorkerPool) {},
	}
	for name, lose := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := &yard{}
				y.make = func(ctx context.Context, w *standIn) error {
					if w.id != "worker_001" && name == "cannot open" {
						return errNoChrome
					}
					w.do = func(ctx context.Context, _ *tasks.ProcessingTask) (*tasks.Result, error) {
						return complete(), spend(ctx, time.Second)
					}
					return nil
				}
				q := newQueue(t, 12)
				p := started(t, pool.Config{
					Queue: q, Open: y.open, Size: 3, Lifetime: pool.LifetimeReusable,
					Distribution: tasks.RoundRobin, MaxLaunchFailures: 100,
				})
				synctest.Wait()
				lose(t, p)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if err := p.Wait(ctx); err != nil {
					t.Fatalf("the tasks that were dealt to workers that are gone are stuck: %v", err)
				}
				finish(t, p, y)
			})
		})
	}
}

func TestRoundRobinSurvivesAClaimThatComesLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(t, 5)
		q.claim = func(ctx context.Context, req tasks.ClaimRequest) error {
			if req.Worker != "worker_003" || all(t, q)["PO00003"].State == tasks.StatePending {
				return nil
			}
			// It waits, is taken out, and only then its claim reaches the queue.
			<-ctx.Done()
			_ = spend(context.Background(), time.Second)
			late, cancel := context.WithTimeout(context.Background(), time.Millisecond)
			defer cancel()
			_, _ = q.Memory.Claim(late, req)
			return context.Cause(ctx)
		}
		y := once(func(context.Context, *tasks.ProcessingTask) (*tasks.Result, error) {
			return nil, tasks.Retry(tasks.ClassThrottled, "come back in an hour")
		})
		p := started(t, pool.Config{
			Queue: q, Open: y.open, Size: 3, Lifetime: pool.LifetimeReusable, Distribution: tasks.RoundRobin,
			Policy: tasks.Policy{Retries: 1, Backoff: time.Hour, MaxBackoff: time.Hour, MaxLosses: 1},
		})
		// All wait for the one task that is due in an hour.
		if err := spend(t.Context(), 10*time.Second); err != nil {
			t.Fatal(err)
		}
		scale(t, p, 2)
		if err := spend(t.Context(), 10*time.Second); err != nil {
			t.Fatal(err)
		}
		// Five were dealt, so the sixth would be the third worker's.
		if err := p.Submit(t.Context(), specs(6)...); err != nil {
			t.Fatal(err)
		}
		if err := spend(t.Context(), 10*time.Second); err != nil {
			t.Fatal(err)
		}
		if got := all(t, q)["PO00006"].State; got != tasks.StateCompleted {
			t.Errorf("a task is %s: it was dealt to a worker that is gone", got)
		}
		finish(t, p, y)
	})
}
