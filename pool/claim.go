package pool

import (
	"context"
	"errors"
	"fmt"

	"github.com/poscrape/poscrape/tasks"
)

// errRosterChanged ends a claim that was made with an outdated list of workers.
var errRosterChanged = errors.New("the workers that share the tasks have changed")

// claim waits for the slot's next task, and takes up to room of them at once.
func (s *slot) claim(ctx context.Context, room int) ([]*tasks.Lease, error) {
	for {
		claimCtx, end := context.WithCancelCause(ctx)
		generation := s.run.generationNow()
		req, roster, paused := s.claimRequest(room, end)
		if paused {
			end(nil)
			if !s.sitOut(ctx) {
				return nil, fmt.Errorf("waiting for the end of a pause: %w", context.Cause(ctx))
			}
			continue
		}
		leases, err := s.run.cfg.Queue.Claim(claimCtx, req)
		s.claimed(roster)
		cause := context.Cause(claimCtx)
		again := ctx.Err() == nil && (errors.Is(cause, errRosterChanged) || errors.Is(cause, errHeld))
		end(nil)
		switch {
		case err == nil && len(leases) > 0:
			return leases, nil
		case err == nil:
			return nil, fmt.Errorf("claiming a task for %s: the queue gave neither a task nor an error", s.id)
		case errors.Is(err, tasks.ErrDrained):
			more, asked := s.run.refilled(ctx, generation)
			switch {
			case asked != nil:
				return nil, asked
			case !more:
				return nil, err
			}
		case !again:
			return nil, fmt.Errorf("claiming a task for %s: %w", s.id, err)
		}
	}
}

// claimRequest says who asks, and with how many it shares the tasks: a worker
// that takes several leaves the others their part of the last ones. Where tasks
// are dealt in turn, it lists the slots that share in them, and end is called when
// that list, whose version it returns, is outdated. It is called too when the pool
// is paused; if it is paused already, no claim is to be made.
func (s *slot) claimRequest(room int, end context.CancelCauseFunc) (req tasks.ClaimRequest, roster int, paused bool) {
	r := s.run
	req = tasks.ClaimRequest{Worker: s.id, Max: room, Distribution: r.cfg.Distribution}
	s.lock(func() {
		if paused = r.pool.paused(); paused {
			return
		}
		s.endClaim, roster = end, r.roster
		for _, other := range r.slots {
			if !other.sharing && other != s {
				continue
			}
			req.Sharers++
			if r.cfg.Distribution == tasks.RoundRobin {
				req.Workers = append(req.Workers, other.id)
			}
		}
	})
	return req, roster, paused
}

// claimed ends a claim that was made with a version of the roster. If that is
// outdated, the claim may have reached the queue after those of the others that
// had a newer one: so they are made once more.
func (s *slot) claimed(roster int) {
	s.lock(func() {
		s.endClaim = nil
		if roster != s.run.roster {
			s.run.reclaim()
		}
	})
}

// reclaim has all waiting claims that depend on the roster made anew. The caller
// holds the pool's mu.
func (r *run) reclaim() {
	if r.cfg.Distribution == tasks.RoundRobin {
		r.endClaims(errRosterChanged)
	}
}

// endClaims ends all waiting claims. The caller holds the pool's mu.
func (r *run) endClaims(cause error) {
	for _, s := range r.slots {
		if s.endClaim != nil {
			s.endClaim(cause)
		}
	}
}

// share says whether the slot shares in the tasks: it has a worker, or is about
// to have one if there is need. The caller holds the pool's mu.
func (s *slot) share(on bool) {
	if s.sharing == on {
		return
	}
	s.sharing = on
	s.run.roster++
	s.run.reclaim()
}
