package scrape

import (
	"sync"

	"github.com/poscrape/poscrape/browser"
)

// loading knows the kinds of addresses whose documents had to be navigated to after they
// had been asked for without, so that no other of them is asked for twice.
type loading struct {
	mu     sync.Mutex
	inVain map[string]bool
}

// load reports whether a document may be asked for without a navigation: an order that
// is tried again takes no short cuts.
func (a *attempt) load(address string) bool {
	u, err := browser.ParseURL(address)
	if err != nil || a.task.Attempts > 0 || len(a.task.History) > 0 {
		return false
	}
	l := &a.portal.loading
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.inVain[kindOf(u)]
}

// loaded notes how a document was brought that could have been loaded.
func (a *attempt) loaded(address string, file *browser.File) {
	u, err := browser.ParseURL(address)
	if err != nil || file.Loaded {
		return
	}
	l := &a.portal.loading
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inVain == nil {
		l.inVain = map[string]bool{}
	}
	l.inVain[kindOf(u)] = true
}
