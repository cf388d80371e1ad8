package tasks

import "fmt"

// State says where a task stands in its life.
type State string

const (
	// StatePending waits for a worker, or for its due time. Claim moves it on.
	StatePending State = "PENDING"
	// StateAssigned belongs to one worker that has not begun. Start moves it on.
	StateAssigned State = "ASSIGNED"
	// StateProcessing is being worked on. Record moves it on.
	StateProcessing State = "PROCESSING"
	// StateCompleted ended with a result. Only a person's retry of a partial
	// result moves it on, or that it turns out to need another reading. A proof
	// that arrives later changes its outcome, and not its state: see Prove.
	StateCompleted State = "COMPLETED"
	// StateFailed ended without a result. The policy or a person's retry moves
	// it on.
	StateFailed State = "FAILED"
)

// States lists all states in the order of a task's life.
func States() []State {
	return []State{StatePending, StateAssigned, StateProcessing, StateCompleted, StateFailed}
}

var transitions = map[State][]State{
	StatePending:    {StateAssigned, StateFailed},
	StateAssigned:   {StateProcessing, StatePending},
	StateProcessing: {StateCompleted, StateFailed, StatePending},
	StateCompleted:  {StatePending},
	StateFailed:     {StatePending},
}

// CanBecome reports whether a task may go from s to next in one step.
// COMPLETED to PENDING is further limited: see Retryable, Reread and Confirm.
func (s State) CanBecome(next State) bool {
	for _, t := range transitions[s] {
		if t == next {
			return true
		}
	}
	return false
}

// Final reports whether nothing more happens to a task in this state by itself.
func (s State) Final() bool { return s == StateCompleted || s == StateFailed }

// TransitionError is returned when a task is asked to take a step that its
// state does not allow.
type TransitionError struct {
	From, To State
}

func (e *TransitionError) Error() string {
	return fmt.Sprintf("a task cannot go from %s to %s", e.From, e.To)
}

// Become moves the task to the next state, or returns a *TransitionError and
// leaves it as it is. It is the one place that assigns a task's state.
func (t *ProcessingTask) Become(next State) error {
	if !t.State.CanBecome(next) {
		return &TransitionError{From: t.State, To: next}
	}
	t.State = next
	return nil
}
