package pool

import (
	"cmp"
	"fmt"
	"slices"
)

// Limit is the most workers that somebody allows.
type Limit struct {
	// Owner is who sets it, such as "load". Each has one limit.
	Owner string
	// Workers is the most that the owner allows, at least 1.
	Workers int
	// Reason says why, for people.
	Reason string
}

// Scale asks for n workers of a running pool, at least 1, and returns at once. The
// pool has as many unless a Limit is lower: then it has those that are asked for when
// the limit is gone. Growing, it takes the slots with the lowest numbers that are
// not in use. Shrinking, it takes out slots without a task first, and then has busy ones
// drain: each finishes its task and closes. Of several the heaviest comes first, see
// Config.Weigh, or the one with the highest number.
// Asking for the number that there is changes nothing. It returns ErrSize,
// ErrNotRunning, ErrStopping or ErrFailed.
func (p *WorkerPool) Scale(n int) error {
	if err := p.resize(n, Event{}, func(r *run) { r.asked = n }); err != nil {
		return fmt.Errorf("scaling to %d workers: %w", n, err)
	}
	return nil
}

// Limit sets its owner's limit in a running pool, in place of the one before, and
// returns at once. The pool has as many workers as are asked for, or as the lowest
// limit allows. One that allows all that are asked for is none, and is dropped: who
// asks for more later gets them. It returns ErrSize, ErrNotRunning, ErrStopping or
// ErrFailed.
func (p *WorkerPool) Limit(l Limit) error {
	err := p.resize(l.Workers, Event{Owner: l.Owner, Detail: l.Reason}, func(r *run) { r.setLimit(l) })
	if err != nil {
		return fmt.Errorf("limiting the pool to %d workers: %w", l.Workers, err)
	}
	return nil
}

// Limits returns the limits that there are.
func (p *WorkerPool) Limits() []Limit {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run == nil {
		return nil
	}
	return slices.Clone(p.run.limits)
}

// SizeWithout returns how many workers the pool would have without this owner's
// limit.
func (p *WorkerPool) SizeWithout(owner string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run == nil {
		return p.cfg.Size
	}
	return p.run.allowed(owner)
}

// resize calls change, which sets a number of workers to n, and takes slots in or out
// to match. If the number of workers changes, it completes and emits the event.
func (p *WorkerPool) resize(n int, event Event, change func(*run)) error {
	if n < 1 {
		return ErrSize
	}
	if err := p.taking(); err != nil {
		return err
	}
	var weights map[string]int64
	if p.cfg.Weigh != nil {
		weights = p.cfg.Weigh()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.run; r.fetch.Err() != nil || r.goroutines == 0 {
		return ErrStopping
	}
	p.run.weights = weights
	p.run.resize(event, change)
	return nil
}

// resize is the pool's, for who holds its mu and knows that the run has goroutines left.
func (r *run) resize(event Event, change func(*run)) {
	change(r)
	event.Type, event.From, event.To = EventScaled, r.wanted(), r.allowed("")
	if event.From == event.To {
		return
	}
	r.scale(event.To - event.From)
	r.pool.announce()
	r.events.emit(event)
}

// setLimit sets or drops an owner's limit. The caller holds the pool's mu.
func (r *run) setLimit(l Limit) {
	r.limits = slices.DeleteFunc(r.limits, func(other Limit) bool { return other.Owner == l.Owner })
	if l.Workers < r.asked {
		r.limits = append(r.limits, l)
	}
}

// allowed returns how many workers are wanted, ignoring the limit of one owner.
// The caller holds the pool's mu.
func (r *run) allowed(but string) int {
	n := r.asked
	for _, l := range r.limits {
		if l.Owner != but {
			n = min(n, l.Workers)
		}
	}
	return n
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
		return cmp.Or(cmp.Compare(a.worth(), b.worth()), cmp.Compare(b.weight(), a.weight()), cmp.Compare(b.number, a.number))
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

// weight is what the slot's worker weighed when workers were last asked for, or limited.
func (s *slot) weight() int64 {
	if !s.status.State.Standing() {
		return 0
	}
	return s.run.weights[s.id]
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
