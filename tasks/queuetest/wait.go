package queuetest

import (
	"context"
	"errors"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

var waitCases = []testCase{
	{"an empty queue is drained", func(k *kit) { k.wantDrained() }},
	{"a task with another worker is waited for", waitForOther},
	{"all that wait learn that the last task has ended", waitAllDrained},
	{"a release wakes", waitRelease},
	{"new tasks wake", waitEnqueue},
	{"a person's retry wakes", waitAgain},
	{"a reaped task wakes", waitReap},
	{"not before the due time", waitDue},
	{"a task that is not due yet lets others pass", waitDuePasses},
	{"the context's cause is returned", waitCause},
	{"a context that has ended claims nothing", waitEnded},
	{"a cancelled wait takes no task along", waitCancelled},
}

// claiming is a claim that goes on in another goroutine.
type claiming struct {
	leases []*tasks.Lease
	err    error
	done   chan struct{}
}

func (k *kit) goClaim(req tasks.ClaimRequest) *claiming {
	c := &claiming{done: make(chan struct{})}
	going := make(chan struct{})
	go func() {
		defer close(c.done)
		close(going)
		c.leases, c.err = k.q.Claim(k.ctx, req)
	}()
	<-going
	return c
}

// wantTask waits for the claim, and for the task with this key from it.
func (k *kit) wantTask(c *claiming, key string) *tasks.Lease {
	k.Helper()
	<-c.done
	if c.err != nil || len(c.leases) != 1 || c.leases[0].Task.Key != key {
		k.Fatalf("Claim = %d leases, %v; want %s", len(c.leases), c.err, key)
	}
	return c.leases[0]
}

func waitForOther(k *kit) {
	k.enqueue(spec("a"))
	l := k.claim("w1")
	k.claimNone(tasks.ClaimRequest{Worker: "w2"})
	k.start(l)
	k.claimNone(tasks.ClaimRequest{Worker: "w2"})
	k.record(l, complete())
	k.wantDrained()
}

func waitAllDrained(k *kit) {
	k.enqueue(spec("a"))
	l := k.claim("w")
	k.start(l)
	var waiting []*claiming
	for range 8 {
		waiting = append(waiting, k.goClaim(tasks.ClaimRequest{Worker: "w"}))
	}
	k.claimNone(tasks.ClaimRequest{Worker: "w"})
	for _, c := range waiting {
		select {
		case <-c.done:
			k.Errorf("Claim returned %v with a task in progress", c.err)
		default:
		}
	}
	k.record(l, failed(tasks.OutcomeNotFound))
	for _, c := range waiting {
		if <-c.done; !isErr(c.err, tasks.ErrDrained) {
			k.Errorf("Claim: %v, want ErrDrained", c.err)
		}
	}
}

func waitRelease(k *kit) {
	k.enqueue(spec("a"))
	l := k.claim("w1")
	c := k.goClaim(tasks.ClaimRequest{Worker: "w2"})
	k.record(l, released())
	k.wantTask(c, "a")
}

func waitEnqueue(k *kit) {
	k.enqueue(spec("a"))
	k.claim("w1")
	c := k.goClaim(tasks.ClaimRequest{Worker: "w2"})
	k.enqueue(spec("b"))
	k.wantTask(c, "b")
}

func waitAgain(k *kit) {
	k.enqueue(specs(2)...)
	k.work("w", partial())
	k.claim("w")
	c := k.goClaim(tasks.ClaimRequest{Worker: "w2"})
	if n, err := k.q.Retry(k.ctx, tasks.OutcomePartial); n != 1 || err != nil {
		k.Fatalf("Retry = %d, %v", n, err)
	}
	k.wantTask(c, "000001")
}

func waitReap(k *kit) {
	k.enqueue(spec("a"))
	k.start(k.claim("w1"))
	c := k.goClaim(tasks.ClaimRequest{Worker: "w2"})
	k.reap(0)
	k.reap(0)
	k.reap(1)
	k.wantTask(c, "a")
}

func waitDue(k *kit) {
	k.enqueue(spec("a"))
	due := time.Now().Add(150 * time.Millisecond).Round(0).Truncate(time.Microsecond)
	l := k.work("w", retryAt(due))
	if task := k.get(l.Task.ID); !task.NotBefore.Equal(due) {
		k.Errorf("the task is due at %v, want %v", task.NotBefore, due)
	}
	again := k.claim("w")
	if now := time.Now().Round(0); now.Before(due) {
		k.Errorf("claimed %v before it was due", due.Sub(now))
	}
	if again.Task.ID != l.Task.ID || again.ClaimTook > patience {
		k.Errorf("claimed %s in %v", again.Task.Key, again.ClaimTook)
	}
}

func waitDuePasses(k *kit) {
	k.enqueue(specs(2)...)
	k.work("w", retryAt(time.Now().Add(time.Hour)))
	if l := k.work("w", complete()); l.Task.Key != "000002" {
		k.Errorf("claimed %s", l.Task.Key)
	}
	k.claimNone(tasks.ClaimRequest{Worker: "w"})
	if s := k.stats(); s.Waiting != 1 || s.Ready != 0 || s.Open() != 1 || s.NextDue.IsZero() {
		k.Errorf("stats: %+v", s)
	}
}

func waitCause(k *kit) {
	k.enqueue(spec("a"))
	k.claim("w1")
	ctx, cancel := context.WithCancelCause(k.ctx)
	stop := errors.New("stopped by hand")
	got := make(chan error, 1)
	go func() {
		_, err := k.q.Claim(ctx, tasks.ClaimRequest{Worker: "w2"})
		got <- err
	}()
	cancel(stop)
	if err := <-got; !isErr(err, stop) {
		k.Errorf("Claim: %v, want the cause", err)
	}
}

func waitEnded(k *kit) {
	k.enqueue(spec("a"))
	stop := errors.New("stopped by hand")
	ctx, cancel := context.WithCancelCause(k.ctx)
	cancel(stop)
	if _, err := k.q.Claim(ctx, tasks.ClaimRequest{Worker: "w"}); !isErr(err, stop) {
		k.Errorf("Claim: %v, want the cause", err)
	}
	if _, err := k.q.Enqueue(ctx, spec("b")); !isErr(err, stop) {
		k.Errorf("Enqueue: %v, want the cause", err)
	}
	if s := k.stats(); s.Ready != 1 || s.Total != 1 {
		k.Errorf("stats: %+v", s)
	}
}

// waitCancelled cancels waits while tasks come in: a task goes to a claim that
// returns it, or stays.
func waitCancelled(k *kit) {
	const rounds = 100
	k.enqueue(spec("holds the queue open"))
	k.claim("holder")
	claimed := 0
	for i, s := range specs(rounds) {
		ctx, cancel := context.WithCancel(k.ctx)
		got := make(chan int, 1)
		go func() {
			leases, _ := k.q.Claim(ctx, tasks.ClaimRequest{Worker: "w"})
			got <- len(leases)
		}()
		if i%2 == 0 {
			go cancel()
		}
		k.enqueue(s)
		cancel()
		claimed += <-got
	}
	s := k.stats()
	if s.ByState[tasks.StateAssigned] != claimed+1 || s.Ready != rounds-claimed {
		k.Errorf("%d claims returned a task, but %d are assigned and %d ready", claimed, s.ByState[tasks.StateAssigned], s.Ready)
	}
}
