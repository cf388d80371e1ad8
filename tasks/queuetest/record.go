package queuetest

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

var recordCases = []testCase{
	{"a result is kept whole", recordResult},
	{"a failure is kept", recordFailure},
	{"a retry passes through FAILED", recordRetry},
	{"a release costs nothing", recordRelease},
	{"a lost browser is counted, not charged", recordLost},
	{"a claim is released before it has begun", recordReleaseEarly},
	{"an earlier result stays until there is another", recordKeepsResult},
	{"an attempt is kept whole", recordAttempt},
	{"attempts are numbered as they are charged", recordNumbers},
	{"a step that the state does not allow is refused", recordRefused},
}

func recordResult(k *kit) {
	k.enqueue(spec("a"))
	want := complete()
	l := k.work("w", want)
	task := k.get(l.Task.ID)
	if task.State != tasks.StateCompleted || task.Outcome != tasks.OutcomeComplete || task.Failure != nil || task.Attempts != 1 {
		k.Errorf("the task is %s %s, %v, after %d attempts", task.State, task.Outcome, task.Failure, task.Attempts)
	}
	r := task.Result
	if r == nil || r.Executor != want.Result.Executor || !maps.Equal(r.Fields, want.Result.Fields) || !slices.Equal(r.Attachments, want.Result.Attachments) {
		k.Errorf("the result became %+v", r)
	}
	if len(task.History) != 1 || task.History[0].Executor != tasks.ExecutorRender {
		k.Errorf("the history is %+v", task.History)
	}
}

func recordFailure(k *kit) {
	k.enqueue(spec("a"))
	l := k.work("w", failed(tasks.OutcomeNotFound))
	task := k.get(l.Task.ID)
	if task.State != tasks.StateFailed || task.Outcome != tasks.OutcomeNotFound || task.Attempts != 1 {
		k.Errorf("the task is %s %s after %d attempts", task.State, task.Outcome, task.Attempts)
	}
	f := task.Failure
	if f == nil || f.Class != tasks.ClassNotFound || f.Message == "" || f.Retryable {
		k.Errorf("the failure became %+v", f)
	}
}

func recordRetry(k *kit) {
	k.enqueue(spec("a"))
	due := time.Now().Add(time.Hour).Round(0).Truncate(time.Microsecond)
	l := k.work("w", retryAt(due))
	task := k.get(l.Task.ID)
	if task.State != tasks.StatePending || task.Outcome != "" || task.Attempts != 1 || !task.NotBefore.Equal(due) {
		k.Errorf("the task is %s %q after %d attempts, due %v", task.State, task.Outcome, task.Attempts, task.NotBefore)
	}
	if task.Failure == nil || task.Failure.Class != tasks.ClassTimeout {
		k.Errorf("its failure is %+v", task.Failure)
	}
	if got := k.steps(l.Task.ID); got != "PENDING>ASSIGNED ASSIGNED>PROCESSING PROCESSING>FAILED FAILED>PENDING" {
		k.Errorf("its transitions are %s", got)
	}
	a := task.History[0]
	if a.N != 1 || a.Outcome != tasks.OutcomeTimeout || a.Released || a.Error == nil || !a.RetryAt.Equal(due) {
		k.Errorf("its attempt is %+v", a)
	}
}

func recordRelease(k *kit) {
	k.enqueue(spec("a"))
	l := k.work("w", released())
	task := k.get(l.Task.ID)
	if task.State != tasks.StatePending || task.Outcome != tasks.OutcomeInterrupted || task.Attempts != 0 || task.Losses != 0 || task.Failure != nil {
		k.Errorf("the task is %s", summary(task))
	}
	if len(task.History) != 1 || !task.History[0].Released || task.History[0].N != 1 || task.History[0].Error == nil {
		k.Errorf("its history is %+v", task.History)
	}
	if got := k.steps(l.Task.ID); got != "PENDING>ASSIGNED ASSIGNED>PROCESSING PROCESSING>PENDING" {
		k.Errorf("its transitions are %s", got)
	}
	next := k.claim("w")
	k.start(next)
	if task := k.get(l.Task.ID); task.Outcome != "" {
		k.Errorf("a new attempt has begun, and the outcome is %s", task.Outcome)
	}
}

func recordLost(k *kit) {
	k.enqueue(spec("a"))
	l := k.work("w", lost())
	k.work("w", lost())
	if task := k.get(l.Task.ID); task.Attempts != 0 || task.Losses != 2 {
		k.Errorf("%d attempts, %d losses", task.Attempts, task.Losses)
	}
}

