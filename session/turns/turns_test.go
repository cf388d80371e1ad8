package turns

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/queuetest"
)

// filled returns the queue of portals a and b, with so many orders of each.
func filled(t *testing.T, a, b int) *Queue {
	t.Helper()
	q := New(tasks.NewMemory(), []string{"a", "b"})
	for portal, n := range map[string]int{"a": a, "b": b} {
		for i := range n {
			if _, err := q.Enqueue(t.Context(), tasks.Spec{Key: fmt.Sprint(portal, i), PO: fmt.Sprint(portal, i), Portal: portal}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return q
}

// claim returns the portal of the order that the slot gets, or what it gets instead.
func claim(ctx context.Context, q *Queue, slot string) string {
	leases, err := q.Claim(ctx, tasks.ClaimRequest{Worker: slot})
	switch {
	case errors.Is(err, tasks.ErrDrained):
		return "drained"
	case err != nil:
		return err.Error()
	}
	return leases[0].Task.Portal
}

// wants claims for a slot, whose browser is then at the portal of what it got.
func wants(t *testing.T, q *Queue, slot, portal string) {
	t.Helper()
	if next := q.Send(t.Context(), slot); portal != "drained" && next != portal {
		t.Errorf("%s is to go to %q, want %q", slot, next, portal)
	}
	if got := claim(t.Context(), q, slot); got != portal {
		t.Errorf("%s got %q, want %q", slot, got, portal)
	}
	q.At(slot, portal)
}

// waiting claims for a slot beside the test, and sees that it waits.
func waiting(t *testing.T, q *Queue, slot string) <-chan string {
	t.Helper()
	got := make(chan string, 1)
	go func() { got <- claim(t.Context(), q, slot) }()
	synctest.Wait()
	select {
	case portal := <-got:
		t.Errorf("%s did not wait, and got %q", slot, portal)
	default:
	}
	return got
}

func TestWorkersStayAtTheirPortal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := filled(t, 6, 3)
		wants(t, q, "1", "a")
		wants(t, q, "2", "b") // where nobody is
		wants(t, q, "3", "a")
		q.At("4", "a")
		for slot, portal := range map[string]string{"1": "a", "2": "b", "3": "a", "4": "a"} {
			wants(t, q, slot, portal)
		}
		wants(t, q, "1", "a")
		<-time.After(countsLast)
		wants(t, q, "1", "b") // nothing is left at its own
	})
}

func TestAWorkerGoesWhereNobodyIs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := filled(t, 8, 4)
		for _, slot := range []string{"1", "2", "3"} {
			q.At(slot, "a")
		}
		if got := claim(t.Context(), q, "1"); got != "b" {
			t.Errorf("1 got %q although nobody is at b", got)
		}
		if got := claim(t.Context(), q, "2"); got != "a" {
			t.Errorf("2 got %q although 1 is on its way there", got)
		}
		q.At("1", "") // its browser could not be opened
		if got := claim(t.Context(), q, "3"); got != "b" {
			t.Errorf("3 got %q although nobody is at b", got)
		}
	})
}

// TestAHigherPriorityElsewhere: one worker goes there first, and comes back.
func TestAHigherPriorityElsewhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := filled(t, 3, 1)
		for n, priority := range []int{5, 7} {
			if _, err := q.Enqueue(t.Context(), tasks.Spec{Key: fmt.Sprint("urgent", n), Portal: "b", Priority: priority}); err != nil {
				t.Fatal(err)
			}
		}
		q.At("1", "a")
		wants(t, q, "1", "b")
		wants(t, q, "1", "b")
		<-time.After(countsLast)
		wants(t, q, "1", "b") // of its own portal, as all are alike now
		<-time.After(countsLast)
		wants(t, q, "1", "a")
		wants(t, q, "2", "a")
	})
}

func TestAHeldPortalWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := filled(t, 1, 2)
		q.At("1", "a")
		q.At("2", "b")
		release, again := q.Hold("b"), q.Hold("b")
		if s, err := q.Stats(t.Context()); err != nil || s.Ready != 1 || s.Open() != 3 {
			t.Errorf("the counts are %+v, %v", s, err)
		}
		wants(t, q, "1", "a")
		own, other := waiting(t, q, "2"), waiting(t, q, "3")
		release()
		release()
		synctest.Wait()
		if len(own)+len(other) > 0 {
			t.Error("they did not wait for the other hold")
		}
		again()
		if a, b := <-own, <-other; a != "b" || b != "b" {
			t.Errorf("they got %q and %q", a, b)
		}
	})
}

