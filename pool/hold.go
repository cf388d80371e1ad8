package pool

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// errHeld ends the claims that wait when the pool is held.
var errHeld = errors.New("the pool is held")

// Hold is one reason why work does not go on.
type Hold struct {
	// Owner is who holds the work, such as "disk".
	Owner string
	// Reason says why, for people.
	Reason string
	// Claiming: tasks are claimed all the same, and wait with their workers. It is
	// for an owner that needs tasks to find out when work can go on.
	Claiming bool
	// Since is when the hold began. The pool sets it.
	Since time.Time
}

// Hold begins a hold and returns at once. As long as there is one that is not
// Claiming, the pool is paused: it claims no task. Claims that wait are ended;
// tasks in progress go on and are recorded; workers that stand stay, and no others
// are opened. Everything else works as ever: the pool can be scaled and stopped,
// and Wait returns when nothing is left to do. Like draining, it is a property
// beside the state. A pool that does not run can be held too: it then takes no task
// when it is started.
//
// The hold ends when release is called, with what has changed since; further calls
// do nothing. Work goes on when the last hold has ended. Two holds of one owner are
// two holds.
func (p *WorkerPool) Hold(h Hold) (release func(why string)) {
	h.Since = time.Now()
	held := &h
	p.mu.Lock()
	defer p.mu.Unlock()
	p.holds = append(p.holds, held)
	if p.run != nil {
		if !h.Claiming {
			p.run.endClaims(errHeld)
		}
		p.tellHold(EventHoldBegan, h.Owner, h.Reason)
	}
	var once sync.Once
	return func(why string) { once.Do(func() { p.release(held, why) }) }
}

func (p *WorkerPool) release(held *Hold, why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.holds = slices.DeleteFunc(p.holds, func(h *Hold) bool { return h == held })
	if p.run != nil {
		p.run.gate.poke()
		p.tellHold(EventHoldEnded, held.Owner, why)
	}
}

// tellHold emits an event of the holds. The caller holds p.mu, which keeps the events
// in the order of the changes.
func (p *WorkerPool) tellHold(kind, owner, detail string) {
	p.run.events.emit(Event{Type: kind, Owner: owner, Detail: detail, Holds: p.listHolds()})
}

// Holds returns the holds that there are, oldest first.
func (p *WorkerPool) Holds() []Hold {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.listHolds()
}

// listHolds is Holds, for who holds p.mu.
func (p *WorkerPool) listHolds() []Hold {
	list := make([]Hold, len(p.holds))
	for i, h := range p.holds {
		list[i] = *h
	}
	return list
}

// paused reports whether no task is to be claimed. The caller holds p.mu.
func (p *WorkerPool) paused() bool {
	return slices.ContainsFunc(p.holds, func(h *Hold) bool { return !h.Claiming })
}

// sitOut keeps the worker and waits at the gate until the pool is not paused any
// more. The gate notices if meanwhile nothing is left to do. It returns false when ctx
// ends before that.
func (s *slot) sitOut(ctx context.Context) bool {
	s.lock(func() { s.offer(false) })
	return s.run.pass(ctx, s)
}
