package ledger

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

func TestSessionLog(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	l := openAt(t, path)
	ctx := t.Context()
	at := time.Date(2026, 11, 21, 1, 2, 3, 456789000, time.UTC)
	if _, err := l.Session(ctx); !errors.Is(err, tasks.ErrNotFound) {
		t.Errorf("Session of a new file: %v", err)
	}
	session := tasks.Session{
		ID: uuid.New(), Status: tasks.SessionRunning, Reason: "r", StartedAt: at, Worked: 3 * time.Second,
		Version: "v1", Chrome: "Chrome 156", Host: "h", Sandbox: "on", Workers: 4, Mode: "auto", Resumed: 1,
		Input:   tasks.Input{File: "pos.csv", Rows: 9, SHA256: "ab", Columns: []string{"po", "ü\n"}},
		Config:  []byte(`{"workers":4}`),
		Cleanup: tasks.Cleanup{BrowsersLeft: 1, ProfilesLeft: 2, Took: 5 * time.Millisecond},
	}
	testkit.Must(t, l.SaveSession(ctx, tasks.Session{Status: tasks.SessionInitializing}))
	testkit.Must(t, l.SaveSession(ctx, session))
	workers := []tasks.Worker{
		{ID: "worker_001", BrowserID: uuid.New(), PID: 7, Profile: "/tmp/p", State: "READY", Draining: true, Task: "PO1", Processed: 3, Failed: 1,
			StartedAt: at, LastActivity: at.Add(time.Second), Restarts: 2, Error: "e",
			MemoryBytes: 300_000_000, MemoryPeakBytes: 1 << 33, CPU: 1.25, DiskBytes: 12},
		{ID: "worker_002"},
	}
	testkit.Must(t, l.SaveWorker(ctx, tasks.Worker{ID: "worker_001", State: "INITIALIZING"}))
	testkit.Must(t, l.SaveWorker(ctx, workers[1]))
	testkit.Must(t, l.SaveWorker(ctx, workers[0]))
	events := []tasks.Event{
		{At: at, Type: tasks.EventWorkerStarted, Worker: "worker_001", BrowserID: workers[0].BrowserID, Detail: "d", Took: 700 * time.Millisecond},
		{At: at, Type: tasks.EventNotice},
	}
	scalings := []tasks.Scaling{
		{At: at, From: 4, To: 3, Reason: "CPU 91 % over 80 %", CPU: 0.91, Memory: 0.5, Pressure: -1},
		{At: at.Add(time.Second), From: 3, To: 4},
	}
	for i := range events {
		testkit.Must(t, l.AppendEvent(ctx, events[i]))
		testkit.Must(t, l.AppendScaling(ctx, scalings[i]))
	}
	closeLedger(t, l)

	reader, err := OpenReadOnly(path)
	testkit.Must(t, err)
	t.Cleanup(func() { closeLedger(t, reader) })
	gotSession, err := reader.Session(ctx)
	same(t, "Session", gotSession, err, session)
	gotWorkers, err := reader.Workers(ctx)
	same(t, "Workers", gotWorkers, err, workers)
	gotEvents, err := reader.Events(ctx)
	same(t, "Events", gotEvents, err, events)
	gotScalings, err := reader.Scalings(ctx)
	same(t, "Scalings", gotScalings, err, scalings)
}

func same[T any](t *testing.T, what string, got T, err error, want T) {
	t.Helper()
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s = %+v, %v\nwant %+v", what, got, err, want)
	}
}

// TestFileIsReadable looks at the file as a person does with SQLite's own shell.
func TestFileIsReadable(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	l := openAt(t, path)
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(1)...)))
	lease := claimOne(t, l, "worker_001")
	testkit.Must(t, l.Start(t.Context(), lease))
	testkit.Must(t, l.Record(t.Context(), lease, completed()))
	var state, outcome, updated, supplier, steps string
	row := l.readers.QueryRowContext(t.Context(), `SELECT state, outcome, updated_at, result ->> '$.fields.supplier.value',
		(SELECT group_concat(from_state || '>' || to_state, ' ') FROM transitions WHERE task = tasks.seq) FROM tasks`)
	testkit.Must(t, row.Scan(&state, &outcome, &updated, &supplier, &steps))
	if state != "COMPLETED" || outcome != "complete" || supplier != "Supplier GmbH & Co. KG" ||
		steps != "PENDING>ASSIGNED ASSIGNED>PROCESSING PROCESSING>COMPLETED" {
		t.Errorf("the file says %q %q %q %q", state, outcome, supplier, steps)
	}
	if at, err := time.Parse(time.RFC3339Nano, updated); err != nil || time.Since(at) > time.Hour || len(updated) != len(layout) {
		t.Errorf("the time is %q", updated)
	}
}

func TestTimesSortAsText(t *testing.T) {
	t.Parallel()
	base := time.Date(2026, 12, 31, 23, 59, 59, 0, time.FixedZone("", 3600))
	earlier := ""
	for _, after := range []time.Duration{0, time.Microsecond, time.Millisecond, 100 * time.Millisecond, time.Second, time.Minute, 24 * time.Hour} {
		stored := text(base.Add(after))
		if stored <= earlier || !parse(stored).Equal(base.Add(after)) {
			t.Errorf("%s after %q: %v", stored, earlier, parse(stored))
		}
		earlier = stored
	}
	if text(time.Time{}) != "" || !parse("").IsZero() {
		t.Error("no time is not empty")
	}
}
