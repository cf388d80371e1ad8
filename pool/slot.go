package pool

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// errDraining ends the serving of a slot that is taken out by Scale.
var errDraining = errors.New("the slot was taken out by scaling down")

// slot is one place for a worker. Its goroutine lives as long as the run; while
// the slot is wanted, it serves: one task after another.
type slot struct {
	run    *run
	number int
	id     string
	wake   chan struct{}

	// Only the slot's goroutine uses these.
	lender    Lender
	loan      *Loan
	standing  bool // the lender has a worker that can be lent
	resting   bool // the queue was drained when it was last asked
	replacing bool // the next worker replaces one that failed or was worn out
	failures  int  // failed launches in a row
	// recordings are those of its last batch, earlier those of the batch before.
	recordings, earlier *sync.WaitGroup

	// The pool's mu guards these.
	wanted     bool
	free       bool                    // counted in the gate's supply
	sharing    bool                    // shares in the tasks, see roster
	endServing context.CancelCauseFunc // while it serves
	endClaim   context.CancelCauseFunc // while it claims
	status     WorkerStatus
}

// addSlot adds the next slot and starts its goroutine. The caller holds the
// pool's mu, and has made sure that the run has goroutines left.
func (r *run) addSlot() {
	number := len(r.slots) + 1
	s := &slot{
		run: r, number: number, id: workerID(number), wake: make(chan struct{}, 1), wanted: true,
		recordings: new(sync.WaitGroup),
	}
	s.share(true)
	s.status.ID = s.id
	r.slots = append(r.slots, s)
	r.goroutines++
	go func() {
		defer r.leave()
		s.live()
	}()
}

// live is the slot's goroutine.
func (s *slot) live() {
	for s.awaitWanted() {
		ctx, end := s.beginServing()
		s.lender = s.newLender()
		for ctx.Err() == nil && s.isWanted() {
			s.serve(ctx)
		}
		s.closeDown()
		end(errDraining)
	}
}

// awaitWanted waits until the slot is to serve; false: the run takes no more tasks.
func (s *slot) awaitWanted() bool {
	for s.run.fetch.Err() == nil {
		if s.isWanted() {
			return true
		}
		select {
		case <-s.wake:
		case <-s.run.fetch.Done():
		}
	}
	return false
}

func (s *slot) isWanted() (wanted bool) {
	s.lock(func() { wanted = s.wanted })
	return wanted
}

// beginServing returns the context that ends when the slot is to serve no more.
func (s *slot) beginServing() (context.Context, context.CancelCauseFunc) {
	ctx, end := context.WithCancelCause(s.run.fetch)
	s.run.pool.mu.Lock()
	defer s.run.pool.mu.Unlock()
	s.endServing = end
	if !s.wanted {
		end(errDraining)
	}
	return ctx, end
}

// serve takes one task, or as many as its worker has room for, as far as their
// recording, or as far as they get.
func (s *slot) serve(ctx context.Context) {
	if (!s.standing || s.resting) && !s.run.pass(ctx, s) {
		return
	}
	s.resting = false
	if !s.borrow(ctx) || !s.pace(ctx) {
		return
	}
	room, err := s.room()
	if err != nil {
		s.giveBack(err, true)
		return
	}
	leases, err := s.claim(ctx, room)
	switch {
	case err == nil:
		s.work(leases)
	case errors.Is(err, tasks.ErrDrained):
		s.rest()
	case ctx.Err() != nil:
		s.giveBack(nil, false)
	default:
		s.giveBack(nil, false)
		s.run.fail(err)
	}
}

// rest gives the worker back: there is no task for it now.
func (s *slot) rest() {
	s.resting = true
	s.giveBack(nil, false)
}

// work makes one attempt at each task and leaves the recording behind. A worker
// that ignores the end of an attempt's time is closed first, so that the task is
// never with two workers at once.
func (s *slot) work(leases []*tasks.Lease) {
	batch := s.assign(leases)
	w := s.loan.Worker
	if unfit := s.askFit(w); unfit != nil {
		s.putDown(WorkerReady)
		for _, a := range batch {
			a.err = tasks.Release(tasks.ClassReleased, "%s was not fit any more when it got %s: %w", s.id, a.order, unfit)
		}
		endAll(batch)
		s.giveBack(unfit, broke(unfit))
		return
	}
	s.move(WorkerProcessing)
	left := s.attemptAll(w, batch)
	unfit, failed := s.assess(w, batch)
	if failed {
		s.putDown(WorkerFailed)
	} else {
		s.putDown(WorkerReady)
	}
	if slices.ContainsFunc(left, func(a *attempt) bool { return isStuck(a.err) }) {
		s.giveBack(unfit, failed)
		endAll(left)
		return
	}
	endAll(left)
	s.giveBack(unfit, failed)
}

// putDown notes that the worker has no task any more.
func (s *slot) putDown(next WorkerState) {
	s.lock(func() {
		s.show(nil)
		if s.status.State != next {
			_ = s.become(next)
		}
	})
}

// pause waits after a failure, longer after each further one in a row.
func (s *slot) pause(ctx context.Context) {
	wait := min(s.run.cfg.LaunchBackoff<<min(s.failures-1, 10), s.run.cfg.MaxLaunchBackoff)
	wait += time.Duration(rand.Float64() * 0.2 * float64(wait))
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// active notes that something of significance happened to the slot's worker.
func (s *slot) active() {
	s.lock(func() { s.status.LastActivity = time.Now() })
}

// lock runs change under the pool's mu.
func (s *slot) lock(change func()) {
	s.run.pool.mu.Lock()
	defer s.run.pool.mu.Unlock()
	change()
}

// move brings the slot's worker into its next state.
func (s *slot) move(next WorkerState) {
	var err error
	s.lock(func() { err = s.become(next) })
	if err != nil {
		s.run.fail(err)
	}
}
