package space

import (
	"context"

	"github.com/poscrape/poscrape/tasks"
)

// queue is the ledger as the pool has it. Where it cannot be written or read any
// more, it ends the session before the pool takes that for an error inside
// poscrape, and tries once more with the room that the reserve file made: what an
// order brought home is recorded on a full disk too.
type queue struct {
	tasks.TaskQueue
	struck func(error) bool
}

// Queue returns a queue as the pool is to have it.
func (g *Guard) Queue(q tasks.TaskQueue) tasks.TaskQueue { return queue{q, g.Struck} }

// Claim implements tasks.TaskQueue.
func (q queue) Claim(ctx context.Context, req tasks.ClaimRequest) ([]*tasks.Lease, error) {
	leases, err := q.TaskQueue.Claim(ctx, req)
	if err != nil && ctx.Err() == nil && q.struck(err) {
		return q.TaskQueue.Claim(ctx, req) // which the end of the session ends
	}
	return leases, err
}

// Start implements tasks.TaskQueue.
func (q queue) Start(ctx context.Context, lease *tasks.Lease) error {
	err := q.TaskQueue.Start(ctx, lease)
	if err != nil && q.struck(err) {
		return q.TaskQueue.Start(ctx, lease)
	}
	return err
}

// Record implements tasks.TaskQueue.
func (q queue) Record(ctx context.Context, lease *tasks.Lease, d tasks.Decision) error {
	err := q.TaskQueue.Record(ctx, lease, d)
	if err != nil && q.struck(err) {
		return q.TaskQueue.Record(ctx, lease, d)
	}
	return err
}

// Stats implements tasks.TaskQueue.
func (q queue) Stats(ctx context.Context) (tasks.Stats, error) {
	stats, err := q.TaskQueue.Stats(ctx)
	if err != nil && ctx.Err() == nil && q.struck(err) {
		return q.TaskQueue.Stats(ctx)
	}
	return stats, err
}
