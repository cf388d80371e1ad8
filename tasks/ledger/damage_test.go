package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

// remains is a session as it lies on the disk: its file, and its log where its
// owner was killed.
type remains struct{ file, log []byte }

func (r remains) lay(t *testing.T) (path string) {
	t.Helper()
	path = newPath(t)
	testkit.Must(t, os.WriteFile(path, r.file, 0o600))
	if r.log != nil {
		testkit.Must(t, os.WriteFile(path+"-wal", r.log, 0o600))
	}
	return path
}

// inUse returns a path at which a session has been worked on, with all kinds of
// records, and its ledger, which is still open.
func inUse(t *testing.T) (string, *Ledger) {
	t.Helper()
	path := newPath(t)
	l := openAt(t, path)
	record := tasks.Session{ID: uuid.New(), Status: tasks.SessionRunning, StartedAt: time.Now(), Config: []byte(`{"workers":4}`)}
	testkit.Must(t, l.SaveSession(t.Context(), record))
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(120)...)))
	for i := range 90 {
		lease := claimOne(t, l, "worker_001")
		testkit.Must(t, l.Start(t.Context(), lease))
		d := completed()
		if i%3 == 0 {
			failure := tasks.Retry(tasks.ClassHTTPStatus, "the portal answered with status 500")
			d = tasks.Decision{To: tasks.StateFailed, Outcome: tasks.OutcomeFailed, Failure: failure}
		}
		testkit.Must(t, l.Record(t.Context(), lease, d))
		testkit.Must(t, l.AppendEvent(t.Context(), tasks.Event{Type: tasks.EventNotice, Detail: fmt.Sprint("order ", i)}))
		if i == 45 {
			// Half of it in the file, the other half in its log.
			execute(t, path, "PRAGMA wal_checkpoint(PASSIVE)")
		}
	}
	return path, l
}

func readRemains(t *testing.T, path string) (r remains) {
	t.Helper()
	var err error
	r.file, err = os.ReadFile(path)
	testkit.Must(t, err)
	if log, err := os.ReadFile(path + "-wal"); err == nil {
		r.log = log
	}
	return r
}

// sessions returns a session that was closed, and one whose owner was killed.
func sessions(t *testing.T) map[string]remains {
	t.Helper()
	path, l := inUse(t)
	killed := readRemains(t, path)
	closeLedger(t, l)
	closed := readRemains(t, path)
	if len(killed.log) == 0 || len(killed.file) < 20*4096 || closed.log != nil {
		t.Fatalf("the sessions are not as they are meant to be: %d and %d bytes, then %d and %d",
			len(killed.file), len(killed.log), len(closed.file), len(closed.log))
	}
	return map[string]remains{"closed": closed, "killed": killed}
}

var openers = map[string]func(path string) (*Ledger, error){"OpenExisting": OpenExisting, "OpenReadOnly": OpenReadOnly}

// TestDamage cuts sessions anywhere, and changes bytes anywhere. Each is either
// refused, with a message that names the file, and left as it is; or it is whole.
func TestDamage(t *testing.T) {
	t.Parallel()
	const rounds = 4
	harm := map[string]func(random *rand.Rand, file []byte) []byte{
		"cut":      func(random *rand.Rand, file []byte) []byte { return file[:random.IntN(len(file))] },
		"cut page": func(random *rand.Rand, file []byte) []byte { return file[:4096*random.IntN(len(file)/4096)] },
		"bit": func(random *rand.Rand, file []byte) []byte {
			file[random.IntN(len(file))] ^= 1 << random.IntN(8)
			return file
		},
		"head": func(random *rand.Rand, file []byte) []byte {
			file[random.IntN(headerSize)] = byte(random.IntN(256))
			return file
		},
		"bytes": func(random *rand.Rand, file []byte) []byte {
			at := random.IntN(len(file) - 16)
			for i := range 16 {
				file[at+i] = byte(random.IntN(256))
			}
			return file
		},
		"zeros": func(random *rand.Rand, file []byte) []byte {
			at := random.IntN(len(file)/512) * 512
			clear(file[at:min(at+512, len(file))])
			return file
		},
	}
	for state, whole := range sessions(t) {
		for kind, do := range harm {
			t.Run(state+" "+kind, func(t *testing.T) {
				t.Parallel()
				seed := rand.Uint64()
				random := rand.New(rand.NewPCG(seed, 0))
				refused := 0
				for range rounds {
					hurt := remains{do(random, bytes.Clone(whole.file)), whole.log}
					for name, open := range openers {
						if checkHurt(t, hurt, open) {
							refused++
						}
						if t.Failed() {
							t.Fatalf("%s, seed %d", name, seed)
						}
					}
				}
				t.Logf("%d of %d were refused", refused, rounds*len(openers))
				if strings.HasPrefix(kind, "cut") && state == "closed" && refused != rounds*len(openers) {
					t.Errorf("only %d of %d cut files were refused", refused, rounds*len(openers))
				}
			})
		}
	}
}