// TestAPortalThatIsLeft keeps its orders, and nobody from those of others.
func TestAPortalThatIsLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := filled(t, 2, 2)
		q.At("1", "b")
		release := q.Hold("b")
		own := waiting(t, q, "1")
		q.Leave("b", "a wall")
		q.Leave("b", "another wall")
		if got := <-own; got != "a" {
			t.Errorf("its worker got %q", got)
		}
		release()
		if s, err := q.Stats(t.Context()); err != nil || s.Ready != 1 || s.Open() != 2 {
			t.Errorf("the counts are %+v, %v", s, err)
		}
		leases, err := q.Claim(t.Context(), tasks.ClaimRequest{Worker: "2"})
		if err != nil || leases[0].Task.Portal != "a" {
			t.Fatal(leases, err)
		}
		last := waiting(t, q, "1") // that one may be put back
		d := tasks.Decision{To: tasks.StateCompleted, Outcome: tasks.OutcomeComplete, Result: &tasks.Result{Outcome: tasks.OutcomeComplete}}
		if err := errors.Join(q.Start(t.Context(), leases[0]), q.Record(t.Context(), leases[0], d)); err != nil {
			t.Fatal(err)
		}
		q.Leave("a", "maintenance")
		synctest.Wait()
		if len(last) > 0 {
			t.Error("it did not wait for the first worker's order")
		}
		if left := q.Left(); !maps.Equal(left, map[string]string{"a": "maintenance", "b": "a wall"}) {
			t.Errorf("left are %v", left)
		}
	})
}

// TestNothingIsLeft: what waits at a portal that is left keeps nobody.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := filled(t, 0, 3)
		defer q.Hold("b")()
		q.Leave("b", "a wall")
		wants(t, q, "1", "drained")
		if s, err := q.Stats(t.Context()); err != nil || s.Open() != 0 {
			t.Errorf("the counts are %+v, %v", s, err)
		}
	})
}

func TestClaimsEndWithTheirContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := filled(t, 0, 1)
		defer q.Hold("b")()
		stopped := errors.New("stopped")
		ctx, stop := context.WithCancelCause(t.Context())
		got := make(chan string, 2)
		for _, slot := range []string{"1", "2"} {
			go func() { got <- claim(ctx, q, slot) }()
		}
		synctest.Wait()
		stop(stopped)
		if all := []string{<-got, <-got}; !slices.Equal(all, []string{"stopped", "stopped"}) {
			t.Errorf("the claims ended with %q", all)
		}
	})
}

// countedLate is a queue that counts its tasks when it is told to.
type countedLate struct {
	tasks.TaskQueue
	count func()
}

func (q *countedLate) Stats(ctx context.Context) (tasks.Stats, error) {
	q.count()
	return q.TaskQueue.Stats(ctx)
}

// TestClaimsWaitForNoOther: neither what is recorded or counted of other orders nor a claim that waits,
// or has the orders counted, keeps a worker from its order.
func TestClaimsWaitForNoOther(t *testing.T) {
	t.Parallel()
	queuetest.ClaimsBeside(t, func(t *testing.T, inner tasks.TaskQueue) tasks.TaskQueue {
		return New(inner, []string{queuetest.Portal, "another"})
	})

	inner := &countedLate{TaskQueue: tasks.NewMemory()}
	if _, err := inner.Enqueue(t.Context(), tasks.Spec{Key: "1", Portal: "a"}, tasks.Spec{Key: "2", Portal: "a"}); err != nil {
		t.Fatal(err)
	}
	q := New(inner, []string{"a", "b"})
	queuetest.ClaimBeside(t, q, func(hang func()) {
		inner.count = hang
		if got := claim(t.Context(), q, "1"); got != "a" {
			t.Errorf("the worker whose claim has the orders counted got %q", got)
		}
	})
}
