package scrape

import (
	"context"
	"fmt"
)

// A POST may change something at the portal, whatever its recipe says. So at one attempt at an order
// each is sent once, however often the page is read, and none while a recipe is drafted.

// posts are those that an attempt has sent, by the keys of their sources.
type posts map[string]posted

// posted is one of them: what was sent, and what came.
type posted struct {
	question
	set *dataset
	err error
}

// post sends a request, or returns what came when it was sent before.
func (a *attempt) post(ctx context.Context, source DataSource, q question) (*dataset, error) {
	if a.portal.study {
		return &dataset{asked: true, why: fmt.Sprintf("%v is not sent while a recipe is drafted", q)}, nil
	}
	before, sent := a.posts[source.key()]
	switch {
	case !sent:
		a.posts[source.key()] = posted{question: q, err: fmt.Errorf("%v was given up", q)} // if it panics
		set, err := a.exchange(ctx, source, q)
		a.posts[source.key()] = posted{q, set, err}
		return set, err
	case before.address == q.address && sameBody(before.body) == sameBody(q.body):
		return before.set, before.err
	}
	return &dataset{asked: true, why: fmt.Sprintf("%v was sent before at this attempt, with other values in it; what it is made of must not change while the page is read", q)}, nil
}
