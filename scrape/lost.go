package scrape

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

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

// maxConnections is how many connections Chrome makes to a host at once, unless both
// speak HTTP/2.
const maxConnections = 6

// stopTimeout is how long it may take until nothing of a page is under way, after that
// was said: frames that are just being asked for come after it.
const stopTimeout = 2 * time.Second

// unwait sees to it that nothing waits for what the page still loads, now that it is
// read: the documents need connections, too. Of other hosts than the order's that kept it
// from settling, it is told once.
func (a *attempt) unwait(ctx context.Context, p *page) error {
	waiting, crowded := a.unanswered()
	if p.Unsettled == "" && p.NotReady == "" {
		if crowded {
			return a.browser.Tab().StopLoading(ctx)
		}
		return nil
	}
	for host, address := range waiting {
		if host != a.address.Host {
			a.tellOfSilence(host, address)
		}
	}
	again := time.NewTicker(stopTimeout / 40)
	defer again.Stop()
	for until := time.Now().Add(stopTimeout); crowded && time.Now().Before(until); _, crowded = a.unanswered() {
		if err := a.browser.Tab().StopLoading(ctx); err != nil {
			return err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// unanswered returns an address of each host that the page waits for, and whether it
// has all connections to one of them.
func (a *attempt) unanswered() (byHost map[string]string, crowded bool) {
	addresses := a.browser.Tab().Waiting()
	if len(addresses) == 0 {
		return nil, false
	}
	byHost, requests := map[string]string{}, map[string]int{}
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" {
			continue
		}
		byHost[u.Host] = address
		requests[u.Host]++
		crowded = crowded || requests[u.Host] >= maxConnections
	}
	return byHost, crowded
}

// maxSilent is how many hosts are told of: there are pages that make up their names.
const maxSilent = 20

// tellOfSilence tells, once, of a host that gives no answer.
func (a *attempt) tellOfSilence(host, address string) {
	a.portal.mu.Lock()
	known := a.portal.silent[host] || len(a.portal.silent) >= maxSilent
	if !known {
		a.portal.silent[host] = true
	}
	a.portal.mu.Unlock()
	if known {
		return
	}
	a.portal.tell(tasks.Event{Type: tasks.EventNotice, Detail: fmt.Sprintf(
		"order %s waited %v for %s, which gives no answer; if the orders do not need it, name %s under block.hosts in the recipe",
		a.task.PO, a.portal.recipe.Ready.Timeout, address, (&url.URL{Host: host}).Hostname())})
}
