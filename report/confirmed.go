package report

import (
	"context"

	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/witness"
)

// Judge calls visit with every order that ended well, with its proof, and says whether it is confirmed, as a report
// made now would.
func Judge(ctx context.Context, src Source, visit func(t *tasks.ProcessingTask, proof *tasks.Proof, confirmed bool)) error {
	session, err := src.Session(ctx)
	if err != nil {
		return err
	}
	selectors := newSelectorTallies(session.Selectors)
	witnesses := witness.Session{Warned: selectors.warned}
	if err := src.Each(ctx, func(t *tasks.ProcessingTask) error {
		selectors.add(t)
		witnesses.See(t)
		return nil
	}); err != nil {
		return err
	}
	return src.Each(ctx, func(t *tasks.ProcessingTask) error {
		if proof, confirmed := witnesses.Judge(t); proof != nil {
			visit(t, proof, confirmed)
		}
		return nil
	})
}

// listed returns how many documents an order's pages list, before any are left out, and whether they were looked for.
func listed(t *tasks.ProcessingTask) (n int, looked bool) {
	res := t.Result
	if res == nil || t.State != tasks.StateCompleted || res.Proof != nil && (res.Proof.By == tasks.ProofFields || res.Proof.By == tasks.ProofUnasked) {
		return 0, false
	}
	if res.Shown == nil {
		return len(res.Attachments), true
	}
	for _, l := range res.Shown.Lists {
		n += l.Met
	}
	return max(n, len(res.Attachments)), true
}
