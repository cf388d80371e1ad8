package queuetest

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// Portal is that of the tasks in the queues that ClaimsBeside wraps.
const Portal = "a"

// ClaimsBeside tests a queue that wraps another: while any call hangs in the one that it wraps, it
// hands out a task to whoever claims one. wrap returns it, around an empty queue.
func ClaimsBeside(t *testing.T, wrap func(t *testing.T, inner tasks.TaskQueue) tasks.TaskQueue) {
	t.Helper()
	for _, call := range besideCalls {
		t.Run("claim beside "+call.method, func(t *testing.T) {
			t.Parallel()
			inner := &hanging{TaskQueue: tasks.NewMemory(), method: call.method}
			k := newKit(t, wrap(t, inner))
			for _, key := range []string{"a", "b", "c", "d"} {
				s := spec(key)
				s.Portal = Portal
				k.enqueue(s)
			}
			begun, claimed := k.claim("worker_001"), k.claim("worker_002")
			k.start(begun)
			ClaimBeside(t, k.q, func(hang func()) {
				inner.hang.Store(&hang)
				if err := call.do(k, begun, claimed); err != nil {
					t.Errorf("%s: %v", call.method, err)
				}
			})
		})
	}
}

// ClaimBeside tests that a queue hands out a task while a call of it hangs: other makes that call, and
// has hang called where it is to hang.
func ClaimBeside(t *testing.T, q tasks.TaskQueue, other func(hang func())) {
	t.Helper()
	hangs, free, over := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		var hung atomic.Bool
		other(func() {
			if hung.CompareAndSwap(false, true) {
				close(hangs)
				<-free
			}
		})
	}()
	select {
	case <-hangs:
	case <-over:
		t.Error("the other call does not hang where it is to")
		return
	}
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		if leases, err := q.Claim(t.Context(), tasks.ClaimRequest{Worker: "worker_003"}); err != nil || len(leases) != 1 {
			t.Errorf("Claim = %d leases, %v", len(leases), err)
		}
	}()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-answered:
	case <-late.C:
		t.Error("the claim waits for the other call")
	}
	close(free)
	<-over
	<-answered
}

// besideCalls are calls that a claim does not wait for: with a task that was begun, and one that was
// only claimed.
var besideCalls = []struct {
	method string
	do     func(k *kit, begun, claimed *tasks.Lease) error
}{
	{"Record", func(k *kit, begun, _ *tasks.Lease) error { return k.q.Record(k.ctx, begun, complete()) }},
	{"Start", func(k *kit, _, claimed *tasks.Lease) error { return k.q.Start(k.ctx, claimed) }},
	{"Extend", func(k *kit, begun, _ *tasks.Lease) error { return k.q.Extend(k.ctx, begun) }},
	{"Claim", func(k *kit, _, _ *tasks.Lease) error {
		_, err := k.q.Claim(k.ctx, tasks.ClaimRequest{Worker: "worker_004"})
		return err
	}},
	{"Enqueue", func(k *kit, _, _ *tasks.Lease) error { _, err := k.q.Enqueue(k.ctx, spec("new")); return err }},
	{"Reap", func(k *kit, _, _ *tasks.Lease) error { _, err := k.q.Reap(k.ctx); return err }},
	{"Retry", func(k *kit, _, _ *tasks.Lease) error { _, err := k.q.Retry(k.ctx, tasks.OutcomeFailed); return err }},
	{"Reread", func(k *kit, _, _ *tasks.Lease) error { _, err := k.q.Reread(k.ctx, "to see it again"); return err }},
	{"Prove", func(k *kit, _, _ *tasks.Lease) error { _, err := k.q.Prove(k.ctx, "kind", tasks.Proof{}); return err }},
	{"Doubt", func(k *kit, _, _ *tasks.Lease) error {
		_, err := k.q.Doubt(k.ctx, tasks.Permanent("", tasks.ClassUnproven, "others list the same"))
		return err
	}},
	{"Get", func(k *kit, begun, _ *tasks.Lease) error { _, err := k.q.Get(k.ctx, begun.Task.ID); return err }},
	{"Each", func(k *kit, _, _ *tasks.Lease) error {
		return k.q.Each(k.ctx, func(*tasks.ProcessingTask) error { return nil })
	}},
	{"Stats", func(k *kit, _, _ *tasks.Lease) error { _, err := k.q.Stats(k.ctx); return err }},
}

// hanging is a queue one of whose methods hangs, once it is told how.
type hanging struct {
	tasks.TaskQueue
	method string
	hang   atomic.Pointer[func()]
}

// in is called in a method.
func (h *hanging) in(method string) {
	if hang := h.hang.Load(); hang != nil && method == h.method {
		(*hang)()
	}
}

func (h *hanging) Enqueue(ctx context.Context, specs ...tasks.Spec) (tasks.EnqueueResult, error) {
	h.in("Enqueue")
	return h.TaskQueue.Enqueue(ctx, specs...)
}

func (h *hanging) Claim(ctx context.Context, req tasks.ClaimRequest) ([]*tasks.Lease, error) {
	h.in("Claim")
	return h.TaskQueue.Claim(ctx, req)
}

func (h *hanging) Start(ctx context.Context, lease *tasks.Lease) error {
	h.in("Start")
	return h.TaskQueue.Start(ctx, lease)
}

func (h *hanging) Extend(ctx context.Context, lease *tasks.Lease) error {
	h.in("Extend")
	return h.TaskQueue.Extend(ctx, lease)
}

func (h *hanging) Record(ctx context.Context, lease *tasks.Lease, d tasks.Decision) error {
	h.in("Record")
	return h.TaskQueue.Record(ctx, lease, d)
}

func (h *hanging) Reap(ctx context.Context) (int, error) {
	h.in("Reap")
	return h.TaskQueue.Reap(ctx)
}

func (h *hanging) Retry(ctx context.Context, outcomes ...tasks.Outcome) (int, error) {
	h.in("Retry")
	return h.TaskQueue.Retry(ctx, outcomes...)
}

func (h *hanging) Reread(ctx context.Context, reason string, ids ...uuid.UUID) (int, error) {
	h.in("Reread")
	return h.TaskQueue.Reread(ctx, reason, ids...)
}

func (h *hanging) Prove(ctx context.Context, kind string, proof tasks.Proof) (int, error) {
	h.in("Prove")
	return h.TaskQueue.Prove(ctx, kind, proof)
}

func (h *hanging) Doubt(ctx context.Context, why *tasks.Failure, ids ...uuid.UUID) (int, error) {
	h.in("Doubt")
	return h.TaskQueue.Doubt(ctx, why, ids...)
}

func (h *hanging) Get(ctx context.Context, id uuid.UUID) (*tasks.ProcessingTask, error) {
	h.in("Get")
	return h.TaskQueue.Get(ctx, id)
}

func (h *hanging) Each(ctx context.Context, visit func(*tasks.ProcessingTask) error) error {
	h.in("Each")
	return h.TaskQueue.Each(ctx, visit)
}

func (h *hanging) Stats(ctx context.Context) (tasks.Stats, error) {
	h.in("Stats")
	return h.TaskQueue.Stats(ctx)
}
