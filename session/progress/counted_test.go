package progress

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/queuetest"
)

type atOnce struct{}

func (atOnce) Do(context.Context, *tasks.ProcessingTask) (*tasks.Result, error) {
	return &tasks.Result{Outcome: tasks.OutcomeComplete}, nil
}
func (atOnce) Fit() error                  { return nil }
func (atOnce) Close(context.Context) error { return nil }
func (atOnce) Info() pool.Info             { return pool.Info{} }

// TestNothingIsCountedLate: an order that no worker has any more is counted, however slow whoever is
// told of the pool's events is.
func TestNothingIsCountedLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := tasks.NewMemory()
		if _, err := queue.Enqueue(t.Context(), tasks.Spec{Key: "1", PO: "1"}, tasks.Spec{Key: "2", PO: "2"}); err != nil {
			t.Fatal(err)
		}
		tally, read := New(nil, 1), make(chan struct{})
		p, err := pool.New(pool.Config{Queue: tally.Queue(queue), Size: 1, Lifetime: pool.LifetimeReusable,
			Open:    func(context.Context, string) (pool.Worker, error) { return atOnce{}, nil },
			OnEvent: func(pool.Event) { <-read }})
		if err != nil {
			t.Fatal(err)
		}
		tally.Begin(tasks.Stats{Total: 2})
		tally.Watch(p)
		if err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if now := tally.Now(); now.Active != 0 || now.Done != 2 || now.Pending != 0 {
			t.Errorf("with nothing in hand, %d are counted, %d active and %d pending", now.Done, now.Active, now.Pending)
		}
		close(read)
		if err := p.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		if err := p.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestClaimsWaitForNoWatcher: neither what is recorded and counted of other orders nor who is told of
// that keeps a worker from its order, or from having it recorded.
func TestClaimsWaitForNoWatcher(t *testing.T) {
	t.Parallel()
	queuetest.ClaimsBeside(t, func(t *testing.T, inner tasks.TaskQueue) tasks.TaskQueue {
		return New(nil, 1).Queue(inner)
	})
	synctest.Test(t, func(t *testing.T) {
		inner, read := tasks.NewMemory(), make(chan struct{})
		tally := New(func(Progress) { <-read }, 1)
		tally.Start()
		q := tally.Queue(inner)
		_, err := q.Enqueue(t.Context(), tasks.Spec{Key: "1"}, tasks.Spec{Key: "2"})
		for range 2 {
			var leases []*tasks.Lease
			if err == nil {
				leases, err = q.Claim(t.Context(), tasks.ClaimRequest{Worker: "worker_001"})
			}
			if err == nil {
				err = q.Start(t.Context(), leases[0])
			}
			if err == nil {
				err = q.Record(t.Context(), leases[0], tasks.Decision{To: tasks.StateCompleted, Outcome: tasks.OutcomeComplete, Result: &tasks.Result{}})
			}
		}
		if err != nil {
			t.Error(err)
		}
		close(read)
		tally.Stop()
		<-tally.told
	})
}
