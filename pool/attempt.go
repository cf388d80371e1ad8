package pool

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// attempt is one task in the hands of one slot, from its claim to its record.
type attempt struct {
	slot  *slot
	run   *run
	lease *tasks.Lease
	order string
	began time.Time // in this slot's hands
	// started is when the worker was given it; zero if it never was.
	started time.Time
	// held ends with the cause when the lease is lost.
	held     context.Context
	lose     context.CancelCauseFunc
	keeping  context.Context
	stopKeep context.CancelFunc
	kept     chan struct{} // closed when no heartbeat is sent any more
	// res and err are what the worker said, once it has. cause is why the
	// attempt's context had ended then, or nil.
	res        *tasks.Result
	err, cause error
}

func (s *slot) newAttempt(lease *tasks.Lease) *attempt {
	a := &attempt{
		slot: s, run: s.run, lease: lease, order: lease.Task.Name(),
		began: time.Now(), kept: make(chan struct{}),
	}
	a.held, a.lose = context.WithCancelCause(s.run.base)
	a.keeping, a.stopKeep = context.WithCancel(s.run.base)
	return a
}

func (a *attempt) event(kind string, took time.Duration) Event {
	return Event{Type: kind, Worker: a.slot.id, Key: a.lease.Task.Key, Order: a.order, Took: took}
}

// keep sends heartbeats until stopKeep is called or the lease is lost.
func (a *attempt) keep() {
	defer close(a.kept)
	ctx := a.keeping
	ticker := time.NewTicker(a.run.cfg.Heartbeat)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		err := a.run.cfg.Queue.Extend(ctx, a.lease)
		switch {
		case err == nil:
			a.slot.active()
		case errors.Is(err, tasks.ErrLeaseLost):
			a.lose(err)
			return
		case ctx.Err() == nil:
			notice := a.event(EventNotice, 0)
			notice.Err = fmt.Errorf("a heartbeat for %s failed: %w", a.order, err)
			notice.Detail = notice.Err.Error()
			a.run.events.emit(notice)
		}
	}
}

// attempt lets the worker make the attempt, and notes what it said, or a
// *StuckError when it ignored the end of its time, or a *PanicError.
func (a *attempt) attempt(w Worker) {
	r := a.run
	if r.work.Err() != nil {
		a.cause = context.Cause(r.work)
		a.err = a.cause
		return
	}
	if a.err = a.start(); a.err != nil {
		return
	}
	ctx, end := context.WithCancelCause(r.work)
	defer end(nil)
	unlink := context.AfterFunc(a.held, func() { end(context.Cause(a.held)) })
	defer unlink()
	ctx, cancel := context.WithTimeoutCause(ctx, r.cfg.TaskTimeout, ErrTaskTimeout)
	defer cancel()
	ctx = tasks.WithActivity(ctx, a.slot.active)
	a.res, a.err = bounded(ctx, r.calls, r.cfg.Grace, fmt.Sprintf("%s's attempt at %s", a.slot.id, a.order),
		func() (*tasks.Result, error) { return w.Do(ctx, a.lease.Task) }, nil)
	if ctx.Err() != nil {
		a.cause = context.Cause(ctx)
	}
}

// start tells the queue that the attempt begins. A queue that cannot even store
// that ends the run.
func (a *attempt) start() error {
	ctx, cancel := a.run.durable()
	defer cancel()
	err := a.run.cfg.Queue.Start(ctx, a.lease)
	switch {
	case err == nil:
		a.started = time.Now()
		return nil
	case errors.Is(err, tasks.ErrLeaseLost):
		a.lose(err)
	default:
		a.run.fail(fmt.Errorf("noting the start of %s in the queue: %w", a.order, err))
	}
	return tasks.Release(tasks.ClassReleased, "%s could not be started: %w", a.order, err)
}

// durable returns the bounded context of what must also be done after a stop.
func (r *run) durable() (context.Context, context.CancelFunc) {
	return context.WithTimeout(r.base, r.cfg.RecordTimeout)
}

// report returns what the worker said, and adds what the pool has seen of the attempt.
func (a *attempt) report() (*tasks.Result, error) {
	if a.err == nil {
		return a.res, nil
	}
	f := *tasks.AsFailure(a.err)
	var p *PanicError
	if errors.As(a.err, &p) {
		f.Facts.Panic = p
	}
	switch {
	case errors.Is(a.cause, ErrTaskTimeout):
		f.Facts.Late, f.Facts.Closed = a.run.cfg.TaskTimeout, isStuck(a.err)
	case a.cause != nil:
		f.Facts.Stopped = a.cause
	}
	return a.res, &f
}
