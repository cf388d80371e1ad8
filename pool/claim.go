package pool

import (
	"context"
	"errors"
	"fmt"

	"github.com/poscrape/poscrape/tasks"
)

// errRosterChanged ends a claim that was made with an outdated list of workers.
var errRosterChanged = errors.New("the workers that share the tasks have changed")

// claim waits for the slot's next task.
func (s *slot) claim(ctx context.Context) (*tasks.Lease, error) {
	for {
		claimCtx, end := context.WithCancelCause(ctx)
		generation := s.run.generationNow()
		req, roster := s.claimRequest(end)
		leases, err := s.run.cfg.Queue.Claim(claimCtx, req)
		s.claimed(roster)
		outdated := ctx.Err() == nil && errors.Is(context.Cause(claimCtx), errRosterChanged)
		end(nil)
		switch {
		case err == nil && len(leases) > 0:
			return leases[0], nil
		case err == nil:
			return nil, fmt.Errorf("claiming a task for %s: the queue gave neither a task nor an error", s.id)
		case errors.Is(err, tasks.ErrDrained):
			s.run.drained(generation)
			return nil, err
		case !outdated:
			return nil, fmt.Errorf("claiming a task for %s: %w", s.id, err)
		}
	}
}

// claimRequest says who asks. Where tasks are dealt in turn, it lists the slots
// that share in them, and end is called when that list, whose version it
// returns, is outdated.
func (s *slot) claimRequest(end context.CancelCauseFunc) (req tasks.ClaimRequest, roster int) {
	r := s.run
	req = tasks.ClaimRequest{Worker: s.id, Max: 1, Distribution: r.cfg.Distribution}
	if r.cfg.Distribution != tasks.RoundRobin {
		return req, 0
	}
	s.lock(func() {
		s.reclaim, roster = end, r.roster
		for _, other := range r.slots {
			if other.sharing || other == s {
				req.Workers = append(req.Workers, other.id)
			}
		}
	})
	return req, roster
}

// claimed ends a claim that was made with a version of the roster. If that is
// outdated, the claim may have reached the queue after those of the others that
// had a newer one: so they are made once more.
func (s *slot) claimed(roster int) {
	if s.run.cfg.Distribution != tasks.RoundRobin {
		return
	}
	s.lock(func() {
		s.reclaim = nil
		if roster != s.run.roster {
			s.run.reclaim()
		}
	})
}

// reclaim has all waiting claims made anew. The caller holds the pool's mu.
func (r *run) reclaim() {
	for _, s := range r.slots {
		if s.reclaim != nil {
			s.reclaim(errRosterChanged)
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
