package pool

import (
	"cmp"
	"fmt"
	"slices"
)

// Scale changes the number of workers of a running pool to n, at least 1, and
// returns at once. Growing, it takes the slots with the lowest numbers that are
// not in use. Shrinking, it takes out slots without a task first, the highest
// number first, and then has busy ones drain: each finishes its task and closes.
// Asking for the number that there is changes nothing. It returns ErrSize,
// ErrNotRunning, ErrStopping or ErrFailed.
func (p *WorkerPool) Scale(n int) error {
	if n < 1 {
		return fmt.Errorf("scaling to %d workers: %w", n, ErrSize)
	}
	if err := p.taking(); err != nil {
		return fmt.Errorf("scaling to %d workers: %w", n, err)
	}
	p.mu.Lock()
	r := p.run
	if r.fetch.Err() != nil || r.goroutines == 0 {
		p.mu.Unlock()
		return fmt.Errorf("scaling to %d workers: %w", n, ErrStopping)
	}
	from := r.wanted()
	r.scale(n - from)
	p.announce()
	p.mu.Unlock()
	if n != from {
		r.events.emit(Event{Type: EventScaled, From: from, To: n})
	}
	return nil
}

// wanted counts the slots that are to serve. The caller holds the pool's mu.
func (r *run) wanted() int {
	n := 0
	for _, s := range r.slots {
		if s.wanted {
			n++
		}
	}
	return n
}

// scale takes slots in, or out. The caller holds the pool's mu.
func (r *run) scale(by int) {
	for _, s := range r.slots {
		if by > 0 && !s.wanted {
			s.takeIn()
			by--
		}
	}
	for ; by > 0; by-- {
		r.addSlot()
	}
	if by == 0 {
		return
	}
	in := slices.DeleteFunc(slices.Clone(r.slots), func(s *slot) bool { return !s.wanted })
	slices.SortFunc(in, func(a, b *slot) int {
		if c := cmp.Compare(a.worth(), b.worth()); c != 0 {
			return c
		}
		return cmp.Compare(b.number, a.number)
	})
	for _, s := range in[:-by] {
		s.takeOut()
	}
}

// worth says what is lost when the slot is taken out: nothing, an open worker,
// one that is being opened, or the wait for a task to end.
func (s *slot) worth() int {
	switch s.status.State {
	case WorkerReady:
		return 1
	case WorkerInitializing:
		return 2
	case WorkerProcessing:
		return 3
	}
	return 0
}

// takeIn has the slot serve again, with the worker that it is about to close
// where it still works on its last task.
func (s *slot) takeIn() {
	s.wanted = true
	s.share(s.status.State.Standing())
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// takeOut has the slot serve no more: at once, or after the task that it works on.
func (s *slot) takeOut() {
	s.wanted = false
	s.share(false)
	if s.status.State != WorkerProcessing && s.endServing != nil {
		s.endServing(errDraining)
	}
}
