package ledger

import (
	"fmt"
	"os"
	"reflect"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

// version1 returns the path of a session of version 1: a task that is partial after
// one attempt, and one that was never begun.
func version1(t *testing.T) string {
	t.Helper()
	path := newPath(t)
	testkit.Must(t, os.WriteFile(path, nil, 0o600))
	execute(t, path, schema1)
	execute(t, path, fmt.Sprintf("PRAGMA application_id = %d", applicationID))
	execute(t, path, `INSERT INTO ledger VALUES (1, 1, 3, 77, '2026-03-02T10:00:00.000000Z')`)
	execute(t, path, `INSERT INTO session VALUES (1, '01890a5d-ac96-774b-bcce-b302099a8057', 'INTERRUPTED', '', '', '', 0, '0.1', '', '', '', 2, 'auto',
		0, 'pos.csv', 2, '', '["po"]', '{}', 0, 0, 0)`)
	execute(t, path, `INSERT INTO tasks VALUES
		(1, '01890a5d-ac96-774b-bcce-b302099a8058', 'a', 'a', 'a', 'a', '', 0, 'COMPLETED', 'partial', 'w', 1, 0, 1, 3, '', '', '', '',
			NULL, '{"class":"unproven","message":"none","retryable":true}', NULL, '{"outcome":"partial","executor":"render"}'),
		(2, '01890a5d-ac96-774b-bcce-b302099a8059', 'b', 'b', 'b', 'b', '', 0, 'PENDING', '', '', 0, 0, 0, 0, '', '', '', '', NULL, NULL, NULL, NULL)`)
	execute(t, path, `INSERT INTO workers VALUES ('worker_001', 7, '/tmp/p', 'COMPLETED', 0, '', 1, 0, '', '', 0, '', 0, 0, 0, 0)`)
	execute(t, path, `INSERT INTO events VALUES (1, '2026-03-02T10:00:01.000000Z', 'worker_started', 'worker_001', '', 480000)`)
	execute(t, path, `INSERT INTO attempts VALUES (1, 1, 1, 'w', 'render', 'partial', 0, '', '', '', '{}', NULL, '[]')`)
	return path
}

// version2 returns the path of a session of version 2, with what version 1 has.
func version2(t *testing.T) string {
	t.Helper()
	path := version1(t)
	execute(t, path, schema2)
	execute(t, path, "UPDATE ledger SET schema_version = 2")
	return path
}

// version3 returns the path of a session of version 3, with what version 1 has.
func version3(t *testing.T) string {
	t.Helper()
	path := version2(t)
	execute(t, path, schema3)
	execute(t, path, "UPDATE ledger SET schema_version = 3")
	return path
}

// version4 returns the path of a session of version 4, with what version 1 has.
func version4(t *testing.T) string {
	t.Helper()
	path := version3(t)
	execute(t, path, schema4)
	execute(t, path, "UPDATE ledger SET schema_version = 4")
	return path
}

// version5 returns the path of a session of version 5, with what version 1 has.
func version5(t *testing.T) string {
	t.Helper()
	path := version4(t)
	execute(t, path, schema5)
	execute(t, path, "UPDATE ledger SET schema_version = 5")
	return path
}

func tasksOf(t *testing.T, l *Ledger) []*tasks.ProcessingTask {
	t.Helper()
	var list []*tasks.ProcessingTask
	testkit.Must(t, l.Each(t.Context(), func(task *tasks.ProcessingTask) error {
		list = append(list, task)
		return nil
	}))
	return list
}

// TestEarlierVersionsAreRead: a session of a version before is looked at as it is.
func TestEarlierVersionsAreRead(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]func(*testing.T) string{"version 1": version1, "version 2": version2, "version 3": version3, "version 4": version4, "version 5": version5} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			isRead(t, file(t))
		})
	}
}

func isRead(t *testing.T, path string) {
	t.Helper()
	before, err := os.ReadFile(path)
	testkit.Must(t, err)
	l, err := OpenReadOnly(path)
	testkit.Must(t, err)
	session, err := l.Session(t.Context())
	if err != nil || session.Input.File != "pos.csv" || session.Input.Delimiter != "" || len(session.Selectors) != 0 {
		t.Errorf("the session is %+v, %v", session, err)
	}
	list := tasksOf(t, l)
	if len(list) != 2 || len(list[0].History) != 1 || list[0].Outcome != tasks.OutcomePartial {
		t.Errorf("the tasks are %+v", list)
	}
	if list[0].Sheet != (tasks.Sheet{}) {
		t.Errorf("the sheet is %+v", list[0].Sheet)
	}
	workers, err := l.Workers(t.Context())
	if err != nil || len(workers) != 1 || workers[0].PID != 7 || workers[0].BrowserID != uuid.Nil {
		t.Errorf("the workers are %+v, %v", workers, err)
	}
	events, err := l.Events(t.Context())
	if err != nil || len(events) != 1 || events[0].Worker != "worker_001" || events[0].BrowserID != uuid.Nil {
		t.Errorf("the events are %+v, %v", events, err)
	}
	task, err := l.Get(t.Context(), list[0].ID)
	if err != nil || len(task.History) != 1 {
		t.Errorf("Get: %+v, %v", task, err)
	}
	closeLedger(t, l)
	after, err := os.ReadFile(path)
	testkit.Must(t, err)
	if !reflect.DeepEqual(before, after) {
		t.Error("it was changed")
	}
}

