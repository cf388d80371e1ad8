package tasks

import (
	"context"
	"slices"
	"time"
)

// waiter is a claim that waits. Its answer is given exactly once.
type waiter struct {
	req    ClaimRequest
	answer chan claimed
}

type claimed struct {
	leases []*Lease
	err    error
}

// Claim hands out due tasks, see TaskQueue.
func (m *Memory) Claim(ctx context.Context, req ClaimRequest) ([]*Lease, error) {
	if err := req.Validate(); err != nil {
		return nil, err
	}
	w := &waiter{req: req, answer: make(chan claimed, 1)}
	err := m.locked(ctx, func(now time.Time) error {
		if req.Distribution == RoundRobin && m.dealer.Seat(req.Worker, req.Workers) {
			m.serve(now)
		}
		if !m.answer(w, now) {
			m.waiting = append(m.waiting, w)
			if req.Distribution == RoundRobin {
				m.serve(now) // looking for itself, it may have dealt a task to another
			}
			m.setTimer(now)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	select {
	case c := <-w.answer:
		return c.leases, c.err
	case <-ctx.Done():
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	select {
	case c := <-w.answer:
		return c.leases, c.err
	default:
		m.waiting = slices.DeleteFunc(m.waiting, func(o *waiter) bool { return o == w })
		return nil, context.Cause(ctx)
	}
}

// serve gives the waiting claims what there is for them.
func (m *Memory) serve(now time.Time) {
	empty := false
	m.waiting = slices.DeleteFunc(m.waiting, func(w *waiter) bool {
		plain := w.req.Distribution != RoundRobin && w.req.Portals == nil
		if empty && plain {
			return false
		}
		answered := m.answer(w, now)
		empty = empty || !answered && plain
		return answered
	})
	m.setTimer(now)
}

// answer gives a claim its tasks, or ErrDrained. It returns false if the claim
// has to wait.
func (m *Memory) answer(w *waiter, now time.Time) bool {
	if leases, err := m.take(w.req, now); len(leases) > 0 || err != nil {
		w.answer <- claimed{leases: leases, err: err}
		return true
	}
	if len(m.active) == 0 && !slices.ContainsFunc(m.pending, func(e *entry) bool { return w.req.mayServe(e.task.Portal) }) {
		w.answer <- claimed{err: ErrDrained}
		return true
	}
	return false
}

// mayServe reports whether the request is for tasks of the portal.
func (r ClaimRequest) mayServe(portal string) bool {
	return r.Portals == nil || slices.Contains(r.Portals, portal)
}

// take assigns the due tasks that the request may have.
func (m *Memory) take(req ClaimRequest, now time.Time) ([]*Lease, error) {
	if req.Portals == nil {
		return m.takeOf(req, now)
	}
	for _, portal := range req.Portals {
		of := req
		of.Portals = []string{portal}
		if leases, err := m.takeOf(of, now); len(leases) > 0 || err != nil {
			return leases, err
		}
	}
	return nil, nil
}

// takeOf is take for tasks of one portal, or of any.
func (m *Memory) takeOf(req ClaimRequest, now time.Time) ([]*Lease, error) {
	var leases []*Lease
	for i, most := 0, m.most(req, now); i < len(m.pending) && len(leases) < most; {
		e := m.pending[i]
		if e.task.NotBefore.After(now) || !m.mayHave(req, e) {
			i++
			continue
		}
		lease, err := m.lease(e, req.Worker, now)
		if err != nil {
			return leases, err
		}
		m.pending = slices.Delete(m.pending, i, i+1)
		leases = append(leases, lease)
	}
	return leases, nil
}

// most returns how many tasks the request may have, as far as it goes by their
// number.
func (m *Memory) most(req ClaimRequest, now time.Time) int {
	if req.Distribution == RoundRobin {
		return max(req.Max, 1)
	}
	due := 0
	for _, e := range m.pending {
		if due == req.Reach() {
			break
		}
		if !e.task.NotBefore.After(now) && req.mayServe(e.task.Portal) {
			due++
		}
	}
	return req.Portion(due)
}

func (m *Memory) mayHave(req ClaimRequest, e *entry) bool {
	if req.Distribution != RoundRobin {
		return req.mayServe(e.task.Portal)
	}
	m.dealer.Join(req.Worker)
	return m.dealer.Deal(e.seq) == req.Worker && req.mayServe(e.task.Portal)
}

func (m *Memory) lease(e *entry, worker string, now time.Time) (*Lease, error) {
	made, err := e.task.Assign(worker, now)
	if err != nil {
		return nil, err
	}
	m.dealer.Forget(e.seq)
	e.story = append(e.story, made)
	e.lease++
	e.pulse = Pulse{}
	e.pulse.Beat()
	m.active[e] = struct{}{}
	return &Lease{
		Task: e.task.copy(), Worker: worker, Attempt: e.lease, Epoch: memoryEpoch,
		ClaimedAt: now, ClaimTook: time.Since(now),
	}, nil
}

// setTimer sets the timer that serves waiting claims when the next task is due.
func (m *Memory) setTimer(now time.Time) {
	if m.due != nil {
		m.due.Stop()
		m.due = nil
	}
	if len(m.waiting) == 0 {
		return
	}
	var next time.Time
	for _, e := range m.pending {
		if at := e.task.NotBefore; at.After(now) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	if !next.IsZero() {
		m.due = time.AfterFunc(next.Sub(now), m.wake)
	}
}

func (m *Memory) wake() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.serve(time.Now())
	}
}
