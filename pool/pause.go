package pool

import (
	"context"
	"errors"
)

// errPaused ends the claims that wait when the pool is paused.
var errPaused = errors.New("the pool is paused")

// Pause has the pool claim no more tasks until Continue, and returns at once.
// Claims that wait are ended; tasks in progress go on and are recorded; workers
// that stand stay, and no others are opened. Everything else works as ever: the
// pool can be scaled and stopped, and Wait returns when nothing is left to do.
// Like draining, it is a property beside the state. A pool that does not run can
// be paused too: it then takes no task when it is started. A second Pause only
// changes the reason, which Stats shows.
func (p *WorkerPool) Pause(reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paused, p.pauseReason = true, reason
	if p.run != nil {
		p.run.endClaims(errPaused)
	}
}

// Continue ends a pause, and does nothing where there is none.
func (p *WorkerPool) Continue() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paused, p.pauseReason = false, ""
	if p.run != nil {
		p.run.gate.poke()
	}
}

// sitOut waits at the gate, with the worker in hand, until the pause is over: it
// is the gate that notices when meanwhile nothing is left to do. It returns
// false when ctx ends before that.
func (s *slot) sitOut(ctx context.Context) bool {
	s.lock(func() { s.offer(false) })
	return s.run.pass(ctx, s)
}
