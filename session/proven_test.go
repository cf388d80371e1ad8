package session

import (
	"testing"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// TestWhatIsNotProvenIsNotDrained: when all orders have ended, one is put back for a proof,
// once.
func TestWhatIsNotProvenIsNotDrained(t *testing.T) {
	t.Parallel()
	s, closeIt := openOne(t)
	defer closeIt()
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
		s.portal.Adopt(leases[0].Task)
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
