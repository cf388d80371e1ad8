package tasks

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestClaimServesThoseItDealsTo: a claim that comes after a task has become due,
// and before the timer has said so, deals the task to another that waits. That
// one must get it: nothing else would tell it.
func TestClaimServesThoseItDealsTo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := NewMemory()
		defer q.Close()
		if _, err := q.Enqueue(t.Context(), Spec{Key: "1", PO: "1"}); err != nil {
			t.Fatal(err)
		}
		due := func(at time.Time) {
			q.mu.Lock()
			defer q.mu.Unlock()
			q.pending[0].task.NotBefore = at
			if q.due != nil {
				q.due.Stop() // a timer that is late
			}
		}
		due(time.Now().Add(time.Hour))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		got := map[string]chan error{"a": make(chan error, 1), "b": make(chan error, 1)}
		claim := func(worker string) {
			_, err := q.Claim(ctx, ClaimRequest{Worker: worker, Distribution: RoundRobin, Workers: []string{"a", "b"}})
			got[worker] <- err
		}
		go claim("a")
		synctest.Wait()
		due(time.Now().Add(-time.Second))
		go claim("b")
		if err := <-got["a"]; err != nil {
			t.Errorf("the worker whose turn it is got %v", err)
		}
		if err := <-got["b"]; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the other got %v", err)
		}
	})
}