func recordReleaseEarly(k *kit) {
	k.enqueue(spec("a"))
	l := k.claim("w")
	k.record(l, released())
	task := k.get(l.Task.ID)
	if task.State != tasks.StatePending || task.Attempts != 0 || len(task.History) != 0 || task.Outcome != "" {
		k.Errorf("the task is %s", summary(task))
	}
	if got := k.steps(l.Task.ID); got != "PENDING>ASSIGNED ASSIGNED>PENDING" {
		k.Errorf("its transitions are %s", got)
	}
}

func recordKeepsResult(k *kit) {
	k.enqueue(spec("a"))
	first := retryAt(time.Time{})
	first.Result = partial().Result
	l := k.work("w", first)
	next := k.claim("w")
	if next.Task.Result == nil || next.Task.Result.Outcome != tasks.OutcomePartial {
		k.Fatalf("the next attempt sees the result %+v", next.Task.Result)
	}
	k.start(next)
	k.record(next, failed(tasks.OutcomeFailed))
	if task := k.get(l.Task.ID); task.Result == nil || task.Result.Outcome != tasks.OutcomePartial {
		k.Errorf("a decision without a result left %+v", task.Result)
	}
	if n, err := k.q.Retry(k.ctx, tasks.OutcomeFailed); n != 1 || err != nil {
		k.Fatalf("Retry = %d, %v", n, err)
	}
	k.work("w", complete())
	task := k.get(l.Task.ID)
	if task.Result == nil || task.Result.Outcome != tasks.OutcomeComplete || task.Failure != nil {
		k.Errorf("in the end: %s, %+v", summary(task), task.Result)
	}
}

func recordAttempt(k *kit) {
	k.enqueue(spec("a"))
	began := time.Now().Add(-time.Minute).Round(0).Truncate(time.Microsecond)
	d := failed(tasks.OutcomeAccessDenied)
	d.Failure.Phase = "open"
	d.Attempt = tasks.Attempt{
		Worker: "w", Executor: tasks.ExecutorFetch, StartedAt: began, EndedAt: began.Add(time.Second),
		PhaseMS: map[string]float64{"open": 12.5}, Evidence: []string{"evidence/POa/1.png"},
	}
	l := k.work("w", d)
	a := k.get(l.Task.ID).History[0]
	if a.N != 1 || a.Worker != "w" || a.Executor != tasks.ExecutorFetch || a.Outcome != tasks.OutcomeAccessDenied || a.Released || !a.RetryAt.IsZero() {
		k.Errorf("the attempt became %+v", a)
	}
	if !a.StartedAt.Equal(began) || !a.EndedAt.Equal(began.Add(time.Second)) {
		k.Errorf("its times became %v to %v", a.StartedAt, a.EndedAt)
	}
	if !maps.Equal(a.PhaseMS, d.Attempt.PhaseMS) || !slices.Equal(a.Evidence, d.Attempt.Evidence) {
		k.Errorf("its phases and evidence became %v, %v", a.PhaseMS, a.Evidence)
	}
	if a.Error == nil || a.Error.Phase != "open" || a.Error.Message != d.Failure.Message {
		k.Errorf("its error became %+v", a.Error)
	}
}

func recordNumbers(k *kit) {
	k.enqueue(spec("a"))
	var last *tasks.Lease
	for _, d := range []tasks.Decision{released(), retryAt(time.Time{}), lost(), retryAt(time.Time{}), failed(tasks.OutcomeFailed)} {
		last = k.work("w", d)
	}
	task := k.get(last.Task.ID)
	var got []int
	for _, a := range task.History {
		got = append(got, a.N)
	}
	if !slices.Equal(got, []int{1, 1, 2, 2, 3}) || task.Attempts != 3 || task.Losses != 1 {
		k.Errorf("numbers %v, %d attempts, %d losses", got, task.Attempts, task.Losses)
	}
}

func recordRefused(k *kit) {
	k.enqueue(spec("a"))
	l := k.claim("w")
	var refused *tasks.TransitionError
	for _, d := range []tasks.Decision{complete(), failed(tasks.OutcomeFailed), retryAt(time.Time{}), {To: tasks.StateAssigned}, {}} {
		k.wantSame(l.Task.ID, "a refused step", func() {
			if err := k.q.Record(k.ctx, l, d); !errors.As(err, &refused) {
				k.Errorf("Record(%s) of a task that has not begun: %v", d.To, err)
			}
		})
	}
	k.start(l)
	k.wantSame(l.Task.ID, "a second start", func() {
		if err := k.q.Start(k.ctx, l); !errors.As(err, &refused) {
			k.Errorf("second Start: %v", err)
		}
	})
	k.record(l, complete())
}
