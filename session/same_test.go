package session_test

import (
	"testing"
	"testing/synctest"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// TestDocumentsOfAllOrders: without a recipe, documents that all orders list, and nothing else, are no order's.
func TestDocumentsOfAllOrders(t *testing.T) {
	t.Parallel()
	terms := map[string]string{"terms.pdf": "terms"}
	same := func(others map[string]session.Act) *session.StandIns {
		return &session.StandIns{Act: func(task *tasks.ProcessingTask) session.Act {
			if act, is := others[task.PO]; is {
				return act
			}
			return session.Act{Documents: terms}
		}}
	}
	for name, c := range map[string]struct {
		orders int
		others map[string]session.Act
		recipe string
		want   tasks.Outcome
	}{
		"three":                  {orders: 3, want: tasks.OutcomePartial},
		"two":                    {orders: 2, want: tasks.OutcomeComplete},
		"one has its own":        {orders: 4, others: map[string]session.Act{"PO1001": {Documents: map[string]string{"terms.pdf": "terms", "order.pdf": "PO1001"}}}, want: tasks.OutcomeComplete},
		"one has others":         {orders: 4, others: map[string]session.Act{"PO1001": {Documents: map[string]string{"terms.pdf": "other terms"}}}, want: tasks.OutcomeComplete},
		"one has none":           {orders: 4, others: map[string]session.Act{"PO1001": {Outcome: tasks.OutcomeNoAttachments}}, want: tasks.OutcomeComplete},
		"one was not found":      {orders: 4, others: map[string]session.Act{"PO1001": {Outcome: tasks.OutcomeNotFound}}, want: tasks.OutcomePartial},
		"the recipe says so":     {orders: 3, recipe: "version: 1\nattachments: {item: a.doc}\n", want: tasks.OutcomeComplete},
		"one names it otherwise": {orders: 3, others: map[string]session.Act{"PO1001": {Documents: map[string]string{"agb.pdf": "terms"}}}, want: tasks.OutcomePartial},
	} {
		inBubble(t, name, func(t *testing.T) {
			cfg := standing(t, c.orders)
			if c.recipe != "" {
				cfg.RecipeFile = cfg.File + ".yaml"
				testkit.Write(t, cfg.RecipeFile, c.recipe)
			}
			_, r := runOn(t, cfg, same(c.others))
			for _, task := range r.Tasks {
				if _, other := c.others[task.PO]; !other && task.Outcome != c.want || task.Confirmed != nil && *task.Confirmed {
					t.Errorf("%s is %s, want %s; confirmed %v", task.PO, task.Outcome, c.want, task.Confirmed)
				}
			}
		})
	}
	t.Run("resumed", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			on := takes(10)
			on.Act = func(*tasks.ProcessingTask) session.Act { return session.Act{Takes: 1e9, Documents: terms} }
			end, _ := interruptedOn(t, standing(t, 8), on)
			ended, r := resumeOn(t, end.Dir, session.ResumeConfig{}, on)
			if ended.ByOutcome[tasks.OutcomePartial] != 8 {
				t.Errorf("got %v, %+v", ended.ByOutcome, r.Totals)
			}
		})
	})
}
