package session

import (
	"testing"

	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/queuetest"
)

// TestClaimingWaitsForNothingInASession: whatever a session puts around its queue, an order is
// handed out while another call hangs.
func TestClaimingWaitsForNothingInASession(t *testing.T) {
	t.Parallel()
	queuetest.ClaimsBeside(t, func(t *testing.T, inner tasks.TaskQueue) tasks.TaskQueue {
		t.Helper()
		s := openOne(t)
		s.proofs.TaskQueue = s.tally.Queue(inner)
		s.proofs.Portals[queuetest.Portal] = s.proofs.Portals[""]
		return s.queue
	})
}