// checkHurt opens a session that may be damaged, and reports whether it was
// refused.
func checkHurt(t *testing.T, hurt remains, open func(string) (*Ledger, error)) (refused bool) {
	t.Helper()
	path := hurt.lay(t)
	defer os.RemoveAll(filepath.Dir(path)) // there are thousands of them
	l, err := open(path)
	if err == nil {
		checkWhole(t, l)
		closeLedger(t, l)
		return false
	}
	var known *FileError
	text := err.Error()
	if !errors.As(err, &known) || !strings.Contains(text, path) ||
		!strings.Contains(text, "damaged") && !strings.Contains(text, "schema version") {
		t.Errorf("refused with: %v", err)
	}
	if after := readRemains(t, path); !bytes.Equal(after.file, hurt.file) || !bytes.Equal(after.log, hurt.log) {
		t.Errorf("a file that was refused was changed (%v)", err)
	}
	return true
}

// checkWhole checks that nothing is missing in a session of inUse, and that SQLite
// has nothing to say against it.
func checkWhole(t *testing.T, l *Ledger) {
	t.Helper()
	var found string
	if err := l.readers.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&found); err != nil || found != "ok" {
		t.Errorf("it was opened although it is damaged: %s, %v", found, err)
	}
	seen := map[tasks.State]int{}
	attempts := 0
	err := l.Each(t.Context(), func(task *tasks.ProcessingTask) error {
		seen[task.State]++
		attempts += len(task.History)
		if (task.State == tasks.StateCompleted) != (task.Result != nil) {
			return fmt.Errorf("%s is %s and its result is %v", task.Key, task.State, task.Result)
		}
		return nil
	})
	if err != nil || seen[tasks.StateCompleted] != 60 || seen[tasks.StateFailed] != 30 || seen[tasks.StatePending] != 30 || attempts != 90 {
		t.Errorf("it was opened with %v and %d attempts: %v", seen, attempts, err)
	}
	events, err := l.Events(t.Context())
	if err != nil || len(events) != 90 {
		t.Errorf("it was opened with %d events: %v", len(events), err)
	}
	if _, err := l.Session(t.Context()); err != nil {
		t.Errorf("it was opened, but: %v", err)
	}
}

// TestUndamagedSessions shows that the property test can tell: both are whole.
func TestUndamagedSessions(t *testing.T) {
	t.Parallel()
	for state, whole := range sessions(t) {
		for name, open := range openers {
			l, err := open(whole.lay(t))
			if err != nil {
				t.Errorf("%s, %s: %v", state, name, err)
				continue
			}
			checkWhole(t, l)
			closeLedger(t, l)
		}
	}
}

func TestNothingWasEverStored(t *testing.T) {
	t.Parallel()
	for name, open := range openers {
		path := newPath(t)
		testkit.Must(t, os.WriteFile(path, nil, 0o600))
		var refused *FileError
		if _, err := open(path); !errors.As(err, &refused) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s of an empty file: %v", name, err)
		}
		if after := readRemains(t, path); len(after.file) != 0 || len(names(t, path)) != 1 {
			t.Errorf("%s of an empty file left %v", name, names(t, path))
		}
	}
}

// TestHalfDoneChange opens what is left when the owner is killed while SQLite
// changes the file without a log, as it does when a session is opened or closed.
func TestHalfDoneChange(t *testing.T) {
	t.Parallel()
	path, l := inUse(t)
	closeLedger(t, l)
	whole := readRemains(t, path)
	db, err := sql.Open("sqlite", path)
	testkit.Must(t, err)
	db.SetMaxOpenConns(1)
	for _, statement := range []string{"PRAGMA cache_size = 1", "BEGIN IMMEDIATE", "UPDATE tasks SET po = po || 'x'", "DELETE FROM attempts"} {
		_, err := db.ExecContext(context.Background(), statement)
		testkit.Must(t, err)
	}
	journal, err := os.ReadFile(path + "-journal")
	testkit.Must(t, err)
	half := readRemains(t, path)
	testkit.Must(t, errors.Join(errOf2(db.ExecContext(context.Background(), "ROLLBACK")), db.Close()))
	if bytes.Equal(half.file, whole.file) || len(journal) == 0 {
		t.Fatal("SQLite has written nothing yet, so nothing is half done")
	}
	path = half.lay(t)
	testkit.Must(t, os.WriteFile(path+"-journal", journal, 0o600))
	again, err := OpenExisting(path)
	testkit.Must(t, err)
	checkWhole(t, again)
	closeLedger(t, again)
}

func errOf2(_ sql.Result, err error) error { return err }
