package proofs

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// enoughSame is how many orders of a kind list the same documents before these are no order's.
const enoughSame = 3

// alike are the orders of one kind, as long as all list the same documents.
type alike struct {
	documents []tasks.Attachment
	orders    int
	ids       []uuid.UUID // of those that ended well
	differ    bool
}

// add takes an order into account that ended well, or is partial.
func (a *alike) add(t *tasks.ProcessingTask) {
	listed := t.Result.Attachments
	if a.orders++; a.orders == 1 {
		a.documents = listed
	}
	among := func(all []tasks.Attachment) func(tasks.Attachment) bool {
		return func(one tasks.Attachment) bool {
			return slices.ContainsFunc(all, func(other tasks.Attachment) bool {
				return one.URL != "" && one.URL == other.URL || one.SHA256 != "" && one.SHA256 == other.SHA256
			})
		}
	}
	if a.differ = a.differ || len(listed) == 0 || len(listed) != len(a.documents) || !every(listed, among(a.documents)) || !every(a.documents, among(listed)); a.differ {
		a.documents, a.ids = nil, nil
	} else if t.Doubtable() {
		a.ids = append(a.ids, t.ID)
	}
}

func every(all []tasks.Attachment, holds func(tasks.Attachment) bool) bool {
	return !slices.ContainsFunc(all, func(one tasks.Attachment) bool { return !holds(one) })
}

// DoubtSame has orders be partial whose documents all orders of their kind list, and nothing else, where no recipe
// says what documents are.
func (p *Queue) DoubtSame(ctx context.Context) error {
	type kind struct{ portal, name string }
	kinds := map[kind]*alike{}
	for name, portal := range p.Portals {
		if portal.Auto() {
			kinds[kind{name, ""}] = nil
		}
	}
	if len(kinds) == 0 {
		return nil
	}
	err := p.Each(ctx, func(t *tasks.ProcessingTask) error {
		if _, auto := kinds[kind{t.Portal, ""}]; !auto || t.State != tasks.StateCompleted || t.Result == nil || t.Result.Kind == "" {
			return nil
		}
		of := kind{t.Portal, t.Result.Kind}
		if kinds[of] == nil {
			kinds[of] = &alike{}
		}
		kinds[of].add(t)
		return nil
	})
	errs := []error{err}
	for _, a := range kinds {
		if a == nil || a.differ || a.orders < enoughSame || len(a.ids) == 0 {
			continue
		}
		_, err := p.Doubt(ctx, sameEverywhere(a), a.ids...)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func sameEverywhere(a *alike) *tasks.Failure {
	what := fmt.Sprintf("the same %d documents", len(a.documents))
	if len(a.documents) == 1 {
		what = fmt.Sprintf("the same document, %q,", a.documents[0].Name)
	}
	return tasks.Permanent("", tasks.ClassUnproven, "all %d orders with pages like this one list %s and nothing else, so that may be the site's and no order's; look at one of the pages, and say in a recipe what its documents are (attachments.item)", a.orders, what)
}
