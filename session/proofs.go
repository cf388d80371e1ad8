package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// proofs gives orders the proof that they lacked when they were recorded: that the
// recipe's item meets something on a page of their kind. It is the queue as the pool
// has it, for what is recorded is what counts.
type proofs struct {
	tasks.TaskQueue
	portal *scrape.Portal
	// told is called after orders were given their proof.
	told func(ctx context.Context, kind string, orders int)
	// failed is called where that could not be stored. It is tried again at the end.
	failed func(error)

	mu sync.Mutex
	// proven are the kinds whose waiting orders have been given their proof once.
	proven map[string]bool
}

// Record implements tasks.TaskQueue. A page of the same kind may be seen while an
// order is on its way here: so each order that comes to wait looks once it is recorded,
// and the first recorded page that shows an item looks for all that wait by then.
func (p *proofs) Record(ctx context.Context, lease *tasks.Lease, d tasks.Decision) error {
	if err := p.TaskQueue.Record(ctx, lease, d); err != nil {
		return err
	}
	kind, waits := p.portal.Kind(lease.Task.URL), false
	if d.Result != nil && d.Result.Kind != "" {
		kind = d.Result.Kind
		waits = d.To == tasks.StateCompleted && d.Result.AwaitsItem
	}
	if p.portal.ItemSeen(d.Looks()) {
		p.portal.NoteItemMet(kind)
		waits = waits || p.first(kind)
	}
	if waits && p.portal.ItemMet(kind) {
		if err := p.prove(ctx, kind); err != nil {
			p.failed(err)
		}
	}
	return nil
}

func (p *proofs) first(kind string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.proven[kind]
}

// restore takes over what an order's attempts in earlier runs have shown.
func (p *proofs) restore(task *tasks.ProcessingTask) {
	for i := range task.History {
		if p.portal.ItemSeen(task.History[i].Looks) {
			p.portal.NoteItemMet(p.portal.Kind(task.URL))
			return
		}
	}
}

// proveAll gives all orders their proof that wait for it and can have it.
func (p *proofs) proveAll(ctx context.Context) error {
	var errs []error
	for _, kind := range p.portal.KindsWithItems() {
		errs = append(errs, p.prove(ctx, kind))
	}
	return errors.Join(errs...)
}

func (p *proofs) prove(ctx context.Context, kind string) error {
	n, err := p.Prove(ctx, kind, p.portal.SettledProof())
	if n > 0 {
		p.told(ctx, kind, n)
	}
	if err != nil {
		return fmt.Errorf("giving orders of %s the proof that they have no documents: %w", kind, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.proven == nil {
		p.proven = map[string]bool{}
	}
	p.proven[kind] = true
	return nil
}

// newProofs returns the session's queue that gives late proofs.
func (s *ProcessingSession) newProofs() *proofs {
	return &proofs{TaskQueue: withFaults(s.ledger), portal: s.portal,
		told: func(ctx context.Context, kind string, n int) {
			s.tally.ProvenLater(n)
			orders := fmt.Sprintf("%d orders are", n)
			if n == 1 {
				orders = "1 order is"
			}
			kind = kind[:max(0, strings.LastIndex(kind, " "))] // the mark behind it is for nobody to read
			s.story.Add(ctx, tasks.Event{Type: tasks.EventProvenLater,
				Detail: fmt.Sprintf("%s: %s no_attachments and not partial any more, as attachments.item has met documents on another page of its kind", kind, orders)})
		},
		failed: func(err error) {
			if !s.struck(err) {
				s.story.Log.Error("giving late proofs; it is tried again at the end", "error", err)
			}
		},
	}
}
