package pool

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// WorkerPool runs tasks of a queue on a number of workers. All methods may be
// called by many goroutines at once.
type WorkerPool struct {
	cfg Config

	// mu guards what follows, and what runs, slots and the gate say they keep
	// under it. It is never held during I/O or while a worker is called.
	mu       sync.Mutex
	state    State
	run      *run          // the current run, or the last one
	changed  chan struct{} // closed and replaced whenever a wait may be over
	finished []uuid.UUID   // ended tasks that nobody has read, see Result
	holds    []*Hold       // oldest first
	history  History
}

// New returns a pool that is not started, or an error that names the field of
// the configuration that is wrong.
func New(cfg Config) (*WorkerPool, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &WorkerPool{
		cfg: cfg.withDefaults(), state: StateIdle, changed: make(chan struct{}), history: History{Made: time.Now()},
	}, nil
}

// Start begins to take tasks and returns at once. When ctx ends, so does the
// pool, as by Kill. It returns ErrRunning, ErrStopping or ErrFailed where the
// pool's state does not allow it. A pool that has stopped may be started again.
func (p *WorkerPool) Start(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch p.state {
	case StateStarting, StateRunning:
		return ErrRunning
	case StateStopping:
		return ErrStopping
	case StateError:
		return ErrFailed
	}
	if err := p.become(StateStarting); err != nil {
		return err
	}
	p.run = newRun(ctx, p)
	p.run.begin(p.cfg.Size)
	for _, h := range p.holds {
		p.tellHold(EventHoldBegan, h.Owner, h.Reason)
	}
	return nil
}

// Submit adds tasks to the queue and wakes workers for them. A spec whose key is
// known to the queue changes nothing. It returns ErrNoTask if there is none or
// one lacks a key, ErrNotRunning, ErrStopping or ErrFailed where the pool does
// not take tasks, and the queue's error.
func (p *WorkerPool) Submit(ctx context.Context, specs ...tasks.Spec) error {
	if len(specs) == 0 {
		return ErrNoTask
	}
	for i, spec := range specs {
		if spec.Key == "" {
			return fmt.Errorf("spec %d of %d: %w", i+1, len(specs), ErrNoTask)
		}
	}
	if err := p.taking(); err != nil {
		return err
	}
	if _, err := p.cfg.Queue.Enqueue(ctx, specs...); err != nil {
		return fmt.Errorf("submitting %d tasks: %w", len(specs), err)
	}
	p.Wake()
	return nil
}

// taking returns nil if the pool takes tasks, and why not if it does not.
func (p *WorkerPool) taking() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch p.state {
	case StateStarting, StateRunning:
		return nil
	case StateStopping:
		return ErrStopping
	case StateError:
		return &FailedError{Cause: p.run.err}
	}
	return ErrNotRunning
}

// Wake tells a running pool that its queue was given tasks by other ways than
// Submit. Without it, slots that wait for work look again after 1 to 30 s.
func (p *WorkerPool) Wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run != nil {
		p.run.generation++
		p.run.gate.poke()
	}
}

// announce wakes who waits for the pool to change. The caller holds p.mu.
func (p *WorkerPool) announce() {
	close(p.changed)
	p.changed = make(chan struct{})
}
