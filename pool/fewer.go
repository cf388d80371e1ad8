package pool

import (
	"fmt"
	"time"
)

// LimitedByLaunches is the owner of the limit that the pool sets itself while
// launches keep failing.
const LimitedByLaunches = "launches"

// triesAlone is how many launches in a row must fail while one worker alone is wanted: those
// before may have been tries of one more, beside a worker that stood.
const triesAlone = 2

// launches counts launches that fail. The pool's mu guards it.
type launches struct {
	failed     int       // in a row, over all slots
	failedHere int       // of these, with the number of workers that there is
	moreAt     time.Time // when one worker more is tried, zero without a limit
}

// countFailedLaunch counts a launch that has just failed, and returns how many have
// in a row. When as many have as workers are wanted, half of them must do, but not
// fewer than stand. It is hopeless when too many have, the last of them (triesAlone) while
// one worker alone was wanted, and none stands. The caller holds the pool's mu.
func (r *run) countFailedLaunch() (inARow int, hopeless bool) {
	l := &r.launches
	l.failed++
	l.failedHere++
	size := r.wanted()
	if !l.moreAt.IsZero() {
		l.moreAt = time.Now().Add(r.quietTime())
	}
	switch {
	case size == 1:
		return l.failed, l.failed >= r.cfg.MaxLaunchFailures && l.failedHere >= triesAlone && r.standing() == 0
	case l.failedHere >= size && r.fetch.Err() == nil:
		l.failedHere = 0
		n := max(1, min(size-1, max(size/2, r.standing())))
		r.limitLaunches(n, "launches keep failing")
	}
	return l.failed, false
}

// moreWorkers allows one worker more when no launch has failed for a while; if its
// launch fails, it is taken away at once. It returns how long it is until the pool
// is to look again.
func (r *run) moreWorkers() time.Duration {
	p := r.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	l := &r.launches
	if l.moreAt.IsZero() || r.fetch.Err() != nil {
		return r.cfg.MaxPoll
	}
	if left := time.Until(l.moreAt); left > 0 {
		return left
	}
	for _, limit := range r.limits {
		if limit.Owner == LimitedByLaunches {
			before := r.wanted()
			r.limitLaunches(limit.Workers+1, fmt.Sprintf("no launch has failed for %v, one more is tried", r.quietTime()))
			l.failedHere = 0
			if r.wanted() > before { // no other limit is lower
				l.failedHere = before
			}
			return r.cfg.MaxPoll
		}
	}
	l.moreAt = time.Time{} // fewer are asked for by now
	return r.cfg.MaxPoll
}

// limitLaunches has at most n workers because of launches that fail. The caller
// holds the pool's mu.
func (r *run) limitLaunches(n int, why string) {
	limit := Limit{Owner: LimitedByLaunches, Workers: n, Reason: why}
	r.resize(Event{Owner: limit.Owner, Detail: why}, func(r *run) { r.setLimit(limit) })
	r.launches.moreAt = time.Time{}
	if n < r.asked {
		r.launches.moreAt = time.Now().Add(r.quietTime())
	}
	r.gate.poke() // it is the gate that looks at the time
}

// quietTime is for how long no launch must have failed before one more is tried.
func (r *run) quietTime() time.Duration { return 2 * r.cfg.MaxLaunchBackoff }

// standing counts the workers that are open and of use. The caller holds the
// pool's mu.
func (r *run) standing() int {
	n := 0
	for _, s := range r.slots {
		if s.status.State.Standing() {
			n++
		}
	}
	return n
}
