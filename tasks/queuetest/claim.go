package queuetest

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

var claimCases = []testCase{
	{"highest priority first, then in order", claimOrder},
	{"a lease names its holder", claimLease},
	{"up to Max at once", claimMax},
	{"an even part of the last ones for each that shares", claimPortion},
	{"tasks that are not due are no part of what is shared", claimPortionDue},
	{"a later task with a higher priority goes first", claimLatePriority},
	{"a bad request is refused", claimBad},
	{"many at once never claim the same", claimConcurrent},
	{"a retried task keeps its place", claimRetried},
}

func isErr(err, want error) bool { return errors.Is(err, want) }

func claimOrder(k *kit) {
	list := specs(5)
	for i, p := range []int{0, 5, 0, 5, -1} {
		list[i].Priority = p
	}
	k.enqueue(list...)
	var got []string
	for range list {
		got = append(got, k.claim("w").Task.Key)
	}
	want := []string{"000002", "000004", "000001", "000003", "000005"}
	if !slices.Equal(got, want) {
		k.Errorf("claimed %v, want %v", got, want)
	}
}

func claimLease(k *kit) {
	k.enqueue(spec("a"))
	before := time.Now()
	l := k.claim("worker_001")
	if l.Worker != "worker_001" || l.Task.Worker != "worker_001" || l.Task.State != tasks.StateAssigned {
		k.Errorf("lease of %s, task of %s in %s", l.Worker, l.Task.Worker, l.Task.State)
	}
	if l.ClaimTook < 0 || l.ClaimTook > time.Since(before) {
		k.Errorf("ClaimTook is %v in a claim that took %v", l.ClaimTook, time.Since(before))
	}
	if l.ClaimedAt.IsZero() || l.Task.Attempts != 0 {
		k.Errorf("claimed at %v, %d attempts", l.ClaimedAt, l.Task.Attempts)
	}
	if task := k.get(l.Task.ID); task.State != tasks.StateAssigned || task.Worker != "worker_001" {
		k.Errorf("the task is %s, with %q", task.State, task.Worker)
	}
}

func claimMax(k *kit) {
	k.enqueue(specs(5)...)
	for _, want := range []int{3, 2} {
		leases, err := k.q.Claim(k.ctx, tasks.ClaimRequest{Worker: "w", Max: 3})
		if err != nil || len(leases) != want {
			k.Fatalf("Claim = %d leases, %v; want %d", len(leases), err, want)
		}
	}
}

func claimPortion(k *kit) {
	k.enqueue(specs(20)...)
	for _, want := range []int{4, 4, 4, 3, 2, 1, 1, 1} {
		k.wantPortion(tasks.ClaimRequest{Worker: "w", Max: 4, Sharers: 3}, want)
	}
}

func claimPortionDue(k *kit) {
	k.enqueue(specs(9)...)
	for range 5 {
		k.work("w", retryAt(time.Now().Add(time.Hour)))
	}
	k.wantPortion(tasks.ClaimRequest{Worker: "w", Max: 4, Sharers: 2}, 2)
}

func (k *kit) wantPortion(req tasks.ClaimRequest, want int) {
	k.Helper()
	leases, err := k.q.Claim(k.ctx, req)
	if err != nil || len(leases) != want {
		k.Fatalf("Claim = %d leases, %v; want %d", len(leases), err, want)
	}
}

func claimLatePriority(k *kit) {
	k.enqueue(specs(2)...)
	urgent := spec("urgent")
	urgent.Priority = 1
	k.enqueue(urgent)
	if l := k.claim("w"); l.Task.Key != "urgent" {
		k.Errorf("claimed %s", l.Task.Key)
	}
}

func claimBad(k *kit) {
	k.enqueue(spec("a"))
	for name, req := range map[string]tasks.ClaimRequest{
		"no worker":            {},
		"negative Max":         {Worker: "w", Max: -1},
		"negative Sharers":     {Worker: "w", Sharers: -1},
		"unknown distribution": {Worker: "w", Distribution: "fair"},
		"turns of nobody":      {Worker: "w", Distribution: tasks.RoundRobin},
	} {
		if leases, err := k.q.Claim(k.ctx, req); err == nil {
			k.Errorf("%s: claimed %d", name, len(leases))
		}
	}
	k.claim("w")
}

func claimConcurrent(k *kit) {
	const workers, n = 16, 200
	k.enqueue(specs(n)...)
	var (
		mu   sync.Mutex
		seen = map[string]int{}
		wg   sync.WaitGroup
	)
	for range workers {
		wg.Go(func() {
			for {
				leases, err := k.q.Claim(k.ctx, tasks.ClaimRequest{Worker: "w", Max: 2})
				if isErr(err, tasks.ErrDrained) {
					return
				}
				if err != nil {
					k.Errorf("Claim: %v", err)
					return
				}
				for _, l := range leases {
					mu.Lock()
					seen[l.Task.Key]++
					mu.Unlock()
					if err := errors.Join(k.q.Start(k.ctx, l), k.q.Record(k.ctx, l, complete())); err != nil {
						k.Errorf("%s: %v", l.Task.Key, err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	for key, times := range seen {
		if times != 1 {
			k.Errorf("%s was claimed %d times", key, times)
		}
	}
	if len(seen) != n {
		k.Errorf("%d tasks were claimed, want %d", len(seen), n)
	}
}

func claimRetried(k *kit) {
	k.enqueue(specs(3)...)
	first := k.work("w", released())
	if l := k.claim("w"); l.Task.ID != first.Task.ID || l.Attempt == first.Attempt {
		k.Errorf("claimed %s with attempt %d after %d", l.Task.Key, l.Attempt, first.Attempt)
	}
}
