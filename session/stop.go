package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/poscrape/poscrape/tasks"
)

// Interrupt lets no new order begin. Those in progress may end within the grace
// period; then they are put back, and their attempts do not count. It returns at
// once. It may be called from any goroutine, before Run too, and again.
func (s *ProcessingSession) Interrupt(reason string) { s.stop(CauseUser, reason) }

// stop is Interrupt, for a cause. The first one is the one that counts.
func (s *ProcessingSession) stop(cause Cause, reason string) {
	p, grace := s.life.Stop(cause, reason, s.cfg.Grace)
	if p == nil {
		return
	}
	p.StopFetching()
	s.portals.AskNobody()
	s.breaker.Wake()
	s.tally.Stopping("stopping: orders in progress are finished")
	s.story.AddBeside(tasks.Event{Type: tasks.EventInterrupted, Detail: reason + "; orders in progress may end"})
	context.AfterFunc(grace, func() {
		if errors.Is(grace.Err(), context.DeadlineExceeded) {
			s.Abort(fmt.Sprintf("orders in progress did not end within %v", s.cfg.Grace))
		}
	})
}

// Abort ends the orders in progress at once and puts them back. It returns at
// once. It may be called from any goroutine, before Run too, and again.
func (s *ProcessingSession) Abort(reason string) {
	p := s.life.Abort(reason)
	if p == nil {
		return
	}
	s.portals.AskNobody()
	p.Kill(fmt.Errorf("%w: %s", errInterrupted, reason))
	s.tally.Stopping("stopping: orders in progress are put back")
	s.story.AddBeside(tasks.Event{Type: tasks.EventInterrupted, Detail: reason + "; orders in progress are put back"})
}
