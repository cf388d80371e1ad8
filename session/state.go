package session

import (
	"fmt"
	"slices"

	"github.com/poscrape/poscrape/tasks"
)

var transitions = map[tasks.SessionStatus][]tasks.SessionStatus{
	tasks.SessionInitializing: {tasks.SessionRunning, tasks.SessionInterrupted},
	tasks.SessionRunning:      {tasks.SessionPaused, tasks.SessionCompleted, tasks.SessionFailed, tasks.SessionInterrupted},
	tasks.SessionPaused:       {tasks.SessionRunning, tasks.SessionInterrupted},
	tasks.SessionInterrupted:  {tasks.SessionRunning},
	tasks.SessionCompleted:    {tasks.SessionRunning},
	tasks.SessionFailed:       {tasks.SessionRunning},
}

// TransitionError is a step that a session's states do not allow.
type TransitionError struct{ From, To tasks.SessionStatus }

func (e *TransitionError) Error() string {
	return fmt.Sprintf("a session cannot go from %s to %s", e.From, e.To)
}

// revive reads the status of a session that nobody owns: one that says that it is
// at work was killed, and so interrupted.
func (s *ProcessingSession) revive() {
	if s.record.Status == tasks.SessionRunning || s.record.Status == tasks.SessionPaused {
		s.record.Status = tasks.SessionInterrupted
	}
}

// become moves the session on. It and revive are the one place that assigns its
// status. The caller holds s.mu.
func (s *ProcessingSession) become(next tasks.SessionStatus) error {
	if !slices.Contains(transitions[s.record.Status], next) {
		return &TransitionError{From: s.record.Status, To: next}
	}
	s.record.Status = next
	return nil
}
