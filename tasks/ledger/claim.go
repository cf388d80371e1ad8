package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// claim is a call of Claim on its way through the writer.
type claim struct {
	req tasks.ClaimRequest
	// since is when the time that the queue itself needed began to count.
	since  time.Time
	leases []*tasks.Lease
	held   []*held
	// seated: the dealer knows the request's workers; reseated: they changed.
	seated, reseated bool
	// cancelled is set by the caller when it does not want to wait any more.
	cancelled atomic.Bool
}

// errCancelled answers a claim whose caller does not wait any more.
var errCancelled = errors.New("the claim was cancelled")

// Claim hands out due tasks, see tasks.TaskQueue. What it hands out is stored,
// but not yet synced to disk: a claim that power loss forgets is done again.
func (l *Ledger) Claim(ctx context.Context, req tasks.ClaimRequest) ([]*tasks.Lease, error) {
	if err := req.Validate(); err != nil {
		return nil, err
	}
	if l.owner == nil {
		return nil, ErrReadOnly
	}
	w := l.owner.writer
	c := &claim{req: req, since: time.Now()}
	o := &op{
		claim:     c,
		run:       func(now time.Time) error { return l.owner.claim(c, now) },
		committed: func() { l.owner.leases.grant(c) },
	}
	if err := w.submit(ctx, o); err != nil {
		return nil, l.wrap("claiming a task", err)
	}
	var err error
	select {
	case err = <-o.done:
	case <-ctx.Done():
		c.cancelled.Store(true)
		// The writer answers what was cancelled with its next batch: this one.
		nudge := &op{run: func(time.Time) error { return nil }}
		if submitErr := w.do(context.WithoutCancel(ctx), nudge); submitErr != nil && !errors.Is(submitErr, tasks.ErrClosed) {
			return nil, l.wrap("claiming a task", submitErr)
		}
		err = <-o.done
	}
	switch {
	case errors.Is(err, errCancelled):
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, l.wrap("claiming a task", err)
	}
	return c.leases, nil
}

// claim assigns the due tasks that the request may have. It returns errWait if
// there are none yet.
func (o *owner) claim(c *claim, now time.Time) error {
	seqs, err := o.pick(c, now)
	if err != nil {
		return fmt.Errorf("looking for due tasks: %w", err)
	}
	if len(seqs) == 0 {
		open, err := o.writer.tx.anyOpen(c.req.Portals)
		switch {
		case err != nil:
			return fmt.Errorf("looking for open tasks: %w", err)
		case !open:
			return tasks.ErrDrained
		}
		return errWait
	}
	for _, seq := range seqs {
		if err := o.assign(c, seq, now); err != nil {
			return err
		}
	}
	return nil
}

// pick returns the numbers of the tasks that the request may have now.
func (o *owner) pick(c *claim, now time.Time) ([]int64, error) {
	dealer, inTurn, reach := &o.writer.dealer, c.req.Distribution == tasks.RoundRobin, c.req.Reach()
	if inTurn {
		if !c.seated {
			c.reseated = dealer.Seat(c.req.Worker, c.req.Workers)
			c.seated = true
		}
		dealer.Join(c.req.Worker)
		reach = max(c.req.Max, 1)
	}
	mine := func(seq int64) bool { return !inTurn || dealer.Deal(seq) == c.req.Worker }
	var seqs []int64
	var err error
	if c.req.Portals == nil {
		seqs, err = o.writer.tx.first(reach, mine, selectDue, text(now))
	}
	for _, portal := range c.req.Portals {
		if len(seqs) == 0 && err == nil {
			seqs, err = o.writer.tx.first(reach, mine, selectDueOf, text(now), portal)
		}
	}
	if !inTurn {
		seqs = seqs[:c.req.Portion(len(seqs))]
	}
	return seqs, err
}

// first returns the numbers of the first tasks that the query selects and that are mine.
func (x *txn) first(most int, mine func(seq int64) bool, query string, args ...any) ([]int64, error) {
	rows, err := x.query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var seqs []int64
	for len(seqs) < most && rows.Next() {
		var seq int64
		if err := rows.Scan(&seq); err != nil {
			return nil, err
		}
		if mine(seq) {
			seqs = append(seqs, seq)
		}
	}
	return seqs, rows.Err()
}

// selectDue selects what can be claimed, in the order of claims. Whoever reads it stops
// where he has enough: with the bound of a LIMIT as a parameter, SQLite would plan anew
// each time.
const selectDue = `SELECT seq FROM tasks INDEXED BY tasks_pending
	WHERE state = 'PENDING' AND skipped = '' AND not_before <= ? ORDER BY priority DESC, seq`

// selectDueOf is selectDue for one portal.
const selectDueOf = `SELECT seq FROM tasks INDEXED BY tasks_portal
	WHERE state = 'PENDING' AND skipped = '' AND portal <> '' AND not_before <= ? AND portal = ? ORDER BY priority DESC, seq`

func (o *owner) assign(c *claim, seq int64, now time.Time) error {
	tx := o.writer.tx
	before, err := tx.load(seq)
	if err != nil {
		return err
	}
	e := before.copy()
	made, err := e.task.Assign(c.req.Worker, now)
	if err != nil {
		return err
	}
	e.lease++
	e.epoch = o.epoch
	if err := tx.move(before, e, made); err != nil {
		return fmt.Errorf("assigning the task %s: %w", e.task.Key, err)
	}
	o.writer.dealer.Forget(seq)
	c.held = append(c.held, newHeld(e))
	c.leases = append(c.leases, &tasks.Lease{
		Task: e.copy().task, Worker: c.req.Worker, Attempt: e.lease, Epoch: e.epoch, ClaimedAt: now,
	})
	return nil
}

// anyOpen reports whether a task is with a worker, or one of these portals can become due.
func (x *txn) anyOpen(portals []string) (open bool, err error) {
	const active = `SELECT EXISTS (SELECT 1 FROM tasks INDEXED BY tasks_state WHERE state IN ('ASSIGNED', 'PROCESSING'))`
	if portals == nil {
		err = x.row(active + ` OR EXISTS (SELECT 1 FROM tasks INDEXED BY tasks_pending WHERE state = 'PENDING' AND skipped = '')`).Scan(&open)
		return open, err
	}
	err = x.row(active).Scan(&open)
	for _, portal := range portals {
		if !open && err == nil {
			err = x.row(`SELECT EXISTS (SELECT 1 FROM tasks INDEXED BY tasks_portal
				WHERE state = 'PENDING' AND skipped = '' AND portal <> '' AND portal = ?)`, portal).Scan(&open)
		}
	}
	return open, err
}

// nextDue returns when the next task becomes due, or zero.
func (x *txn) nextDue(now time.Time) (time.Time, error) {
	var next string
	err := x.row(`SELECT coalesce(min(not_before), '') FROM tasks INDEXED BY tasks_pending
		WHERE state = 'PENDING' AND skipped = '' AND not_before > ?`, text(now)).Scan(&next)
	return parse(next), err
}
