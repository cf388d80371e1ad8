package tasks_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// TestFactsDecide is the table of facts and decisions.
func TestFactsDecide(t *testing.T) {
	t.Parallel()
	var (
		limit  = errors.New("memory over 2 GB")
		full   = errors.New("the disk is full")
		stop   = errors.New("interrupted")
		crash  = errors.New("index out of range")
		host   = &tasks.HostTrouble{Text: "portal: error statuses", After: 7 * time.Second}
		broken = tasks.Retry(tasks.ClassHTTPStatus, "status 500")
		never  = tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "no such order")
		denied = tasks.Permanent(tasks.OutcomeAccessDenied, tasks.ClassAccessDenied, "status 403")
		lost   = tasks.Release(tasks.ClassBrowserLost, "the browser was lost")
		wall   = after(tasks.Release(tasks.ClassLogin, "the wall stands"), 3*time.Second)
		asks   = after(tasks.Retry(tasks.ClassThrottled, "status 429"), time.Minute)
	)
	const (
		released = "released"
		again    = "again"
		failed   = "failed"
	)
	tests := map[string]struct {
		own   *tasks.Failure
		facts tasks.Facts
		class tasks.Class
		want  string
		wait  time.Duration
		says  string
	}{
		"nothing, of what may be tried again": {own: broken, class: tasks.ClassHTTPStatus, want: again, wait: time.Second, says: "status 500"},
		"nothing, of what cannot be overcome": {own: never, class: tasks.ClassNotFound, want: failed},
		"nothing, of what is not its fault":   {own: wall, class: tasks.ClassLogin, want: released, wait: 3 * time.Second},

		"the host":                               {own: broken, facts: tasks.Facts{Host: host}, class: tasks.ClassHTTPStatus, want: released, wait: 7 * time.Second, says: "status 500; the attempt does not count (portal: error statuses)"},
		"the host, which denies everything":      {own: denied, facts: tasks.Facts{Host: host}, class: tasks.ClassAccessDenied, want: released, wait: 7 * time.Second},
		"the host, and the time was up":          {own: broken, facts: tasks.Facts{Host: host, Late: time.Minute}, class: tasks.ClassHTTPStatus, want: released, wait: 7 * time.Second},
		"the host, of an order that was stopped": {own: denied, facts: tasks.Facts{Host: host, Stopped: stop}, class: tasks.ClassReleased, want: released},

		"the disk":                             {own: broken, facts: tasks.Facts{Disk: full}, class: tasks.ClassStorage, want: released, says: "the disk is full"},
		"the disk, of what cannot be overcome": {own: never, facts: tasks.Facts{Disk: full}, class: tasks.ClassNotFound, want: failed},
		"the disk, which has stopped the work": {own: broken, facts: tasks.Facts{Disk: full, Stopped: stop}, class: tasks.ClassStorage, want: released},

		"a stop":                             {own: broken, facts: tasks.Facts{Stopped: stop}, class: tasks.ClassReleased, want: released, says: "the attempt at PO1 was interrupted: interrupted"},
		"a stop, of what cannot be overcome": {own: never, facts: tasks.Facts{Stopped: stop}, class: tasks.ClassNotFound, want: failed},
		"a stop, which ended a browser":      {own: lost, facts: tasks.Facts{Stopped: stop, Ended: limit}, class: tasks.ClassReleased, want: released},
		"a stop, in which it panicked":       {own: broken, facts: tasks.Facts{Stopped: stop, Panic: crash}, class: tasks.ClassReleased, want: released},

		"a panic":                             {own: broken, facts: tasks.Facts{Panic: crash}, class: tasks.ClassPanic, want: again, wait: time.Second, says: "the attempt at PO1 panicked: index out of range"},
		"a panic, late":                       {own: broken, facts: tasks.Facts{Panic: crash, Late: time.Minute}, class: tasks.ClassPanic, want: again, wait: time.Second},
		"a limit":                             {own: broken, facts: tasks.Facts{Ended: limit}, class: tasks.ClassBrowserLost, want: "lost", says: "the browser was ended while the order was worked on: memory over 2 GB"},
		"a limit, which was heavy":            {own: lost, facts: tasks.Facts{Ended: limit, Late: time.Minute}, class: tasks.ClassBrowserLost, want: "lost"},
		"a limit, of what cannot be overcome": {own: never, facts: tasks.Facts{Ended: limit}, class: tasks.ClassNotFound, want: failed},

		"its time":                             {own: asks, facts: tasks.Facts{Late: time.Minute}, class: tasks.ClassTimeout, want: again, wait: time.Minute, says: "the attempt at PO1 did not end within 1m0s: status 429"},
		"its time, which it did not heed":      {own: broken, facts: tasks.Facts{Late: time.Minute, Closed: true}, class: tasks.ClassTimeout, want: again, wait: time.Second, says: "within 1m0s, and its worker was closed: status 500"},
		"its time, of what is not its fault":   {own: wall, facts: tasks.Facts{Late: time.Minute}, class: tasks.ClassLogin, want: released, wait: 3 * time.Second},
		"its time, of what cannot be overcome": {own: never, facts: tasks.Facts{Late: time.Minute}, class: tasks.ClassNotFound, want: failed},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own := *test.own
			own.Facts, own.Phase, own.Evidence = test.facts, tasks.PhaseDownload, []string{"evidence/a"}
			own.PhaseMS, own.Executor = map[string]float64{"open": 1}, tasks.ExecutorFetch
			d := steady().After(&tasks.ProcessingTask{Spec: tasks.Spec{PO: "PO1"}}, nil, &own, now)
			got := again
			switch {
			case d.Lost:
				got = "lost"
			case d.Released:
				got = released
			case d.To.Final():
				got = failed
			}
			wait := time.Duration(0)
			if !d.NotBefore.IsZero() {
				wait = d.NotBefore.Sub(now)
			}
			f := d.Failure
			if f.Class != test.class || got != test.want || wait != test.wait || !strings.Contains(f.Message, test.says) {
				t.Errorf("got %s after %v, %s: %s", got, wait, f.Class, f.Message)
			}
			if f.Phase != tasks.PhaseDownload || len(f.Evidence) != 1 || len(f.PhaseMS) != 1 || f.Executor != tasks.ExecutorFetch {
				t.Errorf("what is known of the attempt is lost: %+v", f)
			}
			if own.Class != test.own.Class || own.Message != test.own.Message {
				t.Errorf("the failure was rewritten: %+v", own)
			}
			for _, cause := range []error{test.facts.Disk, test.facts.Panic} {
				if cause != nil && test.want != failed && test.facts.Stopped == nil && !errors.Is(f, cause) {
					t.Errorf("%v is not in the failure's chain", cause)
				}
			}
		})
	}
}