// TestEarlierVersionsAreBroughtUpToDate: the next owner of such a session goes on with
// it, and stores what only the latest version can.
func TestEarlierVersionsAreBroughtUpToDate(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]func(*testing.T) string{"version 1": version1, "version 2": version2, "version 3": version3, "version 4": version4, "version 5": version5} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			isBroughtUpToDate(t, file(t))
		})
	}
}

func isBroughtUpToDate(t *testing.T, path string) {
	t.Helper()
	l := openAt(t, path)
	session, err := l.Session(t.Context())
	testkit.Must(t, err)
	session.Input.Delimiter, session.Input.Mark = ";", true
	session.Input.Roles, session.Input.Compare, session.Fields = map[string]int{"po": 0}, map[string]string{"total": "none"}, []string{"total"}
	session.Selectors = []tasks.Selector{{Where: "attachments.item", Selector: "a.doc", Kind: tasks.SelectorWarning}}
	testkit.Must(t, l.SaveSession(t.Context(), session))
	lease := claimOne(t, l, "w")
	testkit.Must(t, l.Start(t.Context(), lease))
	d := completed()
	d.Attempt.Looks = someLooks()
	testkit.Must(t, l.Record(t.Context(), lease, d))
	sheet := tasks.Sheet{Supplier: "Acme", Amount: "12,50", Currency: "EUR"}
	_, err = l.Enqueue(t.Context(), tasks.Spec{Key: "c", PO: "c", Dir: "c", Sheet: sheet})
	testkit.Must(t, err)
	browser := uuid.New()
	testkit.Must(t, l.SaveWorker(t.Context(), tasks.Worker{ID: "worker_001", BrowserID: browser}))
	testkit.Must(t, l.AppendEvent(t.Context(), tasks.Event{Type: tasks.EventWorkerStarted, Worker: "worker_001", BrowserID: browser}))
	closeLedger(t, l)

	for name, open := range map[string]func(string) (*Ledger, error){"to read": OpenReadOnly, "as owner": OpenExisting} {
		l, err := open(path)
		testkit.Must(t, err)
		if got, err := l.Session(t.Context()); err != nil || !reflect.DeepEqual(got, session) {
			t.Errorf("%s: the session is %+v, %v", name, got, err)
		}
		list := tasksOf(t, l)
		if len(list) != 3 || list[0].Sheet != (tasks.Sheet{}) || list[2].Sheet != sheet ||
			len(list[0].History[0].Looks) != 0 || !reflect.DeepEqual(list[1].History[0].Looks, someLooks()) {
			t.Errorf("%s: the tasks are %+v", name, list)
		}
		if workers, err := l.Workers(t.Context()); err != nil || len(workers) != 1 || workers[0].BrowserID != browser {
			t.Errorf("%s: the workers are %+v, %v", name, workers, err)
		}
		if events, err := l.Events(t.Context()); err != nil || len(events) != 2 || events[0].BrowserID != uuid.Nil || events[1].BrowserID != browser {
			t.Errorf("%s: the events are %+v, %v", name, events, err)
		}
		closeLedger(t, l)
	}
}

func someLooks() []tasks.Look {
	return []tasks.Look{{Where: "attachments.item"}, {Where: "fields.order total", Met: 12, Unreadable: true, Mark: tasks.MarkOf("#total")}, {Where: "ready.selector", Met: 1, Mark: tasks.MarkOf("#r")}}
}

func TestLooksAreStored(t *testing.T) {
	t.Parallel()
	odd := []tasks.Look{{Where: "fields.a\nb", Met: 1}, {Where: ""}}
	for name, test := range map[string]struct{ looks, want []tasks.Look }{
		"none":      {},
		"an empty":  {looks: []tasks.Look{}},
		"some":      {someLooks(), someLooks()},
		"odd names": {odd, []tasks.Look{{Where: "fields.a b", Met: 1}, {}}},
	} {
		got, err := decodeLooks(encodeLooks(test.looks))
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for _, text := range []string{"", "x", "x a", "1!a", "1\n"} {
		stored := encodeLooks(someLooks())
		stored.String = text
		if got, err := decodeLooks(stored); err == nil {
			t.Errorf("%q was read as %+v", text, got)
		}
	}
}
