package scrape

import (
	"slices"
	"sync"

	"github.com/poscrape/poscrape/browser"
)

// A 401 to a request for data of poscrape's own may mean that nobody is signed in any more, or that the
// request lacks something while the page around it is shown to somebody who is. No list of orders is
// run against the one, and none is stopped for the other.

// refusals are those of a portal's requests for data, by the keys of their sources.
type refusals struct {
	mu sync.Mutex
	of map[string]*refusedData
}

// refusedData is what is known of one of them since it was last answered.
type refusedData struct {
	// orders are those that it was refused for. settled: it was refused right after a sign-in, too.
	orders  []string
	settled bool
}

// maxRefused is how many orders, one after the other, may be read whose pages are shown while their data
// are refused, before that is taken for a wall.
const maxRefused = 3

// answered notes that a request was not refused.
func (r *refusals) answered(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.of, key)
}

// isPart notes that a request was refused for an order, and reports whether it is a part of the order
// that could not be loaded, and no wall. able: poscrape can sign in by itself, which costs the order
// nothing; walled: somebody has just signed in.
func (r *refusals) isPart(key, po string, able, walled bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[string]*refusedData{}
	}
	if r.of[key] == nil {
		r.of[key] = &refusedData{}
	}
	of := r.of[key]
	if of.settled = of.settled || walled; of.settled {
		return true
	}
	if !slices.Contains(of.orders, po) && len(of.orders) <= maxRefused {
		of.orders = append(of.orders, po)
	}
	return !able && len(of.orders) <= maxRefused
}

// refusedPart reports whether a 401 to a request for data is a part of the order that could not be loaded:
// its page is shown, and nothing of it was refused.
func (a *attempt) refusedPart(source DataSource) bool {
	login := a.portal.recipe.Login
	failed, _, _ := a.counted()
	if slices.ContainsFunc(failed, func(part browser.Part) bool { return part.SignIn || part.Status == 401 }) && !a.metWall() {
		return false
	}
	return a.portal.refusals.isPart(source.key(), a.task.PO, login != nil && len(login.Steps) > 0, a.metWall())
}
