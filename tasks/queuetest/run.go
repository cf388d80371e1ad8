package queuetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// Run tests the queues that open returns: each call must return a new and empty
// one. Run closes them.
func Run(t *testing.T, open func(t *testing.T) tasks.TaskQueue) {
	t.Helper()
	groups := map[string][]testCase{
		"enqueue": enqueueCases, "claim": claimCases, "wait": waitCases, "lease": leaseCases,
		"record": recordCases, "retry": retryCases, "prove": proveCases, "share": shareCases, "portals": portalCases,
		"stats": statsCases, "close": closeCases, "random": randomCases,
	}
	for group, cases := range groups {
		for _, c := range cases {
			t.Run(group+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				c.run(newKit(t, open(t)))
			})
		}
	}
}

type testCase struct {
	name string
	run  func(k *kit)
}

// patience bounds a single call, so that a queue that hangs fails its test and
// names the call.
const patience = 2 * time.Minute

// kit is one queue under test. Its methods fail the test where the queue
// returns an error, so they are for the test's own goroutine.
type kit struct {
	*testing.T
	q   tasks.TaskQueue
	ctx context.Context
}

func newKit(t *testing.T, q tasks.TaskQueue) *kit {
	ctx, cancel := context.WithTimeoutCause(t.Context(), patience, errors.New("the queue took too long"))
	t.Cleanup(func() {
		cancel()
		if err := q.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return &kit{T: t, q: q, ctx: ctx}
}

// spec returns a valid spec with the key.
func spec(key string) tasks.Spec {
	return tasks.Spec{
		Key: key, PO: "PO" + key, Dir: "PO" + key, URL: "https://portal.example/orders/" + key,
		Rows: []tasks.Row{{Line: 2, Raw: key, Cells: []string{key, "x"}}},
	}
}

// specs returns n specs with the keys 000001, 000002 and so on.
func specs(n int) []tasks.Spec {
	list := make([]tasks.Spec, n)
	for i := range list {
		list[i] = spec(fmt.Sprintf("%06d", i+1))
	}
	return list
}

func (k *kit) enqueue(list ...tasks.Spec) tasks.EnqueueResult {
	k.Helper()
	res, err := k.q.Enqueue(k.ctx, list...)
	if err != nil {
		k.Fatalf("Enqueue: %v", err)
	}
	return res
}

func (k *kit) claim(worker string) *tasks.Lease {
	k.Helper()
	return k.claimAs(tasks.ClaimRequest{Worker: worker})
}

func (k *kit) claimAs(req tasks.ClaimRequest) *tasks.Lease {
	k.Helper()
	leases, err := k.q.Claim(k.ctx, req)
	if err != nil {
		k.Fatalf("Claim(%+v): %v", req, err)
	}
	if len(leases) != 1 {
		k.Fatalf("Claim(%+v) returned %d leases, want 1", req, len(leases))
	}
	return leases[0]
}

// claimNone makes sure that there is nothing to claim now, and nothing drained.
func (k *kit) claimNone(req tasks.ClaimRequest) {
	k.Helper()
	ctx, cancel := context.WithTimeoutCause(k.ctx, 20*time.Millisecond, errGaveUp)
	defer cancel()
	if leases, err := k.q.Claim(ctx, req); !errors.Is(err, errGaveUp) {
		k.Fatalf("Claim(%+v) = %d leases, %v; it should have waited", req, len(leases), err)
	}
}

var errGaveUp = errors.New("gave up waiting")

func (k *kit) wantDrained() {
	k.Helper()
	if leases, err := k.q.Claim(k.ctx, tasks.ClaimRequest{Worker: "w"}); !errors.Is(err, tasks.ErrDrained) {
		k.Fatalf("Claim = %d leases, %v; want ErrDrained", len(leases), err)
	}
}

func (k *kit) start(l *tasks.Lease) {
	k.Helper()
	if err := k.q.Start(k.ctx, l); err != nil {
		k.Fatalf("Start(%s): %v", l.Task.Key, err)
	}
}

func (k *kit) record(l *tasks.Lease, d tasks.Decision) {
	k.Helper()
	if err := k.q.Record(k.ctx, l, d); err != nil {
		k.Fatalf("Record(%s, %s): %v", l.Task.Key, d.To, err)
	}
}

// work claims, starts and records one task.
func (k *kit) work(worker string, d tasks.Decision) *tasks.Lease {
	k.Helper()
	l := k.claim(worker)
	k.start(l)
	k.record(l, d)
	return l
}

func (k *kit) get(id uuid.UUID) *tasks.ProcessingTask {
	k.Helper()
	task, err := k.q.Get(k.ctx, id)
	if err != nil {
		k.Fatalf("Get(%s): %v", id, err)
	}
	return task
}

func (k *kit) all() []*tasks.ProcessingTask {
	k.Helper()
	var list []*tasks.ProcessingTask
	err := k.q.Each(k.ctx, func(task *tasks.ProcessingTask) error {
		list = append(list, task)
		return nil
	})
	if err != nil {
		k.Fatalf("Each: %v", err)
	}
	return list
}

func (k *kit) stats() tasks.Stats {
	k.Helper()
	s, err := k.q.Stats(k.ctx)
	if err != nil {
		k.Fatalf("Stats: %v", err)
	}
	return s
}

func (k *kit) reap(want int) {
	k.Helper()
	n, err := k.q.Reap(k.ctx)
	if err != nil || n != want {
		k.Fatalf("Reap = %d, %v; want %d", n, err, want)
	}
}

// steps returns the task's transitions as "PENDING>ASSIGNED ...".
func (k *kit) steps(id uuid.UUID) string {
	k.Helper()
	list, err := k.q.Transitions(k.ctx, id)
	if err != nil {
		k.Fatalf("Transitions(%s): %v", id, err)
	}
	text := ""
	for i, step := range list {
		if i > 0 {
			text += " "
		}
		text += string(step.From) + ">" + string(step.To)
	}
	return text
}

// wantSame fails the test if the call changed the task.
func (k *kit) wantSame(id uuid.UUID, what string, call func()) {
	k.Helper()
	before, stepsBefore := k.get(id), k.steps(id)
	call()
	after, stepsAfter := k.get(id), k.steps(id)
	if b, a := summary(before), summary(after); b != a || stepsBefore != stepsAfter {
		k.Errorf("%s changed the task\nfrom %s (%s)\nto   %s (%s)", what, b, stepsBefore, a, stepsAfter)
	}
}

func summary(t *tasks.ProcessingTask) string {
	return fmt.Sprintf("%s %s %s worker=%s attempts=%d losses=%d history=%d result=%t failure=%t due=%t",
		t.Key, t.State, t.Outcome, t.Worker, t.Attempts, t.Losses, len(t.History),
		t.Result != nil, t.Failure != nil, t.NotBefore.IsZero())
}
