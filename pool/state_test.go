package pool

import (
	"errors"
	"testing"
)

func TestPoolStatesAllPairs(t *testing.T) {
	t.Parallel()
	allowed := map[[2]State]bool{
		{StateIdle, StateStarting}: true, {StateStarting, StateRunning}: true,
		{StateStarting, StateStopping}: true, {StateStarting, StateError}: true,
		{StateRunning, StateStopping}: true, {StateRunning, StateError}: true,
		{StateStopping, StateIdle}: true, {StateError, StateIdle}: true,
	}
	for _, from := range States() {
		for _, to := range States() {
			p := &WorkerPool{state: from, changed: make(chan struct{})}
			err := p.become(to)
			checkStep(t, err, string(from), string(to), allowed[[2]State{from, to}], string(p.state))
		}
	}
}

func TestWorkerStatesAllPairs(t *testing.T) {
	t.Parallel()
	allowed := map[[2]WorkerState]bool{
		{workerUnopened, WorkerInitializing}:  true,
		{WorkerInitializing, WorkerReady}:     true,
		{WorkerInitializing, WorkerFailed}:    true,
		{WorkerInitializing, WorkerCompleted}: true,
		{WorkerReady, WorkerProcessing}:       true,
		{WorkerReady, WorkerInitializing}:     true,
		{WorkerReady, WorkerFailed}:           true,
		{WorkerReady, WorkerCompleted}:        true,
		{WorkerProcessing, WorkerReady}:       true,
		{WorkerProcessing, WorkerFailed}:      true,
		{WorkerProcessing, WorkerCompleted}:   true,
		{WorkerFailed, WorkerInitializing}:    true,
		{WorkerFailed, WorkerCompleted}:       true,
		{WorkerCompleted, WorkerInitializing}: true,
	}
	states := append(WorkerStates(), workerUnopened)
	for _, from := range states {
		for _, to := range states {
			s := &slot{id: "worker_001", status: WorkerStatus{State: from}}
			err := s.become(to)
			checkStep(t, err, string(from), string(to), allowed[[2]WorkerState{from, to}], string(s.status.State))
		}
	}
}

func checkStep(t *testing.T, err error, from, to string, allowed bool, is string) {
	t.Helper()
	var refused *TransitionError
	switch {
	case allowed && (err != nil || is != to):
		t.Errorf("%q to %q: %v, and it is %q", from, to, err, is)
	case !allowed && (!errors.As(err, &refused) || refused.From != from || refused.To != to):
		t.Errorf("%q to %q was not refused: %v", from, to, err)
	case !allowed && is != from:
		t.Errorf("%q to %q was refused, but it is %q", from, to, is)
	}
}
