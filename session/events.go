package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/ending"
	"github.com/poscrape/poscrape/session/load"
	"github.com/poscrape/poscrape/tasks"
)

// poolEvents returns what is told what happens in the pool, on one goroutine.
func (s *ProcessingSession) poolEvents() func(pool.Event) {
	var first ending.First
	begun := false
	return func(e pool.Event) {
		s.onPoolEvent(e)
		if e.Type == pool.EventTaskEnded && e.State.Final() {
			if !begun && errors.As(e.Err, new(*scrape.UnsaidError)) {
				s.stop(CauseRecipe, e.Err.Error()+"; then go on with: "+s.cfg.MendedCommand())
			}
			begun = true
			s.onFirstEnds(first.Ended(e.Outcome, tasks.AsFailure(e.Err), e.Order))
		}
	}
}

// onFirstEnds says it where the first orders have all ended not well for one reason, and stops
// there if that is asked for.
func (s *ProcessingSession) onFirstEnds(says string, orders []string) {
	if says == "" {
		return
	}
	if check := s.cfg.CheckCommand(orders); check != "" {
		says += "; see why with: " + check
	}
	if s.cfg.StopEarly {
		s.stop(CauseBreaker, says+"; go on with: "+s.cfg.ResumeCommand())
		return
	}
	s.story.Warn("%s", says)
}

func (s *ProcessingSession) onPoolEvent(e pool.Event) {
	switch e.Type {
	case pool.EventTaskAssigned:
		s.story.Log.Debug(e.Type, "worker", e.Worker, "order", e.Order, "took_ms", e.Took.Milliseconds())
	case pool.EventTaskEnded:
		about := []any{"worker", e.Worker, "order", e.Order, "attempt", e.Attempt, "state", e.State, "outcome", e.Outcome,
			"took_ms", e.Took.Milliseconds()}
		if e.Detail != "" {
			about = append(about, "error", e.Detail)
		}
		if !e.RetryAt.IsZero() {
			about = append(about, "retry_at", e.RetryAt)
		}
		s.story.Log.Info(e.Type, about...)
		if e.State.Final() {
			s.breaker.Ended(e.Key)
		}
	case pool.EventEventsLost:
		// Among them may be ends of orders.
		if err := s.breaker.Load(context.Background(), s.folder.Ledger); err != nil {
			s.story.Log.Error("counting the orders of each host", "error", err)
		}
		s.story.Add(context.Background(), tasks.Event{Type: e.Type, Detail: e.Detail})
		holds := s.pool().Holds()
		record, changed := s.life.Held(len(holds) > 0)
		s.tally.Held(record.Status, holds)
		if changed {
			s.save(context.Background(), record)
		}
	case pool.EventHoldBegan, pool.EventHoldEnded:
		s.onHold(context.Background(), e)
	case pool.EventScaled:
		s.onScaled(context.Background(), e)
	case pool.EventWorkerStarted:
		e.Took = s.workers.StartTook(e.Worker, e.Took)
		fallthrough
	default:
		s.story.Add(context.Background(), tasks.Event{Type: e.Type, Worker: e.Worker, BrowserID: s.workers.BrowserIn(e.Worker, e.At),
			Detail: e.Detail, Took: e.Took})
	}
}

// onScaled is told that the pool is to have more workers, or fewer. What the monitor
// has decided is in the story already, with figures.
func (s *ProcessingSession) onScaled(ctx context.Context, e pool.Event) {
	s.breaker.Wake() // a worker that is taken away may be waiting for its host
	s.tally.Poke()
	if e.Owner == load.Owner {
		s.story.Log.Info(e.Type, "from", e.From, "to", e.To)
		return
	}
	why := fmt.Sprintf("%d of %d workers", e.To, s.pool().Stats().Asked)
	if e.Detail != "" {
		why += ": " + e.Detail
	}
	s.story.Add(ctx, tasks.Event{Type: tasks.EventScaled, Detail: why})
}
