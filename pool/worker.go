package pool

import (
	"context"
	"fmt"

	"github.com/poscrape/poscrape/tasks"
)

// Worker makes attempts at tasks, one at a time unless it is Roomy. The pool calls
// its methods one after another, but for Close: it may come while a Do that ignores
// its context still runs, and must then make that Do return. Any of them may panic:
// the worker is then replaced.
type Worker interface {
	// Do makes one attempt. It returns a result or an error that says what
	// should happen next (a *tasks.Failure; other errors are retried). It must
	// return soon after ctx ends; context.Cause says why it did: ErrTaskTimeout,
	// tasks.ErrLeaseLost, or why the pool was stopped.
	Do(ctx context.Context, task *tasks.ProcessingTask) (*tasks.Result, error)
	// Fit is asked before each task and after it. An error says why the worker
	// must be replaced: lost, worn out. It must not wait for a busy worker.
	Fit() error
	// Close ends the worker and returns when everything of it is gone, or an
	// error when that is not so by the end of ctx. It may be called again,
	// and then tries again.
	Close(ctx context.Context) error
	// Info says who it is. It is asked once, after opening.
	Info() Info
}

// Info is what is shown of a worker.
type Info struct {
	// PID is its main process, or 0.
	PID int
	// Profile is its profile directory, or empty.
	Profile string
}

// Open opens a worker for the slot with this id ("worker_001"). It returns soon
// after ctx ends, and leaves nothing behind when it fails.
type Open func(ctx context.Context, id string) (Worker, error)

// Lifetime says how long a worker lives.
type Lifetime string

const (
	// LifetimeTransient ends each worker after one task. Nothing outlives a
	// drained queue, even if the program forgets to stop the pool.
	LifetimeTransient Lifetime = "transient"
	// LifetimeReusable keeps each worker for the next task, as long as it is fit.
	LifetimeReusable Lifetime = "reusable"
)

func workerID(number int) string { return fmt.Sprintf("worker_%03d", number) }
