package tasks_test

import (
	"errors"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// TestAllPairsOfStates walks every state to every other.
func TestAllPairsOfStates(t *testing.T) {
	t.Parallel()
	allowed := map[[2]tasks.State]bool{
		{tasks.StatePending, tasks.StateAssigned}:     true,
		{tasks.StatePending, tasks.StateFailed}:       true,
		{tasks.StateAssigned, tasks.StateProcessing}:  true,
		{tasks.StateAssigned, tasks.StatePending}:     true,
		{tasks.StateProcessing, tasks.StateCompleted}: true,
		{tasks.StateProcessing, tasks.StateFailed}:    true,
		{tasks.StateProcessing, tasks.StatePending}:   true,
		{tasks.StateCompleted, tasks.StatePending}:    true,
		{tasks.StateFailed, tasks.StatePending}:       true,
	}
	states := append(tasks.States(), "", "UNKNOWN")
	for _, from := range states {
		for _, to := range states {
			task := &tasks.ProcessingTask{State: from}
			err := task.Become(to)
			if allowed[[2]tasks.State{from, to}] {
				if err != nil || task.State != to {
					t.Errorf("%s to %s: %v, the task is %s", from, to, err, task.State)
				}
				continue
			}
			var refused *tasks.TransitionError
			if !errors.As(err, &refused) || refused.From != from || refused.To != to || task.State != from {
				t.Errorf("%s to %s: %v, the task is %s", from, to, err, task.State)
			}
		}
	}
}

func TestFinalStates(t *testing.T) {
	t.Parallel()
	for _, s := range tasks.States() {
		if want := s == tasks.StateCompleted || s == tasks.StateFailed; s.Final() != want {
			t.Errorf("%s.Final() = %t", s, s.Final())
		}
	}
}

// TestOutcomes says where each outcome rests, and which need nobody.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	type end struct {
		state tasks.State
		well  bool
	}
	want := map[tasks.Outcome]end{
		tasks.OutcomeComplete:         {tasks.StateCompleted, true},
		tasks.OutcomeNoAttachments:    {tasks.StateCompleted, true},
		tasks.OutcomePartial:          {tasks.StateCompleted, false},
		tasks.OutcomeFailed:           {tasks.StateFailed, false},
		tasks.OutcomeNotFound:         {tasks.StateFailed, false},
		tasks.OutcomeAccessDenied:     {tasks.StateFailed, false},
		tasks.OutcomeIdentityMismatch: {tasks.StateFailed, false},
		tasks.OutcomeInvalidInput:     {tasks.StateFailed, false},
		tasks.OutcomeTimeout:          {tasks.StateFailed, false},
		tasks.OutcomeSessionExpired:   {tasks.StateFailed, false},
		tasks.OutcomeSkipped:          {tasks.StatePending, true},
		tasks.OutcomeInterrupted:      {tasks.StatePending, false},
	}
	for _, o := range tasks.Outcomes() {
		if got := (end{o.State(), o.Well()}); got != want[o] {
			t.Errorf("%s rests in %s, well %t; want %+v", o, got.state, got.well, want[o])
		}
	}
	if n := len(tasks.Outcomes()); n != len(want) {
		t.Errorf("there are %d outcomes, want %d", n, len(want))
	}
	if unknown := tasks.Outcome(""); unknown.State() != tasks.StatePending || unknown.Well() {
		t.Errorf("no outcome rests in %s, well %t", unknown.State(), unknown.Well())
	}
}
