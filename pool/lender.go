package pool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Lender lends a worker to one borrower at a time. There are two kinds: Reusable
// keeps the worker for the next borrower, Transient ends it after each. Both open
// a worker when one is asked for and there is none. All methods may be called by
// many goroutines at once.
//
// Each slot of a WorkerPool has a lender. A program that has no use for a queue may
// use a lender by itself.
type Lender interface {
	// Get lends the worker, which it opens if there is none. It waits while the
	// lender is Full, and returns ctx's cause when ctx ends. Giving up the wait
	// for a worker that is being opened ends its opening too. After Terminate it
	// returns ErrTerminated. The borrower asks the worker whether it is Fit.
	Get(ctx context.Context) (*Loan, error)
	// Release gives a worker back. A reason that is not nil says why it must not
	// be lent again: it is then closed, as is every worker of a Transient. It
	// returns when the worker is gone, or with the error of its Close: that is then
	// tried again by the next Get or Terminate, and no other worker is opened before.
	// A second Release of the same loan returns ErrNotLent.
	Release(ctx context.Context, loan *Loan, reason error) error
	// Size is the number of workers that there are, 0 or 1: lent, idle, being
	// opened, or not proven gone.
	Size() int
	// Full reports whether Get would have to wait: the signal for back-pressure.
	Full() bool
	// Terminate lends no more, closes the worker as soon as it is released, and
	// returns when it is gone, or an error that says that it is not when ctx ends.
	// It may be called again.
	Terminate(ctx context.Context) error
}

// Loan is one worker lent to one borrower.
type Loan struct {
	// ID of the worker, "worker_001".
	ID     string
	Worker Worker
	// Fresh: the worker was opened for this loan.
	Fresh bool
}

// LenderConfig is all that a Lender needs. Open must be set; the zero value of
// every other field stands for its default.
type LenderConfig struct {
	// Open opens a worker.
	Open Open
	// ID of the worker. Default: "worker_001".
	ID string
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
	case c.StartTimeout < 0, c.CloseTimeout < 0, c.Grace < 0:
		return errors.New("lender: StartTimeout, CloseTimeout and Grace must not be negative")
	}
	return nil
}

