package queuetest

import (
	"time"

	"github.com/poscrape/poscrape/tasks"
)

var portalCases = []testCase{
	{"a claim takes the first of its portals that has any", portalPreferred},
	{"the leases of one claim are of one portal", portalAlone},
	{"priorities hold within a portal", portalPriority},
	{"a portal that is not asked for is left alone", portalLeftAlone},
	{"a claim waits for its portals", portalWaits},
	{"a portal's part is shared", portalShared},
	{"turns are kept within the portals", portalTurns},
	{"the pending of each portal are counted", portalStats},
}

// enqueueAt adds a task of a portal for each key.
func (k *kit) enqueueAt(portal string, keys ...string) {
	k.Helper()
	for _, key := range keys {
		s := spec(key)
		s.Portal = portal
		k.enqueue(s)
	}
}

func at(portals ...string) tasks.ClaimRequest {
	return tasks.ClaimRequest{Worker: "w", Portals: portals}
}

func portalPreferred(k *kit) {
	k.enqueueAt("a", "1", "2")
	k.enqueueAt("b", "3", "4")
	l := k.wantClaim(at("b", "a"), "3")
	if l.Task.Portal != "b" {
		k.Errorf("the lease is of %q", l.Task.Portal)
	}
	k.wantClaim(at("b", "a"), "4")
	k.wantClaim(at("b", "a"), "1")
	k.wantClaim(tasks.ClaimRequest{Worker: "w"}, "2")
}

func portalAlone(k *kit) {
	k.enqueueAt("a", "1")
	k.enqueueAt("b", "2")
	k.enqueueAt("a", "3")
	req := at("a", "b")
	req.Max = 3
	k.wantPortion(req, 2)
	k.wantPortion(req, 1)
}

func portalPriority(k *kit) {
	k.enqueueAt("a", "1")
	urgent := spec("2")
	urgent.Portal, urgent.Priority = "a", 5
	k.enqueue(urgent)
	k.wantClaim(at("a"), "2")
	k.wantClaim(at("a"), "1")
}

func portalLeftAlone(k *kit) {
	k.enqueueAt("a", "1")
	k.enqueueAt("b", "2")
	l := k.wantClaim(at("b"), "2")
	k.claimNone(at("b")) // it may be put back
	k.start(l)
	k.record(l, complete())
	for _, req := range []tasks.ClaimRequest{at("b"), at([]string{}...)} {
		if leases, err := k.q.Claim(k.ctx, req); !isErr(err, tasks.ErrDrained) {
			k.Errorf("Claim(%v) = %d leases, %v; want ErrDrained", req.Portals, len(leases), err)
		}
	}
	k.wantClaim(at("a"), "1")
}

func portalWaits(k *kit) {
	k.enqueueAt("b", "0")
	k.enqueueAt("a", "1")
	first := k.wantClaim(at("a"), "1")
	waiting := k.goClaim(at("a"))
	k.start(first)
	k.record(first, released())
	k.wantTask(waiting, "1")
}

func portalShared(k *kit) {
	k.enqueueAt("b", "1", "2", "3", "4")
	k.enqueueAt("a", "5", "6")
	req := at("a")
	req.Max, req.Sharers = 8, 2
	k.wantPortion(req, 1)
}

func portalTurns(k *kit) {
	k.enqueueAt("a", "1", "2")
	k.enqueueAt("b", "3", "4")
	req := turns("v", "v", "w")
	req.Portals = []string{"b", "a"}
	k.wantClaim(req, "3")
	k.wantClaim(req, "1")
	k.claimNone(req)
	req.Worker = "w"
	k.wantClaim(req, "4")
	k.wantClaim(req, "2")
}

func portalStats(k *kit) {
	k.enqueueAt("a", "1", "2")
	k.enqueueAt("b", "3")
	k.enqueue(spec("4"))
	for key, priority := range map[string]int{"5": -3, "6": -2} {
		later := spec(key)
		later.Portal, later.Priority = "c", priority
		k.enqueue(later)
	}
	l := k.wantClaim(at("a"), "1")
	k.start(l)
	k.record(l, retryAt(time.Now().Add(time.Hour)))
	stats := k.stats()
	a, b := stats.Portals["a"], stats.Portals["b"]
	c := tasks.Pending{Ready: 2, Priority: -2}
	if a != (tasks.Pending{Ready: 1, Waiting: 1}) || b != (tasks.Pending{Ready: 1}) || stats.Portals["c"] != c || len(stats.Portals) != 3 {
		k.Errorf("the portals have %+v", stats.Portals)
	}
}
