package queuetest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

var proveCases = []testCase{
	{"gives a task its proof, and clears its failure", proveOne},
	{"leaves what waits for another kind, or for nothing", proveLeaves},
	{"leaves a task whose later attempt broke", proveBroken},
	{"of very many", proveMany},
	{"as often as it is asked, beside others that end", proveBeside},
	{"and takes back what others put in doubt", proveDoubt},
}

var settled = tasks.Proof{By: tasks.ProofSettled, Text: "the page is settled and lists no document"}

// awaiting ends a task that only lacks an item on some other page of its kind.
func awaiting(kind string) tasks.Decision {
	f := tasks.Permanent(tasks.OutcomePartial, tasks.ClassUnproven, "no document is listed, and attachments.item has met nothing yet")
	return tasks.Decision{
		To: tasks.StateCompleted, Outcome: tasks.OutcomePartial, Failure: f,
		Result: &tasks.Result{Outcome: tasks.OutcomePartial, Executor: tasks.ExecutorRender, Missing: f, Kind: kind, AwaitsItem: true},
	}
}

func (k *kit) prove(kind string, want int) {
	k.Helper()
	if n, err := k.q.Prove(k.ctx, kind, settled); n != want || err != nil {
		k.Fatalf("Prove(%q) = %d, %v; want %d", kind, n, err, want)
	}
}

func proveOne(k *kit) {
	k.enqueue(specs(2)...)
	l := k.work("w", awaiting("a"))
	k.prove("a", 1)
	task := k.get(l.Task.ID)
	if task.State != tasks.StateCompleted || task.Outcome != tasks.OutcomeNoAttachments || task.Failure != nil || task.Attempts != 1 {
		k.Errorf("the task is %s", summary(task))
	}
	want := &tasks.Result{Outcome: tasks.OutcomeNoAttachments, Executor: tasks.ExecutorRender, Kind: "a", Proof: &settled}
	if !reflect.DeepEqual(task.Result, want) {
		k.Errorf("its result is %+v", task.Result)
	}
	if h := task.History; len(h) != 1 || h[0].Outcome != tasks.OutcomePartial || h[0].Error == nil {
		k.Errorf("its history is %+v", h)
	}
	if got, want := k.steps(l.Task.ID), "PENDING>ASSIGNED ASSIGNED>PROCESSING PROCESSING>COMPLETED COMPLETED>COMPLETED"; got != want {
		k.Errorf("its transitions are %s", got)
	}
	if s := k.stats(); s.ByOutcome[tasks.OutcomeNoAttachments] != 1 || s.ByOutcome[tasks.OutcomePartial] != 0 || s.ByState[tasks.StateCompleted] != 1 {
		k.Errorf("stats: %+v", s)
	}
	k.wantSame(l.Task.ID, "a second Prove", func() { k.prove("a", 0) })
	k.wantSame(l.Task.ID, "Retry", func() {
		if n, err := k.q.Retry(k.ctx, tasks.Outcomes()...); n != 0 || err != nil {
			k.Errorf("Retry = %d, %v", n, err)
		}
	})
	if n, err := k.q.Reread(k.ctx, "its page has changed", l.Task.ID); n != 1 || err != nil {
		k.Errorf("Reread = %d, %v", n, err)
	}
	k.work("w", complete())
	k.work("w", awaiting("a"))
	k.prove("a", 1)
	k.wantDrained()
}

func proveDoubt(k *kit) {
	k.enqueue(specs(3)...)
	well, other := k.work("w", complete()), k.work("w", failed(tasks.OutcomeNotFound))
	why := tasks.Permanent("", tasks.ClassUnproven, "others list the same documents")
	open := k.claim("w")
	if n, err := k.q.Doubt(k.ctx, why, well.Task.ID, other.Task.ID, open.Task.ID); n != 1 || err != nil {
		k.Errorf("Doubt = %d, %v", n, err)
	}
	task := k.get(well.Task.ID)
	if task.State != tasks.StateCompleted || task.Outcome != tasks.OutcomePartial || task.Failure == nil || task.Attempts != 1 || task.Result.Missing == nil || task.Result.Outcome != tasks.OutcomePartial {
		k.Errorf("the task is %s", summary(task))
	}
	if got, want := k.steps(well.Task.ID), "PENDING>ASSIGNED ASSIGNED>PROCESSING PROCESSING>COMPLETED COMPLETED>COMPLETED"; got != want {
		k.Errorf("its transitions are %s", got)
	}
	if s := k.stats(); s.ByOutcome[tasks.OutcomeComplete] != 0 || s.ByOutcome[tasks.OutcomePartial] != 1 {
		k.Errorf("stats: %+v", s)
	}
	k.wantSame(well.Task.ID, "a second Doubt", func() {
		if n, err := k.q.Doubt(k.ctx, why, well.Task.ID); n != 0 || err != nil {
			k.Errorf("a second Doubt = %d, %v", n, err)
		}
	})
	if n, err := k.q.Retry(k.ctx, tasks.OutcomePartial); n != 1 || err != nil {
		k.Errorf("Retry = %d, %v", n, err)
	}
}

