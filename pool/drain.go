package pool

import (
	"context"
	"fmt"
)

// refilled reports whether a queue that was drained at a generation has tasks again:
// Config.Drained has put some back, or the generation has changed. Otherwise it notes that
// the queue is drained. It blocks while Config.Drained runs, even after ctx has ended, so
// that tasks being put back are not lost. If Config.Drained fails, the run fails.
func (r *run) refilled(ctx context.Context, generation int) (bool, error) {
	select {
	case r.drainTurn <- struct{}{}:
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
	more := r.generationNow() != generation
	if ask := r.cfg.Drained; !more && ask != nil {
		asking, done := r.durable()
		defer done()
		answer, err := bounded(asking, r.calls, r.cfg.Grace, "asking whether the queue is drained",
			func() (bool, error) { return ask(asking) }, nil)
		if err != nil {
			err = fmt.Errorf("asking whether the queue is drained: %w", err)
			r.fail(err)
			return false, err
		}
		more = answer
		if more {
			r.found(generation, true)
		}
	}
	if !more {
		r.found(generation, false)
	}
	<-r.drainTurn
	return more, nil
}

// found notes whether there are more tasks than the queue had at a generation.
func (r *run) found(generation int, more bool) {
	p := r.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if more {
		r.generation++
		r.gate.poke()
	} else {
		r.drainedAt = generation
		if p.state == StateStarting {
			_ = p.become(StateRunning)
		}
	}
	p.announce()
}
