//go:build linux

package chaos

import (
	"net/http"
	"sync"
	"time"
)

// strike is one fault that has struck a browser.
type strike struct {
	at      time.Time
	order   string
	browser group
}

// striker breaks browsers at work: each time the one that asks for the page of
// an order, or for a document of it. No order is struck twice: one that loses its
// browser twice is taken to be the cause.
type striker struct {
	workspace *workspace
	fault     func(group) error
	// number tells at which requests to strike: orderOf or documentOf.
	number func(*http.Request) string
	// find finds the browser, or nil: askedBy.
	find func(*workspace) (group, error)
	// every is how many orders lie between two strikes, most how many strikes
	// there are, and together how many browsers may be down at once.
	every, most, together int

	mu    sync.Mutex
	seen  map[string]bool
	since int
	done  []strike
	// wrong are the faults that could not be injected.
	wrong []error
}

// meet is a meddler.
func (k *striker) meet(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if number := k.number(r); number != "" {
		k.consider(number, r)
	}
	next.ServeHTTP(w, r)
}

func (k *striker) consider(number string, r *http.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seen[number] {
		return
	}
	if k.seen == nil {
		k.seen = map[string]bool{}
	}
	k.seen[number] = true
	k.since++
	if k.since < k.every || len(k.done) == k.most || k.down() >= k.together {
		return
	}
	find := k.find
	if find == nil {
		find = func(p *workspace) (group, error) { return askedBy(r, p.tmp) }
	}
	g, err := find(k.workspace)
	at := time.Now()
	if err == nil {
		err = k.fault(g)
	}
	if err != nil {
		k.wrong = append(k.wrong, err)
		return
	}
	k.since = 0
	k.done = append(k.done, strike{at, number, g})
}

// down returns how many of the struck browsers are frozen still.
func (k *striker) down() int {
	n := 0
	for _, s := range k.done {
		if stopped(s.browser.pgid) {
			n++
		}
	}
	return n
}

// strikes returns what has struck, and what could not.
func (k *striker) strikes() ([]strike, []error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.done, k.wrong
}
