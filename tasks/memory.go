package tasks

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Memory is a TaskQueue that keeps its tasks in memory, and forgets them with
// the process. It is made by NewMemory.
//
// It keeps the results and failures that it is given, and hands them out again,
// without a copy: nobody may change them.
type Memory struct {
	mu      sync.Mutex
	closed  bool
	all     []*entry // in the order in which they were enqueued
	byKey   map[string]*entry
	byID    map[uuid.UUID]*entry
	pending []*entry // claimable, in the order of claims
	active  map[*entry]struct{}
	waiting []*waiter // claims, longest waiting first
	dealer  Dealer
	due     *time.Timer // nil unless claims wait for a due time
}

// entry is a task with what the queue knows of its lease.
type entry struct {
	task  *ProcessingTask
	seq   int64
	lease int64
	pulse Pulse
	story []Transition
}

const memoryEpoch = 1

var _ TaskQueue = (*Memory)(nil)

// NewMemory returns an empty queue.
func NewMemory() *Memory {
	return &Memory{
		byKey: make(map[string]*entry), byID: make(map[uuid.UUID]*entry),
		active: make(map[*entry]struct{}),
	}
}

// Enqueue adds tasks, see TaskQueue.
func (m *Memory) Enqueue(ctx context.Context, specs ...Spec) (EnqueueResult, error) {
	var res EnqueueResult
	err := m.locked(ctx, func(now time.Time) error {
		for _, spec := range specs {
			if m.byKey[spec.Key] != nil {
				res.Known++
				continue
			}
			task, story, err := NewTask(spec, now)
			if err != nil {
				return err
			}
			e := &entry{task: task, seq: int64(len(m.all)), story: story}
			m.all = append(m.all, e)
			m.byKey[spec.Key], m.byID[task.ID] = e, e
			if task.Claimable() {
				m.pending = append(m.pending, e)
			}
			res.Added++
		}
		slices.SortFunc(m.pending, byTurn)
		m.serve(now)
		return nil
	})
	return res, err
}

// Start begins an attempt, see TaskQueue.
func (m *Memory) Start(ctx context.Context, lease *Lease) error {
	return m.locked(ctx, func(now time.Time) error {
		e, err := m.holder(lease)
		if err != nil {
			return err
		}
		made, err := e.task.Begin(now)
		if err != nil {
			return err
		}
		e.pulse.Beat()
		e.story = append(e.story, made)
		return nil
	})
}

// Extend is the worker's heartbeat, see TaskQueue.
func (m *Memory) Extend(ctx context.Context, lease *Lease) error {
	return m.locked(ctx, func(time.Time) error {
		e, err := m.holder(lease)
		if err != nil {
			return err
		}
		e.pulse.Beat()
		return nil
	})
}

// Record stores what became of a task, see TaskQueue.
func (m *Memory) Record(ctx context.Context, lease *Lease, d Decision) error {
	return m.locked(ctx, func(now time.Time) error {
		e, err := m.holder(lease)
		if err != nil {
			return err
		}
		if err := m.apply(e, d, now); err != nil {
			return err
		}
		m.serve(now)
		return nil
	})
}

// Reap releases tasks without a heartbeat, see TaskQueue.
func (m *Memory) Reap(ctx context.Context) (int, error) {
	reaped := 0
	err := m.locked(ctx, func(now time.Time) error {
		alive := make(map[string]bool)
		for _, w := range m.waiting {
			alive[w.req.Worker] = true
		}
		for e := range m.active {
			if !e.pulse.Check() {
				alive[e.task.Worker] = true
				continue
			}
			if err := m.apply(e, e.task.Lapse(now, "no heartbeat of "+e.task.Worker), now); err != nil {
				return err
			}
			reaped++
		}
		if m.dealer.Check(alive) || reaped > 0 {
			m.serve(now)
		}
		return nil
	})
	return reaped, err
}

