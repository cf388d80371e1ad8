package scrape

import (
	"errors"
	"fmt"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// pageLost reports whether the tab of the order's page is of no more use, which
// ends the attempt, while the browser may be well.
func pageLost(err error) bool {
	return errors.Is(err, browser.ErrPageCrashed) || errors.Is(err, browser.ErrPageHung) ||
		errors.Is(err, browser.ErrPageClosed) || errors.Is(err, browser.ErrDialog)
}

// received judges whether all of the page has arrived: what it lists may be less
// than there is if it has not.
func (a *attempt) received(p *page) error {
	doc := a.browser.Tab().Document()
	switch {
	case doc == nil:
	case doc.Cut != "":
		return tasks.Retry(tasks.ClassNavigation, "%s ended before all of it was there: %s", browser.Redact(doc.URL), doc.Cut)
	case !doc.Whole && p.Unsettled != "":
		p.NotReady = notWhole
	}
	return nil
}

// notWhole: the page's own text is still being sent.
const notWhole = "document"

// awaited says what the page waits for, to go behind a message, or is empty.
func (a *attempt) awaited() string {
	var waiting []string
	if a.owns() { // else they are those of all orders
		waiting = a.browser.Tab().Waiting()
	}
	switch len(waiting) {
	case 0:
		return ""
	case 1:
		return ", waiting for " + waiting[0]
	}
	return fmt.Sprintf(", waiting for %s and %d more", waiting[0], len(waiting)-1)
}
