// Package life keeps where a session is between its opening and its end: its status, its pool
// while it runs, and why it stops. The first reason counts. Nothing is done here under the lock
// but noting that; what follows is done by the session, which is given the pool.
//
// # States of a session
//
//	INITIALIZING --> RUNNING <--> PAUSED
//	      |             |           |
//	      |             +--> COMPLETED   every task has its final state
//	      |             +--> FAILED      an error inside poscrape
//	      +-------------+--> INTERRUPTED stopped; it can be resumed
//
// It is PAUSED as long as anyone holds it, such as the disk or the portal. Each hold
// has an owner and a reason, which Progress shows; the pool keeps them.
//
// Resume takes a session that has ended back to RUNNING; one that says RUNNING or
// PAUSED, but that nobody owns, was killed and is read as INTERRUPTED.
package life

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/session/ending"
	"github.com/poscrape/poscrape/tasks"
)

var (
	// ErrClosed is returned for a session that was closed or has run.
	ErrClosed = errors.New("the session has ended")
	// ErrNotRunning is returned while the session does not run.
	ErrNotRunning = errors.New("the session does not run")
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

// Life is that of one session. Its methods may be called by any goroutine.
type Life struct {
	mu     sync.Mutex
	record tasks.Session
	pool   *pool.WorkerPool // nil before Begin
	stop   Stopping
	// grace is the time that orders in progress have to end in, once the session is
	// stopped; nil before. endGrace ends it.
	grace    context.Context
	endGrace context.CancelFunc
	ended    bool
	// finishing: the last events are stored.
	finishing bool
	// over is closed when the session has ended and its folder is free.
	over      chan struct{}
	closeOver sync.Once
}

// Stopping is why a session stops.
type Stopping struct {
	// Why it takes no more orders, or empty, and what kind of reason that is.
	Why   string
	Cause ending.Cause
	// Aborted: orders in progress were put back.
	Aborted bool
	// Halted is why this machine ended the session, or nil.
	Halted error
}

// New returns the life of a session with a record.
func New(record tasks.Session) *Life { return &Life{record: record, over: make(chan struct{})} }

// Record returns the session's record.
func (l *Life) Record() tasks.Session {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.record
}

// Change changes the session's record, but for its status, and returns it. change is called under a
// lock, so it does nothing else; so it is with End.
func (l *Life) Change(change func(*tasks.Session)) tasks.Session {
	l.mu.Lock()
	defer l.mu.Unlock()
	status := l.record.Status
	change(&l.record)
	l.record.Status = status
	return l.record
}

// Close ends a session that has not run, and reports whether it had ended before.
func (l *Life) Close() (already bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	already = l.ended
	l.ended = true
	return already
}

// Begin has the session run, with a pool, or without one where nothing is left to do. It returns
// its record, and ErrClosed if it has run, or a *TransitionError.
func (l *Life) Begin(p *pool.WorkerPool) (tasks.Session, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return l.record, ErrClosed
	}
	l.ended, l.pool = true, p
	err := l.become(tasks.SessionRunning)
	return l.record, err
}

// Now returns the record, and the pool or nil.
func (l *Life) Now() (tasks.Session, *pool.WorkerPool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.record, l.pool
}

// Running returns the pool of a session that runs, or ErrNotRunning.
func (l *Life) Running() (*pool.WorkerPool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pool == nil || l.finishing {
		return nil, ErrNotRunning
	}
	return l.pool, nil
}

// Held moves the session to PAUSED, or back to RUNNING, unless it is about to end.
// It returns its record, and whether its status has changed.
func (l *Life) Held(paused bool) (record tasks.Session, changed bool) {
	next := tasks.SessionRunning
	if paused {
		next = tasks.SessionPaused
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	changed = !l.finishing && l.become(next) == nil
	return l.record, changed
}

// Finish notes that the last events are stored: the session cannot be paused any more.
func (l *Life) Finish() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.finishing = true
}

// End gives the session its last status, has the record of that run completed, and returns it.
func (l *Life) End(status tasks.SessionStatus, complete func(*tasks.Session)) (tasks.Session, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var err error
	if l.record.Status == tasks.SessionPaused {
		err = l.become(tasks.SessionRunning) // what was in progress has ended meanwhile
	}
	err = errors.Join(err, l.become(status))
	complete(&l.record)
	return l.record, err
}

// become moves the session on. It is the one place that assigns its status, but for that of
// a session that is gone on with (setup.Remembered.Next). The caller holds mu.
func (l *Life) become(next tasks.SessionStatus) error {
	if !slices.Contains(transitions[l.record.Status], next) {
		return &TransitionError{From: l.record.Status, To: next}
	}
	l.record.Status = next
	return nil
}

// Free notes that the session has ended and its folder is free. It may be called again.
func (l *Life) Free() { l.closeOver.Do(func() { close(l.over) }) }

// Over is closed when the session has ended and its folder is free.
func (l *Life) Over() <-chan struct{} { return l.over }

// Leaving reports whether the worker in this slot is to take no more orders.
func (l *Life) Leaving(slot string) bool {
	_, p := l.Now()
	if p == nil {
		return false
	}
	return !p.Running() || slices.ContainsFunc(p.Workers(), func(w pool.WorkerStatus) bool { return w.ID == slot && w.Draining })
}
