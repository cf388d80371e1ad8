package pool

import (
	"context"
	"fmt"
)

// refilled reports whether there are tasks after all in a queue that was found drained at a
// generation: because Config.Drained has put some back, or because there was news since.
// Otherwise it notes that the queue is drained. It blocks while Config.Drained is asked, which
// ends no sooner when ctx does: what that has begun to put back is not to be lost. If it
// fails, so does the run, and nobody asks again.
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
