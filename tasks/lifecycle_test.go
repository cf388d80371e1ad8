package tasks_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// processing returns a task whose attempt began a second ago.
func processing(t *testing.T) *tasks.ProcessingTask {
	t.Helper()
	task, _, err := tasks.NewTask(tasks.Spec{Key: "a"}, now.Add(-time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := task.Assign("w", now.Add(-2*time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := task.Begin(now.Add(-time.Second)); err != nil {
		t.Fatal(err)
	}
	return task
}

// TestTimes: a task knows when it was first begun, also by an attempt that was
// released, and when it came to its outcome.
func TestTimes(t *testing.T) {
	t.Parallel()
	task, _, err := tasks.NewTask(tasks.Spec{Key: "a"}, now.Add(-time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string, started, completed time.Time) {
		t.Helper()
		if got := task.Started(); !got.Equal(started) {
			t.Errorf("%s: started %v, want %v", when, got, started)
		}
		if got := task.Completed(); !got.Equal(completed) {
			t.Errorf("%s: completed %v, want %v", when, got, completed)
		}
	}
	attempt := func(from time.Time) {
		t.Helper()
		if _, err := task.Assign("w", from); err != nil {
			t.Fatal(err)
		}
		if _, err := task.Begin(from); err != nil {
			t.Fatal(err)
		}
	}
	check("new", time.Time{}, time.Time{})
	first, second, last := now, now.Add(time.Second), now.Add(2*time.Second)
	attempt(first)
	check("in progress", first, time.Time{})
	released := tasks.Decision{To: tasks.StatePending, Outcome: tasks.OutcomeInterrupted, Released: true, Failure: tasks.Release(tasks.ClassReleased, "stopped")}
	if _, err := task.Apply(released, second); err != nil {
		t.Fatal(err)
	}
	check("released", first, time.Time{})
	attempt(second)
	check("in progress again", first, time.Time{})
	if _, err := task.Apply(tasks.Decision{To: tasks.StateCompleted, Outcome: tasks.OutcomeComplete, Result: &tasks.Result{Outcome: tasks.OutcomeComplete}}, last); err != nil {
		t.Fatal(err)
	}
	check("complete", first, last)
}

func TestApplyFillsTheAttempt(t *testing.T) {
	t.Parallel()
	f := tasks.Retry(tasks.ClassTimeout, "slow")
	f.PhaseMS, f.Evidence = map[string]float64{"open": 1}, []string{"evidence/1.png"}
	task := processing(t)
	due := now.Add(time.Minute)
	if _, err := task.Apply(tasks.Decision{To: tasks.StatePending, Outcome: tasks.OutcomeTimeout, NotBefore: due, Failure: f}, now); err != nil {
		t.Fatal(err)
	}
	a := task.History[0]
	if a.Worker != "w" || !a.StartedAt.Equal(now.Add(-time.Second)) || !a.EndedAt.Equal(now) || !a.RetryAt.Equal(due) {
		t.Errorf("worker and times: %+v", a)
	}
	if a.PhaseMS["open"] != 1 || len(a.Evidence) != 1 || a.Error != f || a.N != 1 {
		t.Errorf("what the failure knew: %+v", a)
	}
}

func TestApplyTakesPhasesFromTheResult(t *testing.T) {
	t.Parallel()
	res := &tasks.Result{Outcome: tasks.OutcomeComplete, Executor: tasks.ExecutorFetch, PhaseMS: map[string]float64{"open": 2}, Evidence: []string{"e"}}
	task := processing(t)
	if _, err := task.Apply(tasks.Decision{To: tasks.StateCompleted, Outcome: res.Outcome, Result: res}, now); err != nil {
		t.Fatal(err)
	}
	a := task.History[0]
	if a.Executor != tasks.ExecutorFetch || a.PhaseMS["open"] != 2 || len(a.Evidence) != 1 || !a.RetryAt.IsZero() {
		t.Errorf("%+v", a)
	}
}

// TestApplyTellsAttemptFromTask: a task that is partial by an earlier attempt
// remembers what its last attempt alone amounted to.
func TestApplyTellsAttemptFromTask(t *testing.T) {
	t.Parallel()
	task := processing(t)
	task.Result, task.Attempts = &tasks.Result{Outcome: tasks.OutcomePartial}, 2
	f := tasks.Retry(tasks.ClassTimeout, "slow")
	f.Outcome = tasks.OutcomeTimeout
	if _, err := task.Apply(steady().After(task, nil, f, now), now); err != nil {
		t.Fatal(err)
	}
	if task.Outcome != tasks.OutcomePartial || task.History[0].Outcome != tasks.OutcomeTimeout || task.Failure != f {
		t.Errorf("the task is %s, its attempt %s, its failure %v", task.Outcome, task.History[0].Outcome, task.Failure)
	}
}

// TestWellHasNoFailure: what went wrong on the way does not stay with a task that
// ended well.
func TestWellHasNoFailure(t *testing.T) {
	t.Parallel()
	task := processing(t)
	task.Failure = tasks.Retry(tasks.ClassTimeout, "slow")
	d := tasks.Decision{To: tasks.StateCompleted, Outcome: tasks.OutcomeComplete, Failure: task.Failure}
	if _, err := task.Apply(d, now); err != nil || task.Failure != nil {
		t.Errorf("Apply: %v, the failure is %v", err, task.Failure)
	}
}

func TestRefusedStepsChangeNothing(t *testing.T) {
	t.Parallel()
	pending, _, err := tasks.NewTask(tasks.Spec{Key: "a"}, now)
	if err != nil {
		t.Fatal(err)
	}
	before := *pending
	_, beginErr := pending.Begin(now)
	_, againErr := pending.Again(now)
	_, applyErr := pending.Apply(tasks.Decision{To: tasks.StateCompleted, Outcome: tasks.OutcomeComplete, Result: &tasks.Result{}}, now.Add(1))
	_, oddErr := pending.Apply(tasks.Decision{To: tasks.StateAssigned}, now.Add(1))
	for name, err := range map[string]error{"Begin": beginErr, "Again": againErr, "Apply": applyErr, "Apply of an odd decision": oddErr} {
		var refused *tasks.TransitionError
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if pending.State != before.State || pending.Attempts != 0 || pending.Result != nil || !pending.Updated.Equal(before.Updated) || len(pending.History) != 0 {
		t.Errorf("the task became %+v", pending)
	}
}

func TestRetryable(t *testing.T) {
	t.Parallel()
	invalid := tasks.Spec{Invalid: tasks.Permanent(tasks.OutcomeInvalidInput, tasks.ClassInvalidInput, "none")}
	tests := map[string]struct {
		task tasks.ProcessingTask
		want bool
	}{
		"failed":     {tasks.ProcessingTask{State: tasks.StateFailed, Outcome: tasks.OutcomeNotFound}, true},
		"partial":    {tasks.ProcessingTask{State: tasks.StateCompleted, Outcome: tasks.OutcomePartial}, true},
		"complete":   {tasks.ProcessingTask{State: tasks.StateCompleted, Outcome: tasks.OutcomeComplete}, false},
		"invalid":    {tasks.ProcessingTask{State: tasks.StateFailed, Outcome: tasks.OutcomeInvalidInput, Spec: invalid}, false},
		"pending":    {tasks.ProcessingTask{State: tasks.StatePending}, false},
		"processing": {tasks.ProcessingTask{State: tasks.StateProcessing}, false},
	}
	for name, test := range tests {
		if got := test.task.Retryable(); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestResultCount(t *testing.T) {
	t.Parallel()
	r := &tasks.Result{}
	for _, s := range []tasks.AttachmentState{tasks.AttachmentDone, tasks.AttachmentDone, tasks.AttachmentSkipped, tasks.AttachmentFailed, ""} {
		r.Attachments = append(r.Attachments, tasks.Attachment{State: s})
	}
	if found, done, failed, skipped := r.Count(); found != 5 || done != 2 || failed != 2 || skipped != 1 {
		t.Errorf("%d = %d + %d + %d", found, done, failed, skipped)
	}
	var none *tasks.Result
	if found, _, _, _ := none.Count(); found != 0 {
		t.Errorf("no result has %d", found)
	}
}

// TestProve walks every state with every outcome: only what is COMPLETED and partial,
// and waits for an item, is given a proof.
func TestProve(t *testing.T) {
	t.Parallel()
	proof := tasks.Proof{By: tasks.ProofSettled, Text: "the page is settled"}
	for _, state := range tasks.States() {
		for _, outcome := range append(tasks.Outcomes(), "") {
			task := &tasks.ProcessingTask{State: state, Outcome: outcome, Failure: tasks.Retry(tasks.ClassUnproven, "none"),
				Result: &tasks.Result{Outcome: outcome, Kind: "a", AwaitsItem: true}}
			before, result := *task, *task.Result
			made, err := task.Prove(proof, now)
			if state != tasks.StateCompleted || outcome != tasks.OutcomePartial {
				var refused *tasks.TransitionError
				if !errors.As(err, &refused) || !reflect.DeepEqual(*task, before) {
					t.Errorf("%s, %s: %v, the task is %+v", state, outcome, err, task)
				}
				continue
			}
			if err != nil || task.State != state || task.Outcome != tasks.OutcomeNoAttachments || task.Failure != nil || *task.Result.Proof != proof {
				t.Errorf("%v, the task is %+v", err, task)
			}
			if made.From != state || made.To != state || made.Outcome != tasks.OutcomeNoAttachments || !made.At.Equal(now) {
				t.Errorf("the step is %+v", made)
			}
			if !reflect.DeepEqual(*before.Result, result) {
				t.Errorf("the result that it had was changed: %+v", before.Result)
			}
		}
	}
}

func TestApplyTakesLooks(t *testing.T) {
	t.Parallel()
	looks := []tasks.Look{{Where: "attachments.item", Met: 2}}
	well, broken := processing(t), processing(t)
	f := tasks.Retry(tasks.ClassNotReady, "slow")
	f.Looks = looks
	res := &tasks.Result{Outcome: tasks.OutcomeComplete, Looks: looks}
	_, wellErr := well.Apply(tasks.Decision{To: tasks.StateCompleted, Outcome: res.Outcome, Result: res}, now)
	_, brokenErr := broken.Apply(tasks.Decision{To: tasks.StateFailed, Outcome: tasks.OutcomeFailed, Failure: f}, now)
	for _, task := range []*tasks.ProcessingTask{well, broken} {
		if !reflect.DeepEqual(task.History[0].Looks, looks) || wellErr != nil || brokenErr != nil {
			t.Errorf("%+v, %v, %v", task.History[0], wellErr, brokenErr)
		}
	}
}
