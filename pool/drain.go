package pool

import (
	"context"
	"fmt"
)

// refilled reports whether there are tasks after all in a queue that was found drained at a
// generation: because Config.Drained has put some back, or because there was news since.
// Otherwise it notes that the queue is drained. It blocks while Config.Drained is asked.
func (r *run) refilled(ctx context.Context, generation int) (bool, error) {
	select {
	case r.drainTurn <- struct{}{}:
		defer func() { <-r.drainTurn }()
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
	if r.generationNow() != generation {
		return true, nil
	}
	more := false
	if ask := r.cfg.Drained; ask != nil {
		var err error
		more, err = bounded(ctx, r.calls, r.cfg.Grace, "asking whether the queue is drained",
			func() (bool, error) { return ask(ctx) }, nil)
		if err != nil {
			return false, fmt.Errorf("asking whether the queue is drained: %w", err)
		}
	}
	r.found(generation, more)
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
