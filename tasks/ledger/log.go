package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// SaveSession stores the session's record, see tasks.SessionLog. It is on disk
// when SaveSession returns.
func (l *Ledger) SaveSession(ctx context.Context, s tasks.Session) error {
	columns, err := json.Marshal(s.Input.Columns)
	if err != nil {
		return fmt.Errorf("storing the columns of the input: %w", err)
	}
	input, err := encode(further{s.Input.Delimiter, s.Input.Mark, s.Input.Roles, s.Input.Compare, s.Fields, s.Update})
	if err != nil {
		return fmt.Errorf("storing how the input is read: %w", err)
	}
	selectors, err := encode(s.Selectors)
	if err != nil {
		return fmt.Errorf("storing the recipe's selectors: %w", err)
	}
	return l.write(ctx, "storing the session", &op{durable: true, run: func(time.Time) error {
		code := sql.NullString{}
		if !s.Foreign {
			code = l.owner.writer.tx.codeOf(sessionCode, s.ID.String(), string(s.Config))
		}
		_, err := l.owner.writer.tx.exec(`INSERT OR REPLACE INTO session (one, `+version(schemaVersion).sessionColumns()+`)
			VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			s.ID.String(), s.Status, s.Reason, text(s.StartedAt), text(s.EndedAt), s.Worked.Microseconds(),
			s.Version, s.Chrome, s.Host, s.Sandbox, s.Workers, s.Mode, s.Resumed,
			s.Input.File, s.Input.Rows, s.Input.SHA256, string(columns), string(s.Config),
			s.Cleanup.BrowsersLeft, s.Cleanup.ProfilesLeft, s.Cleanup.Took.Microseconds(),
			input, selectors, code, s.Cleanup.ContainersLeft)
		if err == nil {
			l.owner.writer.tx.session = s.ID.String()
		}
		return err
	}})
}

// further is what the column input_text holds: how the input was written and is read, and
// the names of the recipe's fields. More can be added without another version of the tables.
type further struct {
	Delimiter string            `json:"delimiter,omitempty"`
	Mark      bool              `json:"mark,omitempty"`
	Roles     map[string]int    `json:"roles,omitempty"`
	Compare   map[string]string `json:"compare,omitempty"`
	Fields    []string          `json:"fields,omitempty"`
	Update    string            `json:"update,omitempty"`
}

// sessionColumns are those of version 1.
const sessionColumns = `id, status, reason, started_at, ended_at, worked_us, version, chrome, host, sandbox, workers, mode,
	resumed, input_file, input_rows, input_sha256, input_columns, config, browsers_left, profiles_left, cleanup_took_us`

// Session returns the session's record, see tasks.SessionLog.
func (l *Ledger) Session(ctx context.Context) (s tasks.Session, err error) {
	err = l.read(ctx, "reading the session", func(tx *sql.Tx) error {
		var code string
		s, code, err = scanSession(tx.QueryRowContext(ctx, l.version.selectSession()))
		s.Foreign = !l.made.Made(code, sessionCode, s.ID.String(), string(s.Config))
		return err
	})
	return s, err
}

// scanSession also returns the record's code, and tasks.ErrNotFound where no record was stored.
func scanSession(row scanner) (s tasks.Session, code string, err error) {
	var id, started, ended, columns, config string
	var worked, took int64
	var input, selectors, stored sql.NullString
	var containers sql.NullInt64
	err = row.Scan(
		&id, &s.Status, &s.Reason, &started, &ended, &worked, &s.Version, &s.Chrome, &s.Host, &s.Sandbox, &s.Workers, &s.Mode,
		&s.Resumed, &s.Input.File, &s.Input.Rows, &s.Input.SHA256, &columns, &config,
		&s.Cleanup.BrowsersLeft, &s.Cleanup.ProfilesLeft, &took, &input, &selectors, &stored, &containers)
	if errors.Is(err, sql.ErrNoRows) {
		return s, "", tasks.ErrNotFound
	}
	if err != nil {
		return s, "", err
	}
	if s.ID, err = uuid.Parse(id); err != nil {
		return s, "", fmt.Errorf("the session's id: %w", err)
	}
	if err := json.Unmarshal([]byte(columns), &s.Input.Columns); err != nil {
		return s, "", fmt.Errorf("the columns of the input: %w", err)
	}
	var more further
	if err := errors.Join(decode(input, &more), decode(selectors, &s.Selectors)); err != nil {
		return s, "", fmt.Errorf("the session's input and selectors: %w", err)
	}
	s.Input.Delimiter, s.Input.Mark, s.Input.Roles, s.Input.Compare = more.Delimiter, more.Mark, more.Roles, more.Compare
	s.Fields, s.Update = more.Fields, more.Update
	s.StartedAt, s.EndedAt = parse(started), parse(ended)
	s.Cleanup.ContainersLeft = int(containers.Int64)
	s.Worked, s.Cleanup.Took = micro(worked), micro(took)
	if config != "" {
		s.Config = []byte(config)
	}
	return s, stored.String, nil
}

func micro(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

// SaveWorker stores the record of a worker, see tasks.SessionLog.
func (l *Ledger) SaveWorker(ctx context.Context, w tasks.Worker) error {
	return l.write(ctx, "storing the worker "+w.ID, &op{run: func(time.Time) error {
		_, err := l.owner.writer.tx.exec(`INSERT OR REPLACE INTO workers (`+version(schemaVersion).workerColumns()+`)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			w.ID, w.PID, w.Profile, w.State, w.Draining, w.Task, w.Processed, w.Failed,
			text(w.StartedAt), text(w.LastActivity), w.Restarts, w.Error,
			w.MemoryBytes, w.MemoryPeakBytes, w.CPU, w.DiskBytes, nullable(w.BrowserID), w.Isolation)
		return err
	}})
}

