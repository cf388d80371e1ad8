package pool

import (
	"errors"
	"fmt"
	"time"
)

// Errors of using a pool in a way that its state does not allow.
var (
	// ErrNotRunning: the pool was not started, or has ended.
	ErrNotRunning = errors.New("the pool is not running: start it first")
	// ErrRunning: the pool was started already.
	ErrRunning = errors.New("the pool is running already")
	// ErrStopping: the pool takes no more tasks and is about to end.
	ErrStopping = errors.New("the pool is stopping: wait until it has stopped")
	// ErrFailed: the pool is in ERROR. Stop cleans up, and then it can be started again.
	ErrFailed = errors.New("the pool has failed: stop it before starting it again")
	// ErrSize: a number of workers below one.
	ErrSize = errors.New("the number of workers must be at least 1")
	// ErrNoTask: a submission without a task, or with one that has no key.
	ErrNoTask = errors.New("there is no task: a spec with a key is needed")
	// ErrResultsNotKept: Result was asked of a pool without Config.KeepResults.
	ErrResultsNotKept = errors.New("results are not kept: set Config.KeepResults, or read them from the queue")
)

// Errors that end a pool, a wait or a context.
var (
	// ErrStopped: the pool was stopped before its queue was drained.
	ErrStopped = errors.New("the pool was stopped")
	// ErrStopTimeout is the cause with which work ends when the time for a
	// graceful stop is up.
	ErrStopTimeout = errors.New("the pool was stopped, and the time for tasks in progress was up")
	// ErrTaskTimeout is the cause with which an attempt's context ends when its
	// time is up.
	ErrTaskTimeout = errors.New("the attempt's time was up")
	// ErrNoWorker: launches failed so often in a row that the pool gave up.
	ErrNoWorker = errors.New("no worker can be opened")
)

// Errors of a Lender.
var (
	// ErrTerminated: the lender was terminated and lends no more.
	ErrTerminated = errors.New("the lender was terminated")
	// ErrNotLent: the loan was given back already.
	ErrNotLent = errors.New("this worker is not lent: it was released already")
)

// FailedError is ErrFailed, with what has put the pool into ERROR.
type FailedError struct{ Cause error }

func (e *FailedError) Error() string { return fmt.Sprintf("%v: %v", ErrFailed, e.Cause) }

// Unwrap returns ErrFailed and the cause.
func (e *FailedError) Unwrap() []error { return []error{ErrFailed, e.Cause} }

// PanicError is a panic in code that the pool called.
type PanicError struct {
	// Value is what the code panicked with.
	Value any
	// Stack is the goroutine's stack at that moment.
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// StuckError is a call that did not return although its context had ended, and
// was left behind.
type StuckError struct {
	// Call says which call it is.
	Call string
	// Grace is how long it was waited for after the end of its context.
	Grace time.Duration
	// Cause is why its context ended.
	Cause error
}

func (e *StuckError) Error() string {
	return fmt.Sprintf("%s did not return within %v after its context had ended (%v)", e.Call, e.Grace, e.Cause)
}

// Unwrap returns why the context had ended.
func (e *StuckError) Unwrap() error { return e.Cause }
