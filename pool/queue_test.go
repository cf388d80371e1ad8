package pool_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// queue is a queue in memory that can be made to fail.
type queue struct {
	*tasks.Memory
	extend func(lease *tasks.Lease) error
	record func(ctx context.Context, lease *tasks.Lease, d tasks.Decision) error
	stats  func() error
	claim  func(ctx context.Context, req tasks.ClaimRequest) error
	// claimed is told what a claim was given.
	claimed func(leases []*tasks.Lease)
	start   func() error
	get     func() error
	// recorded is called when a record is durable, before Record returns.
	recorded func()
}

func newQueue(t testing.TB, n int) *queue {
	t.Helper()
	q := &queue{Memory: tasks.NewMemory()}
	if _, err := q.Enqueue(t.Context(), specs(n)...); err != nil {
		t.Fatal(err)
	}
	return q
}

func (q *queue) Extend(ctx context.Context, lease *tasks.Lease) error {
	if q.extend != nil {
		if err := q.extend(lease); err != nil {
			return err
		}
	}
	return q.Memory.Extend(ctx, lease)
}

func (q *queue) Record(ctx context.Context, lease *tasks.Lease, d tasks.Decision) error {
	if q.record != nil {
		if err := q.record(ctx, lease, d); err != nil {
			return err
		}
	}
	err := q.Memory.Record(ctx, lease, d)
	if q.recorded != nil {
		q.recorded()
	}
	return err
}

func (q *queue) Stats(ctx context.Context) (tasks.Stats, error) {
	if q.stats != nil {
		if err := q.stats(); err != nil {
			return tasks.Stats{}, err
		}
	}
	return q.Memory.Stats(ctx)
}

func (q *queue) Claim(ctx context.Context, req tasks.ClaimRequest) ([]*tasks.Lease, error) {
	if q.claim != nil {
		if err := q.claim(ctx, req); err != nil {
			return nil, err
		}
	}
	leases, err := q.Memory.Claim(ctx, req)
	if err == nil && q.claimed != nil {
		q.claimed(leases)
	}
	return leases, err
}

func (q *queue) Start(ctx context.Context, lease *tasks.Lease) error {
	if q.start != nil {
		if err := q.start(); err != nil {
			return err
		}
	}
	return q.Memory.Start(ctx, lease)
}

func (q *queue) Get(ctx context.Context, id uuid.UUID) (*tasks.ProcessingTask, error) {
	if q.get != nil {
		if err := q.get(); err != nil {
			return nil, err
		}
	}
	return q.Memory.Get(ctx, id)
}

// all returns the queue's tasks by order number.
func all(t testing.TB, q tasks.TaskQueue) map[string]*tasks.ProcessingTask {
	t.Helper()
	found := map[string]*tasks.ProcessingTask{}
	err := q.Each(context.Background(), func(task *tasks.ProcessingTask) error {
		found[task.PO] = task
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
