package queuetest

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

var shareCases = []testCase{
	{"load_balanced gives to whoever asks", shareBalanced},
	{"round_robin deals in turn", shareInTurn},
	{"round_robin deals to those that wait", shareWaiting},
	{"round_robin keeps priorities", sharePriority},
	{"round_robin hands out several of one's own", shareMax},
	{"a worker that joins has its turn", shareJoins},
	{"a worker that is not listed loses its tasks", shareLeaves},
	{"a worker that waits gets what another loses", shareLeavesWaiting},
	{"a worker that waits long keeps its turn", shareWaitsLong},
	{"a worker that vanishes loses its tasks", shareVanishes},
	{"a retried task is dealt anew", shareRetried},
	{"round_robin among many, coming and going", shareMany},
}

func turns(worker string, workers ...string) tasks.ClaimRequest {
	return tasks.ClaimRequest{Worker: worker, Distribution: tasks.RoundRobin, Workers: workers}
}

func (k *kit) wantClaim(req tasks.ClaimRequest, key string) *tasks.Lease {
	k.Helper()
	l := k.claimAs(req)
	if l.Task.Key != key {
		k.Fatalf("%s claimed %s, want %s", req.Worker, l.Task.Key, key)
	}
	return l
}

func shareBalanced(k *kit) {
	k.enqueue(specs(3)...)
	req := tasks.ClaimRequest{Worker: "a", Workers: []string{"a", "b"}, Distribution: tasks.LoadBalanced}
	k.wantClaim(req, "000001")
	k.wantClaim(req, "000002")
	req.Worker = "b"
	k.wantClaim(req, "000003")
}

func shareInTurn(k *kit) {
	k.enqueue(specs(7)...)
	w := []string{"a", "b", "c"}
	k.wantClaim(turns("a", w...), "000001")
	k.wantClaim(turns("c", w...), "000003")
	k.wantClaim(turns("a", w...), "000004")
	k.wantClaim(turns("a", w...), "000007")
	k.claimNone(turns("a", w...))
	k.wantClaim(turns("b", w...), "000002")
	k.wantClaim(turns("c", w...), "000006")
	k.wantClaim(turns("b", w...), "000005")
}

func shareWaiting(k *kit) {
	k.enqueue(spec("holds the queue open"))
	k.claim("holder")
	waiting := map[string]*claiming{}
	for _, w := range []string{"a", "b"} {
		waiting[w] = k.goClaim(turns(w, "a", "b"))
	}
	k.enqueue(specs(2)...)
	var got []string
	for w, c := range waiting {
		<-c.done
		if c.err != nil {
			k.Fatalf("%s: %v", w, c.err)
		}
		got = append(got, c.leases[0].Task.Key)
	}
	slices.Sort(got)
	if !slices.Equal(got, []string{"000001", "000002"}) {
		k.Errorf("a and b claimed %v", got)
	}
}

func sharePriority(k *kit) {
	list := specs(4)
	list[2].Priority, list[3].Priority = 1, 1
	k.enqueue(list...)
	k.wantClaim(turns("b", "a", "b"), "000004")
	k.wantClaim(turns("a", "a", "b"), "000003")
	k.wantClaim(turns("a", "a", "b"), "000001")
	k.wantClaim(turns("b", "a", "b"), "000002")
}

func shareMax(k *kit) {
	k.enqueue(specs(6)...)
	req := turns("b", "a", "b")
	req.Max = 2
	leases, err := k.q.Claim(k.ctx, req)
	if err != nil || len(leases) != 2 || leases[0].Task.Key != "000002" || leases[1].Task.Key != "000004" {
		k.Fatalf("Claim = %d leases, %v", len(leases), err)
	}
	k.wantClaim(turns("a", "a", "b"), "000001")
}

func shareJoins(k *kit) {
	k.enqueue(specs(4)...)
	k.wantClaim(turns("a", "a"), "000001")
	w := []string{"a", "b"}
	got := []string{k.claimAs(turns("b", w...)).Task.Key, k.claimAs(turns("a", w...)).Task.Key, k.claimAs(turns("b", w...)).Task.Key}
	slices.Sort(got)
	if !slices.Equal(got, []string{"000002", "000003", "000004"}) {
		k.Errorf("claimed %v", got)
	}
}

