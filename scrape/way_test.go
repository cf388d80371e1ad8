package scrape

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// TestOrdersThatWaitForTheTabAreNotCharged has an order keep the tab for longer than others
// have: they are given back in time, and not charged for what they did not get.
func TestOrdersThatWaitForTheTabAreNotCharged(t *testing.T) {
	t.Parallel()
	waits := map[string]func(*attempt, context.Context) error{"fetched": (*attempt).share, "rendered": (*attempt).own}
	for name, wait := range waits {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a := &attempt{Scraper: &Scraper{tab: newTab()}, task: &tasks.ProcessingTask{}}
				if !a.tab.sem.TryAcquire(room) {
					t.Fatal("the tab is taken")
				}
				ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
				defer cancel()
				began := time.Now()
				f := tasks.AsFailure(wait(a, ctx))
				if f == nil || f.Advice != tasks.AdviceRelease || time.Since(began) != 10*time.Second {
					t.Errorf("after %v: %+v", time.Since(began), f)
				}
			})
		})
	}
}
