// Package proofs sees to it that what is recorded of an order is proven: an order that lacked
// its proof is given it when a page of its kind shows it, and one that was only fetched is
// put back where no audit has shown that this was enough.
package proofs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// Queue is the queue as the pool has it, for what is recorded is what counts.
type Queue struct {
	tasks.TaskQueue
	// Portals are the session's, by the names that its tasks have for them.
	Portals map[string]*scrape.Portal
	// Told is called after orders were given their proof, that the recipe's item meets something
	// on a page of their kind, with their number and what to say of that.
	Told func(ctx context.Context, orders int, text string)
	// Struck is told why something could not be stored, and reports whether the disk is to
	// blame and there may be room for another try. Failed is told where it is not: that is
	// tried again at the end.
	Struck func(error) bool
	Failed func(error)

	mu sync.Mutex
	// proven are the kinds whose waiting orders have been given their proof once.
	proven map[string]bool
	// unread is why orders that had to be read again could not be put back, or nil.
	unread error
}

// Record implements tasks.TaskQueue. A page of the same kind may be seen while an
// order is on its way here: so each order that comes to wait looks once it is recorded,
// and the first recorded page that shows an item looks for all that wait by then.
func (p *Queue) Record(ctx context.Context, lease *tasks.Lease, d tasks.Decision) error {
	if err := p.TaskQueue.Record(ctx, lease, d); err != nil {
		return err
	}
	portal := p.Portals[lease.Task.Portal]
	kind, waits := portal.Kind(lease.Task.URL), false
	if d.Result != nil && d.Result.Kind != "" {
		kind = d.Result.Kind
		waits = d.To == tasks.StateCompleted && d.Result.AwaitsItem
	}
	if portal.ItemSeen(d.Looks()) {
		portal.NoteItemMet(kind)
		waits = waits || p.first(kind)
	}
	if waits && portal.ItemMet(kind) {
		if err := p.prove(ctx, portal, kind); err != nil {
			p.giveUp(err)
		}
	}
	return nil
}

// giveUp leaves to the end what could not be stored.
func (p *Queue) giveUp(err error) {
	if !p.Struck(err) {
		p.Failed(err)
	}
}

func (p *Queue) first(kind string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.proven[kind]
}

// Restore takes over what an order's attempts in earlier runs have shown.
func (p *Queue) Restore(task *tasks.ProcessingTask) {
	portal := p.Portals[task.Portal]
	for i := range task.History {
		if portal.ItemSeen(task.History[i].Looks) {
			portal.NoteItemMet(portal.Kind(task.URL))
			return
		}
	}
}

// ProveAll gives all orders their proof that wait for it and can have it.
func (p *Queue) ProveAll(ctx context.Context) error {
	var errs []error
	for _, portal := range p.Portals {
		for _, kind := range portal.KindsWithItems() {
			errs = append(errs, p.prove(ctx, portal, kind))
		}
	}
	return errors.Join(errs...)
}

// proven says that orders of a kind were given their proof.
func proven(kind string, n int) string {
	orders := fmt.Sprintf("%d orders are", n)
	if n == 1 {
		orders = "1 order is"
	}
	kind = kind[:max(0, strings.LastIndex(kind, " "))] // the mark behind it is for nobody to read
	return fmt.Sprintf("%s: %s no_attachments and not partial any more, as attachments.item has met documents on another page of its kind", kind, orders)
}

func (p *Queue) prove(ctx context.Context, portal *scrape.Portal, kind string) error {
	n, err := p.Prove(ctx, kind, portal.SettledProof())
	if n > 0 {
		p.Told(ctx, n, proven(kind, n))
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
