package session

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/session/worker"
	"github.com/poscrape/poscrape/tasks"
)

// TestWhatIsNotProvenIsNotDrained: when all orders have ended, one is put back for a proof,
// once.
func TestWhatIsNotProvenIsNotDrained(t *testing.T) {
	t.Parallel()
	s := openOne(t)
	queue := s.folder.Ledger
	end := func() {
		leases, err := queue.Claim(t.Context(), tasks.ClaimRequest{Worker: "w", Max: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := queue.Start(t.Context(), leases[0]); err != nil {
			t.Fatal(err)
		}
		res := &tasks.Result{Outcome: tasks.OutcomeNoAttachments, Executor: tasks.ExecutorFetch, Folder: "PO1000"}
		d := tasks.DefaultPolicy().After(leases[0].Task, res, nil, time.Now())
		if err := queue.Record(t.Context(), leases[0], d); err != nil {
			t.Fatal(err)
		}
		s.portals.ByName()[""].Adopt(leases[0].Task)
	}
	drained := func(want bool) {
		t.Helper()
		if more, err := s.drained(t.Context()); err != nil || more != want {
			t.Errorf("there are more: %t, %v; want %t", more, err, want)
		}
	}
	end()
	drained(true)
	stats, err := queue.Stats(t.Context())
	if err != nil || stats.Open() != 1 {
		t.Errorf("%d orders are open, and one is owed a proof: %v", stats.Open(), err)
	}
	if n := s.breaker.Open(); n != 1 {
		t.Errorf("the breaker expects %d orders", n)
	}
	drained(false)
}

// unwritable is a queue that cannot put orders back.
type unwritable struct{ tasks.TaskQueue }

func (unwritable) Reread(context.Context, string, ...uuid.UUID) (int, error) {
	return 0, errors.New("it cannot be written")
}

// TestWhatCouldNotBePutBackIsNotForgotten: the run says so, and the next one reads one of
// the orders again that were only fetched, as a proof for all.
func TestWhatCouldNotBePutBackIsNotForgotten(t *testing.T) {
	t.Parallel()
	s := openThree(t, watchedRecipe)
	s.workers = worker.NewOpener(worker.Config{}) // which has nothing to open
	for range 3 {
		leases, err := s.proofs.Claim(t.Context(), tasks.ClaimRequest{Worker: "w", Max: 1})
		if err != nil {
			t.Fatal(err)
		}
		res := &tasks.Result{Outcome: tasks.OutcomeNoAttachments, Executor: tasks.ExecutorFetch, Folder: leases[0].Task.PO}
		d := tasks.DefaultPolicy().After(leases[0].Task, res, nil, time.Now())
		if err := errors.Join(s.proofs.Start(t.Context(), leases[0]), s.proofs.Record(t.Context(), leases[0], d)); err != nil {
			t.Fatal(err)
		}
		s.portals.ByName()[""].Adopt(leases[0].Task)
	}
	s.proofs.TaskQueue = unwritable{s.proofs.TaskQueue}
	end, err := s.Run(t.Context())
	if err != nil || end.Status != tasks.SessionFailed || !strings.Contains(end.Reason, "could not be put back") {
		t.Errorf("it ended as %s, %q: %v", end.Status, end.Reason, err)
	}
	again, err := Resume(t.Context(), end.Dir, ResumeConfig{})
	if err != nil {
		t.Fatal(err)
	}
	stats, err := again.folder.Ledger.Stats(t.Context())
	if err != nil || stats.Open() != 1 {
		t.Errorf("%d orders are open, and one is owed a proof: %v", stats.Open(), err)
	}
	again.Interrupt("a person has stopped it")
	if end, err := again.Run(t.Context()); err != nil || end.Status != tasks.SessionInterrupted {
		t.Errorf("it ended as %s: %v", end.Status, err)
	}
	third, err := Resume(t.Context(), end.Dir, ResumeConfig{})
	if err != nil {
		t.Fatal(err)
	}
	// The one that is open is rendered; the others wait for what that shows.
	if !third.killed || len(third.portals.ByName()[""].Unproven(false)) == 0 {
		t.Error("after an interrupt, the others are taken for confirmed")
	}
	if err := third.Close(); err != nil {
		t.Error(err)
	}
}
