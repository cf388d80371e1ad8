package life

import (
	"context"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/session/ending"
)

// Stopped returns why the session stops.
func (l *Life) Stopped() Stopping {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stop
}

// Stop notes that no new order is begun. The first time while the session runs, it returns the
// pool, and the context of the time that orders in progress have; else nil.
func (l *Life) Stop(cause ending.Cause, why string, grace time.Duration) (*pool.WorkerPool, context.Context) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop.Why != "" {
		return nil, nil
	}
	l.stop.Why, l.stop.Cause = why, cause
	if l.pool == nil {
		return nil, nil
	}
	l.grace, l.endGrace = context.WithTimeout(context.Background(), grace)
	return l.pool, l.grace
}

// Abort notes that orders in progress are put back. The first time while the session runs, it
// returns the pool, else nil.
func (l *Life) Abort(why string) *pool.WorkerPool {
	l.mu.Lock()
	defer l.mu.Unlock()
	again := l.stop.Aborted
	l.stop.Aborted = true
	if l.stop.Why == "" {
		l.stop.Why, l.stop.Cause = why, ending.User
	}
	l.gracePassed()
	if again {
		return nil
	}
	return l.pool
}

// Halt notes that this machine ends the session. It returns the pool, or nil where there is
// none, and whether this is the first time.
func (l *Life) Halt(why error) (p *pool.WorkerPool, first bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop.Halted != nil {
		return nil, false
	}
	l.stop.Halted = why
	return l.pool, true
}

// Grace returns the context of what may still be done while the session is being
// stopped, or nil when it is not.
func (l *Life) Grace() context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.grace
}

// EndGrace ends the time that orders in progress have.
func (l *Life) EndGrace() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gracePassed()
}

// gracePassed ends the grace. The caller holds mu.
func (l *Life) gracePassed() {
	if l.endGrace != nil {
		l.endGrace()
	}
}
