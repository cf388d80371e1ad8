package pool

import (
	"context"
	"fmt"
	"time"
)

// newLender returns the slot's own lender.
func (s *slot) newLender() Lender {
	cfg := s.run.cfg
	l, err := newLender(LenderConfig{
		Open: cfg.Open, ID: s.id,
		StartTimeout: cfg.StartTimeout, CloseTimeout: cfg.CloseTimeout, Grace: cfg.Grace,
	}, s.run.calls)
	if err != nil {
		panic(fmt.Sprintf("pool: a validated configuration gives no lender: %v", err))
	}
	if cfg.Lifetime == LifetimeReusable {
		return &Reusable{l}
	}
	return &Transient{l}
}

// borrow gets the slot a worker, and reports whether it has one. After a failed
// launch it returns when it is time for the next.
func (s *slot) borrow(ctx context.Context) bool {
	if !s.standing {
		s.move(WorkerInitializing)
	}
	began := time.Now()
	loan, err := s.lender.Get(ctx)
	if err != nil {
		if ctx.Err() == nil {
			s.launchFailed(err, time.Since(began))
			s.pause(ctx)
		}
		return false
	}
	s.loan = loan
	if loan.Fresh {
		s.launched(time.Since(began))
	}
	return true
}

// launched notes that a new worker stands.
func (s *slot) launched(took time.Duration) {
	r, p := s.run, s.run.pool
	info := s.askInfo(s.loan.Worker)
	s.standing, s.failures = true, 0
	s.move(WorkerReady)
	s.lock(func() {
		r.launches.failed, r.launches.failedHere = 0, 0
		s.status.PID, s.status.Profile, s.status.Error = info.PID, info.Profile, ""
		s.status.StartedAt = time.Now()
		p.history.Opened++
		if s.replacing {
			p.history.Replaced++
			s.status.Restarts++
		}
		if p.state == StateStarting {
			_ = p.become(StateRunning)
		}
	})
	s.replacing = false
	r.events.emit(Event{Type: EventWorkerStarted, Worker: s.id, Took: took})
}

// launchFailed notes a launch that failed, which is no task's fault. When launches
// keep failing, the number of workers is lowered; the last of too many in a row, while
// one worker is wanted and none stands, ends the pool.
func (s *slot) launchFailed(err error, took time.Duration) {
	r := s.run
	s.standing = false
	s.failures++
	s.move(WorkerFailed)
	s.lock(func() {
		s.status.Error = err.Error()
		s.offer(false)
		s.share(false)
		r.overtaken()
	})
	r.events.emit(Event{Type: EventWorkerFailed, Worker: s.id, Detail: err.Error(), Took: took, Err: err})
	inARow, hopeless := 0, false
	s.lock(func() {
		if s.wanted {
			inARow, hopeless = r.countFailedLaunch()
		}
	})
	if hopeless {
		r.fail(fmt.Errorf("%w: %d launches in a row have failed, the last with: %w", ErrNoWorker, inARow, err))
	}
}
