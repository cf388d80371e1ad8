package pool

import "context"

// Pacer is a Worker that may have to rest between two tasks. Its methods are
// called as those of a Worker are, before a task is claimed for it.
type Pacer interface {
	// Tired reports whether it must rest. It must not wait.
	Tired() bool
	// Rest returns when it may take a task again, or, with an error that says
	// why, when it must be replaced; and soon after ctx ends.
	Rest(ctx context.Context) error
}

// pace lets a tired worker rest, and reports whether it may take a task. While it
// rests, the tasks go to the others. A worker rests only while there is a task
// for it, so that no resting worker delays the end of the run.
func (s *slot) pace(ctx context.Context) bool {
	w, ok := s.loan.Worker.(Pacer)
	if !ok {
		return true
	}
	tired, err := ask(s, "asking "+s.id+" whether it must rest", func() (bool, error) { return w.Tired(), nil })
	if err == nil && !tired {
		return true
	}
	if err == nil {
		s.lock(func() { s.offer(false) })
		if !s.run.pass(ctx, s) {
			s.giveBack(nil, false)
			return false
		}
		s.lock(func() { s.offer(false); s.share(false) })
		_, err = bounded(ctx, s.run.calls, s.run.cfg.Grace, "the rest of "+s.id,
			func() (struct{}, error) { return struct{}{}, w.Rest(ctx) }, nil)
	}
	switch {
	case broke(err):
		s.giveBack(err, true)
	case ctx.Err() != nil:
		s.giveBack(nil, false)
	case err != nil:
		s.giveBack(err, false)
	default:
		s.lock(func() { s.offer(true); s.share(true) })
		return true
	}
	return false
}
