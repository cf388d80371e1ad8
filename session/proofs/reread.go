package proofs

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// rereadReason stands in the history of an order that is read again.
const rereadReason = "it was only fetched, or lists a document that other orders list too, and no later order has confirmed its result"

// PutBack puts orders back that were only fetched, and may lack something or have another
// order's document, and returns those of which some were. No order may be in progress.
func (p *Queue) PutBack(ctx context.Context, ending bool) ([]uuid.UUID, error) {
	var ids []uuid.UUID
	for _, portal := range p.Portals {
		ids = append(ids, portal.Unproven(ending)...)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	n, err := p.Reread(ctx, rereadReason, ids...)
	if err != nil && p.Struck(err) {
		n, err = p.Reread(ctx, rereadReason, ids...)
	}
	if err != nil {
		err = fmt.Errorf("orders that were only fetched could not be put back, and may lack something: %w", err)
		p.mu.Lock()
		p.unread = err
		p.mu.Unlock()
		return nil, err
	}
	if n == 0 {
		return nil, nil
	}
	return ids, nil
}

// Unread returns why orders that had to be read again could not be put back, or nil.
func (p *Queue) Unread() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.unread
}

// maxLastFetched is how many orders may have to be read again after a run that was
// killed: each kind of page had some eighty since its last audit, and those that
// workers had at the time; and there are not many kinds.
const maxLastFetched = 200

// LastFetched are the orders of a run that was killed that have ended, of those that were only
// fetched.
type LastFetched []*tasks.ProcessingTask

// Add adds an order if it is one of them.
func (l *LastFetched) Add(task *tasks.ProcessingTask) {
	if task.State.Final() && task.Result != nil && task.Result.Executor == tasks.ExecutorFetch {
		*l = append(*l, &tasks.ProcessingTask{ID: task.ID, Updated: task.Updated, Spec: tasks.Spec{URL: task.URL, Portal: task.Portal}})
	}
}

// Adopt has their portals know of those that ended last.
func (l LastFetched) Adopt(portals map[string]*scrape.Portal) {
	slices.SortFunc(l, func(a, b *tasks.ProcessingTask) int { return a.Updated.Compare(b.Updated) })
	for _, task := range l[max(0, len(l)-maxLastFetched):] {
		portals[task.Portal].Adopt(task)
	}
}
