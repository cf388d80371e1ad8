package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/queuetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMemoryConforms(t *testing.T) {
	t.Parallel()
	queuetest.Run(t, func(*testing.T) tasks.TaskQueue { return tasks.NewMemory() })
}

// TestMemoryWaitsExactly: a claim returns at the very moment at which its task is
// due, and nothing stirs before.
func TestMemoryWaitsExactly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := tasks.NewMemory()
		defer q.Close()
		enqueue(t, q, tasks.Spec{Key: "later"}, tasks.Spec{Key: "sooner"})
		start := time.Now()
		for _, wait := range []time.Duration{time.Hour, time.Minute} {
			l := claim(t, q)
			testkit.Must(t, q.Start(t.Context(), l))
			testkit.Must(t, q.Record(t.Context(), l, tasks.Decision{To: tasks.StatePending, NotBefore: start.Add(wait)}))
		}
		for _, want := range []struct {
			key  string
			wait time.Duration
		}{{"sooner", time.Minute}, {"later", time.Hour}} {
			l := claim(t, q)
			if waited := time.Since(start); waited != want.wait || l.Task.Key != want.key || l.ClaimTook != 0 {
				t.Errorf("%s came after %v, claimed in %v", l.Task.Key, waited, l.ClaimTook)
			}
		}
	})
}

// TestMemoryWakesWithoutPolling: whoever waits is blocked for good until there is
// a reason to wake, or the test would find time going on.
func TestMemoryWakesWithoutPolling(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := tasks.NewMemory()
		enqueue(t, q, tasks.Spec{Key: "held"})
		held := claim(t, q)
		start := time.Now()
		got := make(chan string, 3)
		for i := range 3 {
			go func() {
				leases, err := q.Claim(t.Context(), tasks.ClaimRequest{Worker: fmt.Sprint(i)})
				if err != nil {
					got <- err.Error()
					return
				}
				got <- leases[0].Task.Key
			}()
		}
		synctest.Wait()
		testkit.Must(t, q.Record(t.Context(), held, tasks.Decision{To: tasks.StatePending, Released: true}))
		if key := <-got; key != "held" {
			t.Errorf("the release woke with %s", key)
		}
		enqueue(t, q, tasks.Spec{Key: "new"})
		if key := <-got; key != "new" {
			t.Errorf("the new task woke with %s", key)
		}
		synctest.Wait()
		testkit.Must(t, q.Close())
		if text := <-got; text != tasks.ErrClosed.Error() {
			t.Errorf("the close woke with %s", text)
		}
		if time.Since(start) != 0 {
			t.Errorf("it took %v", time.Since(start))
		}
	})
}

func TestMemoryForgetsACancelledClaim(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := tasks.NewMemory()
		defer q.Close()
		enqueue(t, q, tasks.Spec{Key: "held"})
		held := claim(t, q)
		stop := errors.New("scaled down")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, stop)
		defer cancel()
		if _, err := q.Claim(ctx, tasks.ClaimRequest{Worker: "gone"}); !errors.Is(err, stop) {
			t.Errorf("Claim: %v", err)
		}
		testkit.Must(t, q.Record(t.Context(), held, tasks.Decision{To: tasks.StatePending, Released: true}))
		if s, err := q.Stats(t.Context()); err != nil || s.Ready != 1 {
			t.Errorf("the cancelled claim took the task along: %+v, %v", s, err)
		}
	})
}

func enqueue(t *testing.T, q tasks.TaskQueue, specs ...tasks.Spec) {
	t.Helper()
	_, err := q.Enqueue(t.Context(), specs...)
	testkit.Must(t, err)
}

func claim(t *testing.T, q tasks.TaskQueue) *tasks.Lease {
	t.Helper()
	leases, err := q.Claim(t.Context(), tasks.ClaimRequest{Worker: "w"})
	testkit.Must(t, err)
	return leases[0]
}

// One order, tried twice: the policy decides, the queue keeps.
func ExampleMemory() {
	ctx := context.Background()
	queue := tasks.NewMemory()
	defer queue.Close()
	_, _ = queue.Enqueue(ctx, tasks.Spec{Key: "PO15262984", PO: "PO15262984"})
	policy := tasks.DefaultPolicy()
	policy.Backoff = time.Millisecond
	for attempt := 1; ; attempt++ {
		leases, err := queue.Claim(ctx, tasks.ClaimRequest{Worker: "worker_001"})
		if errors.Is(err, tasks.ErrDrained) {
			break
		}
		task := leases[0].Task
		_ = queue.Start(ctx, leases[0])
		var found *tasks.Result
		var failure error
		if attempt == 1 {
			failure = tasks.Retry(tasks.ClassHTTPStatus, "the portal answered 503")
		} else {
			found = &tasks.Result{Outcome: tasks.OutcomeComplete}
		}
		_ = queue.Record(ctx, leases[0], policy.After(task, found, failure, time.Now()))
		now, _ := queue.Get(ctx, task.ID)
		fmt.Printf("%s %s after %d: %q\n", now.PO, now.State, now.Attempts, now.Outcome)
	}
	// Output:
	// PO15262984 PENDING after 1: ""
	// PO15262984 COMPLETED after 2: "complete"
}
