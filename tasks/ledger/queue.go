package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// write does an operation as owner.
func (l *Ledger) write(ctx context.Context, what string, o *op) error {
	if l.owner == nil {
		return ErrReadOnly
	}
	return l.wrap(what, l.owner.writer.do(ctx, o))
}

// wrap says of an error of SQLite what was being done, and to which file. Every
// other error passes as it is.
func (l *Ledger) wrap(what string, err error) error {
	if !isSQLite(err) {
		return err
	}
	return fmt.Errorf("%s: %w", what, fileError(l.path, err))
}

// Enqueue adds tasks, see tasks.TaskQueue: all of them, or none if it returns an
// error. They are on disk when it returns.
func (l *Ledger) Enqueue(ctx context.Context, specs ...tasks.Spec) (tasks.EnqueueResult, error) {
	var res tasks.EnqueueResult
	err := l.write(ctx, "adding tasks", &op{
		durable: true, wakes: true,
		run: func(now time.Time) error {
			for _, spec := range specs {
				added, err := l.owner.writer.tx.add(spec, now)
				if err != nil {
					return fmt.Errorf("adding the task %s: %w", spec.Key, err)
				}
				if added {
					res.Added++
				} else {
					res.Known++
				}
			}
			return nil
		},
	})
	if err != nil {
		return tasks.EnqueueResult{}, err
	}
	return res, nil
}

// Start begins an attempt, see tasks.TaskQueue.
func (l *Ledger) Start(ctx context.Context, lease *tasks.Lease) error {
	var moved entry
	return l.write(ctx, "starting the task "+lease.Task.Key, &op{
		run: func(now time.Time) error {
			before, err := l.owner.leases.find(lease)
			if err != nil {
				return err
			}
			moved = before.copy()
			made, err := moved.task.Begin(now)
			if err != nil {
				return err
			}
			return l.owner.writer.tx.move(before, moved, made)
		},
		committed: func() { l.owner.leases.move(moved) },
	})
}

