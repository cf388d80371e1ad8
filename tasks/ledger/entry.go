package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// entry is a task with its number in the file and its latest lease.
type entry struct {
	task              *tasks.ProcessingTask
	seq, lease, epoch int64
	// result and code are what is stored of the task's result, and its code.
	result, code sql.NullString
}

// copy returns an entry whose task may be moved on.
func (e entry) copy() entry {
	task := *e.task
	e.task = &task
	return e
}

// taskColumns are those of version 1.
const taskColumns = `seq, id, key, po, digits, dir, url, priority, state, outcome, worker, attempts, losses,
	lease, epoch, not_before, created_at, updated_at, skipped, invalid, failure, rows, result`

func scanTask(row scanner) (entry, error) {
	t := &tasks.ProcessingTask{}
	e := entry{task: t}
	var id, notBefore, created, updated string
	var invalid, failure, rows, sheet, portal sql.NullString
	err := row.Scan(&e.seq, &id, &t.Key, &t.PO, &t.Digits, &t.Dir, &t.URL, &t.Priority, &t.State, &t.Outcome, &t.Worker,
		&t.Attempts, &t.Losses, &e.lease, &e.epoch, &notBefore, &created, &updated, &t.Skipped,
		&invalid, &failure, &rows, &e.result, &sheet, &portal, &e.code)
	if err != nil {
		return entry{}, err
	}
	if t.ID, err = uuid.Parse(id); err != nil {
		return entry{}, fmt.Errorf("the id of task %d: %w", e.seq, err)
	}
	t.Portal = portal.String
	t.NotBefore, t.Created, t.Updated = parse(notBefore), parse(created), parse(updated)
	err = errors.Join(decode(invalid, &t.Invalid), decode(failure, &t.Failure), decode(rows, &t.Rows), decode(e.result, &t.Result),
		decode(sheet, &t.Sheet))
	if err != nil {
		return entry{}, fmt.Errorf("task %s: %w", t.Key, err)
	}
	return e, nil
}

// load returns the task with a number, and its history.
func (x *txn) load(seq int64) (entry, error) {
	e, err := scanTask(x.row(version(schemaVersion).selectTasks()+" WHERE seq = ?", seq))
	if err != nil {
		return entry{}, fmt.Errorf("reading task %d: %w", seq, err)
	}
	session, err := x.sessionID()
	if err != nil {
		return entry{}, err
	}
	e.judge(x.made, session)
	if e.lease == 0 {
		return e, nil
	}
	rows, err := x.query(version(schemaVersion).selectAttempts(), seq)
	if err == nil {
		e.task.History, err = scanAttempts(rows)
	}
	if err != nil {
		return entry{}, fmt.Errorf("reading the attempts of task %d: %w", seq, err)
	}
	return e, nil
}

