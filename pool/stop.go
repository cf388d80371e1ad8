package pool

import (
	"context"
	"errors"
	"time"
)

// StopFetching has the pool take no more tasks and returns at once. Tasks in
// progress are finished, without a limit of time but their own; then the workers
// are closed and the pool is IDLE. Wait waits for that. On a pool that does not
// run it does nothing.
func (p *WorkerPool) StopFetching() { p.end(p.current(), ErrStopped, false) }

// Kill ends the work at once, with a cause, and returns without waiting. Tasks in
// progress are released; their attempts are not charged. A nil cause is ErrStopped.
// On a pool that does not run it does nothing. Stop waits for the end.
func (p *WorkerPool) Kill(cause error) {
	if cause == nil {
		cause = ErrStopped
	}
	p.end(p.current(), cause, true)
}

func (p *WorkerPool) current() *run {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.run
}

// end has a run take no more tasks, and if work is set do no more work.
func (p *WorkerPool) end(r *run, cause error, work bool) {
	if r == nil {
		return
	}
	p.mu.Lock()
	if p.run == r && p.state.CanBecome(StateStopping) {
		_ = p.become(StateStopping)
	}
	p.mu.Unlock()
	r.endFetch(cause)
	if work {
		r.endWork(cause)
	}
}

// Stop ends the pool and returns when nothing of it is left: no goroutine, no
// worker. It takes no more tasks and waits for those in progress, at most for
// StopTimeout or until ctx ends; then it ends the work as Kill does, and what was
// in progress is released. From then on it takes at most Grace for each attempt,
// and the bounds for closing and recording.
//
// Its error says what could not be closed or recorded, or which call has not
// returned even so; the pool is IDLE in any case. Stop may be called without a
// start, twice, and by several at once. It also cleans up a pool in ERROR.
func (p *WorkerPool) Stop(ctx context.Context) error {
	r := p.current()
	if r == nil {
		return nil
	}
	p.end(r, ErrStopped, false)
	timer := time.NewTimer(p.cfg.StopTimeout)
	defer timer.Stop()
	select {
	case <-r.done:
	case <-ctx.Done():
		p.end(r, errors.Join(ErrStopped, context.Cause(ctx)), true)
	case <-timer.C:
		p.end(r, ErrStopTimeout, true)
	}
	<-r.done
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run == r && p.state == StateError {
		if err := p.become(StateIdle); err != nil {
			return err
		}
	}
	return errors.Join(r.leftovers...)
}
