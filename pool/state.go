package pool

import (
	"fmt"
	"slices"
	"time"
)

// State says where a pool stands.
type State string

const (
	// StateIdle: not started, or ended. Start moves it on.
	StateIdle State = "IDLE"
	// StateStarting: no worker stands yet. The first that does moves it on, or
	// the news that there is nothing to do.
	StateStarting State = "STARTING"
	// StateRunning: tasks are taken. A stop or a critical failure moves it on.
	StateRunning State = "RUNNING"
	// StateStopping: no more tasks are taken. It moves on when everything is gone.
	StateStopping State = "STOPPING"
	// StateError: no worker can be opened, or nothing can be recorded. Stop
	// moves it on.
	StateError State = "ERROR"
)

// States lists all states of a pool.
func States() []State {
	return []State{StateIdle, StateStarting, StateRunning, StateStopping, StateError}
}

var poolSteps = map[State][]State{
	StateIdle:     {StateStarting},
	StateStarting: {StateRunning, StateStopping, StateError},
	StateRunning:  {StateStopping, StateError},
	StateStopping: {StateIdle},
	StateError:    {StateIdle},
}

// CanBecome reports whether a pool may go from s to next in one step.
func (s State) CanBecome(next State) bool { return slices.Contains(poolSteps[s], next) }

// WorkerState says where a worker stands.
type WorkerState string

const (
	// workerUnopened: the slot has not opened a worker yet.
	workerUnopened WorkerState = ""
	// WorkerInitializing: being opened. Its slot moves it on.
	WorkerInitializing WorkerState = "INITIALIZING"
	// WorkerReady: waits for a task. A claim moves it on.
	WorkerReady WorkerState = "READY"
	// WorkerProcessing: works on a task. The attempt's end moves it on.
	WorkerProcessing WorkerState = "PROCESSING"
	// WorkerCompleted: closed, as was meant. Its slot opens a new one when there is
	// need for it.
	WorkerCompleted WorkerState = "COMPLETED"
	// WorkerFailed: could not be opened, was lost, hung or panicked, or cannot be
	// closed. Its slot opens a new one.
	WorkerFailed WorkerState = "FAILED"
)

// WorkerStates lists all states of a worker.
func WorkerStates() []WorkerState {
	return []WorkerState{WorkerInitializing, WorkerReady, WorkerProcessing, WorkerCompleted, WorkerFailed}
}

var workerSteps = map[WorkerState][]WorkerState{
	workerUnopened:     {WorkerInitializing},
	WorkerInitializing: {WorkerReady, WorkerFailed, WorkerCompleted},
	WorkerReady:        {WorkerProcessing, WorkerInitializing, WorkerFailed, WorkerCompleted},
	WorkerProcessing:   {WorkerReady, WorkerFailed, WorkerCompleted},
	WorkerCompleted:    {WorkerInitializing},
	WorkerFailed:       {WorkerInitializing, WorkerCompleted},
}

// CanBecome reports whether a worker may go from s to next in one step.
func (s WorkerState) CanBecome(next WorkerState) bool { return slices.Contains(workerSteps[s], next) }

// Standing reports whether the worker is open and of use.
func (s WorkerState) Standing() bool { return s == WorkerReady || s == WorkerProcessing }

// TransitionError is a step that a state machine does not allow.
type TransitionError struct {
	// Of is "pool", or the worker's id.
	Of       string
	From, To string
}

func (e *TransitionError) Error() string {
	return fmt.Sprintf("%s cannot go from %q to %q", e.Of, e.From, e.To)
}

// become moves the pool on. The caller holds p.mu.
func (p *WorkerPool) become(next State) error {
	if !p.state.CanBecome(next) {
		return &TransitionError{Of: "pool", From: string(p.state), To: string(next)}
	}
	p.state = next
	p.announce()
	return nil
}

// become moves the slot's worker on. The caller holds the pool's mu.
func (s *slot) become(next WorkerState) error {
	if !s.status.State.CanBecome(next) {
		return &TransitionError{Of: s.id, From: string(s.status.State), To: string(next)}
	}
	s.status.State = next
	s.status.LastActivity = time.Now()
	return nil
}
