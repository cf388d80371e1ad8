package progress

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// TestAPauseIsNotSlow: while a session is paused it is not known how long the rest takes, and a night
// of that does not make it slower afterwards.
func TestAPauseIsNotSlow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tally := New(nil, 4)
		tally.Begin(tasks.Stats{Total: 20})
		for range 10 {
			time.Sleep(3 * time.Second) //nolint:forbidigo // in a synctest bubble
			tally.ended(tasks.StateCompleted, tasks.OutcomeComplete)
		}
		wants := func(when string, rate float64, eta time.Duration) {
			t.Helper()
			if p := tally.Now(); p.RatePerMinute != rate || p.ETA != eta {
				t.Errorf("%s: %v a minute, %v left; want %v and %v", when, p.RatePerMinute, p.ETA, rate, eta)
			}
		}
		wants("at work", 20, 30*time.Second)
		tally.Held(tasks.SessionRunning, []pool.Hold{{Owner: "portal", Claiming: true}})
		wants("while the portal is asked", 20, 30*time.Second)
		tally.Held(tasks.SessionPaused, []pool.Hold{{Owner: "person"}})
		time.Sleep(8 * time.Hour) //nolint:forbidigo // in a synctest bubble
		tally.Held(tasks.SessionPaused, []pool.Hold{{Owner: "person"}, {Owner: "disk"}})
		wants("paused", 20, -1)
		tally.Held(tasks.SessionRunning, nil)
		wants("gone on", 20, 30*time.Second)
		tally.Stopping("Ctrl-C")
		wants("stopping", 20, -1)
	})
}
