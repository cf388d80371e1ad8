package scrape

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/poscrape/poscrape/browser"
)

// waits knows of each kind of pages whether something that many pages have brings documents, if it is waited
// for: so long on the first few of them, so long where it has brought some, and else so long.
type waits struct {
	untried, proven, failed time.Duration

	mu    sync.Mutex
	kinds map[string]tried
}

// tried: so many pages had it, and on one of them it has brought documents.
type tried struct {
	pages   int
	brought bool
}

// trialPages is how many pages of a kind are the first few.
const trialPages = 5

// How long the first message of a stream is waited for on a page that lists documents, and a page that
// lists none and draws itself again and again.
const (
	streamTrial = 3 * time.Second
	streamWait  = 6 * time.Second
	turnWait    = 8 * time.Second
	turnLess    = 2 * time.Second
)

func (t *waits) patience(kind string) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch k := t.kinds[kind]; {
	case k.brought:
		return t.proven
	case k.pages < trialPages:
		return t.untried
	}
	return t.failed
}

func (t *waits) note(kind string, brought bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kinds == nil {
		t.kinds = map[string]tried{}
	}
	k := t.kinds[kind]
	t.kinds[kind] = tried{k.pages + 1, k.brought || brought}
}

// listsMore notes how many documents the page, where something may change it at any time, lists more than
// when it was read, before its documents were downloaded. Who clicks one may have shown others by that.
func (a *attempt) listsMore(ctx context.Context, p *page) error {
	if !p.Lively || p.Fetched || len(a.visits) > 0 || a.recipe().turns() || a.recipe().twoSteps() || a.recipe().opensPages() {
		return nil
	}
	var more int
	err := a.browser.Tab().Inspect(ctx, "poscrape.more()", &more)
	if more > 0 {
		p.Further = more
		a.portal.streams.note(a.portal.kindOf(a.address), true)
	}
	if errors.Is(err, browser.ErrNavigated) { // a click has led on
		return nil
	}
	return err
}
