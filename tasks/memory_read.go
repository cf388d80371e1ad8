package tasks

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Get returns a copy of one task, see TaskQueue.
func (m *Memory) Get(ctx context.Context, id uuid.UUID) (*ProcessingTask, error) {
	var task *ProcessingTask
	err := m.locked(ctx, func(time.Time) error {
		e := m.byID[id]
		if e == nil {
			return ErrNotFound
		}
		task = e.task.copy()
		return nil
	})
	return task, err
}

// Each calls visit with a copy of every task as it was when Each was called, see
// TaskQueue. visit may call the queue.
func (m *Memory) Each(ctx context.Context, visit func(*ProcessingTask) error) error {
	var copies []*ProcessingTask
	err := m.locked(ctx, func(time.Time) error {
		for _, e := range m.all {
			copies = append(copies, e.task.copy())
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, task := range copies {
		if err := visit(task); err != nil {
			return err
		}
	}
	return nil
}

// Transitions returns the changes of a task's state, see TaskQueue.
func (m *Memory) Transitions(ctx context.Context, id uuid.UUID) ([]Transition, error) {
	var story []Transition
	err := m.locked(ctx, func(time.Time) error {
		e := m.byID[id]
		if e == nil {
			return ErrNotFound
		}
		story = slices.Clone(e.story)
		return nil
	})
	return story, err
}

// Stats counts the tasks, see TaskQueue.
func (m *Memory) Stats(ctx context.Context) (Stats, error) {
	s := Stats{ByState: make(map[State]int), ByOutcome: make(map[Outcome]int), Portals: make(map[string]Pending)}
	err := m.locked(ctx, func(now time.Time) error {
		for _, e := range m.all {
			s.add(e.task, now)
		}
		return nil
	})
	return s, err
}

func (s *Stats) add(t *ProcessingTask, now time.Time) {
	s.Total++
	s.ByState[t.State]++
	if t.Outcome != "" {
		s.ByOutcome[t.Outcome]++
	}
	if !t.Claimable() {
		return
	}
	ready := !t.NotBefore.After(now)
	if t.Portal != "" {
		p := s.Portals[t.Portal]
		if ready {
			if p.Priority = max(p.Priority, t.Priority); p.Ready == 0 {
				p.Priority = t.Priority
			}
			p.Ready++
		} else {
			p.Waiting++
		}
		s.Portals[t.Portal] = p
	}
	if ready {
		s.Ready++
		return
	}
	s.Waiting++
	if s.NextDue.IsZero() || t.NotBefore.Before(s.NextDue) {
		s.NextDue = t.NotBefore
	}
}

// copy returns a task that the queue's own changes do not reach.
func (t *ProcessingTask) copy() *ProcessingTask {
	c := *t
	c.History = slices.Clone(t.History)
	return &c
}
