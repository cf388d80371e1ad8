package ledger

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

// What is read at one moment agrees, whatever the owner does meanwhile.
func TestMoment(t *testing.T) {
	t.Parallel()
	owner := openNew(t)
	if _, err := owner.Enqueue(t.Context(), manySpecs(3)...); err != nil {
		t.Fatal(err)
	}
	testkit.Must(t, owner.SaveSession(t.Context(), tasks.Session{ID: uuid.Must(uuid.NewV7()), Status: tasks.SessionRunning}))
	reader, err := OpenReadOnly(owner.path)
	testkit.Must(t, err)
	defer closeLedger(t, reader)
	testkit.Must(t, reader.Moment(t.Context(), func(l *Ledger) error {
		before, err := l.Stats(t.Context())
		testkit.Must(t, err)
		lease := claimOne(t, owner, "worker_001")
		testkit.Must(t, errors.Join(owner.Start(t.Context(), lease), owner.Record(t.Context(), lease, completed())))
		testkit.Must(t, owner.SaveSession(t.Context(), tasks.Session{ID: uuid.Must(uuid.NewV7()), Status: tasks.SessionCompleted}))
		after, err := l.Stats(t.Context())
		testkit.Must(t, err)
		session, err := l.Session(t.Context())
		testkit.Must(t, err)
		open := 0
		testkit.Must(t, l.Each(t.Context(), func(task *tasks.ProcessingTask) error {
			if task.State == tasks.StatePending {
				open++
			}
			return nil
		}))
		if before.Open() != 3 || after.Open() != 3 || open != 3 || session.Status != tasks.SessionRunning {
			t.Errorf("open are %d, %d and %d, want 3 each; the session is %s", before.Open(), after.Open(), open, session.Status)
		}
		if err := l.SaveWorker(t.Context(), tasks.Worker{}); !errors.Is(err, ErrReadOnly) {
			t.Errorf("a moment can be changed: %v", err)
		}
		return l.Close()
	}))
	now, err := reader.Stats(t.Context())
	if err != nil || now.Open() != 2 {
		t.Errorf("later %d are open, want 2 (%v)", now.Open(), err)
	}
}
