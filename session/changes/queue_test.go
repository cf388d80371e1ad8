package changes

import (
	"context"
	"fmt"
	"testing"

	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/queuetest"
)

// TestClaimsWaitForNoChange: while an order is recorded, and while it is told that the portal has
// changed, others get their orders.
func TestClaimsWaitForNoChange(t *testing.T) {
	t.Parallel()
	selectors := []tasks.Selector{{Where: "fields.vendor.selector", Selector: "td"}}
	queuetest.ClaimsBeside(t, func(t *testing.T, inner tasks.TaskQueue) tasks.TaskQueue {
		return &Queue{TaskQueue: inner, Watch: New(Config{Selectors: selectors})}
	})

	inner := tasks.NewMemory()
	for i := range 50 {
		key := fmt.Sprint(i)
		if _, err := inner.Enqueue(t.Context(), tasks.Spec{Key: key, PO: key}); err != nil {
			t.Fatal(err)
		}
	}
	var tell func()
	q := &Queue{TaskQueue: inner, Watch: New(Config{Selectors: selectors, Required: map[string]map[string]bool{"": {"fields.vendor": true}}}),
		Told: func(context.Context, Notice) { tell() }}
	queuetest.ClaimBeside(t, q, func(hang func()) {
		tell = hang
		for i := range 40 {
			leases, err := q.Claim(t.Context(), tasks.ClaimRequest{Worker: "worker_001"})
			if err == nil {
				err = q.Start(t.Context(), leases[0])
			}
			if err == nil {
				err = q.Record(t.Context(), leases[0], read(i < 20))
			}
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
}

// read is the record of an order whose vendor was found, or not.
func read(found bool) tasks.Decision {
	res := &tasks.Result{Outcome: tasks.OutcomeComplete, Looks: []tasks.Look{{Where: "fields.vendor.selector"}}}
	if found {
		res.Looks[0].Met = 1
		res.Fields = map[string]tasks.Field{"vendor": {Raw: "ACME", Value: "ACME"}}
	}
	return tasks.Decision{To: tasks.StateCompleted, Outcome: tasks.OutcomeComplete, Result: res}
}
