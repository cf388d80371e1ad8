package pool

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Lender lends workers, each to one borrower at a time. There are two kinds:
// Reusable keeps a worker for the next borrower, Transient ends it after each.
// Both open a worker when one is asked for and none is idle. All methods may be
// called by many goroutines at once.
//
// Each slot of a WorkerPool has a lender of size one. A program that has no use
// for a queue may use a lender by itself.
type Lender interface {
	// Get lends a worker: an idle one, else it opens one. It waits while the
	// lender is Full, and returns ctx's cause when ctx ends. Giving up the wait
	// for a worker that is being opened ends its opening too. After Terminate it
	// returns ErrTerminated. The borrower asks the worker whether it is Fit.
	Get(ctx context.Context) (*Loan, error)
	// Release gives a worker back. A reason that is not nil says why it must not
	// be lent again: it is then closed, as is every worker of a Transient. It
	// returns when the worker is gone, or with the error of its Close: its place
	// then stays taken, and is tried again by the next Get or Terminate. A second
	// Release of the same loan returns ErrNotLent.
	Release(ctx context.Context, loan *Loan, reason error) error
	// Size is the number of workers that there are: lent, idle, being opened,
	// or not proven gone.
	Size() int
	// Full reports whether Get would have to wait: the signal for back-pressure.
	Full() bool
	// Terminate lends no more, closes the idle workers and each lent one as soon
	// as it is released, and returns when all are gone, or an error that says
	// what is left when ctx ends. It may be called again.
	Terminate(ctx context.Context) error
}

// Loan is one worker lent to one borrower.
type Loan struct {
	// ID of the worker, "worker_001".
	ID     string
	Worker Worker
	// Fresh: the worker was opened for this loan.
	Fresh bool
	place *place
}

// LenderConfig is all that a Lender needs. Open must be set; the zero value of
// every other field stands for its default.
type LenderConfig struct {
	// Open opens a worker.
	Open Open
	// Size is the most workers that are open at once. Default: 1.
	Size int
	// First is the number of the first worker: 1, the default, is "worker_001".
	First int
	// StartTimeout bounds the opening of a worker. Default: 30 s.
	StartTimeout time.Duration
	// CloseTimeout bounds the closing of a worker. Default: 10 s.
	CloseTimeout time.Duration
	// Grace is how long Open or Close may go on after its context has ended
	// before it is left behind. Default: 5 s.
	Grace time.Duration
}

// Validate returns an error that names the first field that is out of bounds.
func (c LenderConfig) Validate() error {
	switch {
	case c.Open == nil:
		return errors.New("lender: Open is nil: workers must come from somewhere")
	case c.Size < 0:
		return fmt.Errorf("lender: Size is %d: %w", c.Size, ErrSize)
	case c.First < 0:
		return fmt.Errorf("lender: First is %d: it must not be negative", c.First)
	case c.StartTimeout < 0, c.CloseTimeout < 0, c.Grace < 0:
		return errors.New("lender: StartTimeout, CloseTimeout and Grace must not be negative")
	}
	return nil
}

func (c LenderConfig) withDefaults() LenderConfig {
	c.Size = max(c.Size, 1)
	c.First = max(c.First, 1)
	for _, d := range []struct {
		value    *time.Duration
		standard time.Duration
	}{
		{&c.StartTimeout, 30 * time.Second},
		{&c.CloseTimeout, 10 * time.Second},
		{&c.Grace, 5 * time.Second},
	} {
		if *d.value == 0 {
			*d.value = d.standard
		}
	}
	return c
}

// Reusable is the Lender that keeps workers.
type Reusable struct{ *shelf }

// NewReusable returns a lender without any worker yet, or an error that names
// the field of the configuration that is wrong.
func NewReusable(cfg LenderConfig) (*Reusable, error) {
	s, err := newShelf(cfg, newCalls())
	if err != nil {
		return nil, err
	}
	return &Reusable{s}, nil
}

// Release implements Lender.
func (r *Reusable) Release(ctx context.Context, loan *Loan, reason error) error {
	return r.release(ctx, loan, reason != nil)
}

// Transient is the Lender that ends each worker when it is given back.
type Transient struct{ *shelf }

// NewTransient returns a lender without any worker yet, or an error that names
// the field of the configuration that is wrong.
func NewTransient(cfg LenderConfig) (*Transient, error) {
	s, err := newShelf(cfg, newCalls())
	if err != nil {
		return nil, err
	}
	return &Transient{s}, nil
}

// Release implements Lender.
func (t *Transient) Release(ctx context.Context, loan *Loan, _ error) error {
	return t.release(ctx, loan, true)
}