// nullable returns an id as it is stored; the zero UUID is NULL.
func nullable(id uuid.UUID) uuid.NullUUID { return uuid.NullUUID{UUID: id, Valid: id != uuid.Nil} }

// workerColumns and eventColumns are those of version 1.
const workerColumns = `id, pid, profile, state, draining, task, processed, failed, started_at, last_activity, restarts, error,
	memory, memory_peak, cpu, disk`

const eventColumns = "at, type, worker, detail, took_us"

// Workers returns the records of all workers, see tasks.SessionLog.
func (l *Ledger) Workers(ctx context.Context) (list []tasks.Worker, err error) {
	err = l.read(ctx, "reading the workers", func(tx *sql.Tx) error {
		list, err = collect(ctx, tx, "SELECT "+l.version.workerColumns()+" FROM workers ORDER BY id",
			func(row scanner) (w tasks.Worker, err error) {
				var started, active string
				var isolation sql.NullString
				err = row.Scan(&w.ID, &w.PID, &w.Profile, &w.State, &w.Draining, &w.Task, &w.Processed, &w.Failed,
					&started, &active, &w.Restarts, &w.Error, &w.MemoryBytes, &w.MemoryPeakBytes, &w.CPU, &w.DiskBytes, &w.BrowserID, &isolation)
				w.Isolation = isolation.String
				w.StartedAt, w.LastActivity = parse(started), parse(active)
				return w, err
			})
		return err
	})
	return list, err
}

// AppendEvent adds to the session's story, see tasks.SessionLog.
func (l *Ledger) AppendEvent(ctx context.Context, e tasks.Event) error {
	return l.write(ctx, "storing an event", &op{run: func(time.Time) error {
		_, err := l.owner.writer.tx.exec("INSERT INTO events ("+version(schemaVersion).eventColumns()+") VALUES (?, ?, ?, ?, ?, ?)",
			text(e.At), e.Type, e.Worker, e.Detail, e.Took.Microseconds(), nullable(e.BrowserID))
		return err
	}})
}

// Events returns the session's story, see tasks.SessionLog.
func (l *Ledger) Events(ctx context.Context) (list []tasks.Event, err error) {
	err = l.read(ctx, "reading the events", func(tx *sql.Tx) error {
		list, err = collect(ctx, tx, "SELECT "+l.version.eventColumns()+" FROM events ORDER BY seq",
			func(row scanner) (e tasks.Event, err error) {
				var at string
				var took int64
				err = row.Scan(&at, &e.Type, &e.Worker, &e.Detail, &took, &e.BrowserID)
				e.At, e.Took = parse(at), micro(took)
				return e, err
			})
		return err
	})
	return list, err
}

// AppendScaling adds to the session's story, see tasks.SessionLog.
func (l *Ledger) AppendScaling(ctx context.Context, s tasks.Scaling) error {
	return l.write(ctx, "storing a change of the number of workers", &op{run: func(time.Time) error {
		_, err := l.owner.writer.tx.exec(`INSERT INTO scaling (at, from_workers, to_workers, reason, cpu, memory, pressure)
			VALUES (?, ?, ?, ?, ?, ?, ?)`, text(s.At), s.From, s.To, s.Reason, s.CPU, s.Memory, s.Pressure)
		return err
	}})
}

// Scalings returns the changes of the number of workers, see tasks.SessionLog.
func (l *Ledger) Scalings(ctx context.Context) (list []tasks.Scaling, err error) {
	err = l.read(ctx, "reading the changes of the number of workers", func(tx *sql.Tx) error {
		list, err = collect(ctx, tx, "SELECT at, from_workers, to_workers, reason, cpu, memory, pressure FROM scaling ORDER BY seq",
			func(row scanner) (s tasks.Scaling, err error) {
				var at string
				err = row.Scan(&at, &s.From, &s.To, &s.Reason, &s.CPU, &s.Memory, &s.Pressure)
				s.At = parse(at)
				return s, err
			})
		return err
	})
	return list, err
}
