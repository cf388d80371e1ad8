package ledger

import (
	"fmt"
	"time"
)

const (
	// step is how far the wall clock must be set back at once to be noticed:
	// less than that is a clock that is being corrected bit by bit.
	step = time.Second
	// longestWait is longer than any wait for a retry: tasks.DefaultPolicy waits
	// for at most 5 minutes and a fifth. A task that is due later than that was
	// stored by a clock that was ahead.
	longestWait = 10 * time.Minute
)

// clock notices when the wall clock is set back, so that tasks which wait for
// their due time do not wait for as much longer. Forward is harmless: they are
// due earlier.
type clock struct {
	// read returns the wall clock, and the time since some moment on one that
	// nobody sets. Tests replace it.
	read func() (wall time.Time, running time.Duration)

	wall    time.Time
	running time.Duration
}

func newClock() *clock {
	began := time.Now()
	return &clock{read: func() (time.Time, time.Duration) {
		now := time.Now()
		return now, now.Sub(began)
	}}
}

// now returns the time, and by how much the wall clock was set back since kept
// was called last.
func (c *clock) now() (now time.Time, back time.Duration, kept func()) {
	wall, running := c.read()
	kept = func() { c.wall, c.running = wall, running }
	if c.wall.IsZero() {
		return wall, 0, kept
	}
	back = (running - c.running) - wall.Round(0).Sub(c.wall.Round(0))
	if back < step {
		back = 0
	}
	return wall, back, kept
}

// hasten makes the tasks that are due after a time due earlier.
func (x *txn) hasten(after time.Time, earlier func(due time.Time) time.Time) error {
	rows, err := x.query(`SELECT seq, not_before FROM tasks INDEXED BY tasks_pending
		WHERE state = 'PENDING' AND skipped = '' AND not_before > ?`, text(after))
	if err != nil {
		return fmt.Errorf("looking for tasks that wait: %w", err)
	}
	defer rows.Close()
	due := map[int64]string{}
	for rows.Next() {
		var seq int64
		var at string
		if err := rows.Scan(&seq, &at); err != nil {
			return fmt.Errorf("reading when a task is due: %w", err)
		}
		due[seq] = text(earlier(parse(at)))
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading which tasks wait: %w", err)
	}
	for seq, at := range due {
		if _, err := x.exec("UPDATE tasks SET not_before = ? WHERE seq = ?", at, seq); err != nil {
			return fmt.Errorf("storing when a task is due: %w", err)
		}
	}
	return nil
}
