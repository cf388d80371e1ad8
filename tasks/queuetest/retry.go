package queuetest

import (
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

var retryCases = []testCase{
	{"puts back the outcomes that are named, with fresh attempts", retryNamed},
	{"of nothing", retryNothing},
	{"leaves what is well, open, invalid or no order", retryLeaves},
	{"runs a skipped order", retrySkipped},
	{"reads again what has ended, and gives the attempt back", rereadEnded},
	{"puts back what has lost its documents", repairEnded},
	{"reads nothing again that is open, skipped, invalid or unknown", rereadLeaves},
}

func retryNamed(k *kit) {
	k.enqueue(specs(3)...)
	k.work("w", lost())
	k.work("w", retryAt(time.Time{}))
	first := k.work("w", failed(tasks.OutcomeTimeout))
	second := k.work("w", partial())
	third := k.work("w", failed(tasks.OutcomeNotFound))
	if n, err := k.q.Retry(k.ctx, tasks.OutcomeTimeout, tasks.OutcomePartial); n != 2 || err != nil {
		k.Fatalf("Retry = %d, %v; want 2", n, err)
	}
	task := k.get(first.Task.ID)
	if task.State != tasks.StatePending || task.Outcome != "" || task.Attempts != 0 || task.Losses != 0 || task.Failure != nil || len(task.History) != 3 {
		k.Errorf("the failed task is %s", summary(task))
	}
	if task := k.get(second.Task.ID); task.State != tasks.StatePending || task.Result == nil {
		k.Errorf("the partial task is %s", summary(task))
	}
	if got, want := k.steps(second.Task.ID), "PENDING>ASSIGNED ASSIGNED>PROCESSING PROCESSING>COMPLETED COMPLETED>PENDING"; got != want {
		k.Errorf("its transitions are %s", got)
	}
	if task := k.get(third.Task.ID); task.State != tasks.StateFailed {
		k.Errorf("the one not named is %s", summary(task))
	}
	k.work("w", complete())
	if task := k.get(first.Task.ID); task.State != tasks.StateCompleted || task.Attempts != 1 || task.History[3].N != 3 {
		k.Errorf("in the end the task is %s, its last attempt %+v", summary(task), task.History[3])
	}
}

func retryNothing(k *kit) {
	k.enqueue(spec("a"))
	l := k.work("w", failed(tasks.OutcomeFailed))
	k.wantSame(l.Task.ID, "Retry()", func() {
		if n, err := k.q.Retry(k.ctx); n != 0 || err != nil {
			k.Errorf("Retry() = %d, %v", n, err)
		}
	})
}

func retryLeaves(k *kit) {
	invalid, skipped := spec("invalid"), spec("skipped")
	invalid.Invalid = tasks.Permanent(tasks.OutcomeInvalidInput, tasks.ClassInvalidInput, "no number")
	skipped.Skipped, skipped.PO = "a total", ""
	k.enqueue(append(specs(4), invalid, skipped)...)
	k.work("w", complete())
	k.work("w", retryAt(time.Now().Add(time.Hour)))
	k.start(k.claim("w"))
	k.claim("w")
	for _, task := range k.all() {
		k.wantSame(task.ID, "Retry of all outcomes", func() {
			if n, err := k.q.Retry(k.ctx, tasks.Outcomes()...); n != 0 || err != nil {
				k.Errorf("Retry = %d, %v", n, err)
			}
		})
	}
}

func retrySkipped(k *kit) {
	skipped := spec("skipped")
	skipped.Skipped = "--limit"
	unusable := spec("unusable")
	unusable.Skipped, unusable.PO = "--limit", ""
	unusable.Invalid = tasks.Permanent(tasks.OutcomeInvalidInput, tasks.ClassInvalidInput, "no number")
	k.enqueue(skipped, unusable)
	if n, err := k.q.Retry(k.ctx, tasks.OutcomePartial); n != 0 || err != nil {
		k.Errorf("Retry of others = %d, %v", n, err)
	}
	if task := k.all()[1]; task.State != tasks.StatePending || task.Outcome != tasks.OutcomeSkipped || task.Claimable() {
		k.Errorf("the row that cannot be used is %s", summary(task))
	}
	if n, err := k.q.Retry(k.ctx, tasks.OutcomeSkipped); n != 2 || err != nil {
		k.Fatalf("Retry = %d, %v; want 2", n, err)
	}
	if task := k.all()[1]; task.State != tasks.StateFailed || task.Outcome != tasks.OutcomeInvalidInput || task.Failure == nil {
		k.Errorf("the row that cannot be used is %s", summary(task))
	}
	task := k.all()[0]
	if task.State != tasks.StatePending || task.Outcome != "" || task.Skipped != "" || !task.Claimable() {
		k.Errorf("the task is %s, skipped for %q", summary(task), task.Skipped)
	}
	k.work("w", complete())
	k.wantDrained()
	if n, err := k.q.Retry(k.ctx, tasks.OutcomeSkipped); n != 0 || err != nil {
		k.Errorf("Retry of what has run = %d, %v", n, err)
	}
}

func rereadEnded(k *kit) {
	k.enqueue(specs(3)...)
	k.work("w", retryAt(time.Time{}))
	first := k.work("w", complete())
	second := k.work("w", failed(tasks.OutcomeFailed))
	third := k.work("w", complete())
	if n, err := k.q.Reread(k.ctx, "its page has changed", first.Task.ID, second.Task.ID); n != 2 || err != nil {
		k.Fatalf("Reread = %d, %v; want 2", n, err)
	}
	task := k.get(first.Task.ID)
	if task.State != tasks.StatePending || task.Outcome != "" || task.Attempts != 1 || task.Failure != nil || task.Result == nil || len(task.History) != 2 {
		k.Errorf("the completed task is %s", summary(task))
	}
	if task.History[0].Released || !task.History[1].Released {
		k.Errorf("its history is %+v", task.History)
	}
	if task := k.get(second.Task.ID); task.State != tasks.StatePending || task.Attempts != 0 || task.Failure != nil {
		k.Errorf("the failed task is %s", summary(task))
	}
	if task := k.get(third.Task.ID); task.State != tasks.StateCompleted {
		k.Errorf("the one not named is %s", summary(task))
	}
	steps, err := k.q.Transitions(k.ctx, first.Task.ID)
	if last := steps[len(steps)-1]; err != nil || last.From != tasks.StateCompleted || last.Reason != "read again: its page has changed" {
		k.Errorf("its last step is %+v, %v", last, err)
	}
	k.work("w", complete())
	k.work("w", complete())
	k.wantDrained()
	if task := k.get(first.Task.ID); task.State != tasks.StateCompleted || task.Attempts != 2 {
		k.Errorf("in the end the task is %s", summary(task))
	}
}

func repairEnded(k *kit) {
	k.enqueue(specs(3)...)
	d := complete()
	d.Result = &tasks.Result{Outcome: tasks.OutcomeComplete, Attachments: []tasks.Attachment{
		{Name: "a", Path: "orders/1/a", State: tasks.AttachmentDone}, {Name: "b", Path: "orders/1/b", State: tasks.AttachmentDone}}}
	first := k.work("w", d)
	second := k.work("w", complete())
	gone := map[uuid.UUID][]string{first.Task.ID: {"orders/1/b"}, second.Task.ID: {"orders/2/a"}, uuid.New(): {"orders/1/a"}}
	if n, err := k.q.Repair(k.ctx, gone); n != 1 || err != nil {
		k.Fatalf("Repair = %d, %v; want 1", n, err)
	}
	task := k.get(first.Task.ID)
	if task.State != tasks.StatePending || task.Outcome != "" || task.Attempts != 0 || len(task.History) != 1 || task.History[0].Released {
		k.Errorf("the task is %s, with the history %+v", summary(task), task.History)
	}
	docs := task.Result.Attachments
	if task.Result.Outcome != tasks.OutcomePartial || docs[0].State != tasks.AttachmentDone || docs[1].State != tasks.AttachmentFailed || docs[1].Path != "" || docs[1].Error == nil {
		k.Errorf("its result is %+v", task.Result)
	}
	if n, err := k.q.Repair(k.ctx, gone); n != 0 || err != nil {
		k.Errorf("Repair of an open task = %d, %v", n, err)
	}
	if task := k.get(second.Task.ID); task.State != tasks.StateCompleted {
		k.Errorf("one that has lost nothing is %s", summary(task))
	}
}

func rereadLeaves(k *kit) {
	invalid, skipped := spec("invalid"), spec("skipped")
	invalid.Invalid = tasks.Permanent(tasks.OutcomeInvalidInput, tasks.ClassInvalidInput, "no number")
	skipped.Skipped = "--limit"
	k.enqueue(append(specs(3), invalid, skipped)...)
	k.start(k.claim("w"))
	k.claim("w")
	for _, task := range k.all() {
		k.wantSame(task.ID, "Reread", func() {
			if n, err := k.q.Reread(k.ctx, "no reason", task.ID, uuid.New()); n != 0 || err != nil {
				k.Errorf("Reread = %d, %v", n, err)
			}
		})
	}
}
