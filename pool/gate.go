package pool

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// gate lets a slot pass to its worker and the queue when there is a task for it,
// so that never more workers are opened than there are tasks. One goroutine
// polls the queue for all slots that wait.
type gate struct {
	poked chan struct{}

	// The pool's mu guards what follows.
	waiting []*ticket
	supply  int // workers without a task: standing, or on their way
	ahead   headStart
}

// ticket is one slot's wait at the gate.
type ticket struct {
	slot   *slot
	rank   int           // 0: it has a worker, 1: it would have to open one
	passed chan struct{} // closed when it may pass
}

func (g *gate) init() { g.poked = make(chan struct{}, 1) }

// poke has the gate poll the queue again.
func (g *gate) poke() {
	select {
	case g.poked <- struct{}{}:
	default:
	}
}

// pass waits until there is a task for this slot. It returns false when ctx
// ends before that.
func (r *run) pass(ctx context.Context, s *slot) bool {
	p := r.pool
	t := &ticket{slot: s, rank: 1, passed: make(chan struct{})}
	if s.standing {
		t.rank = 0
	}
	p.mu.Lock()
	r.gate.waiting = append(r.gate.waiting, t)
	p.mu.Unlock()
	r.gate.poke()
	select {
	case <-t.passed:
		return true
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	r.gate.waiting = slices.DeleteFunc(r.gate.waiting, func(w *ticket) bool { return w == t })
	s.offer(false)
	return false
}

// offer notes whether the slot has, or is about to have, a worker without a
// task. The caller holds the pool's mu.
func (s *slot) offer(free bool) {
	if s.free == free {
		return
	}
	s.free = free
	g := &s.run.gate
	if free {
		g.supply++
		return
	}
	g.supply--
	if len(g.waiting) > 0 {
		g.poke()
	}
}

// guardGate is the gate's goroutine.
func (r *run) guardGate() {
	wait := r.cfg.Poll
	timer := time.NewTimer(r.cfg.MaxPoll)
	defer timer.Stop()
	for {
		select {
		case <-r.gate.poked:
			wait = r.cfg.Poll
		case <-timer.C:
			wait = min(2*wait, r.cfg.MaxPoll)
		case <-r.fetch.Done():
			return
		}
		due, err := r.letPass()
		if err != nil {
			if r.fetch.Err() == nil {
				r.fail(fmt.Errorf("looking for tasks: %w", err))
			}
			return
		}
		timer.Reset(min(wait, due, r.moreWorkers()))
	}
}

// letPass lets as many slots pass as there are tasks that no free worker waits
// for, and returns how long it is until the next task is due.
func (r *run) letPass() (time.Duration, error) {
	p := r.pool
	p.mu.Lock()
	asking, supply, generation := len(r.gate.waiting), r.gate.supply, r.generation
	p.mu.Unlock()
	if asking == 0 {
		return r.cfg.MaxPoll, nil
	}
	stats, err := r.cfg.Queue.Stats(r.fetch)
	if err != nil {
		return 0, err
	}
	if stats.Open() == 0 {
		more, err := r.refilled(r.fetch, generation)
		if err != nil {
			return 0, err
		}
		if more {
			return time.Millisecond, nil
		}
	}
	wait := r.cfg.MaxPoll
	p.mu.Lock()
	if !p.paused() {
		n, left := r.gate.ahead.limit(stats.Ready - supply)
		r.admit(n)
		wait = min(wait, left)
	}
	p.mu.Unlock()
	if !stats.NextDue.IsZero() {
		wait = min(wait, time.Until(stats.NextDue))
	}
	return max(wait, time.Millisecond), nil
}

// admit lets up to n waiting slots pass: those that have a worker first, then by
// number. The others do not share in the tasks. The caller holds the pool's mu.
func (r *run) admit(n int) {
	g := &r.gate
	slices.SortFunc(g.waiting, func(a, b *ticket) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.slot.number, b.slot.number))
	})
	n = min(max(n, 0), len(g.waiting))
	for i, t := range g.waiting {
		t.slot.share(i < n)
		if i < n {
			t.slot.offer(true)
			close(t.passed)
		}
	}
	g.waiting = slices.Clone(g.waiting[n:])
}
