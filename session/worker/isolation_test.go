package worker

import (
	"errors"
	"testing"

	"github.com/poscrape/poscrape/internal/container"
	"github.com/poscrape/poscrape/tasks"
)

// TestMixed: half of the browsers are in containers, rounded up, also of those that are just being opened,
// and after some are gone.
func TestMixed(t *testing.T) {
	t.Parallel()
	engine := &container.Engine{}
	o := NewOpener(Config{Isolation: Mixed, Engine: engine})
	open := func() *Worker {
		w := &Worker{opener: o}
		w.contained = o.begin() == engine
		o.count(w, 1)
		if w.contained {
			o.begun(engine, nil)
		} else {
			o.begun(nil, nil)
		}
		return w
	}
	check := func(want int) {
		t.Helper()
		if got := o.Contained(); got != want {
			t.Errorf("%d of %d are in containers, want %d", got, o.live, want)
		}
	}
	var all []*Worker
	for i := range 8 {
		all = append(all, open())
		check(i/2 + 1)
	}
	for _, w := range all { // each in turn
		o.count(w, -1)
		open()
		check(4)
	}
	first, second := o.begin(), o.begin() // at once
	if (first == nil) == (second == nil) {
		t.Errorf("of two more, got %v and %v", first, second)
	}
	failed := errors.New("no Chrome")
	o.begun(first, failed)
	o.begun(second, failed)
	check(4)
	left := o.begin()
	if left == nil {
		left = o.begin()
		o.begun(nil, failed)
	}
	o.begun(left, errors.Join(failed, &container.LeftError{}))
	check(5) // it is still there
}

// TestContainersFail: after two in a row that do not come up no more are tried, and that is told once.
func TestContainersFail(t *testing.T) {
	t.Parallel()
	var told []string
	o := NewOpener(Config{Isolation: InContainer, Engine: &container.Engine{}, Tell: func(e tasks.Event) { told = append(told, e.Detail) },
		Warn: func(string, ...any) {}})
	o.made = 2
	why := errors.New("no image")
	for n := 1; n <= 2; n++ {
		if err := o.withoutContainer(t.Context(), why); err != nil {
			t.Fatal(err)
		}
		if (o.Engine == nil) != (n == 2) {
			t.Errorf("after %d: the engine is %v", n, o.Engine)
		}
	}
	if len(told) != 1 {
		t.Errorf("told %q", told)
	}
	o = NewOpener(Config{Isolation: InContainer, Engine: &container.Engine{}, Required: true})
	if err := o.withoutContainer(t.Context(), why); !errors.As(err, new(*IsolationError)) || !errors.Is(err, why) {
		t.Errorf("where they are required: %v", err)
	}
	limits := Limits{MemoryLimit: 400_000_000, CPULimit: 1.5, Action: LimitKill}.containerLimits()
	if limits != (container.Limits{Memory: 500_000_000, CPUs: 1.5}) {
		t.Errorf("the limits are %+v", limits)
	}
	if limits := (Limits{MemoryLimit: 400_000_000, CPULimit: 1.5, Action: LimitWarn}).containerLimits(); limits != (container.Limits{Memory: containedMemory}) {
		t.Errorf("where a limit is only warned of: %+v", limits)
	}
}
