package session

import (
	"context"

	"github.com/poscrape/poscrape/internal/faultpoint"
	"github.com/poscrape/poscrape/session/proofs"
	"github.com/poscrape/poscrape/tasks"
)

// newProofs returns the session's queue that gives late proofs.
func (s *ProcessingSession) newProofs() *proofs.Queue {
	return &proofs.Queue{TaskQueue: s.tally.Queue(faultpoint.In(s.folder.Ledger)), Portals: s.portals.ByName(), Struck: s.space.Struck,
		Told: func(ctx context.Context, orders int, text string) {
			s.tally.ProvenLater(orders)
			s.story.Add(ctx, tasks.Event{Type: tasks.EventProvenLater, Detail: text})
		},
		Failed: func(err error) { s.story.Log.Error("giving late proofs; it is tried again at the end", "error", err) },
	}
}

// drained has the orders read again of which it is not known whether they are whole, and
// reports whether there are any.
func (s *ProcessingSession) drained(ctx context.Context) (more bool, err error) {
	return s.putBack(ctx, false)
}

func (s *ProcessingSession) putBack(ctx context.Context, ending bool) (more bool, err error) {
	ids, err := s.proofs.PutBack(ctx, ending)
	if err != nil || len(ids) == 0 {
		return false, err
	}
	stats, err := s.folder.Ledger.Stats(ctx)
	if err != nil {
		return true, err
	}
	s.tally.Begin(stats)
	return true, s.breaker.Reopened(ctx, s.folder.Ledger, ids)
}
