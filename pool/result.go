package pool

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// Result waits for the next task that has ended and returns it as the queue has
// it then. Tasks come in the order in which they ended, each once: completed and
// failed ones, not those that are to be retried. Nobody has to read results: they
// wait in the queue, and the pool keeps but their ids.
//
// It returns ErrResultsNotKept without Config.KeepResults, the failure of a pool
// in ERROR and ErrNotRunning for one that does not run, both only when no result
// is left; the queue's error, the result then being kept; and ctx's cause when
// ctx ends. It also waits while the queue is drained, for more might be submitted.
func (p *WorkerPool) Result(ctx context.Context) (*tasks.ProcessingTask, error) {
	if !p.cfg.KeepResults {
		return nil, ErrResultsNotKept
	}
	for {
		id, ok, changed, err := p.nextFinished()
		switch {
		case ok:
			return p.fetchResult(ctx, id)
		case err != nil:
			return nil, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for a result: %w", context.Cause(ctx))
		}
	}
}

// TryResult is Result without waiting: false if no result is left, or if the
// queue cannot be read.
func (p *WorkerPool) TryResult() (*tasks.ProcessingTask, bool) {
	id, ok, _, _ := p.nextFinished()
	if !ok {
		return nil, false
	}
	task, err := p.fetchResult(context.Background(), id)
	return task, err == nil
}

// nextFinished takes the oldest result; else it says when to ask again, or why
// there will be none.
func (p *WorkerPool) nextFinished() (id uuid.UUID, ok bool, changed <-chan struct{}, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.finished) > 0 {
		id = p.finished[0]
		p.finished = p.finished[1:]
		return id, true, nil, nil
	}
	switch {
	case p.run == nil:
		return id, false, nil, ErrNotRunning
	case p.run.err != nil:
		return id, false, nil, p.run.err
	case p.run.ended:
		return id, false, nil, ErrNotRunning
	}
	return id, false, p.changed, nil
}

// fetchResult reads the task; if that fails, its id is put back.
func (p *WorkerPool) fetchResult(ctx context.Context, id uuid.UUID) (*tasks.ProcessingTask, error) {
	task, err := p.cfg.Queue.Get(ctx, id)
	if err != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.finished = append([]uuid.UUID{id}, p.finished...)
		return nil, fmt.Errorf("reading the result of task %s: %w", id, err)
	}
	return task, nil
}
