package pool

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// shelf is what both lenders have in common: numbered places for workers.
type shelf struct {
	cfg   LenderConfig
	calls *calls
	// room holds a token for each place that is taken.
	room chan struct{}
	// terminating is held by the one Terminate that is at work.
	terminating chan struct{}
	terminated  chan struct{}

	mu     sync.Mutex // guards what follows; never held while a worker is called
	places []*place
	ended  bool
}

// place is where one worker stands.
type place struct {
	id string
	// The shelf's mu guards these; worker is also only changed by who has taken
	// the place.
	taken    bool
	worker   Worker
	unclosed bool  // its Close has failed: it must not be lent
	loan     *Loan // while it is lent
}

func newShelf(cfg LenderConfig, c *calls) (*shelf, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	s := &shelf{
		cfg: cfg, calls: c,
		room:        make(chan struct{}, cfg.Size),
		terminating: make(chan struct{}, 1),
		terminated:  make(chan struct{}),
	}
	for i := range cfg.Size {
		s.places = append(s.places, &place{id: workerID(cfg.First + i)})
	}
	return s, nil
}

// Get implements Lender.
func (s *shelf) Get(ctx context.Context) (*Loan, error) {
	select {
	case <-s.terminated:
		return nil, ErrTerminated
	default:
	}
	select {
	case s.room <- struct{}{}:
	case <-s.terminated:
		return nil, ErrTerminated
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for a worker: %w", context.Cause(ctx))
	}
	p := s.take()
	fresh, err := s.prepare(ctx, p)
	if err != nil {
		s.giveBack(p)
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p.loan = &Loan{ID: p.id, Worker: p.worker, Fresh: fresh, place: p}
	return p.loan, nil
}

// take takes the best free place: with an idle worker, else an empty one, else
// one whose worker could not be closed. The caller has put a token into room.
func (s *shelf) take() *place {
	s.mu.Lock()
	defer s.mu.Unlock()
	var best *place
	for _, p := range s.places {
		if !p.taken && (best == nil || p.rank() < best.rank()) {
			best = p
		}
	}
	best.taken = true
	return best
}

func (p *place) rank() int {
	switch {
	case p.unclosed:
		return 2
	case p.worker == nil:
		return 1
	}
	return 0
}

func (s *shelf) giveBack(p *place) {
	s.mu.Lock()
	p.taken = false
	s.mu.Unlock()
	<-s.room
}

// prepare sees to it that a worker stands in the place, and reports whether it
// opened it.
func (s *shelf) prepare(ctx context.Context, p *place) (bool, error) {
	if p.unclosed {
		if err := s.end(ctx, p); err != nil {
			return false, err
		}
	}
	if p.worker != nil {
		return false, nil
	}
	w, err := s.open(ctx, p.id)
	if err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p.worker = w
	return true, nil
}

func (s *shelf) open(ctx context.Context, id string) (Worker, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.cfg.StartTimeout,
		fmt.Errorf("it took longer than %v: %w", s.cfg.StartTimeout, context.DeadlineExceeded))
	defer cancel()
	closeLate := func(w Worker) {
		if w != nil {
			_ = s.close(context.WithoutCancel(ctx), id, w)
		}
	}
	w, err := bounded(ctx, s.calls, s.cfg.Grace, "opening "+id,
		func() (Worker, error) { return s.cfg.Open(ctx, id) }, closeLate)
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

func (s *shelf) close(ctx context.Context, id string, w Worker) error {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.CloseTimeout)
	defer cancel()
	_, err := bounded(ctx, s.calls, s.cfg.Grace, "closing "+id,
		func() (struct{}, error) { return struct{}{}, w.Close(ctx) }, nil)
	if err != nil {
		return fmt.Errorf("closing %s: %w", id, err)
	}
	return nil
}

// end closes the worker of a place that the caller has taken.
func (s *shelf) end(ctx context.Context, p *place) error {
	err := s.close(ctx, p.id, p.worker)
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.unclosed = err != nil; !p.unclosed {
		p.worker = nil
	}
	return err
}

func (s *shelf) release(ctx context.Context, loan *Loan, end bool) error {
	s.mu.Lock()
	if loan == nil || loan.place.loan != loan {
		s.mu.Unlock()
		return ErrNotLent
	}
	p := loan.place
	p.loan = nil
	s.mu.Unlock()
	defer s.giveBack(p)
	if !end {
		return nil
	}
	return s.end(ctx, p)
}

// Size implements Lender.
func (s *shelf) Size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, p := range s.places {
		if p.taken || p.worker != nil {
			n++
		}
	}
	return n
}

// Full implements Lender.
func (s *shelf) Full() bool { return len(s.room) == cap(s.room) }

// Terminate implements Lender.
func (s *shelf) Terminate(ctx context.Context) error {
	s.mu.Lock()
	if !s.ended {
		s.ended = true
		close(s.terminated)
	}
	s.mu.Unlock()
	select {
	case s.terminating <- struct{}{}:
		defer func() { <-s.terminating }()
	case <-ctx.Done():
		return fmt.Errorf("terminating the lender: %w", context.Cause(ctx))
	}
	return s.endAll(ctx)
}

// endAll takes every place, as it becomes free, and closes what stands in it.
func (s *shelf) endAll(ctx context.Context) error {
	var wg sync.WaitGroup
	var got []*place
	errs := make([]error, len(s.places))
	for i := range s.places {
		select {
		case s.room <- struct{}{}:
		case <-ctx.Done():
			continue
		}
		p := s.take()
		got = append(got, p)
		if p.worker != nil {
			wg.Go(func() { errs[i] = s.end(ctx, p) })
		}
	}
	wg.Wait()
	var left error
	if n := len(s.places) - len(got); n > 0 {
		left = fmt.Errorf("terminating the lender: %d of its workers are still lent: %w", n, context.Cause(ctx))
	}
	for _, p := range got {
		s.giveBack(p)
	}
	return errors.Join(append(errs, left)...)
}
