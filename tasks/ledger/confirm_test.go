package ledger

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

// TestConfirm puts back what ended well and was named, with fresh attempts, and nothing else. What was brought home
// stays.
func TestConfirm(t *testing.T) {
	t.Parallel()
	l := openNew(t)
	if _, err := l.Enqueue(t.Context(), manySpecs(4)...); err != nil {
		t.Fatal(err)
	}
	var ids []uuid.UUID
	for _, d := range []tasks.Decision{completed(), completed(), {To: tasks.StateFailed, Outcome: tasks.OutcomeFailed, Failure: tasks.Retry(tasks.ClassPage, "it broke")}} {
		lease := claimOne(t, l, "worker_001")
		testkit.Must(t, errors.Join(l.Start(t.Context(), lease), l.Record(t.Context(), lease, d)))
		ids = append(ids, lease.Task.ID)
	}
	open := claimOne(t, l, "worker_001").Task.ID
	if n, err := l.Confirm(t.Context(), ids[0], ids[2], open, uuid.New()); n != 1 || err != nil {
		t.Errorf("Confirm = %d, %v; want 1", n, err)
	}
	for i, want := range []tasks.State{tasks.StatePending, tasks.StateCompleted, tasks.StateFailed} {
		if task, err := l.Get(t.Context(), ids[i]); err != nil || task.State != want || i == 0 && (task.Attempts != 0 || task.Outcome != "" || task.Result == nil || len(task.History) != 1) {
			t.Errorf("task %d is %+v (%v), want %s", i, task, err, want)
		}
	}
}