// add stores a new task. It reports false, and does nothing, if its key is known.
func (x *txn) add(spec tasks.Spec, now time.Time) (bool, error) {
	t, made, err := tasks.NewTask(spec, now)
	if err != nil {
		return false, err
	}
	invalid, err := encode(t.Invalid)
	if err != nil {
		return false, err
	}
	failure, err := encode(t.Failure)
	if err != nil {
		return false, err
	}
	rows, err := encode(t.Rows)
	if err != nil {
		return false, err
	}
	var sheet sql.NullString
	if t.Sheet != (tasks.Sheet{}) {
		if sheet, err = encode(t.Sheet); err != nil {
			return false, err
		}
	}
	added, err := x.exec(`INSERT INTO tasks (id, key, po, digits, dir, url, priority, state, outcome, worker, attempts, losses,
		lease, epoch, not_before, created_at, updated_at, skipped, invalid, failure, rows, sheet, portal)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0, 0, 0, 0, '', ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
		t.ID.String(), t.Key, t.PO, t.Digits, t.Dir, t.URL, t.Priority, t.State, t.Outcome,
		text(t.Created), text(t.Updated), t.Skipped, invalid, failure, rows, sheet, t.Portal)
	if err != nil || added == 0 || len(made) == 0 {
		return added == 1, err
	}
	var seq int64
	if err := x.row("SELECT last_insert_rowid()").Scan(&seq); err != nil {
		return false, err
	}
	return true, x.addTransitions(seq, made)
}

// move stores what became of a task that was read as before. It returns
// tasks.ErrLeaseLost, and does nothing, if the file has it otherwise by now.
func (x *txn) move(before, after entry, made ...tasks.Transition) error {
	t := after.task
	failure, err := encode(t.Failure)
	if err != nil {
		return fmt.Errorf("storing the failure of %s: %w", t.Key, err)
	}
	result, err := encode(t.Result)
	if err != nil {
		return fmt.Errorf("storing the result of %s: %w", t.Key, err)
	}
	code, err := x.resultCodeOf(after, result)
	if err != nil {
		return err
	}
	moved, err := x.exec(`UPDATE tasks SET state = ?, outcome = ?, worker = ?, attempts = ?, losses = ?, lease = ?,
		epoch = ?, not_before = ?, updated_at = ?, skipped = ?, failure = ?, result = ?, code = ?, awaits = ?
		WHERE seq = ? AND state = ? AND lease = ? AND epoch = ?`,
		t.State, t.Outcome, t.Worker, t.Attempts, t.Losses, after.lease, after.epoch, text(t.NotBefore), text(t.Updated),
		t.Skipped, failure, result, code, t.Awaiting(), before.seq, before.task.State, before.lease, before.epoch)
	if err != nil {
		return fmt.Errorf("storing the task %s: %w", t.Key, err)
	}
	if moved != 1 {
		return tasks.ErrLeaseLost
	}
	if err := x.addTransitions(after.seq, made); err != nil {
		return fmt.Errorf("storing the steps of the task %s: %w", t.Key, err)
	}
	return nil
}

// apply does what was decided of a task that was read as before, stores it with
// its history, and returns it.
func (x *txn) apply(before entry, d tasks.Decision, now time.Time) (entry, error) {
	after := before.copy()
	made, err := after.task.Apply(d, now)
	if err != nil {
		return entry{}, err
	}
	if err := x.move(before, after, made...); err != nil {
		return entry{}, err
	}
	for _, attempt := range after.task.History[len(before.task.History):] {
		if err := x.addAttempt(after.seq, attempt); err != nil {
			return entry{}, fmt.Errorf("storing the attempt of %s: %w", after.task.Key, err)
		}
	}
	return after, nil
}

func (x *txn) addTransitions(seq int64, made []tasks.Transition) error {
	for _, step := range made {
		_, err := x.exec(`INSERT INTO transitions (task, at, from_state, to_state, outcome, worker, reason)
			VALUES (?, ?, ?, ?, ?, ?, ?)`,
			seq, text(step.At), step.From, step.To, step.Outcome, step.Worker, step.Reason)
		if err != nil {
			return err
		}
	}
	return nil
}

// attemptColumns are those of version 1.
const attemptColumns = "n, worker, executor, outcome, released, started_at, ended_at, retry_at, phase_ms, error, evidence"

func (x *txn) addAttempt(seq int64, a tasks.Attempt) error {
	phases, err := encode(a.PhaseMS)
	if err != nil {
		return err
	}
	failure, err := encode(a.Error)
	if err != nil {
		return err
	}
	evidence, err := encode(a.Evidence)
	if err != nil {
		return err
	}
	_, err = x.exec("INSERT INTO attempts (task, "+attemptColumns+", looks) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		seq, a.N, a.Worker, a.Executor, a.Outcome, a.Released, text(a.StartedAt), text(a.EndedAt), text(a.RetryAt),
		phases, failure, evidence, encodeLooks(a.Looks))
	return err
}

func scanAttempts(rows *sql.Rows) ([]tasks.Attempt, error) {
	defer rows.Close()
	var list []tasks.Attempt
	for rows.Next() {
		var a tasks.Attempt
		var started, ended, retry string
		var phases, failure, evidence, looks sql.NullString
		err := rows.Scan(&a.N, &a.Worker, &a.Executor, &a.Outcome, &a.Released, &started, &ended, &retry, &phases, &failure, &evidence, &looks)
		if err != nil {
			return nil, err
		}
		a.StartedAt, a.EndedAt, a.RetryAt = parse(started), parse(ended), parse(retry)
		if err := errors.Join(decode(phases, &a.PhaseMS), decode(failure, &a.Error), decode(evidence, &a.Evidence)); err != nil {
			return nil, fmt.Errorf("attempt %d: %w", a.N, err)
		}
		if a.Looks, err = decodeLooks(looks); err != nil {
			return nil, fmt.Errorf("attempt %d: %w", a.N, err)
		}
		list = append(list, a)
	}
	return list, rows.Err()
}