// Retry puts tasks back on a person's request, see TaskQueue.
func (m *Memory) Retry(ctx context.Context, outcomes ...Outcome) (int, error) {
	again := 0
	err := m.locked(ctx, func(now time.Time) error {
		for _, e := range m.all {
			if !e.task.Retryable() || !slices.Contains(outcomes, e.task.Outcome) {
				continue
			}
			made, err := e.task.Again(now)
			if err != nil {
				return err
			}
			e.story = append(e.story, made)
			if e.task.Claimable() {
				m.putBack(e)
			}
			again++
		}
		m.serve(now)
		return nil
	})
	return again, err
}

// Reread puts tasks back that have to be read in another way, see TaskQueue.
func (m *Memory) Reread(ctx context.Context, reason string, ids ...uuid.UUID) (int, error) {
	again := 0
	err := m.locked(ctx, func(now time.Time) error {
		for _, id := range ids {
			e := m.byID[id]
			if e == nil || !e.task.State.Final() || e.task.Invalid != nil {
				continue
			}
			made, err := e.task.Reread(reason, now)
			if err != nil {
				return err
			}
			e.story = append(e.story, made)
			m.putBack(e)
			again++
		}
		m.serve(now)
		return nil
	})
	return again, err
}

// Prove gives tasks the proof that they have been waiting for, see TaskQueue.
func (m *Memory) Prove(ctx context.Context, kind string, proof Proof) (int, error) {
	n := 0
	err := m.locked(ctx, func(now time.Time) error {
		for _, e := range m.all {
			if kind == "" || e.task.Awaiting() != kind {
				continue
			}
			made, err := e.task.Prove(proof, now)
			if err != nil {
				return err
			}
			e.story = append(e.story, made)
			n++
		}
		return nil
	})
	return n, err
}

// Doubt has tasks be partial for what others have shown, see TaskQueue.
func (m *Memory) Doubt(ctx context.Context, why *Failure, ids ...uuid.UUID) (int, error) {
	n := 0
	err := m.locked(ctx, func(now time.Time) error {
		for _, id := range ids {
			e := m.byID[id]
			if e == nil || !e.task.Doubtable() {
				continue
			}
			made, err := e.task.Doubt(why, now)
			if err != nil {
				return err
			}
			e.story = append(e.story, made)
			n++
		}
		return nil
	})
	return n, err
}

// Repair puts tasks back whose documents are gone, see TaskQueue.
func (m *Memory) Repair(ctx context.Context, gone map[uuid.UUID][]string) (int, error) {
	again := 0
	err := m.locked(ctx, func(now time.Time) error {
		for _, e := range m.all {
			if !e.task.Repairable(gone[e.task.ID]) {
				continue
			}
			made, err := e.task.Repair(gone[e.task.ID], now)
			if err != nil {
				return err
			}
			e.story = append(e.story, made)
			m.putBack(e)
			again++
		}
		m.serve(now)
		return nil
	})
	return again, err
}

// Close ends the queue, see TaskQueue.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	for _, w := range m.waiting {
		w.answer <- claimed{err: ErrClosed}
	}
	m.waiting = nil
	m.setTimer(time.Time{})
	return nil
}

// locked calls do while it holds the lock, unless ctx or the queue has ended.
func (m *Memory) locked(ctx context.Context, do func(now time.Time) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	return do(time.Now())
}

// holder returns the entry that the lease is the right to.
func (m *Memory) holder(lease *Lease) (*entry, error) {
	e := m.byID[lease.Task.ID]
	if e == nil || !e.task.Active() || e.lease != lease.Attempt ||
		e.task.Worker != lease.Worker || lease.Epoch != memoryEpoch {
		return nil, ErrLeaseLost
	}
	return e, nil
}

func (m *Memory) apply(e *entry, d Decision, now time.Time) error {
	made, err := e.task.Apply(d, now)
	if err != nil {
		return err
	}
	e.story = append(e.story, made...)
	delete(m.active, e)
	if e.task.Claimable() {
		m.putBack(e)
	}
	return nil
}

func (m *Memory) putBack(e *entry) {
	at, _ := slices.BinarySearchFunc(m.pending, e, byTurn)
	m.pending = slices.Insert(m.pending, at, e)
}

// byTurn orders entries as they are claimed.
func byTurn(a, b *entry) int {
	return cmp.Or(cmp.Compare(b.task.Priority, a.task.Priority), cmp.Compare(a.seq, b.seq))
}
