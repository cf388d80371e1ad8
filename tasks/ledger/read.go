package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// read does something with the file as it is at one moment.
func (l *Ledger) read(ctx context.Context, what string, do func(tx *sql.Tx) error) error {
	if err := l.reading.begin(); err != nil {
		return err
	}
	defer l.reading.count.Done()
	err := l.snapshot(ctx, do)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return l.wrap(what, err)
}

func (l *Ledger) snapshot(ctx context.Context, do func(tx *sql.Tx) error) error {
	if l.moment != nil {
		return do(l.moment)
	}
	tx, err := l.readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, ignoreDone(tx.Rollback()))
	}
	return ignoreDone(tx.Rollback())
}

// Moment calls do with the ledger as it is at one moment, to read it: all that do reads agrees,
// also while the owner goes on working. do must not keep it, nor close l.
func (l *Ledger) Moment(ctx context.Context, do func(*Ledger) error) error {
	return l.read(ctx, "reading the session", func(tx *sql.Tx) error {
		return do(&Ledger{path: l.path, version: l.version, moment: tx, made: l.made})
	})
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// Get returns one task, see tasks.TaskQueue.
func (l *Ledger) Get(ctx context.Context, id uuid.UUID) (*tasks.ProcessingTask, error) {
	var task *tasks.ProcessingTask
	err := l.read(ctx, "reading a task", func(tx *sql.Tx) error {
		e, err := scanTask(tx.QueryRowContext(ctx, l.version.selectTasks()+" WHERE id = ?", id.String()))
		if errors.Is(err, sql.ErrNoRows) {
			return tasks.ErrNotFound
		}
		if err != nil {
			return err
		}
		session, err := sessionID(tx.QueryRowContext(ctx, selectSessionID))
		if err != nil {
			return err
		}
		e.judge(l.made, session)
		task = e.task
		rows, err := tx.QueryContext(ctx, l.version.selectAttempts(), e.seq)
		if err != nil {
			return err
		}
		task.History, err = scanAttempts(rows)
		return err
	})
	if err != nil {
		return nil, err
	}
	return task, nil
}

// Each calls visit with every task as it was when Each was called, see
// tasks.TaskQueue. visit may call the ledger, but not Close.
func (l *Ledger) Each(ctx context.Context, visit func(*tasks.ProcessingTask) error) error {
	return l.read(ctx, "reading the tasks", func(tx *sql.Tx) error {
		history, err := tx.PrepareContext(ctx, l.version.selectAttempts())
		if err != nil {
			return err
		}
		defer history.Close()
		session, err := sessionID(tx.QueryRowContext(ctx, selectSessionID))
		if err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, l.version.allTasks())
		if err != nil {
			return err
		}
		defer rows.Close()
		for ctx.Err() == nil && rows.Next() {
			e, err := scanTask(rows)
			if err != nil {
				return err
			}
			e.judge(l.made, session)
			if e.lease > 0 {
				attempts, err := history.QueryContext(ctx, e.seq)
				if err != nil {
					return err
				}
				if e.task.History, err = scanAttempts(attempts); err != nil {
					return fmt.Errorf("task %s: %w", e.task.Key, err)
				}
			}
			if err := visit(e.task); err != nil {
				return err
			}
		}
		return cmp.Or(ctx.Err(), rows.Err())
	})
}

// Transitions returns the changes of a task's state, see tasks.TaskQueue.
func (l *Ledger) Transitions(ctx context.Context, id uuid.UUID) ([]tasks.Transition, error) {
	var list []tasks.Transition
	err := l.read(ctx, "reading the steps of a task", func(tx *sql.Tx) error {
		var seq int64
		err := tx.QueryRowContext(ctx, "SELECT seq FROM tasks WHERE id = ?", id.String()).Scan(&seq)
		if errors.Is(err, sql.ErrNoRows) {
			return tasks.ErrNotFound
		}
		if err != nil {
			return err
		}
		list, err = collect(ctx, tx, "SELECT at, from_state, to_state, outcome, worker, reason FROM transitions WHERE task = ? ORDER BY seq",
			func(row scanner) (step tasks.Transition, err error) {
				var at string
				err = row.Scan(&at, &step.From, &step.To, &step.Outcome, &step.Worker, &step.Reason)
				step.At = parse(at)
				return step, err
			}, seq)
		return err
	})
	return list, err
}

// Stats counts the tasks, see tasks.TaskQueue.
func (l *Ledger) Stats(ctx context.Context) (tasks.Stats, error) {
	s := tasks.Stats{ByState: make(map[tasks.State]int), ByOutcome: make(map[tasks.Outcome]int), Portals: make(map[string]tasks.Pending)}
	err := l.read(ctx, "counting the tasks", func(tx *sql.Tx) error {
		now := text(time.Now())
		var next string
		row := tx.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE not_before <= ?1), count(*) FILTER (WHERE not_before > ?1),
			coalesce(min(not_before) FILTER (WHERE not_before > ?1), '')
			FROM tasks INDEXED BY tasks_pending WHERE state = 'PENDING' AND skipped = ''`, now)
		if err := row.Scan(&s.Ready, &s.Waiting, &next); err != nil {
			return err
		}
		s.NextDue = parse(next)
		if err := l.version.countPortals(ctx, tx, now, s.Portals); err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, "SELECT state, outcome, count(*) FROM tasks GROUP BY state, outcome")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var state tasks.State
			var outcome tasks.Outcome
			var n int
			if err := rows.Scan(&state, &outcome, &n); err != nil {
				return err
			}
			s.Total += n
			s.ByState[state] += n
			if outcome != "" {
				s.ByOutcome[outcome] += n
			}
		}
		return rows.Err()
	})
	return s, err
}

// countPortals counts the pending tasks of each portal.
func (v version) countPortals(ctx context.Context, tx *sql.Tx, now string, counts map[string]tasks.Pending) error {
	if v < 4 {
		return nil
	}
	rows, err := tx.QueryContext(ctx, `SELECT portal, count(*) FILTER (WHERE not_before <= ?1), count(*) FILTER (WHERE not_before > ?1),
			coalesce(max(priority) FILTER (WHERE not_before <= ?1), 0)
		FROM tasks INDEXED BY tasks_portal WHERE state = 'PENDING' AND skipped = '' AND portal <> '' GROUP BY portal`, now)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var portal string
		var p tasks.Pending
		if err := rows.Scan(&portal, &p.Ready, &p.Waiting, &p.Priority); err != nil {
			return err
		}
		counts[portal] = p
	}
	return rows.Err()
}

// collect returns what scan makes of each row.
func collect[T any](ctx context.Context, tx *sql.Tx, query string, scan func(row scanner) (T, error), args ...any) ([]T, error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, rows.Err()
}
