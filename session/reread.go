package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// rereadReason stands in the history of an order that is read again.
const rereadReason = "it was only fetched, and no order has shown since that this was enough"

// reread puts orders back that were only fetched, and may lack something or have another
// order's document, and reports whether there were any. No order may be in progress.
func (s *ProcessingSession) reread(ctx context.Context, ending bool) (bool, error) {
	ids := s.portal.Unproven(ending)
	if len(ids) == 0 {
		return false, nil
	}
	n, err := s.ledger.Reread(ctx, rereadReason, ids...)
	if err != nil && s.struck(err) {
		n, err = s.ledger.Reread(ctx, rereadReason, ids...)
	}
	if err != nil {
		err = fmt.Errorf("orders that were only fetched could not be put back, and may lack something: %w", err)
		s.mu.Lock()
		s.unread = err
		s.mu.Unlock()
		return false, err
	}
	if n == 0 {
		return false, nil
	}
	stats, err := s.ledger.Stats(ctx)
	if err != nil {
		return true, err
	}
	s.tally.Begin(stats)
	return true, s.breaker.Reopened(ctx, s.ledger, ids)
}

// drained has the orders read again of which it is not known whether they are whole.
func (s *ProcessingSession) drained(ctx context.Context) (more bool, err error) {
	return s.reread(ctx, false)
}

// maxLastFetched is how many orders may have to be read again after a run that was
// killed: each kind of page had some eighty since its last audit, and those that
// workers had at the time; and there are not many kinds.
const maxLastFetched = 200

// lastFetched are the orders that have ended last, of those that were only fetched.
type lastFetched []*tasks.ProcessingTask

func (l *lastFetched) add(task *tasks.ProcessingTask) {
	if task.State.Final() && task.Result != nil && task.Result.Executor == tasks.ExecutorFetch {
		*l = append(*l, &tasks.ProcessingTask{ID: task.ID, Updated: task.Updated, Spec: tasks.Spec{URL: task.URL}})
	}
}

// adopt has the portal know of them.
func (l lastFetched) adopt(p *scrape.Portal) {
	slices.SortFunc(l, func(a, b *tasks.ProcessingTask) int { return a.Updated.Compare(b.Updated) })
	for _, task := range l[max(0, len(l)-maxLastFetched):] {
		p.Adopt(task)
	}
}
