package pool

import (
	"slices"
	"sync"

	"github.com/poscrape/poscrape/tasks"
)

// Roomy is a Worker that may work on several tasks at once. Its Do is then called
// by several goroutines; its other methods are called as those of a Worker are,
// while none of its tasks is in progress.
type Roomy interface {
	// Room is asked before each claim, and returns how many tasks it takes now:
	// less than 1 counts as 1, more than 8 as 8. It must not wait. A pool whose
	// workers are LifetimeTransient does not ask: there a worker has one task.
	Room() int
}

// maxRoom bounds the tasks of one worker, and with them what is lost when the
// worker is.
const maxRoom = 8

// room returns how many tasks the slot's worker takes now, or why it must be
// replaced.
func (s *slot) room() (int, error) {
	w, ok := s.loan.Worker.(Roomy)
	if !ok || s.run.cfg.Lifetime != LifetimeReusable {
		return 1, nil
	}
	n, err := ask(s, "asking "+s.id+" how many tasks it takes", func() (int, error) { return w.Room(), nil })
	return min(max(n, 1), maxRoom), err
}

// assign takes tasks into the slot's hands, and keeps their leases alive.
func (s *slot) assign(leases []*tasks.Lease) []*attempt {
	batch := make([]*attempt, len(leases))
	for i, lease := range leases {
		batch[i] = s.newAttempt(lease)
	}
	s.earlier, s.recordings = s.recordings, new(sync.WaitGroup)
	s.lock(func() {
		history := &s.run.pool.history
		history.Claims += len(leases)
		for _, lease := range leases {
			history.Waited += s.run.pool.waited(lease)
		}
		s.run.inHand += len(batch)
		s.offer(false)
		s.show(batch)
		s.status.LastActivity = batch[0].began
	})
	for _, a := range batch {
		s.run.events.emit(a.event(EventTaskAssigned, a.lease.ClaimTook))
		go a.keep()
	}
	return batch
}

// show says in the slot's status which orders its worker has. The caller holds the
// pool's mu.
func (s *slot) show(batch []*attempt) {
	s.status.Tasks, s.status.Task = nil, ""
	for _, a := range batch {
		s.status.Tasks = append(s.status.Tasks, a.order)
	}
	if len(batch) > 0 {
		s.status.Task = batch[0].order
	}
}

// attemptAll has the worker make all attempts at once. Each is recorded as soon
// as it has ended, but for those that it returns: the last, and those that the
// worker has not let go of, which must not be given to another before it is closed.
func (s *slot) attemptAll(w Worker, batch []*attempt) (left []*attempt) {
	ended := make(chan *attempt, len(batch))
	for _, a := range batch {
		go func() {
			a.attempt(w)
			ended <- a
		}()
	}
	for open := slices.Clone(batch); len(open) > 0; {
		a := <-ended
		s.lock(s.run.overtaken)
		open = slices.DeleteFunc(open, func(o *attempt) bool { return o == a })
		if len(open) == 0 || isStuck(a.err) {
			left = append(left, a)
			continue
		}
		s.lock(func() { s.show(open) })
		a.end()
	}
	return left
}

func endAll(batch []*attempt) {
	for _, a := range batch {
		a.end()
	}
}
