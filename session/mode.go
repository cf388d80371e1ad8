package session

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// Mode says how orders are read.
type Mode = scrape.Mode

// The modes, see package scrape.
const (
	ModeAuto   = scrape.ModeAuto
	ModeRender = scrape.ModeRender
	ModeFetch  = scrape.ModeFetch
)

// Modes returns all modes.
func Modes() []Mode { return scrape.Modes() }

// newPortal returns the portal of a recipe, whose mode a setting beats.
func (s *ProcessingSession) newPortal(recipe *scrape.Recipe, columns []string) *scrape.Portal {
	if s.cfg.Mode != "" {
		recipe.Mode = s.cfg.Mode
	}
	p := scrape.NewPortal(recipe, columns)
	p.OnEvent(func(e tasks.Event) {
		s.event(context.Background(), e)
		if e.Type == tasks.EventNotice {
			s.warn("%s", e.Detail)
		}
	})
	return p
}

// rereadReason stands in the history of an order that is read again.
const rereadReason = "it was only fetched, and no order has shown since that this was enough"

// rereader puts orders back that were only fetched, and may lack something or have
// another order's document.
type rereader struct {
	mu sync.Mutex
	// times counts how often it has put any back.
	times int
}

// count returns how often orders were put back so far.
func (r *rereader) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.times
}

// reread puts orders back, once no order is in progress, and reports whether there
// have been any since it was counted last: then the queue is not drained.
func (s *ProcessingSession) reread(ctx context.Context, counted int, ending bool) (bool, error) {
	r := &s.rereader
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.times != counted {
		return true, nil
	}
	ids := s.portal.Unproven(ending)
	if len(ids) == 0 {
		return false, nil
	}
	n, err := s.ledger.Reread(ctx, rereadReason, ids...)
	if err != nil || n == 0 {
		return false, err
	}
	r.times++
	stats, err := s.ledger.Stats(ctx)
	if err != nil {
		return true, err
	}
	s.tally.begin(stats)
	return true, s.breaker.Reopened(ctx, s.ledger, ids)
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

// proven is a queue that is drained only when all that was only fetched is known to
// be as good as rendered.
type proven struct {
	tasks.TaskQueue
	session *ProcessingSession
}

// Stats implements tasks.TaskQueue. The pool takes it from there too that nothing
// is left.
func (q proven) Stats(ctx context.Context) (tasks.Stats, error) {
	for {
		counted := q.session.rereader.count()
		stats, err := q.TaskQueue.Stats(ctx)
		if err != nil || stats.Open() > 0 {
			return stats, err
		}
		again, err := q.session.reread(ctx, counted, false)
		if err != nil || !again {
			return stats, err
		}
	}
}

// Claim implements tasks.TaskQueue.
func (q proven) Claim(ctx context.Context, req tasks.ClaimRequest) ([]*tasks.Lease, error) {
	for {
		counted := q.session.rereader.count()
		leases, err := q.TaskQueue.Claim(ctx, req)
		if !errors.Is(err, tasks.ErrDrained) {
			return leases, err
		}
		again, rereadErr := q.session.reread(ctx, counted, false)
		if rereadErr != nil {
			return nil, rereadErr
		}
		if !again {
			return nil, err
		}
	}
}
