package pool

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// run is one life of a pool, from Start until everything of it is gone.
type run struct {
	pool *WorkerPool
	cfg  *Config
	// base carries the caller's values and does not end: clean-up runs on it.
	base context.Context
	// fetch ends when no more tasks are to be taken, work when tasks in progress are to
	// stop too. When work ends, so does fetch.
	work, fetch       context.Context
	endWork, endFetch context.CancelCauseFunc
	unwatch           func() bool // stops watching the caller's context
	calls             *calls
	events            *events
	gate              gate
	drainTurn         chan struct{} // holds a token while somebody asks Config.Drained
	empty             chan struct{} // closed when no goroutine of a slot or the gate is left
	done              chan struct{} // closed when nothing is left

	// The pool's mu guards what follows.
	slots      []*slot
	asked      int     // workers that are asked for
	limits     []Limit // one for each owner, each below what was asked for when it was set
	weights    map[string]int64
	goroutines int // of slots and the gate
	inHand     int // tasks that were claimed and not recorded yet
	generation int // counts submissions, and what was put back
	roster     int // counts changes of who shares in the tasks
	drainedAt  int // the generation at which the queue was drained, or -1
	launches   launches
	err        error // the critical failure that ended it
	leftovers  []error
	ended      bool
}

func newRun(ctx context.Context, p *WorkerPool) *run {
	r := &run{
		pool: p, cfg: &p.cfg, base: context.WithoutCancel(ctx),
		calls: newCalls(), events: newEvents(p.cfg.OnEvent),
		drainTurn: make(chan struct{}, 1), empty: make(chan struct{}), done: make(chan struct{}), drainedAt: -1,
	}
	r.work, r.endWork = context.WithCancelCause(ctx)
	r.fetch, r.endFetch = context.WithCancelCause(r.work)
	r.unwatch = context.AfterFunc(ctx, func() { p.end(r, context.Cause(ctx), true) })
	r.gate.init()
	return r
}

// begin starts the goroutines. The caller holds the pool's mu.
func (r *run) begin(size int) {
	if r.cfg.HeadStart > 0 {
		r.gate.ahead.until = time.Now().Add(r.cfg.HeadStart)
	}
	r.events.start(r.calls, func(err error) { r.fail(err) })
	r.goroutines = 1
	go func() {
		defer r.leave()
		r.guardGate()
	}()
	r.asked = size
	for range size {
		r.addSlot()
	}
	go r.windUp()
}

// leave is the last act of a goroutine that is counted in r.goroutines.
func (r *run) leave() {
	r.pool.mu.Lock()
	defer r.pool.mu.Unlock()
	if r.goroutines--; r.goroutines == 0 {
		close(r.empty)
	}
}

// windUp waits until all slots have ended and says so when nothing is left.
func (r *run) windUp() {
	<-r.empty
	r.unwatch()
	r.endFetch(ErrStopped)
	r.endWork(ErrStopped)
	r.events.close()
	stuck := r.calls.wait(r.cfg.Grace)

	p := r.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, call := range stuck {
		r.leftovers = append(r.leftovers, fmt.Errorf("%s has not returned: what it holds is still in use", call))
	}
	r.ended = true
	switch p.state {
	case StateStarting, StateRunning:
		_ = p.become(StateStopping)
		_ = p.become(StateIdle)
	case StateStopping:
		_ = p.become(StateIdle)
	}
	p.announce()
	close(r.done)
}

// fail ends the run because of a critical failure: nothing that is in progress
// could be recorded, or no worker can be opened.
func (r *run) fail(err error) {
	p := r.pool
	p.mu.Lock()
	first := r.err == nil
	if first {
		r.err = err
	}
	if p.run == r && p.state.CanBecome(StateError) {
		_ = p.become(StateError)
	} else {
		r.leftovers = append(r.leftovers, err)
	}
	p.announce()
	p.mu.Unlock()
	if first {
		r.events.emit(Event{Type: EventPoolError, Detail: err.Error(), Err: err})
	}
	r.endFetch(err)
	r.endWork(err)
}

// settled reports whether nothing is left to do. The caller holds the pool's mu.
func (r *run) settled() bool { return r.drainedAt == r.generation && r.inHand == 0 }

// generationNow is to be read before the queue is asked whether it is drained.
func (r *run) generationNow() int {
	r.pool.mu.Lock()
	defer r.pool.mu.Unlock()
	return r.generation
}

// Wait waits until the queue is drained and everything is recorded: nil. If the
// pool ends before that, it returns ErrStopped with the cause, or the failure
// that led to ERROR: ErrNoWorker with the last launch's error, or what the queue
// could not do. It returns ErrNotRunning for a pool that was never started, and
// ctx's cause when ctx ends.
func (p *WorkerPool) Wait(ctx context.Context) error {
	for {
		over, changed, err := p.waitOver()
		if over {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("waiting for the pool: %w", context.Cause(ctx))
		}
	}
}

// waitOver says whether a Wait is over, and how; else when to ask again.
func (p *WorkerPool) waitOver() (over bool, changed <-chan struct{}, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.run
	switch {
	case r == nil:
		return true, nil, ErrNotRunning
	case r.err != nil:
		return true, nil, r.err
	case r.settled():
		return true, nil, nil
	case r.ended:
		cause := context.Cause(r.fetch)
		if errors.Is(cause, ErrStopped) {
			return true, nil, cause
		}
		return true, nil, fmt.Errorf("%w: %w", ErrStopped, cause)
	}
	return false, p.changed, nil
}
