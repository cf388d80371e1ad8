package tasks_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// steady is the default policy without jitter.
func steady() tasks.Policy {
	p := tasks.DefaultPolicy()
	p.Random = func() float64 { return 0 }
	return p
}

func result(o tasks.Outcome, missing *tasks.Failure) *tasks.Result {
	return &tasks.Result{Outcome: o, Missing: missing}
}

func after(f *tasks.Failure, wait time.Duration) *tasks.Failure {
	f.After = wait
	return f
}

func TestPolicyAfter(t *testing.T) {
	t.Parallel()
	missing := func() *tasks.Failure { return tasks.Retry(tasks.ClassAttachment, "b.pdf is missing") }
	partly := &tasks.Result{Outcome: tasks.OutcomePartial}
	type want struct {
		to       tasks.State
		outcome  tasks.Outcome
		released bool
		lost     bool
		wait     time.Duration
	}
	tests := map[string]struct {
		task tasks.ProcessingTask
		res  *tasks.Result
		err  error
		want want
	}{
		"complete":       {res: result(tasks.OutcomeComplete, nil), want: want{to: tasks.StateCompleted, outcome: tasks.OutcomeComplete}},
		"no attachments": {res: result(tasks.OutcomeNoAttachments, nil), want: want{to: tasks.StateCompleted, outcome: tasks.OutcomeNoAttachments}},
		"partial, first attempt": {res: result(tasks.OutcomePartial, missing()),
			want: want{to: tasks.StatePending, outcome: tasks.OutcomePartial, wait: time.Second}},
		"partial, last attempt": {task: tasks.ProcessingTask{Attempts: 2}, res: result(tasks.OutcomePartial, missing()),
			want: want{to: tasks.StateCompleted, outcome: tasks.OutcomePartial}},
		"partial for ever": {res: result(tasks.OutcomePartial, tasks.Permanent("", tasks.ClassLimit, "over the limit")),
			want: want{to: tasks.StateCompleted, outcome: tasks.OutcomePartial}},
		"partial without a reason": {res: result(tasks.OutcomePartial, nil), want: want{to: tasks.StateCompleted, outcome: tasks.OutcomePartial}},
		"no document could be had": {res: result(tasks.OutcomeFailed, missing()),
			want: want{to: tasks.StatePending, outcome: tasks.OutcomeFailed, wait: time.Second}},
		"permanent": {err: tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "none"),
			want: want{to: tasks.StateFailed, outcome: tasks.OutcomeNotFound}},
		"permanent, wrapped": {err: fmt.Errorf("x: %w", tasks.Permanent(tasks.OutcomeAccessDenied, tasks.ClassAccessDenied, "no")),
			want: want{to: tasks.StateFailed, outcome: tasks.OutcomeAccessDenied}},
		"permanent without an outcome": {err: tasks.Permanent("", tasks.ClassPage, "no"), want: want{to: tasks.StateFailed, outcome: tasks.OutcomeFailed}},
		"permanent with an outcome that does not end": {err: tasks.Permanent(tasks.OutcomeInterrupted, tasks.ClassInternal, "no"),
			want: want{to: tasks.StateFailed, outcome: tasks.OutcomeFailed}},
		"any error": {err: errors.New("boom"), want: want{to: tasks.StatePending, outcome: tasks.OutcomeFailed, wait: time.Second}},
		"second retry": {task: tasks.ProcessingTask{Attempts: 1}, err: tasks.Retry(tasks.ClassTimeout, "slow"),
			want: want{to: tasks.StatePending, outcome: tasks.OutcomeFailed, wait: 2 * time.Second}},
		"no retry left": {task: tasks.ProcessingTask{Attempts: 2}, err: tasks.Retry(tasks.ClassTimeout, "slow"),
			want: want{to: tasks.StateFailed, outcome: tasks.OutcomeFailed}},
		"the portal asks to wait": {err: after(tasks.Retry(tasks.ClassThrottled, "429"), time.Minute),
			want: want{to: tasks.StatePending, outcome: tasks.OutcomeFailed, wait: time.Minute}},
		"it asks for less than the back-off": {err: after(tasks.Retry(tasks.ClassThrottled, "429"), time.Millisecond),
			want: want{to: tasks.StatePending, outcome: tasks.OutcomeFailed, wait: time.Second}},
		"it asks for a day": {err: after(tasks.Retry(tasks.ClassThrottled, "429"), 24*time.Hour),
			want: want{to: tasks.StatePending, outcome: tasks.OutcomeFailed, wait: 5 * time.Minute}},
		"released": {task: tasks.ProcessingTask{Attempts: 2}, err: after(tasks.Release(tasks.ClassLogin, "wall"), time.Second),
			want: want{to: tasks.StatePending, outcome: tasks.OutcomeInterrupted, released: true, wait: time.Second}},
		"browser lost": {err: tasks.Release(tasks.ClassBrowserLost, "killed"),
			want: want{to: tasks.StatePending, outcome: tasks.OutcomeInterrupted, released: true, lost: true}},
		"browser lost twice": {task: tasks.ProcessingTask{Losses: 1}, err: tasks.Release(tasks.ClassBrowserLost, "killed"),
			want: want{to: tasks.StateFailed, outcome: tasks.OutcomeFailed, lost: true}},
		"browser lost again, among other orders": {task: tasks.ProcessingTask{Losses: 1}, err: bystander(),
			want: want{to: tasks.StatePending, outcome: tasks.OutcomeInterrupted, released: true}},
		"broken after a part was had": {task: tasks.ProcessingTask{Attempts: 2, Result: partly}, err: errors.New("boom"),
			want: want{to: tasks.StateCompleted, outcome: tasks.OutcomePartial}},
		"not found after a part was had": {task: tasks.ProcessingTask{Attempts: 2, Result: partly},
			err:  tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "gone"),
			want: want{to: tasks.StateFailed, outcome: tasks.OutcomeNotFound}},
		"nothing after a part was had": {task: tasks.ProcessingTask{Attempts: 2, Result: partly}, res: result(tasks.OutcomeFailed, missing()),
			want: want{to: tasks.StateFailed, outcome: tasks.OutcomeFailed}},
		"neither result nor error": {want: want{to: tasks.StateFailed, outcome: tasks.OutcomeFailed}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := steady().After(&test.task, test.res, test.err, now)
			got := want{to: d.To, outcome: d.Outcome, released: d.Released, lost: d.Lost}
			if !d.NotBefore.IsZero() {
				got.wait = d.NotBefore.Sub(now)
			}
			if got != test.want {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
			if d.Result != test.res || (d.Failure == nil) != (d.Outcome.Well() || test.res != nil && test.res.Missing == nil) {
				t.Errorf("result %v, failure %v", d.Result, d.Failure)
			}
		})
	}
}