func shareLeaves(k *kit) {
	k.enqueue(specs(5)...)
	k.wantClaim(turns("b", "a", "b"), "000002")
	waits := k.goClaim(turns("a", "a", "b"))
	k.wantTask(waits, "000001")
	k.wantClaim(turns("a", "a", "b"), "000003")
	// 000004 is b's, and b leaves.
	k.wantClaim(turns("a", "a"), "000004")
	k.wantClaim(turns("a", "a"), "000005")
}

// shareLeavesWaiting lets b leave while a waits and c joins: one of them gets b's
// task.
func shareLeavesWaiting(k *kit) {
	k.enqueue(specs(2)...)
	k.wantClaim(turns("a", "a", "b"), "000001")
	waits := k.goClaim(turns("a", "a", "b"))
	k.claimNone(turns("a", "a", "b"))
	joins := k.goClaim(turns("c", "a", "c"))
	select {
	case <-waits.done:
		k.wantTask(waits, "000002")
	case <-joins.done:
		k.wantTask(joins, "000002")
	}
	// The other one's wait ends with the queue.
	if err := k.q.Close(); err != nil {
		k.Errorf("Close: %v", err)
	}
	<-waits.done
	<-joins.done
}

func shareWaitsLong(k *kit) {
	k.enqueue(spec("holds the queue open"))
	held := k.claim("b")
	k.claimNone(turns("a", "a", "b"))
	c := k.goClaim(turns("a", "a", "b"))
	for range 10 {
		k.claimNone(turns("b", "a", "b"))
		k.reap(0)
		if err := k.q.Extend(k.ctx, held); err != nil {
			k.Fatalf("Extend: %v", err)
		}
	}
	k.enqueue(specs(2)...)
	<-c.done
	if c.err != nil || len(c.leases) != 1 {
		k.Errorf("Claim = %d leases, %v", len(c.leases), c.err)
	}
}

// shareVanishes leaves a task dealt to a worker that never asks again, while the
// only other one waits with the old list.
func shareVanishes(k *kit) {
	k.enqueue(specs(2)...)
	held := k.wantClaim(turns("a", "a", "b"), "000001")
	c := k.goClaim(turns("a", "a", "b"))
	for waiting := true; waiting; {
		k.reap(0)
		if err := k.q.Extend(k.ctx, held); err != nil {
			k.Fatalf("Extend: %v", err)
		}
		select {
		case <-c.done:
			waiting = false
		case <-k.ctx.Done():
			k.Fatal("the task of the vanished worker is stuck")
		default:
			runtime.Gosched()
		}
	}
	k.wantTask(c, "000002")
}

func shareRetried(k *kit) {
	k.enqueue(spec("x"))
	l := k.wantClaim(turns("a", "a", "b"), "x")
	k.start(l)
	k.record(l, retryAt(time.Time{}))
	k.wantClaim(turns("b", "a", "b"), "x")
}

func shareMany(k *kit) {
	const workers, n = 8, 160
	k.enqueue(specs(n)...)
	var names []string
	for i := range workers {
		names = append(names, fmt.Sprintf("worker_%03d", i+1))
	}
	c := newCrowd(k)
	for i, name := range names {
		c.hire(func() {
			// Half of the workers leave after a few tasks; the first lists itself alone at times.
			for done := 0; i%2 == 0 || done < 5; done++ {
				list := names
				if i == 0 && done%3 == 2 {
					list = names[:1]
				}
				leases, err := c.claim(turns(name, list...))
				if isErr(err, tasks.ErrDrained) {
					return
				}
				if err != nil {
					k.Errorf("Claim of %s: %v", name, err)
					return
				}
				err = finish(k, leases[0], complete())
				if err != nil && !isErr(err, tasks.ErrLeaseLost) {
					k.Errorf("%s: %v", leases[0].Task.Key, err)
					return
				}
			}
		})
	}
	c.wait()
	if s := k.stats(); s.ByOutcome[tasks.OutcomeComplete] != n {
		k.Errorf("stats: %+v", s)
	}
}