// Extend is the worker's heartbeat, see tasks.TaskQueue. It touches no disk.
func (l *Ledger) Extend(ctx context.Context, lease *tasks.Lease) error {
	if l.owner == nil {
		return ErrReadOnly
	}
	select {
	case <-l.owner.writer.quit:
		return tasks.ErrClosed
	default:
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return l.owner.leases.beat(lease)
}

// Record stores what became of a task, see tasks.TaskQueue. It is on disk when
// Record returns; records that arrive together share one sync.
func (l *Ledger) Record(ctx context.Context, lease *tasks.Lease, d tasks.Decision) error {
	var moved entry
	return l.write(ctx, "recording the task "+lease.Task.Key, &op{
		durable: true, wakes: true,
		run: func(now time.Time) error {
			before, err := l.owner.leases.find(lease)
			if err != nil {
				return err
			}
			moved, err = l.owner.writer.tx.apply(before, d, now)
			return err
		},
		committed: func() { l.owner.leases.move(moved) },
	})
}

// Reap releases tasks without a heartbeat, see tasks.TaskQueue.
func (l *Ledger) Reap(ctx context.Context) (int, error) {
	var lapsed []entry
	err := l.write(ctx, "releasing tasks without a heartbeat", &op{
		wakes: true,
		run: func(now time.Time) (err error) {
			lapsed, err = l.owner.reap(now)
			return err
		},
		committed: func() {
			for _, e := range lapsed {
				l.owner.leases.move(e)
			}
		},
	})
	if err != nil {
		return 0, err
	}
	return len(lapsed), nil
}

func (o *owner) reap(now time.Time) ([]entry, error) {
	lost, alive := o.leases.check()
	for _, waiting := range o.writer.waiting {
		alive[waiting.claim.req.Worker] = true
	}
	o.writer.dealer.Check(alive)
	var lapsed []entry
	for _, e := range lost {
		after, err := o.writer.tx.apply(e, e.task.Lapse(now, "no heartbeat of "+e.task.Worker), now)
		switch {
		case errors.Is(err, tasks.ErrLeaseLost): // moved on in this very batch
		case err != nil:
			return nil, err
		default:
			lapsed = append(lapsed, after)
		}
	}
	return lapsed, nil
}

// Retry puts tasks back on a person's request, see tasks.TaskQueue.
func (l *Ledger) Retry(ctx context.Context, outcomes ...tasks.Outcome) (int, error) {
	again := 0
	err := l.write(ctx, "putting tasks back", &op{
		durable: true, wakes: true,
		run: func(now time.Time) error {
			for _, outcome := range outcomes {
				n, err := l.owner.writer.tx.again(outcome, now)
				if err != nil {
					return err
				}
				again += n
			}
			return nil
		},
	})
	if err != nil {
		return 0, err
	}
	return again, nil
}

// again puts back the tasks with an outcome that a person may retry.
func (x *txn) again(outcome tasks.Outcome, now time.Time) (int, error) {
	where := `state IN ('COMPLETED', 'FAILED')`
	if outcome == tasks.OutcomeSkipped {
		where = `state = 'PENDING' AND skipped <> ''`
	}
	seqs, err := x.seqs(`SELECT seq FROM tasks WHERE `+where+` AND outcome = ? ORDER BY seq`, outcome)
	if err != nil {
		return 0, fmt.Errorf("looking for the tasks that are %s: %w", outcome, err)
	}
	return x.change(seqs, func(t *tasks.ProcessingTask) bool { return t.Retryable() },
		func(t *tasks.ProcessingTask) (tasks.Transition, error) { return t.Again(now) })
}

// change takes the tasks with these numbers one step on, as far as they may take it.
func (x *txn) change(seqs []int64, may func(*tasks.ProcessingTask) bool, step func(*tasks.ProcessingTask) (tasks.Transition, error)) (int, error) {
	n := 0
	for _, seq := range seqs {
		before, err := x.load(seq)
		if err != nil {
			return n, err
		}
		if !may(before.task) {
			continue
		}
		after := before.copy()
		made, err := step(after.task)
		if err != nil {
			return n, err
		}
		if err := x.move(before, after, made); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// Reread puts tasks back that have to be read in another way, see tasks.TaskQueue.
func (l *Ledger) Reread(ctx context.Context, reason string, ids ...uuid.UUID) (int, error) {
	again := 0
	err := l.write(ctx, "putting tasks back", &op{
		durable: true, wakes: true,
		run: func(now time.Time) (err error) {
			again, err = l.owner.writer.tx.reread(reason, ids, now)
			return err
		},
	})
	if err != nil {
		return 0, err
	}
	return again, nil
}

// Confirm puts tasks back that ended well and are not confirmed, with fresh attempts, and returns how many. Others
// stay as they are.
func (l *Ledger) Confirm(ctx context.Context, ids ...uuid.UUID) (int, error) {
	again := 0
	err := l.write(ctx, "putting tasks back", &op{
		durable: true, wakes: true,
		run: func(now time.Time) error {
			x := l.owner.writer.tx
			seqs, err := x.ended(ids)
			if err == nil {
				again, err = x.change(seqs, (*tasks.ProcessingTask).Confirmable,
					func(t *tasks.ProcessingTask) (tasks.Transition, error) { return t.Confirm(now) })
			}
			return err
		},
	})
	if err != nil {
		return 0, err
	}
	return again, nil
}

// ended returns the numbers of those of the tasks that have ended.
func (x *txn) ended(ids []uuid.UUID) (seqs []int64, err error) {
	for _, id := range ids {
		found, err := x.seqs(`SELECT seq FROM tasks WHERE id = ? AND state IN ('COMPLETED', 'FAILED')`, id.String())
		if err != nil {
			return nil, fmt.Errorf("looking for the task %s: %w", id, err)
		}
		seqs = append(seqs, found...)
	}
	return seqs, nil
}

func (x *txn) reread(reason string, ids []uuid.UUID, now time.Time) (int, error) {
	seqs, err := x.ended(ids)
	if err != nil {
		return 0, err
	}
	for _, seq := range seqs {
		_, err := x.exec(`UPDATE attempts SET released = 1
			WHERE rowid = (SELECT max(rowid) FROM attempts WHERE task = ? AND NOT released)`, seq)
		if err != nil {
			return 0, fmt.Errorf("giving an attempt back: %w", err)
		}
	}
	return x.change(seqs, func(t *tasks.ProcessingTask) bool { return t.Invalid == nil },
		func(t *tasks.ProcessingTask) (tasks.Transition, error) { return t.Reread(reason, now) })
}

// proveAtOnce bounds how many tasks one transaction proves, so that the records of
// others do not wait long.
const proveAtOnce = 500

// Prove gives tasks the proof that they have been waiting for, see tasks.TaskQueue. It
// takes them by the hundred, each with its step in one transaction.
func (l *Ledger) Prove(ctx context.Context, kind string, proof tasks.Proof) (int, error) {
	proven := 0
	for kind != "" {
		n := 0
		err := l.write(ctx, "giving tasks their proof", &op{
			durable: true,
			run: func(now time.Time) (err error) {
				n, err = l.owner.writer.tx.prove(kind, proof, now)
				return err
			},
		})
		if err != nil {
			return proven, err
		}
		if proven += n; n < proveAtOnce {
			break
		}
	}
	return proven, nil
}

// prove proves the first tasks that wait for an item on a page of the kind.
func (x *txn) prove(kind string, proof tasks.Proof, now time.Time) (int, error) {
	seqs, err := x.seqs("SELECT seq FROM tasks INDEXED BY tasks_awaiting WHERE awaits = ? AND awaits <> '' LIMIT ?", kind, proveAtOnce)
	if err != nil {
		return 0, fmt.Errorf("looking for the tasks that wait for a proof: %w", err)
	}
	return x.change(seqs, func(*tasks.ProcessingTask) bool { return true },
		func(t *tasks.ProcessingTask) (tasks.Transition, error) { return t.Prove(proof, now) })
}

// Doubt has tasks be partial for what others have shown, see tasks.TaskQueue.
func (l *Ledger) Doubt(ctx context.Context, why *tasks.Failure, ids ...uuid.UUID) (int, error) {
	doubted := 0
	err := l.write(ctx, "having tasks be partial", &op{
		durable: true,
		run: func(now time.Time) (err error) {
			doubted, err = l.owner.writer.tx.doubt(why, ids, now)
			return err
		},
	})
	if err != nil {
		return 0, err
	}
	return doubted, nil
}

func (x *txn) doubt(why *tasks.Failure, ids []uuid.UUID, now time.Time) (int, error) {
	seqs, err := x.ended(ids)
	if err != nil {
		return 0, err
	}
	return x.change(seqs, (*tasks.ProcessingTask).Doubtable,
		func(t *tasks.ProcessingTask) (tasks.Transition, error) { return t.Doubt(why, now) })
}

// Repair puts tasks back whose documents are gone, see tasks.TaskQueue.
func (l *Ledger) Repair(ctx context.Context, gone map[uuid.UUID][]string) (int, error) {
	again := 0
	err := l.write(ctx, "putting tasks back whose documents are gone", &op{
		durable: true, wakes: true,
		run: func(now time.Time) (err error) {
			again, err = l.owner.writer.tx.repair(gone, now)
			return err
		},
	})
	if err != nil {
		return 0, err
	}
	return again, nil
}

func (x *txn) repair(gone map[uuid.UUID][]string, now time.Time) (int, error) {
	var seqs []int64
	for id := range gone {
		found, err := x.seqs(`SELECT seq FROM tasks WHERE id = ? AND state IN ('COMPLETED', 'FAILED')`, id.String())
		if err != nil {
			return 0, fmt.Errorf("looking for the task %s: %w", id, err)
		}
		seqs = append(seqs, found...)
	}
	return x.change(seqs, func(t *tasks.ProcessingTask) bool { return t.Repairable(gone[t.ID]) },
		func(t *tasks.ProcessingTask) (tasks.Transition, error) { return t.Repair(gone[t.ID], now) })
}
