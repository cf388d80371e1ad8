package scrape

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// streams knows of each kind of pages that have a stream of messages whether these bring documents.
type streams struct {
	mu    sync.Mutex
	kinds map[string]streamKind
}

// streamKind: so many such pages were read, and a message has brought documents.
type streamKind struct {
	read    int
	brought bool
}

// So long the first message of a stream is waited for on a page that lists documents: where messages have
// brought some, and else on a few pages of its kind.
const (
	streamWait      = 6 * time.Second
	streamTrial     = 3 * time.Second
	streamTrialSize = 5
)

func (s *streams) patience(kind string) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch k := s.kinds[kind]; {
	case k.brought:
		return streamWait
	case k.read < streamTrialSize:
		return streamTrial
	}
	return 0
}

func (s *streams) note(kind string, brought bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kinds == nil {
		s.kinds = map[string]streamKind{}
	}
	k := s.kinds[kind]
	s.kinds[kind] = streamKind{k.read + 1, k.brought || brought}
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

// listedSince is what follows where the page lists more documents than were read.
func listedSince(f facts) *ruling {
	return partial(tasks.Retry(tasks.ClassIncomplete, "the page lists %s more since those were downloaded, so there may be further ones", count(f.Further, "document")), tasks.PhaseDownload)
}
