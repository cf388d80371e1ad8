package ledger

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

// TestClockSetBack sets the wall clock back by an hour while a task waits for a
// tenth of a second: it is due when that has passed.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	l := openNew(t)
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(1)...)))
	lease := claimOne(t, l, "w")
	testkit.Must(t, l.Start(t.Context(), lease))
	testkit.Must(t, l.Record(t.Context(), lease, tasks.Decision{To: tasks.StatePending, Outcome: tasks.OutcomeTimeout,
		NotBefore: time.Now().Add(100 * time.Millisecond)}))
	testkit.Must(t, l.write(t.Context(), "a test", &op{run: func(time.Time) error {
		clock := l.owner.writer.clock
		read := clock.read
		clock.read = func() (time.Time, time.Duration) {
			wall, running := read()
			return wall.Add(-time.Hour), running
		}
		return nil
	}}))
	if again := claimOne(t, l, "w"); again.Task.ID != lease.Task.ID {
		t.Errorf("claimed %s", again.Task.Key)
	}
}

// TestClockWasAhead opens a session that was stored while the clock was an hour
// ahead.
func TestClockWasAhead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "session.db")
	l, err := Open(path)
	testkit.Must(t, err)
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(2)...)))
	for _, wait := range []time.Duration{time.Hour, 5 * time.Minute} {
		lease := claimOne(t, l, "w")
		testkit.Must(t, l.Start(t.Context(), lease))
		testkit.Must(t, l.Record(t.Context(), lease, tasks.Decision{To: tasks.StatePending, Outcome: tasks.OutcomeTimeout,
			NotBefore: time.Now().Add(wait)}))
	}
	testkit.Must(t, l.Close())
	l, err = Open(path)
	testkit.Must(t, err)
	defer l.Close()
	stats, err := l.Stats(t.Context())
	testkit.Must(t, err)
	if stats.Ready != 1 || stats.Waiting != 1 {
		t.Errorf("%d tasks are ready and %d wait, want one of each", stats.Ready, stats.Waiting)
	}
}

func TestClockThatIsCorrectedBitByBit(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	wall, running := began, time.Duration(0)
	c := &clock{read: func() (time.Time, time.Duration) { return wall, running }}
	for _, pass := range []struct {
		wall, running, want time.Duration
	}{
		{0, 0, 0}, {time.Second, time.Second, 0}, {500 * time.Millisecond, time.Second, 0},
		{time.Hour, time.Second, 0}, {-time.Hour, time.Second, time.Hour + time.Second}, {time.Second, time.Second, 0},
	} {
		wall, running = wall.Add(pass.wall), running+pass.running
		_, back, kept := c.now()
		if back != pass.want {
			t.Errorf("the wall clock moved by %v in %v: set back by %v, want %v", pass.wall, pass.running, back, pass.want)
		}
		kept()
	}
}