func (c LenderConfig) withDefaults() LenderConfig {
	c.ID = cmp.Or(c.ID, workerID(1))
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

// lender is what both kinds have in common.
type lender struct {
	cfg   LenderConfig
	calls *calls
	// taken holds a token while the worker is lent, opened or closed. Who has put it
	// there may change the worker.
	taken      chan struct{}
	terminated chan struct{}
	terminate  sync.Once

	mu       sync.Mutex // guards what follows; never held while a worker is called
	worker   Worker
	unclosed bool  // its Close has failed: it must not be lent
	loan     *Loan // while it is lent
}

func newLender(cfg LenderConfig, c *calls) (*lender, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &lender{
		cfg: cfg.withDefaults(), calls: c,
		taken: make(chan struct{}, 1), terminated: make(chan struct{}),
	}, nil
}

// Get implements Lender.
func (l *lender) Get(ctx context.Context) (*Loan, error) {
	select {
	case <-l.terminated:
		return nil, ErrTerminated
	default:
	}
	select {
	case l.taken <- struct{}{}:
	case <-l.terminated:
		return nil, ErrTerminated
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for a worker: %w", context.Cause(ctx))
	}
	fresh, err := l.prepare(ctx)
	if err != nil {
		<-l.taken
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.loan = &Loan{ID: l.cfg.ID, Worker: l.worker, Fresh: fresh}
	return l.loan, nil
}

// prepare makes sure that there is a worker, and reports whether it opened one. The
// caller has put the token into taken.
func (l *lender) prepare(ctx context.Context) (bool, error) {
	if l.unclosed {
		if err := l.end(ctx); err != nil {
			return false, err
		}
	}
	if l.worker != nil {
		return false, nil
	}
	w, err := l.open(ctx)
	if err != nil {
		return false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.worker = w
	return true, nil
}

func (l *lender) open(ctx context.Context) (Worker, error) {
	id := l.cfg.ID
	ctx, cancel := context.WithTimeoutCause(ctx, l.cfg.StartTimeout,
		fmt.Errorf("it took longer than %v: %w", l.cfg.StartTimeout, context.DeadlineExceeded))
	defer cancel()
	closeLate := func(w Worker) {
		if w != nil {
			_ = l.close(context.WithoutCancel(ctx), w)
		}
	}
	w, err := bounded(ctx, l.calls, l.cfg.Grace, "opening "+id,
		func() (Worker, error) { return l.cfg.Open(ctx, id) }, closeLate)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("opening %s: %w (%w)", id, context.Cause(ctx), err)
	case err != nil:
		return nil, fmt.Errorf("opening %s: %w", id, err)
	case w == nil:
		return nil, fmt.Errorf("opening %s: Open returned neither a worker nor an error", id)
	}
	return w, nil
}

func (l *lender) close(ctx context.Context, w Worker) error {
	ctx, cancel := context.WithTimeout(ctx, l.cfg.CloseTimeout)
	defer cancel()
	_, err := bounded(ctx, l.calls, l.cfg.Grace, "closing "+l.cfg.ID,
		func() (struct{}, error) { return struct{}{}, w.Close(ctx) }, nil)
	if err != nil {
		return fmt.Errorf("closing %s: %w", l.cfg.ID, err)
	}
	return nil
}

// end closes the worker, which the caller has taken.
func (l *lender) end(ctx context.Context) error {
	err := l.close(ctx, l.worker)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.unclosed = err != nil; !l.unclosed {
		l.worker = nil
	}
	return err
}

func (l *lender) release(ctx context.Context, loan *Loan, end bool) error {
	l.mu.Lock()
	if loan == nil || l.loan != loan {
		l.mu.Unlock()
		return ErrNotLent
	}
	l.loan = nil
	l.mu.Unlock()
	defer func() { <-l.taken }()
	if !end {
		return nil
	}
	return l.end(ctx)
}

// Size implements Lender.
func (l *lender) Size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.worker != nil || l.Full() {
		return 1
	}
	return 0
}

// Full implements Lender.
func (l *lender) Full() bool { return len(l.taken) > 0 }

// Terminate implements Lender.
func (l *lender) Terminate(ctx context.Context) error {
	l.terminate.Do(func() { close(l.terminated) })
	select {
	case l.taken <- struct{}{}:
		defer func() { <-l.taken }()
	case <-ctx.Done():
		return fmt.Errorf("terminating the lender: its worker is still lent: %w", context.Cause(ctx))
	}
	if l.worker == nil {
		return nil
	}
	return l.end(ctx)
}

// Reusable is the Lender that keeps its worker.
type Reusable struct{ *lender }

// NewReusable returns a lender without any worker yet, or an error that names
// the field of the configuration that is wrong.
func NewReusable(cfg LenderConfig) (*Reusable, error) {
	l, err := newLender(cfg, newCalls())
	if err != nil {
		return nil, err
	}
	return &Reusable{l}, nil
}

// Release implements Lender.
func (r *Reusable) Release(ctx context.Context, loan *Loan, reason error) error {
	return r.release(ctx, loan, reason != nil)
}

// Transient is the Lender that ends each worker when it is given back.
type Transient struct{ *lender }

// NewTransient returns a lender without any worker yet, or an error that names
// the field of the configuration that is wrong.
func NewTransient(cfg LenderConfig) (*Transient, error) {
	l, err := newLender(cfg, newCalls())
	if err != nil {
		return nil, err
	}
	return &Transient{l}, nil
}

// Release implements Lender.
func (t *Transient) Release(ctx context.Context, loan *Loan, _ error) error {
	return t.release(ctx, loan, true)
}