// bystander is the failure of an order whose browser others had too.
func bystander() *tasks.Failure {
	f := tasks.Release(tasks.ClassBrowserLost, "killed")
	f.Bystander = true
	return f
}

// TestPolicyChangesNothing: deciding is no doing.
func TestPolicyChangesNothing(t *testing.T) {
	t.Parallel()
	f := tasks.Release(tasks.ClassBrowserLost, "killed")
	d := steady().After(&tasks.ProcessingTask{Losses: 1}, nil, f, now)
	if !f.Retryable || d.Failure.Retryable {
		t.Errorf("the caller's failure is retryable %t, the decision's %t", f.Retryable, d.Failure.Retryable)
	}
}

func TestPolicyBacksOff(t *testing.T) {
	t.Parallel()
	p := tasks.Policy{Retries: 100, Backoff: time.Second, MaxBackoff: 10 * time.Second, MaxRetryAfter: time.Hour, Jitter: 0.5, MaxLosses: 1}
	tests := []struct {
		attempts int
		random   float64
		want     time.Duration
	}{
		{0, 0, time.Second}, {1, 0, 2 * time.Second}, {2, 0, 4 * time.Second}, {3, 0, 8 * time.Second},
		{4, 0, 10 * time.Second}, {99, 0, 10 * time.Second}, {0, 0.5, 1250 * time.Millisecond}, {99, 0.5, 12500 * time.Millisecond},
	}
	for _, test := range tests {
		p.Random = func() float64 { return test.random }
		d := p.After(&tasks.ProcessingTask{Attempts: test.attempts}, nil, errors.New("boom"), now)
		if got := d.NotBefore.Sub(now); got != test.want {
			t.Errorf("after %d attempts with %v: %v, want %v", test.attempts+1, test.random, got, test.want)
		}
	}
	p.Random = nil
	for range 100 {
		wait := p.After(&tasks.ProcessingTask{}, nil, errors.New("boom"), now).NotBefore.Sub(now)
		if wait < time.Second || wait > 1500*time.Millisecond {
			t.Fatalf("with its own jitter it waits %v", wait)
		}
	}
}

func TestPolicyValidate(t *testing.T) {
	t.Parallel()
	if err := tasks.DefaultPolicy().Validate(); err != nil {
		t.Errorf("the default: %v", err)
	}
	for field, spoil := range map[string]func(*tasks.Policy){
		"Retries":       func(p *tasks.Policy) { p.Retries = -1 },
		"Backoff":       func(p *tasks.Policy) { p.Backoff = -1 },
		"MaxBackoff":    func(p *tasks.Policy) { p.MaxBackoff = -1 },
		"MaxRetryAfter": func(p *tasks.Policy) { p.MaxRetryAfter = -1 },
		"Jitter":        func(p *tasks.Policy) { p.Jitter = 1.1 },
		"MaxLosses":     func(p *tasks.Policy) { p.MaxLosses = 0 },
	} {
		p := tasks.DefaultPolicy()
		spoil(&p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
}
