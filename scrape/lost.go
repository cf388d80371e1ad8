package scrape

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// pageLost reports whether the tab of the order's page cannot be used any more, which
// ends the attempt. The browser may be well.
func pageLost(err error) bool {
	return errors.Is(err, browser.ErrPageCrashed) || errors.Is(err, browser.ErrPageHung) ||
		errors.Is(err, browser.ErrPageClosed) || errors.Is(err, browser.ErrDialog)
}

// received notes whether all of the page has arrived: what it lists may be less than there
// is if it has not.
func (a *attempt) received(p *page) {
	doc := a.browser.Tab().Document()
	switch {
	case doc == nil:
	case doc.Cut != "":
		p.CutShort = doc.Cut
	case !doc.Whole && p.Unsettled != "":
		p.Unsettled = stillArriving
	}
	if p.Unsettled != "" {
		p.Open, p.waiting = a.awaited(), a.browser.Tab().Open()
	}
}

// stillArriving is why a page is not settled of which not all is there yet.
const stillArriving = "the page is still arriving: its server sends it slowly, or has stopped in the middle of it"

// awaited says what the page waits for, to go behind a message, or is empty.
func (a *attempt) awaited() string {
	if !a.owns() { // else they are those of all orders
		return ""
	}
	waiting := a.browser.Tab().Open()
	if len(waiting) == 0 {
		return ""
	}
	var named []string
	for _, part := range waiting[:min(len(waiting), maxNamed)] {
		named = append(named, fmt.Sprintf("%s %s (%s)", part.Method, a.shortened(part.URL), lasted(part.Since)))
	}
	text := ", waiting for " + strings.Join(named, ", ")
	if more := len(waiting) - len(named); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// maxNamed is how many requests a message names.
const maxNamed = 3

// pingTime is how long a page may take to answer before it counts as hung. One that works
// on something answers in between.
const pingTime = time.Second

// liveliness says whether the page that was not done in time still answers.
func (a *attempt) liveliness(ctx context.Context) string {
	if !a.owns() {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pingTime)
	defer cancel()
	if a.browser.Tab().Answers(ctx) != nil {
		return ", and the page was hung: its scripts do not let it answer"
	}
	return ", and the page was busy: it still answers"
}

// maxConnections is how many connections Chrome makes to a host at once, unless both
// speak HTTP/2.
const maxConnections = 6

// stopTimeout bounds how long a page is told again to stop loading: frames that were just
// being requested begin to load after it was told so.
const stopTimeout = 2 * time.Second

// unwait frees connections for the documents: if the page, which is read by now, has all
// connections to a host, it stops loading. If other hosts kept the page from settling, unwait
// emits one event for each of them.
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

// block keeps the page from loading again what it has waited for, and reports whether it
// does. It does not where the page waits for a frame, which may list documents.
func (a *attempt) block(ctx context.Context, p *page) (bool, error) {
	var vain []*url.URL
	for _, part := range p.waiting {
		u, _ := browser.ParseURL(part.URL)
		if u == nil || u.Host == "" || slices.ContainsFunc(p.Sources, func(source string) bool {
			element, from, _ := strings.Cut(source, " ")
			return element != "script" && from == u.Host+u.Path
		}) {
			return false, nil
		}
		vain = append(vain, u)
	}
	if len(vain) == 0 {
		return false, nil
	}
	return true, a.browser.Tab().Block(ctx, vain...)
}

// unanswered returns an address of each host that the page waits for, and whether it
// has all connections to one of them.
func (a *attempt) unanswered() (byHost map[string]string, crowded bool) {
	parts := a.browser.Tab().Open()
	if len(parts) == 0 {
		return nil, false
	}
	byHost, requests := map[string]string{}, map[string]int{}
	for _, part := range parts {
		u, err := browser.ParseURL(part.URL)
		if err != nil || u.Host == "" {
			continue
		}
		byHost[u.Host] = part.URL
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
