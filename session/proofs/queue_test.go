package proofs

import (
	"testing"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/queuetest"
)

// TestClaimsWaitForNoProof: while orders are recorded, or given their proof, others get their orders.
func TestClaimsWaitForNoProof(t *testing.T) {
	t.Parallel()
	queuetest.ClaimsBeside(t, func(t *testing.T, inner tasks.TaskQueue) tasks.TaskQueue {
		return &Queue{TaskQueue: inner, Portals: map[string]*scrape.Portal{queuetest.Portal: scrape.NewPortal(scrape.AutoRecipe(), nil)}}
	})
}
