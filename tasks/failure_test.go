package tasks_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

func TestAsFailure(t *testing.T) {
	t.Parallel()
	inner := tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "no such order")
	outer := tasks.Retry(tasks.ClassNavigation, "opening the page: %w", inner)
	tests := map[string]struct {
		err  error
		want *tasks.Failure
	}{
		"a failure":                    {inner, inner},
		"a wrapped one":                {fmt.Errorf("order 1: %w", inner), inner},
		"one wrapped twice":            {fmt.Errorf("a: %w", fmt.Errorf("b: %w", inner)), inner},
		"a failure caused by another":  {outer, outer},
		"one among joined errors":      {errors.Join(io.EOF, inner), inner},
		"the first of several joined":  {errors.Join(outer, inner), outer},
		"no error":                     {nil, nil},
		"one beside another in a wrap": {fmt.Errorf("%w, %w", io.EOF, inner), inner},
	}
	for name, test := range tests {
		if got := tasks.AsFailure(test.err); got != test.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAsFailureOfAnyError(t *testing.T) {
	t.Parallel()
	got := tasks.AsFailure(fmt.Errorf("reading: %w", io.ErrUnexpectedEOF))
	if got.Class != tasks.ClassInternal || got.Advice != tasks.AdviceRetry || !got.Retryable {
		t.Errorf("%+v", got)
	}
	if got.Error() != "reading: unexpected EOF" || !errors.Is(got, io.ErrUnexpectedEOF) {
		t.Errorf("%q, cause %v", got.Error(), got.Cause)
	}
	// A nil *Failure in an error is a mistake of the caller, but no reason to panic.
	if none := tasks.AsFailure((*tasks.Failure)(nil)); none == nil || none.Class != tasks.ClassInternal {
		t.Errorf("of a nil failure: %+v", none)
	}
}

func TestFailureConstructors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		got       *tasks.Failure
		advice    tasks.Advice
		retryable bool
		outcome   tasks.Outcome
	}{
		{tasks.Retry(tasks.ClassTimeout, "after %d s", 5), tasks.AdviceRetry, true, ""},
		{tasks.Release(tasks.ClassTimeout, "after %d s", 5), tasks.AdviceRelease, true, ""},
		{tasks.Permanent(tasks.OutcomeTimeout, tasks.ClassTimeout, "after %d s", 5), tasks.AdvicePermanent, false, tasks.OutcomeTimeout},
	}
	for _, test := range tests {
		f := test.got
		if f.Advice != test.advice || f.Retryable != test.retryable || f.Outcome != test.outcome || f.Error() != "after 5 s" || f.Class != tasks.ClassTimeout {
			t.Errorf("%+v", f)
		}
	}
}

func ExampleFailure() {
	f := tasks.Retry(tasks.ClassHTTPStatus, "https://portal.example/1 answered 503; it is tried again")
	f.Phase = "open"
	stored, _ := json.Marshal(f)
	fmt.Println(string(stored))
	// Output: {"class":"http_status","phase":"open","message":"https://portal.example/1 answered 503; it is tried again","retryable":true}
}