func proveLeaves(k *kit) {
	unknown, wrong := awaiting(""), awaiting("a")
	wrong.Result.AwaitsItem = false
	later := awaiting("a")
	later.To, later.NotBefore = tasks.StatePending, time.Now().Add(time.Hour)
	ends := []tasks.Decision{awaiting("b"), unknown, wrong, partial(), complete(), failed(tasks.OutcomeNotFound), later}
	invalid, skipped := spec("invalid"), spec("skipped")
	invalid.Invalid = tasks.Permanent(tasks.OutcomeInvalidInput, tasks.ClassInvalidInput, "no number")
	skipped.Skipped = "--limit"
	list := specs(len(ends) + 2)
	k.enqueue(append(list, invalid, skipped)...)
	for _, d := range ends {
		k.work("w", d)
	}
	k.start(k.claim("w"))
	k.claim("w")
	for _, task := range k.all() {
		k.wantSame(task.ID, "Prove", func() { k.prove("a", 0); k.prove("", 0) })
	}
}

// proveBroken: what broke after the reading that lacks only an item leaves more in
// doubt than that.
func proveBroken(k *kit) {
	k.enqueue(spec("a"))
	l := k.work("w", awaiting("a"))
	if n, err := k.q.Retry(k.ctx, tasks.OutcomePartial); n != 1 || err != nil {
		k.Fatalf("Retry = %d, %v", n, err)
	}
	k.wantSame(l.Task.ID, "Prove of a pending task", func() { k.prove("a", 0) })
	broken := failed(tasks.OutcomeTimeout)
	broken.To, broken.Outcome = tasks.StateCompleted, tasks.OutcomePartial
	broken.Failure.Outcome = tasks.OutcomeTimeout
	k.work("w", broken)
	k.wantSame(l.Task.ID, "Prove of a broken task", func() { k.prove("a", 0) })
}

func proveMany(k *kit) {
	const n = 1200
	k.enqueue(specs(n)...)
	for i := range n {
		k.work("w", awaiting([]string{"a", "b"}[i%2]))
	}
	k.prove("a", n/2)
	s := k.stats()
	if s.ByOutcome[tasks.OutcomeNoAttachments] != n/2 || s.ByOutcome[tasks.OutcomePartial] != n/2 {
		k.Errorf("stats: %+v", s)
	}
	k.prove("b", n/2)
}

// proveBeside has many workers end tasks, each of which asks for the proof of what
// it has just ended, as others do at the same time: each task is counted once.
func proveBeside(k *kit) {
	const workers, n = 8, 160
	seed := rand.Uint64()
	k.Logf("seed %d", seed)
	k.enqueue(specs(n)...)
	c := newCrowd(k)
	var mu sync.Mutex
	proven, ended := 0, 0
	for i := range workers {
		c.hire(func() {
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			for {
				leases, err := c.claim(tasks.ClaimRequest{Worker: fmt.Sprintf("worker_%03d", i)})
				if isErr(err, tasks.ErrDrained) {
					return
				}
				if err != nil {
					c.Errorf("Claim: %v", err)
					return
				}
				kind := []string{"a", "b", "c"}[random.IntN(3)]
				d, waits := complete(), 0
				if random.IntN(2) == 0 {
					d, waits = awaiting(kind), 1
				}
				if err := finish(c.kit, leases[0], d); err != nil {
					c.Errorf("ending a task: %v", err)
				}
				n, err := c.q.Prove(c.ctx, kind, settled)
				if err != nil {
					c.Errorf("Prove: %v", err)
				}
				mu.Lock()
				proven, ended = proven+n, ended+waits
				mu.Unlock()
			}
		})
	}
	c.wait()
	s := k.stats()
	if proven != ended || s.ByOutcome[tasks.OutcomeNoAttachments] != ended || s.ByOutcome[tasks.OutcomePartial] != 0 {
		k.Errorf("%d tasks waited for a proof, %d were given one: %+v", ended, proven, s)
	}
}
