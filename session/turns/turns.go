// Package turns decides at which of a session's portals each worker takes its next order, and
// which portals are left alone: for a while, as someone signs in there, or for the rest of the
// run, as nobody can.
package turns

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// Queue is the queue of a session with several portals, as the pool has it. A worker stays at
// its portal as long as that has orders, unless another has some and no worker, and either some of
// a higher priority, or the worker is not the only one at its own. While some are due that it may have, it is given them; it waits while a portal that is held may have more.
type Queue struct {
	tasks.TaskQueue
	portals []string

	mu sync.Mutex
	// at is the portal of each slot's browser, going that of one that has asked for orders there.
	at, going map[string]string
	// held counts the holds of each portal, left says why one is left alone for good.
	held map[string]int
	left map[string]string
	// stats are the latest counts, of asked.
	stats tasks.Stats
	asked time.Time
	// changed is closed and replaced when claims have to be made anew.
	changed chan struct{}
}

// New returns the queue of a session with these portals.
func New(q tasks.TaskQueue, portals []string) *Queue {
	return &Queue{TaskQueue: q, portals: portals, at: map[string]string{}, going: map[string]string{},
		held: map[string]int{}, left: map[string]string{}, changed: make(chan struct{})}
}

// At notes which portal the browser of a slot belongs to, or none.
func (q *Queue) At(slot, portal string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.going, slot)
	if q.at[slot] = portal; portal == "" {
		delete(q.at, slot)
	}
}

// Hold has no order of a portal begun until release is called.
func (q *Queue) Hold(portal string) (release func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held[portal]++
	q.stir()
	return sync.OnceFunc(func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.held[portal]--
		q.stir()
	})
}

// Held reports whether no order of a portal is begun, as somebody holds it.
func (q *Queue) Held(portal string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.held[portal] > 0
}

// Leave has no order of a portal begun any more, and says why. When nothing is left at the
// others, the queue is drained.
func (q *Queue) Leave(portal, why string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.left[portal] == "" {
		q.left[portal] = why
		q.stir()
	}
}

// Left returns why portals are left alone, by their names.
func (q *Queue) Left() map[string]string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return maps.Clone(q.left)
}

// stir has the claims made anew. The caller holds q.mu.
func (q *Queue) stir() {
	close(q.changed)
	q.changed = make(chan struct{})
}

// countsLast is how long the counts of a portal's orders are good enough to choose by.
const countsLast = time.Second

// counts returns what there is to do at each portal. It may read the ledger, so the caller does
// not hold q.mu.
func (q *Queue) counts(ctx context.Context) (map[string]tasks.Pending, error) {
	q.mu.Lock()
	stats, asked := q.stats, q.asked
	q.mu.Unlock()
	if time.Since(asked) < countsLast {
		return stats.Portals, nil
	}
	stats, err := q.TaskQueue.Stats(ctx)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stats, q.asked = stats, time.Now()
	return stats.Portals, nil
}

// errChanged ends a claim that was made before portals were held, or let go.
var errChanged = errors.New("the portals whose orders may be begun have changed")

// Claim implements tasks.TaskQueue.
func (q *Queue) Claim(ctx context.Context, req tasks.ClaimRequest) ([]*tasks.Lease, error) {
	for {
		counts, err := q.counts(ctx)
		if err != nil {
			return nil, err
		}
		q.mu.Lock()
		req.Portals = q.order(req.Worker, counts)
		changed, held := q.changed, q.anyHeld()
		q.mu.Unlock()
		leases, err := q.claim(ctx, req, changed)
		q.went(req.Worker, leases)
		switch {
		case err == nil:
			return leases, nil
		case errors.Is(err, errChanged):
		case errors.Is(err, tasks.ErrDrained) && held:
			select {
			case <-changed:
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		default:
			return nil, err
		}
	}
}

// went notes of which portal a slot has got orders, if any.
func (q *Queue) went(slot string, leases []*tasks.Lease) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.going, slot)
	if len(leases) > 0 {
		q.going[slot] = leases[0].Task.Portal
	}
}

// claim is a claim that ends with errChanged when changed is closed.
func (q *Queue) claim(ctx context.Context, req tasks.ClaimRequest, changed <-chan struct{}) ([]*tasks.Lease, error) {
	claiming, end := context.WithCancelCause(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		select {
		case <-changed:
			end(errChanged)
		case <-claiming.Done():
		}
	}()
	leases, err := q.TaskQueue.Claim(claiming, req)
	end(nil)
	<-over
	return leases, err
}

// anyHeld reports whether a portal is held whose orders are to be gone on with. The caller
// holds q.mu.
func (q *Queue) anyHeld() bool {
	return slices.ContainsFunc(q.portals, func(p string) bool { return q.held[p] > 0 && q.left[p] == "" })
}

// order returns the portals of which a slot may have orders, the preferred first: its own, if
// that has orders that are due and no other has such, and no worker, and either a higher priority or
// fewer workers than its own without it; then those with the fewest workers. Where its own is held,
// it waits for that: the hold is short. It notes that the slot is going to the first. The caller
// holds q.mu.
func (q *Queue) order(slot string, counts map[string]tasks.Pending) []string {
	delete(q.going, slot)
	own := q.at[slot]
	if q.held[own] > 0 && q.left[own] == "" {
		return []string{}
	}
	workers := map[string]int{}
	for other, portal := range q.at {
		if other != slot && q.going[other] == "" {
			workers[portal]++
		}
	}
	for _, portal := range q.going {
		workers[portal]++
	}
	open := slices.DeleteFunc(slices.Clone(q.portals), func(p string) bool { return q.held[p] > 0 || q.left[p] != "" })
	const noneDue = 3
	rank := func(p string) int {
		switch {
		case counts[p].Ready == 0:
			return noneDue
		case p != own && workers[p] == 0 && (workers[own] > 0 || counts[own].Ready > 0 && counts[p].Priority > counts[own].Priority):
			return 0
		case p == own:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(open, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(counts[b].Priority, counts[a].Priority), cmp.Compare(workers[a], workers[b]))
	})
	if len(open) > 0 && rank(open[0]) < noneDue {
		q.going[slot] = open[0]
	}
	return open
}

// Send returns the portal of which a slot gets an order next, as far as that is known now, and
// counts the slot as going there.
func (q *Queue) Send(ctx context.Context, slot string) string {
	counts, err := q.counts(ctx)
	if err != nil {
		return "" // who claims next meets it too
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if order := q.order(slot, counts); len(order) > 0 {
		return order[0]
	}
	return ""
}

// Stats implements tasks.TaskQueue: without the orders of portals that are left alone; those of
// portals that are held are not due.
func (q *Queue) Stats(ctx context.Context) (tasks.Stats, error) {
	s, err := q.TaskQueue.Stats(ctx)
	if err != nil {
		return s, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for name, pending := range s.Portals {
		switch {
		case q.left[name] != "":
			s.Ready -= pending.Ready
			s.Waiting -= pending.Waiting
		case q.held[name] > 0:
			s.Ready -= pending.Ready
			s.Waiting += pending.Ready
		}
	}
	return s, nil
}
