package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// maxBatch bounds the operations of one transaction, so that the first of them
// does not wait long for the last.
const maxBatch = 128

// writer is the goroutine that writes, with what belongs to it.
type writer struct {
	ops     chan *op
	quit    chan struct{}
	stopped chan struct{}

	// The goroutine alone uses what follows.
	tx     *txn
	clock  *clock
	dealer tasks.Dealer
	// waiting are the claims that found nothing, longest waiting first. due
	// fires when the next task is due for them.
	waiting []*op
	due     *time.Timer
}

// op is one operation. It is answered exactly once, by way of done.
type op struct {
	// durable: it must be on disk before it is answered.
	durable bool
	// wakes: claims that wait may find something afterwards.
	wakes bool
	// run does it within a transaction. A claim that has to wait returns errWait.
	run func(now time.Time) error
	// committed is called once the transaction is; nil for nothing to do then.
	committed func()
	// claim is nil for every other operation.
	claim *claim

	ended bool
	err   error
	done  chan error
}

// errWait is returned by the run of a claim that has to wait.
var errWait = errors.New("nothing is due")

func startWriter(tx *txn) *writer {
	w := &writer{
		tx: tx, clock: newClock(), ops: make(chan *op), quit: make(chan struct{}), stopped: make(chan struct{}),
		due: time.NewTimer(time.Hour),
	}
	w.due.Stop()
	go w.loop()
	return w
}

// submit hands an operation to the writer, which then answers it in any case.
func (w *writer) submit(ctx context.Context, o *op) error {
	select {
	case <-w.quit:
		return tasks.ErrClosed
	default:
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	o.done = make(chan error, 1)
	select {
	case w.ops <- o:
		return nil
	case <-w.quit:
		return tasks.ErrClosed
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// do hands an operation to the writer and waits for its answer.
func (w *writer) do(ctx context.Context, o *op) error {
	if err := w.submit(ctx, o); err != nil {
		return err
	}
	return <-o.done
}

// stop ends the writer once it has finished what it is at.
func (w *writer) stop() {
	close(w.quit)
	<-w.stopped
}

func (w *writer) loop() {
	defer close(w.stopped)
	defer w.due.Stop()
	for {
		select {
		case first := <-w.ops:
			// What needs no sync does not wait for one that others need.
			quick, durable := split(w.gather(first))
			if len(quick) > 0 {
				w.batch(quick, false)
			}
			if len(durable) > 0 {
				w.batch(durable, false)
			}
		case <-w.due.C:
			w.batch(nil, true)
		case <-w.quit:
			for _, o := range w.waiting {
				o.done <- tasks.ErrClosed
			}
			return
		}
	}
}

// gather returns the operation and those that wait beside it.
func (w *writer) gather(first *op) []*op {
	ops := []*op{first}
	for len(ops) < maxBatch {
		select {
		case o := <-w.ops:
			ops = append(ops, o)
		default:
			return ops
		}
	}
	return ops
}

func split(ops []*op) (quick, durable []*op) {
	for _, o := range ops {
		if o.durable {
			durable = append(durable, o)
		} else {
			quick = append(quick, o)
		}
	}
	return quick, durable
}

// batch does the operations in one transaction, and answers all that have ended.
// What cannot be committed fails all of them, and the claims that wait too: the
// file cannot be written.
func (w *writer) batch(ops []*op, wake bool) {
	err := w.transact(ops, wake)
	w.waiting = slices.DeleteFunc(append(w.waiting, ops...), func(o *op) bool {
		switch {
		case err != nil:
			o.err = err
		case o.claim != nil && o.claim.cancelled.Load() && !o.ended:
			o.err = errCancelled
		case !o.ended:
			return false
		case o.err == nil && o.committed != nil:
			o.committed()
		}
		o.done <- o.err
		return true
	})
}

// transact does the operations, and then the claims that wait if there may be
// something for them.
func (w *writer) transact(ops []*op, wake bool) (err error) {
	durable := slices.ContainsFunc(ops, func(o *op) bool { return o.durable })
	if err := w.tx.begin(durable); err != nil {
		return fmt.Errorf("beginning to write: %w", err)
	}
	defer func() {
		if err != nil {
			w.tx.rollback()
		}
	}()
	now, back, kept := w.clock.now()
	if back > 0 {
		if err := w.tx.hasten(now, func(due time.Time) time.Time { return due.Add(-back) }); err != nil {
			return fmt.Errorf("making up for a clock that was set back: %w", err)
		}
		w.tx.fresh = false
		wake = true
	}
	for _, o := range ops {
		if err := w.try(o, now); err != nil {
			return err
		}
		wake = wake || o.ended && o.err == nil && o.wakes || o.claim != nil && (o.claim.reseated || o.dealt())
	}
	if open := unended(w.waiting, ops); len(open) > 0 {
		if err := w.serve(open, wake, now); err != nil {
			return err
		}
	}
	if err := w.tx.commit(); err != nil {
		return fmt.Errorf("committing: %w", err)
	}
	kept()
	return nil
}

// try runs an operation. It returns an error only if the whole transaction is
// spoiled.
func (w *writer) try(o *op, now time.Time) error {
	err, broken := w.tx.within(func() error { return o.run(now) })
	if broken != nil {
		return broken
	}
	o.ended = !errors.Is(err, errWait)
	if o.ended {
		o.err = err
	}
	return nil
}

// dealt: a claim in turn that has to wait. Looking for itself, it may have dealt
// a task to another that waits.
func (o *op) dealt() bool {
	return !o.ended && o.claim.req.Distribution == tasks.RoundRobin
}

func unended(lists ...[]*op) []*op {
	return slices.DeleteFunc(slices.Concat(lists...), func(o *op) bool { return o.ended })
}

// serve tries the claims that wait, if they may find something now, and sets the
// timer for the rest.
func (w *writer) serve(open []*op, wake bool, now time.Time) error {
	exhausted := false
	for _, o := range open {
		inTurn := o.claim.req.Distribution == tasks.RoundRobin
		if !wake || exhausted && !inTurn || o.claim.cancelled.Load() {
			continue
		}
		o.claim.since = now
		if err := w.try(o, now); err != nil {
			return err
		}
		exhausted = exhausted || !o.ended && !inTurn
	}
	next, err := w.tx.nextDue(now)
	if err != nil {
		return fmt.Errorf("looking for the next due task: %w", err)
	}
	w.due.Stop()
	if !next.IsZero() {
		w.due.Reset(next.Sub(now))
	}
	return nil
}