func TestWithFacts(t *testing.T) {
	t.Parallel()
	facts := tasks.Facts{Ended: errors.New("memory over 2 GB")}
	missing := tasks.Retry(tasks.ClassAttachment, "b.pdf is missing")
	stands := map[string]*tasks.Result{
		"a whole one":                       result(tasks.OutcomeComplete, nil),
		"one that nothing can better":       result(tasks.OutcomePartial, tasks.Permanent("", tasks.ClassLimit, "over the limit")),
		"one without documents, and proven": result(tasks.OutcomeNoAttachments, nil),
	}
	for name, res := range stands {
		if got, err := tasks.WithFacts(res, nil, facts); got != res || err != nil {
			t.Errorf("%s became %+v, %v", name, got, err)
		}
	}
	for name, res := range map[string]*tasks.Result{"part": result(tasks.OutcomePartial, missing), "part, without a reason": result(tasks.OutcomePartial, nil)} {
		res.Executor, res.Evidence = tasks.ExecutorRender, []string{"evidence/a"}
		if got, err := tasks.WithFacts(res, nil, tasks.Facts{}); got != res || err != nil {
			t.Errorf("%s without facts became %+v, %v", name, got, err)
		}
		got, err := tasks.WithFacts(res, nil, facts)
		f := tasks.AsFailure(err)
		if got != nil || f == nil || f.Facts != facts || f.Executor != tasks.ExecutorRender || len(f.Evidence) != 1 {
			t.Errorf("%s became %+v, %+v", name, got, f)
		}
	}
	if missing.Facts != (tasks.Facts{}) {
		t.Errorf("the result's own failure was changed: %+v", missing)
	}
}
