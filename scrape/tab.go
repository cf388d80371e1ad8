package scrape

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// room is how many orders one tab fetches at once. Measured with four tabs on two
// processors, see docs/decisions/0014.
const room = 6

// tab is the one thing of a browser that orders share: those that are fetched share
// it, one that is rendered has it for itself.
type tab struct {
	// sem has room units: an order that is fetched takes one, one that is rendered all.
	sem *semaphore.Weighted

	mu sync.Mutex
	// stands is the origin of the page that it shows, or empty.
	stands string
	// last is the order that was opened last, and second the one before it, or nil.
	last, second *url.URL
}

func newTab() *tab { return &tab{sem: semaphore.NewWeighted(room)} }

func (t *tab) standing() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stands
}

func (t *tab) stand(origin string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stands = origin
}

// Room returns how many orders Do is good for at once, now: more than one where the
// next is likely to be only fetched.
func (s *Scraper) Room() int {
	origin := s.tab.standing()
	switch mode := s.portal.Mode(); {
	case origin == "", mode == ModeRender:
		return 1
	case mode == ModeAuto && !s.portal.trust.trusted(origin):
		return 1
	}
	return room
}

// share waits until the order may use the tab beside others, own until it has the tab
// to itself. Both first give back what it had. An order that did not end well is not
// fetched beside others again, so that it is known to be the cause if the browser is lost.
func (a *attempt) share(ctx context.Context) error {
	if !a.first() {
		return a.own(ctx)
	}
	return a.take(ctx, 1)
}

func (a *attempt) own(ctx context.Context) error { return a.take(ctx, room) }

// take acquires n of the tab's room units. It waits for a quarter of the attempt's time at
// most: the others may need all of theirs, and then the order is released.
func (a *attempt) take(ctx context.Context, n int64) error {
	a.letGo()
	waiting := ctx
	if deadline, bounded := ctx.Deadline(); bounded {
		var cancel context.CancelFunc
		waiting, cancel = context.WithTimeout(ctx, time.Until(deadline)/4)
		defer cancel()
	}
	began := time.Now()
	if err := a.tab.sem.Acquire(waiting, n); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return tasks.Release(tasks.ClassReleased, "the browser's tab was busy with other orders for %v", time.Since(began).Round(time.Millisecond))
	}
	return a.acquired(n)
}

// acquired notes that n units of the tab are the order's. If the order before it has lost
// the browser, it gives them back: this order is not charged for that.
func (a *attempt) acquired(n int64) error {
	if err := a.browser.Fit(); errors.Is(err, browser.ErrLost) {
		a.tab.sem.Release(n)
		return err
	}
	a.held = n
	return nil
}

// alone reports whether no other order uses the browser; owns, whether what its tab
// shows is the order's too.
func (a *attempt) alone() bool { return a.held == room }

func (a *attempt) owns() bool { return a.alone() && a.executor == tasks.ExecutorRender }

// letGo gives back what the order has of the tab.
func (a *attempt) letGo() {
	if a.held > 0 {
		a.tab.sem.Release(a.held)
		a.held = 0
	}
}
