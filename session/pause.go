package session

import (
	"context"

	"github.com/poscrape/poscrape/tasks"
)

// holding notes why somebody keeps the session paused, or with an empty reason
// that they do not any more. Several may, each for a reason of its own; it goes on
// when the last of them lets go. It returns the session's record and whether its
// status has changed.
func (s *ProcessingSession) holding(who, why string) (record tasks.Session, changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holds == nil {
		s.holds = map[string]string{}
	}
	if why == "" {
		delete(s.holds, who)
	} else {
		s.holds[who] = why
	}
	next := tasks.SessionPaused
	if len(s.holds) == 0 {
		next = tasks.SessionRunning
	}
	changed = s.become(next) == nil
	return s.record, changed
}

// hold pauses the session and its pool: no order is begun.
func (s *ProcessingSession) hold(ctx context.Context, who, why string) {
	record, _ := s.holding(who, why)
	s.pool.Pause(why)
	s.tally.held(record.Status, "paused: "+why)
	s.save(ctx, record)
	s.event(ctx, tasks.Event{Type: tasks.EventPaused, Detail: why})
	s.warn("paused, no order is begun: %s", why)
}

// unhold ends what hold began.
func (s *ProcessingSession) unhold(ctx context.Context, who, why string) {
	record, _ := s.holding(who, "")
	s.pool.Continue()
	s.tally.held(record.Status, "")
	s.save(ctx, record)
	s.event(ctx, tasks.Event{Type: tasks.EventResumed, Detail: why})
	s.tell("going on: %s", why)
}

// save stores the session's record while it runs.
func (s *ProcessingSession) save(ctx context.Context, record tasks.Session) {
	if err := s.ledger.SaveSession(ctx, record); err != nil && !s.struck(err) {
		s.log.Error("storing the session's status", "status", record.Status, "error", err)
	}
}
