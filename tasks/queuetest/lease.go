package queuetest

import (
	"slices"

	"github.com/poscrape/poscrape/tasks"
)

var leaseCases = []testCase{
	{"start, heartbeat and record of the holder", leaseHeld},
	{"a lease ends with its record", leaseEnds},
	{"an altered lease is refused", leaseAltered},
	{"two checks in a row without a heartbeat", leaseReaped},
	{"a heartbeat keeps the lease", leaseKept},
	{"a claim that has not begun is reaped without a trace", leaseReapedEarly},
	{"late answers change nothing", leaseLate},
}

func leaseHeld(k *kit) {
	k.enqueue(spec("a"))
	l := k.claim("w")
	k.start(l)
	if task := k.get(l.Task.ID); task.State != tasks.StateProcessing {
		k.Errorf("after Start the task is %s", task.State)
	}
	if err := k.q.Extend(k.ctx, l); err != nil {
		k.Errorf("Extend: %v", err)
	}
	k.record(l, complete())
	if got := k.steps(l.Task.ID); got != "PENDING>ASSIGNED ASSIGNED>PROCESSING PROCESSING>COMPLETED" {
		k.Errorf("its transitions are %s", got)
	}
}

// wantLost makes sure that the lease is worth nothing, and its use harmless.
func (k *kit) wantLost(l *tasks.Lease) {
	k.Helper()
	k.wantSame(l.Task.ID, "a lost lease", func() {
		if err := k.q.Start(k.ctx, l); !isErr(err, tasks.ErrLeaseLost) {
			k.Errorf("Start: %v, want ErrLeaseLost", err)
		}
		if err := k.q.Extend(k.ctx, l); !isErr(err, tasks.ErrLeaseLost) {
			k.Errorf("Extend: %v, want ErrLeaseLost", err)
		}
		for _, d := range []tasks.Decision{complete(), failed(tasks.OutcomeFailed), released()} {
			if err := k.q.Record(k.ctx, l, d); !isErr(err, tasks.ErrLeaseLost) {
				k.Errorf("Record(%s): %v, want ErrLeaseLost", d.To, err)
			}
		}
	})
}

func leaseEnds(k *kit) {
	k.enqueue(specs(3)...)
	k.wantLost(k.work("w", complete()))
	k.wantLost(k.work("w", failed(tasks.OutcomeFailed)))
	k.wantLost(k.work("w", released()))
}

func leaseAltered(k *kit) {
	k.enqueue(spec("a"))
	l := k.claim("w")
	for _, alter := range []func(*tasks.Lease){
		func(l *tasks.Lease) { l.Worker = "other" },
		func(l *tasks.Lease) { l.Attempt++ },
		func(l *tasks.Lease) { l.Attempt-- },
		func(l *tasks.Lease) { l.Epoch++ },
		func(l *tasks.Lease) { l.Epoch-- },
	} {
		other := *l
		alter(&other)
		k.wantLost(&other)
	}
	k.start(l)
}

func leaseReaped(k *kit) {
	k.enqueue(specs(2)...)
	l := k.claim("w1")
	k.start(l)
	k.reap(0) // finds the start
	k.reap(0)
	other := k.claim("w2")
	k.reap(1)
	task := k.get(l.Task.ID)
	if task.State != tasks.StatePending || task.Attempts != 0 || task.Outcome != tasks.OutcomeInterrupted {
		k.Errorf("the reaped task is %s %s with %d attempts", task.State, task.Outcome, task.Attempts)
	}
	if n := len(task.History); n != 1 || !task.History[0].Released || task.History[0].Worker != "w1" ||
		task.History[0].EndedAt.Before(task.History[0].StartedAt) {
		k.Errorf("its history is %+v", task.History)
	}
	k.start(other)
}

func leaseKept(k *kit) {
	k.enqueue(spec("a"))
	l := k.claim("w")
	k.start(l)
	for range 5 {
		k.reap(0)
		k.reap(0)
		if err := k.q.Extend(k.ctx, l); err != nil {
			k.Fatalf("Extend: %v", err)
		}
	}
	k.record(l, complete())
	k.reap(0)
	k.reap(0)
	k.reap(0)
}

func leaseReapedEarly(k *kit) {
	k.enqueue(spec("a"))
	l := k.claim("w")
	k.reap(0) // finds the claim
	k.reap(0)
	k.reap(1)
	task := k.get(l.Task.ID)
	if task.State != tasks.StatePending || task.Outcome != "" || len(task.History) != 0 || task.Attempts != 0 {
		k.Errorf("the task is %s %q with %d attempts and the history %v", task.State, task.Outcome, task.Attempts, task.History)
	}
	if got := k.steps(l.Task.ID); got != "PENDING>ASSIGNED ASSIGNED>PENDING" {
		k.Errorf("its transitions are %s", got)
	}
	k.wantLost(l)
}

func leaseLate(k *kit) {
	k.enqueue(spec("a"))
	first := k.claim("w1")
	k.start(first)
	k.reap(0)
	k.reap(0)
	k.reap(1)
	k.wantLost(first)
	second := k.claim("w1")
	k.wantLost(first)
	k.start(second)
	k.wantLost(first)
	k.record(second, complete())
	k.wantLost(first)
	task := k.get(first.Task.ID)
	outcomes := []tasks.Outcome{}
	for _, a := range task.History {
		outcomes = append(outcomes, a.Outcome)
	}
	if !slices.Equal(outcomes, []tasks.Outcome{tasks.OutcomeInterrupted, tasks.OutcomeComplete}) || task.Attempts != 1 {
		k.Errorf("the history is %v with %d attempts", outcomes, task.Attempts)
	}
}
