package session

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
			s := &life{record: tasks.Session{Status: from}}
			err := s.become(to)
			var refused *TransitionError
			switch {
			case allowed[[2]tasks.SessionStatus{from, to}]:
				if err != nil || s.record.Status != to {
					t.Errorf("%s to %s: %v", from, to, err)
				}
			case !errors.As(err, &refused) || s.record.Status != from:
				t.Errorf("%s to %s is allowed: %v", from, to, err)
			}
		}
	}
}
