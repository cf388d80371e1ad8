package scrape

import (
	"context"

	"github.com/poscrape/poscrape/tasks"
)

// proof is an order that is to be read both ways for those that were only fetched
// before it.
type proof struct {
	kind string
	task *tasks.ProcessingTask
	mark int
}

// Prove reads the last order of each kind of pages that were only fetched since an
// audit once more, both ways, and so confirms the others or takes them back. It is
// for a session that is being stopped, and keeps nothing of what it reads. It returns
// when ctx ends; what is not proven by then is returned by Portal.Unproven.
func (s *Scraper) Prove(ctx context.Context) {
	if s.portal.Mode() != ModeAuto {
		return
	}
	for _, p := range s.portal.trust.unproven() {
		a := &attempt{Scraper: s, task: p.task, phaseMS: map[string]float64{}}
		if a.locate() == nil {
			_ = a.prove(ctx, p) // what fails proves nothing
		}
		a.letGo()
	}
}

func (a *attempt) prove(ctx context.Context, proof proof) error {
	p, err := a.render(ctx)
	if err != nil {
		return err
	}
	rendered := a.sample(ctx, p.Items)
	f, err := a.fetchAsWell(ctx)
	if err == nil {
		a.openAnother(ctx)
		b := both{page: p, fetched: f, kind: proof.kind, mark: proof.mark}
		if f != nil {
			b.sums = a.sample(ctx, f.Items)
		}
		a.compare(&b, rendered)
	}
	return err
}

// unproven returns the last order of each kind and set of scripts that was only
// fetched, unless it was returned before.
func (t *trust) unproven() []proof {
	t.mu.Lock()
	defer t.mu.Unlock()
	var proofs []proof
	for kind, k := range t.kinds {
		for _, r := range k.prints {
			if n := len(r.used); n > 0 && r.used[n-1].number > r.proving {
				r.proving = t.uses
				proofs = append(proofs, proof{kind, r.used[n-1].task, t.uses})
			}
		}
	}
	return proofs
}
