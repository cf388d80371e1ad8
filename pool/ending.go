package pool

import (
	"errors"
	"time"
)

// giveBack releases the slot's worker to its lender. unfit says why it must be
// replaced, failed that this is a failure and not wear.
func (s *slot) giveBack(unfit error, failed bool) {
	loan := s.loan
	s.loan = nil
	began := time.Now()
	err := s.lender.Release(s.run.base, loan, unfit)
	s.standing = err == nil && s.lender.Size() > 0
	s.replacing = err != nil || unfit != nil
	s.lock(func() { s.offer(s.standing && !s.resting) })
	if s.standing {
		return
	}
	event := Event{Type: EventWorkerStopped, Worker: s.id, Took: time.Since(began)}
	next := WorkerCompleted
	switch {
	case failed || err != nil:
		event.Type, event.Err = EventWorkerFailed, errors.Join(unfit, err)
		next = WorkerFailed
	case unfit != nil:
		event.Type, event.Err = EventWorkerRecycled, unfit
	}
	if event.Err != nil {
		event.Detail = event.Err.Error()
	}
	s.lock(func() {
		if s.status.State != next {
			_ = s.become(next)
		}
		if next == WorkerFailed {
			s.run.pool.history.Lost++
			s.status.Error = event.Detail
		}
	})
	s.run.events.emit(event)
}

// closeDown ends the slot's lender and, with it, its worker. A worker that cannot
// be proven gone keeps the slot from being used again, and is tried again.
func (s *slot) closeDown() {
	r := s.run
	s.lock(func() {
		s.offer(false)
		s.share(false)
	})
	for {
		began := time.Now()
		last := r.fetch.Err() != nil
		err := s.lender.Terminate(r.base)
		if err == nil {
			s.closed(time.Since(began))
			break
		}
		s.failures++
		s.lock(func() {
			if s.status.State != WorkerFailed {
				_ = s.become(WorkerFailed)
			}
			s.status.Error = err.Error()
			s.share(false)
			if last {
				r.leftovers = append(r.leftovers, err)
			}
		})
		r.events.emit(Event{Type: EventWorkerFailed, Worker: s.id, Detail: err.Error(), Took: time.Since(began), Err: err})
		if last {
			break
		}
		s.pause(r.fetch)
	}
	s.recordings.Wait()
	s.standing, s.resting, s.replacing, s.failures = false, false, false, 0
}

// closed notes that the slot's worker is gone for good.
func (s *slot) closed(took time.Duration) {
	s.lock(func() {
		if s.status.State != workerUnopened && s.status.State != WorkerCompleted {
			_ = s.become(WorkerCompleted)
		}
	})
	if s.standing {
		s.run.events.emit(Event{Type: EventWorkerStopped, Worker: s.id, Took: took})
	}
}
