package session

import (
	"context"

	"github.com/poscrape/poscrape/control"
	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/session/load"
	"github.com/poscrape/poscrape/session/progress"
	"github.com/poscrape/poscrape/tasks"
)

// Hold is one reason why a session is paused.
type Hold = pool.Hold

// The owners of holds.
const (
	HeldByDisk   = "disk"     // a disk is short of space
	HeldByPortal = "portal"   // all orders that were begun wait for their hosts
	HeldBySignIn = "sign-in"  // a worker signs in, and the others wait
	HeldByLoad   = load.Owner // even one worker is too much for the machine
	HeldByPerson = control.HeldByPerson
)

// onHold is told of a hold that began or ended, one after another. It moves the
// session between RUNNING and PAUSED, and tells about it.
func (s *ProcessingSession) onHold(ctx context.Context, e pool.Event) {
	record, changed := s.life.Held(len(e.Holds) > 0)
	s.tally.Held(record.Status, e.Holds)
	if changed {
		s.save(ctx, record)
	}
	switch {
	case e.Type == pool.EventHoldBegan:
		s.story.Add(ctx, tasks.Event{Type: tasks.EventPaused, Detail: e.Detail})
		if e.Owner != HeldByPortal && e.Owner != HeldBySignIn { // of these more is said elsewhere
			s.story.Warn("paused, so no order is begun: %s", e.Detail)
		}
	case len(e.Holds) == 0 && s.stops(): // the pause ends because the session does
	case len(e.Holds) == 0:
		s.story.Add(ctx, tasks.Event{Type: tasks.EventResumed, Detail: e.Detail})
		if e.Owner != HeldByPortal && e.Owner != HeldBySignIn {
			s.story.Inform("continuing: %s", e.Detail)
		}
	default:
		left := "still paused: " + progress.Reasons(e.Holds)
		if e.Detail != "" {
			left = e.Detail + "; " + left
		}
		s.story.Add(ctx, tasks.Event{Type: tasks.EventNotice, Detail: left})
	}
}

// save stores the session's record while it runs.
func (s *ProcessingSession) save(ctx context.Context, record tasks.Session) {
	if err := s.folder.Ledger.SaveSession(ctx, record); err != nil && !s.space.Struck(err) {
		s.story.Log.Error("storing the session's status", "status", record.Status, "error", err)
	}
}

// stops reports whether no order is begun any more.
func (s *ProcessingSession) stops() bool {
	stop := s.life.Stopped()
	return stop.Why != "" || stop.Halted != nil
}
