package life

import (
	"errors"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

func TestEveryPairOfStates(t *testing.T) {
	t.Parallel()
	const (
		initializing = tasks.SessionInitializing
		running      = tasks.SessionRunning
		paused       = tasks.SessionPaused
		completed    = tasks.SessionCompleted
		failed       = tasks.SessionFailed
		interrupted  = tasks.SessionInterrupted
	)
	allowed := map[[2]tasks.SessionStatus]bool{
		{initializing, running}: true, {initializing, interrupted}: true,
		{running, paused}: true, {running, completed}: true, {running, failed}: true, {running, interrupted}: true,
		{paused, running}: true, {paused, interrupted}: true,
		{interrupted, running}: true, {completed, running}: true, {failed, running}: true,
	}
	all := []tasks.SessionStatus{initializing, running, paused, completed, failed, interrupted}
	for _, from := range all {
		for _, to := range all {
			l := New(tasks.Session{Status: from})
			err := l.become(to)
			var refused *TransitionError
			switch {
			case allowed[[2]tasks.SessionStatus{from, to}]:
				if err != nil || l.record.Status != to {
					t.Errorf("%s to %s: %v", from, to, err)
				}
			case !errors.As(err, &refused) || l.record.Status != from:
				t.Errorf("%s to %s is allowed: %v", from, to, err)
			}
		}
	}
}

// TestHoldsDoNotMoveASessionThatIsEnding: its last status stays.
func TestHoldsDoNotMoveASessionThatIsEnding(t *testing.T) {
	t.Parallel()
	for _, status := range []tasks.SessionStatus{tasks.SessionCompleted, tasks.SessionFailed, tasks.SessionInterrupted} {
		l := New(tasks.Session{Status: status})
		l.Finish()
		for _, paused := range []bool{true, false} {
			if record, changed := l.Held(paused); changed || record.Status != status {
				t.Errorf("held %v, a session that was %s is %s", paused, status, record.Status)
			}
		}
	}
}
