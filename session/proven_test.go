package session

import (
	"testing"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// TestWhatIsNotProvenIsNotDrained asks how many orders are left, as a pool does that
// has no worker who could ask for the next: one is put back for a proof, once.
func TestWhatIsNotProvenIsNotDrained(t *testing.T) {
	t.Parallel()
	s, closeIt := openOne(t)
	defer closeIt()
	queue := proven{s.ledger, s}
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
	open := func() int {
		stats, err := queue.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return stats.Open()
	}
	end()
	if n := open(); n != 1 {
		t.Errorf("%d orders are open, and one is owed a proof", n)
	}
	if n := open(); n != 1 {
		t.Errorf("%d orders are open when asked again", n)
	}
	if n := s.breaker.Open(); n != 1 {
		t.Errorf("the breaker expects %d orders", n)
	}
}
