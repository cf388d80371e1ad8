package ledger

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

// withResult returns the path of a session with an order that is done, and one that is open.
func withResult(t *testing.T) string {
	t.Helper()
	path := newPath(t)
	l := openAt(t, path)
	testkit.Must(t, l.SaveSession(t.Context(), tasks.Session{ID: uuid.New(), Status: tasks.SessionRunning, Config: []byte(`{"chrome":"/c"}`)}))
	_, err := l.Enqueue(t.Context(), tasks.Spec{Key: "a", PO: "a", Dir: "a"}, tasks.Spec{Key: "b", PO: "b", Dir: "b"})
	testkit.Must(t, err)
	lease := claimOne(t, l, "w")
	testkit.Must(t, l.Start(t.Context(), lease))
	testkit.Must(t, l.Record(t.Context(), lease, completed()))
	closeLedger(t, l)
	return path
}

// foreignIn returns whether the settings, and the result, are not this user's.
func foreignIn(t *testing.T, path string) (settings, result bool) {
	t.Helper()
	l, err := OpenReadOnly(path)
	testkit.Must(t, err)
	defer closeLedger(t, l)
	s, err := l.Session(t.Context())
	testkit.Must(t, err)
	list := tasksOf(t, l)
	if one, err := l.Get(t.Context(), list[0].ID); err != nil || one.Foreign != list[0].Foreign {
		t.Errorf("Get and Each do not agree: %+v, %v", one, err)
	}
	if list[1].Foreign {
		t.Error("an order without a result is foreign")
	}
	return s.Foreign, list[0].Foreign
}

// What was changed by another hand is foreign, alone, and a copy elsewhere is not.
func TestCodesCoverWhatIsStored(t *testing.T) {
	t.Parallel()
	for change, want := range map[string][2]bool{
		"": {}, // only copied
		"UPDATE session SET status = 'INTERRUPTED', version = 'x'":                                                     {},
		`UPDATE session SET config = '{"chrome":"/d"}'`:                                                                {true, false},
		"UPDATE session SET id = '01890a5d-ac96-774b-bcce-b302099a8057'":                                               {true, true},
		"UPDATE session SET code = NULL":                                                                               {true, false},
		"UPDATE tasks SET result = replace(result, '12345', '12346') WHERE seq = 1":                                    {false, true},
		"UPDATE tasks SET key = 'c' WHERE seq = 1":                                                                     {false, true},
		"UPDATE tasks SET code = (SELECT code FROM session) WHERE seq = 1":                                             {false, true},
		"UPDATE tasks SET code = NULL; UPDATE session SET code = ''":                                                   {true, true},
		"UPDATE tasks SET result = NULL, lease = 0, state = 'PENDING', outcome = '', code = 'x'; DELETE FROM attempts": {},
	} {
		t.Run(change, func(t *testing.T) {
			t.Parallel()
			was, err := os.ReadFile(withResult(t))
			testkit.Must(t, err)
			path := newPath(t)
			testkit.Must(t, os.WriteFile(path, was, 0o600))
			if change != "" {
				execute(t, path, change)
			}
			if settings, result := foreignIn(t, path); settings != want[0] || result != want[1] {
				t.Errorf("the settings are foreign: %v, the result: %v", settings, result)
			}
		})
	}
}

// What is foreign stays so when it is stored again, until it is signed.
func TestForeignStaysForeign(t *testing.T) {
	t.Parallel()
	path := withResult(t)
	execute(t, path, "UPDATE session SET code = 'x'; UPDATE tasks SET code = 'x' WHERE seq = 1")
	l := openAt(t, path)
	record, err := l.Session(t.Context())
	testkit.Must(t, err)
	record.Resumed++
	testkit.Must(t, l.SaveSession(t.Context(), record))
	list := tasksOf(t, l)
	again, err := l.Repair(t.Context(), map[uuid.UUID][]string{list[0].ID: {"orders/PO1/invoice-0.pdf"}})
	if err != nil || again != 1 {
		t.Fatalf("put back %d, %v", again, err)
	}
	lease := claimOne(t, l, "w")
	testkit.Must(t, l.Start(t.Context(), lease))
	testkit.Must(t, l.Record(t.Context(), lease, completed()))
	closeLedger(t, l)
	if settings, result := foreignIn(t, path); !settings || !result {
		t.Errorf("the settings are foreign: %v, the result: %v", settings, result)
	}
	l = openAt(t, path)
	testkit.Must(t, l.Sign(t.Context()))
	closeLedger(t, l)
	if settings, result := foreignIn(t, path); settings || result {
		t.Errorf("signed, the settings are foreign: %v, the result: %v", settings, result)
	}
}

// A process that is killed leaves nothing foreign, whatever it was at.
func TestKilledStaysOwn(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts processes")
	}
	path := newPath(t)
	l := openAt(t, path)
	testkit.Must(t, l.SaveSession(t.Context(), tasks.Session{ID: uuid.New(), Status: tasks.SessionRunning, Config: []byte(`{}`)}))
	var specs []tasks.Spec
	for _, key := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		specs = append(specs, tasks.Spec{Key: key, PO: key, Dir: key})
	}
	_, err := l.Enqueue(t.Context(), specs...)
	testkit.Must(t, err)
	closeLedger(t, l)
	child, lines := startChild(t, path)
	for range 3 {
		lines.Scan()
	}
	testkit.Must(t, child.Process.Kill())
	_ = child.Wait()
	l = openAt(t, path)
	s, err := l.Session(t.Context())
	if err != nil || s.Foreign {
		t.Errorf("the settings are foreign, %v", err)
	}
	results := 0
	for _, task := range tasksOf(t, l) {
		if task.Result != nil {
			results++
		}
		if task.Foreign {
			t.Errorf("the result of %s is foreign", task.Key)
		}
	}
	if results == 0 {
		t.Error("no result was stored, so nothing is shown")
	}
}

// FuzzForeignFolder: no settings that the key was not used for are taken for this user's own.
func FuzzForeignFolder(f *testing.F) {
	f.Add([]byte(`{"chrome":"/d"}`), "x")
	f.Add([]byte(`{"chrome":"/c"}`), "")
	f.Add([]byte(`{"chrome":"/c"} `), "01890a5d-ac96-774b-bcce-b302099a8057")
	f.Fuzz(func(t *testing.T, config []byte, code string) {
		l := openAt(t, newPath(t))
		own := []byte(`{"chrome":"/c"}`)
		id := uuid.New()
		testkit.Must(t, l.SaveSession(t.Context(), tasks.Session{ID: id, Config: own}))
		x := l.owner.writer.tx
		right := x.made.Code(sessionCode, id.String(), string(own))
		for _, stored := range []string{right, code} {
			made := x.made.Made(stored, sessionCode, id.String(), string(config))
			if want := bytes.Equal(config, own) && stored == right; made != want {
				t.Errorf("%q with the code %q is this user's: %v", config, stored, made)
			}
		}
	})
}
