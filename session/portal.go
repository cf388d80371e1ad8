package session

import (
	"context"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/session/breaker"
	"github.com/poscrape/poscrape/tasks"
)

// newBreaker returns the session's circuit breakers.
func newBreaker(cfg Config) *breaker.Breaker {
	return breaker.New(breaker.Config{Patience: cfg.BreakerPatience, Timeout: cfg.TaskTimeout, Retries: cfg.Retries, Looker: breaker.NewNetwork(cfg.Proxy)})
}

// watchPortal has the breaker watch until ctx ends, tells its news, and stops the
// session when it has given up.
func (s *ProcessingSession) watchPortal(ctx context.Context) {
	keep := context.WithoutCancel(ctx)
	s.breaker.Watch(ctx, func(gaveUp string) {
		s.tellPortal(keep)
		if gaveUp != "" {
			s.stop(CauseBreaker, gaveUp+"; go on with: poscrape resume "+quoted(s.dir))
		}
	})
	s.tellPortal(keep)
	s.paused(keep, false)
}

// tellPortal tells the breaker's news, in their order.
func (s *ProcessingSession) tellPortal(ctx context.Context) {
	news, reason := s.breaker.News()
	s.tally.waits(reason)
	for _, e := range news {
		s.event(ctx, e)
		switch e.Type {
		case tasks.EventPaused:
			s.paused(ctx, true)
		case tasks.EventResumed:
			s.paused(ctx, false)
		}
	}
}

// paused says that all workers wait for the portal, or not any more. The pool is
// not paused: each worker keeps its order, for when the portal answers.
func (s *ProcessingSession) paused(ctx context.Context, on bool) {
	const who = "portal"
	why := ""
	if on {
		why = "its orders wait for the portal"
	}
	if record, changed := s.holding(who, why); changed {
		s.tally.became(record.Status)
		s.save(ctx, record)
	}
}

// leaving reports whether the worker in this slot is to take no more orders.
func (s *ProcessingSession) leaving(slot string) bool {
	s.mu.Lock()
	p := s.pool
	s.mu.Unlock()
	if p == nil {
		return false
	}
	return !p.Running() || slices.ContainsFunc(p.Workers(), func(w pool.WorkerStatus) bool { return w.ID == slot && w.Draining })
}

// quoted returns a path as it is typed in a shell.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t") {
		return `"` + path + `"`
	}
	return path
}
