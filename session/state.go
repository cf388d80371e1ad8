package session

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

var transitions = map[tasks.SessionStatus][]tasks.SessionStatus{
	tasks.SessionInitializing: {tasks.SessionRunning, tasks.SessionInterrupted},
	tasks.SessionRunning:      {tasks.SessionPaused, tasks.SessionCompleted, tasks.SessionFailed, tasks.SessionInterrupted},
	tasks.SessionPaused:       {tasks.SessionRunning, tasks.SessionInterrupted},
	tasks.SessionInterrupted:  {tasks.SessionRunning},
	tasks.SessionCompleted:    {tasks.SessionRunning},
	tasks.SessionFailed:       {tasks.SessionRunning},
}

// TransitionError is a step that a session's states do not allow.
type TransitionError struct{ From, To tasks.SessionStatus }

func (e *TransitionError) Error() string {
	return fmt.Sprintf("a session cannot go from %s to %s", e.From, e.To)
}

// life is where a session is between Open and its end.
type life struct {
	mu     sync.Mutex
	record tasks.Session
	pool   *pool.WorkerPool // nil before Run
	// stopped is why the session takes no more orders, or empty; cause is what
	// kind of reason that is.
	stopped string
	cause   Cause
	aborted bool
	ended   bool
	// finishing: the last events are stored.
	finishing bool
	// halted is why this machine ended the session, or nil.
	halted error
	// killed: the last run was, or left orders that nothing has confirmed.
	killed bool
	// grace is the time that orders in progress have to end in, once the session is
	// stopped; nil before. graceOver ends it.
	grace     context.Context
	graceOver context.CancelFunc

	// over is closed when the session has ended and its folder is free.
	over      chan struct{}
	closeOver sync.Once

	// steering guards goOnNow, which ends the pause that a person has begun; nil without one.
	steering sync.Mutex
	goOnNow  func(why string)
}

// markEnded notes that the session has ended and its folder is free.
func (l *life) markEnded() { l.closeOver.Do(func() { close(l.over) }) }

// become moves the session on. It is the one place that assigns its status, but for that of
// a session that is gone on with (setup.Remembered.Next). The caller holds mu.
func (l *life) become(next tasks.SessionStatus) error {
	if !slices.Contains(transitions[l.record.Status], next) {
		return &TransitionError{From: l.record.Status, To: next}
	}
	l.record.Status = next
	return nil
}

// held moves the session to PAUSED, or back to RUNNING, unless it is about to end.
// It returns its record, and whether its status has changed.
func (l *life) held(paused bool) (record tasks.Session, changed bool) {
	next := tasks.SessionRunning
	if paused {
		next = tasks.SessionPaused
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	changed = !l.finishing && l.become(next) == nil
	return l.record, changed
}

// haltedBy returns why this machine ended the session, or nil.
func (l *life) haltedBy() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.halted
}

// graceNow returns the context of what may still be done while the session is being
// stopped, or nil when it is not.
func (l *life) graceNow() context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.grace
}

// leaving reports whether the worker in this slot is to take no more orders.
func (l *life) leaving(slot string) bool {
	l.mu.Lock()
	p := l.pool
	l.mu.Unlock()
	if p == nil {
		return false
	}
	return !p.Running() || slices.ContainsFunc(p.Workers(), func(w pool.WorkerStatus) bool { return w.ID == slot && w.Draining })
}

// running returns the pool of a session that runs.
func (l *life) running() (*pool.WorkerPool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pool == nil || l.finishing {
		return nil, ErrNotRunning
	}
	return l.pool, nil
}
