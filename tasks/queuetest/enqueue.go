package queuetest

import (
	"fmt"
	"reflect"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

var enqueueCases = []testCase{
	{"the same key changes nothing", enqueueSameKey},
	{"the same key twice in one call", enqueueSameKeyTwice},
	{"a task keeps its spec", enqueueKeepsSpec},
	{"tasks keep their order and have unique ids", enqueueKeepsOrder},
	{"nothing", enqueueNothing},
	{"an invalid spec fails at once", enqueueInvalid},
	{"a skipped spec is never claimed", enqueueSkipped},
	{"what is handed out is the caller's own", enqueueIsolated},
	{"an unknown task", unknownTask},
}

func enqueueSameKey(k *kit) {
	if res := k.enqueue(specs(3)...); res != (tasks.EnqueueResult{Added: 3}) {
		k.Errorf("first Enqueue = %+v", res)
	}
	done := k.work("w", complete())
	again := specs(4)
	again[0].PO = "changed"
	if res := k.enqueue(again...); res != (tasks.EnqueueResult{Added: 1, Known: 3}) {
		k.Errorf("second Enqueue = %+v", res)
	}
	if task := k.get(done.Task.ID); task.State != tasks.StateCompleted || task.PO != done.Task.PO {
		k.Errorf("the known task became %s %s", task.State, task.PO)
	}
	if n := len(k.all()); n != 4 {
		k.Errorf("there are %d tasks, want 4", n)
	}
}

func enqueueSameKeyTwice(k *kit) {
	if res := k.enqueue(spec("a"), spec("a")); res != (tasks.EnqueueResult{Added: 1, Known: 1}) {
		k.Errorf("Enqueue = %+v", res)
	}
}

func enqueueKeepsSpec(k *kit) {
	want := tasks.Spec{
		Key: "k|1", PO: "PO15262984", Digits: "15262984", Dir: "PO15262984~2", URL: "https://portal.example/?a=1&b=ü", Portal: "ü.example:8443", Priority: -3,
		Sheet: tasks.Sheet{Supplier: "Müller & \"Söhne\"", Amount: "1.250,00", Currency: "EUR"},
		Rows: []tasks.Row{
			{Line: 2, Raw: " po15262984 ", Cells: []string{"ü\u202e😀", "a\nb", "", "=cmd()", "\x00\t'\""}},
			{Line: 9, Raw: "15262984", Cells: []string{"ragged"}},
		},
	}
	for i, v := 0, reflect.ValueOf(want); i < v.NumField(); i++ {
		name := v.Type().Field(i).Name
		if v.Field(i).IsZero() && name != "Invalid" && name != "Skipped" {
			k.Errorf("this test leaves out %s", name)
		}
	}
	k.enqueue(want)
	l := k.claim("w")
	for name, task := range map[string]*tasks.ProcessingTask{"Claim": l.Task, "Get": k.get(l.Task.ID), "Each": k.all()[0]} {
		if !reflect.DeepEqual(task.Spec, want) {
			k.Errorf("%s: the spec became\n%+v\nwant\n%+v", name, task.Spec, want)
		}
		if task.Created.IsZero() || task.Updated.Before(task.Created) {
			k.Errorf("%s: created %v, updated %v", name, task.Created, task.Updated)
		}
	}
}

func enqueueKeepsOrder(k *kit) {
	list := specs(50)
	for i := range list {
		list[i].Priority = i % 3
	}
	k.enqueue(list[:20]...)
	k.enqueue(list[20:]...)
	seen := map[uuid.UUID]bool{}
	for i, task := range k.all() {
		if task.Key != list[i].Key {
			k.Fatalf("task %d is %s, want %s", i, task.Key, list[i].Key)
		}
		if seen[task.ID] || task.ID.Version() != 7 {
			k.Errorf("task %s has the id %s", task.Key, task.ID)
		}
		seen[task.ID] = true
	}
}

func enqueueNothing(k *kit) {
	if res := k.enqueue(); res != (tasks.EnqueueResult{}) {
		k.Errorf("Enqueue() = %+v", res)
	}
	k.wantDrained()
}

func enqueueInvalid(k *kit) {
	bad := spec("bad")
	bad.Invalid = tasks.Permanent(tasks.OutcomeInvalidInput, tasks.ClassInvalidInput, "line 2: there is no number")
	k.enqueue(bad)
	k.wantDrained()
	task := k.all()[0]
	if task.State != tasks.StateFailed || task.Outcome != tasks.OutcomeInvalidInput {
		k.Errorf("the task is %s %s", task.State, task.Outcome)
	}
	if task.Failure == nil || task.Failure.Message != bad.Invalid.Message || task.Failure.Class != tasks.ClassInvalidInput {
		k.Errorf("its failure is %+v", task.Failure)
	}
	if task.Invalid == nil || task.Attempts != 0 || len(task.History) != 0 {
		k.Errorf("invalid %v, %d attempts, history %v", task.Invalid, task.Attempts, task.History)
	}
	if got := k.steps(task.ID); got != "PENDING>FAILED" {
		k.Errorf("its transitions are %s", got)
	}
	if s := k.stats(); s.Open() != 0 || s.ByOutcome[tasks.OutcomeInvalidInput] != 1 {
		k.Errorf("stats: %+v", s)
	}
}

func enqueueSkipped(k *kit) {
	out := spec("out")
	out.Skipped, out.Priority = "--limit 1", 9
	k.enqueue(out, spec("in"))
	if l := k.work("w", complete()); l.Task.Key != "in" {
		k.Errorf("claimed %s", l.Task.Key)
	}
	k.wantDrained()
	task := k.all()[0]
	if task.State != tasks.StatePending || task.Outcome != tasks.OutcomeSkipped || task.Skipped != out.Skipped {
		k.Errorf("the task is %s %s %q", task.State, task.Outcome, task.Skipped)
	}
	if s := k.stats(); s.Open() != 0 || s.Ready != 0 || s.Waiting != 0 || s.ByState[tasks.StatePending] != 1 {
		k.Errorf("stats: %+v", s)
	}
}

func enqueueIsolated(k *kit) {
	k.enqueue(spec("a"))
	k.work("w", retryAt(k.all()[0].Created))
	task := k.all()[0]
	task.State, task.History[0].Outcome = "changed", "changed"
	if again := k.get(task.ID); again.State != tasks.StatePending || again.History[0].Outcome != tasks.OutcomeTimeout {
		k.Errorf("a change of what Each handed out changed the queue: %s %s", again.State, again.History[0].Outcome)
	}
}

func unknownTask(k *kit) {
	if _, err := k.q.Get(k.ctx, uuid.New()); !isErr(err, tasks.ErrNotFound) {
		k.Errorf("Get: %v", err)
	}
	if _, err := k.q.Transitions(k.ctx, uuid.New()); !isErr(err, tasks.ErrNotFound) {
		k.Errorf("Transitions: %v", err)
	}
	k.enqueue(specs(3)...)
	stop := fmt.Errorf("enough")
	visits := 0
	err := k.q.Each(k.ctx, func(*tasks.ProcessingTask) error { visits++; return stop })
	if !isErr(err, stop) || visits != 1 {
		k.Errorf("Each went on: %v after %d visits", err, visits)
	}
}
