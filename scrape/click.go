package scrape

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// clickTimeout is how long a click may take to begin a download. Portals that
// make a document on demand need some seconds; a button that is none needs for ever.
const clickTimeout = 10 * time.Second

// idleTimeout is how long a page is waited for, in real time, to have done all that a
// click has caused, before it is loaded anew for the next one.
const idleTimeout = 2 * time.Second

// clickAll brings the documents that have no address, one after the other. A download
// says which page began it, and not which click: so the page is clicked again only when
// it has done all that the click before has caused, and that was to begin one download.
// Else the next document is clicked on the page in a fresh tab, where nothing of the
// other one can be taken for it; and so is each at a further attempt.
func (a *attempt) clickAll(ctx context.Context, docs []*document) error {
	again := a.task.Attempts > 0 || len(a.task.History) > 0
	opens := a.recipe().printsItems()
	for i, doc := range docs {
		var err error
		first := i == 0
		if !first && (again || opens || !a.idle(ctx, docs[i-1]) || a.stillShown(ctx) || !a.stands(ctx, doc)) {
			err, first = a.afresh(ctx, docs[i:]), true
		}
		if err == nil && doc.item.Index < 0 {
			err = gone()
		}
		if err == nil && ctx.Err() == nil {
			err = a.browser.FollowRequests(ctx)
		}
		switch {
		case err == nil && opens:
			err = a.openItem(ctx, doc, docs)
		case err == nil:
			err = a.click(ctx, doc, first)
		default:
			err = a.settle(ctx, doc, nil, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// idleAhead is how long of its own time a page is waited for whose clock runs ahead: no
// timer that is due later is waited for anywhere.
const idleAhead = 12 * time.Second

// idle reports whether the page has done all that the click for a document has caused,
// and whether that was to begin its download and no other: so that no click that comes
// after it can be given what is this one's.
func (a *attempt) idle(ctx context.Context, last *document) bool {
	clear := func() bool { return a.browser.Unclaimed() == 0 && !a.browser.Pending() }
	if last.State == tasks.AttachmentFailed || a.browser.CloseStrays(ctx) != nil || !clear() {
		return false
	}
	var page struct {
		Why   string
		Links int
	}
	tab := a.browser.Tab()
	err := tab.Inspect(ctx, "poscrape.idle(0)", &page)
	switch {
	case err != nil || page.Why == "":
	case a.ahead:
		err = tab.RunAhead(ctx, browser.Ahead{Script: call("idle", idleAhead.Milliseconds()), WaitsFor: "poscrape.waitsFor()", Limit: idleTimeout}, &page)
	default:
		stop := tab.KeepPace(ctx)
		err = tab.Inspect(ctx, call("idle", idleTimeout.Milliseconds()), &page)
		stop()
	}
	return err == nil && page.Why == "" && a.followed(ctx, page.Links) && clear()
}

// stands reports whether the document's item is still on the page.
func (a *attempt) stands(ctx context.Context, doc *document) (there bool) {
	err := a.browser.Tab().Inspect(ctx, call("stands", doc.item.Index), &there)
	return err == nil && there
}

// followed reports whether the browser knows of as many downloads as links of the page have
// requested: the page knows of them a moment earlier.
func (a *attempt) followed(ctx context.Context, links int) bool {
	late := time.NewTimer(idleTimeout)
	defer late.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for a.browser.LinksFollowed() < links {
		select {
		case <-tick.C:
		case <-late.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// afresh opens the order's page in a fresh tab, goes to the page of documents that these are on,
// and looks them up there.
func (a *attempt) afresh(ctx context.Context, docs []*document) error {
	if err := a.browser.Replace(ctx); err != nil {
		return err
	}
	if err := a.browser.CloseStrays(ctx); err != nil {
		return err
	}
	defer a.enter(tasks.PhaseDownload)
	a.upTo = docs[0].item.Page
	defer func() { a.upTo = 0 }()
	p, err := a.openAndRead(ctx)
	if why := clockTrouble(err); why != "" {
		p, err = a.readInRealTime(ctx, why)
	}
	if err == nil {
		err = a.refused(p)
	}
	if err != nil {
		return err
	}
	a.lookUp(p, docs)
	return nil
}

// lookUp notes where the documents are on the page that the tab shows.
func (a *attempt) lookUp(p *page, docs []*document) {
	keys := itemKeys(p.Items)
	for _, doc := range docs {
		at := slices.IndexFunc(keys, func(k itemKey) bool { return k.exact == parseKey(doc.Key).exact })
		if doc.item.Index = -1; at >= 0 && p.Items[at].Page == a.showing() {
			doc.item.Index = p.Items[at].Index
		}
	}
}

// gone is the failure of a document that is not on the page any more.
func gone() error {
	return tasks.Retry(tasks.ClassAttachment, "what stands for it was gone from the page before it could be clicked")
}

// chromeSaid returns what Chrome itself has complained about since the page had so many
// complaints, such as why it has blocked a download, or "".
func (a *attempt) chromeSaid(before int) string {
	problems := a.browser.Tab().Problems()
	for i := len(problems) - 1; i >= before; i-- {
		if problems[i].Kind == "network" {
			return problems[i].Text
		}
	}
	return ""
}

// Chrome begins no more than so many downloads of a frame's links in so long, of the page's own
// time, and drops those beyond that without a word (Chromium 156).
const (
	burst     = 10
	burstTime = time.Second
)

// spread waits until another download may begin.
func (a *attempt) spread(ctx context.Context) error {
	switch {
	case len(a.clicked) < burst:
		return nil
	case a.ahead:
		a.clicked = nil
		return a.browser.Tab().RunAhead(ctx, browser.Ahead{Script: fmt.Sprintf("new Promise((over) => setTimeout(over, %d))", burstTime.Milliseconds()),
			WaitsFor: "poscrape.waitsFor()", Limit: idleTimeout}, nil)
	}
	due := time.NewTimer(time.Until(a.clicked[0].Add(burstTime)))
	defer due.Stop()
	select {
	case <-due.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// click brings a document by clicking what stands for it. first: nothing else was clicked
// on the page before.
func (a *attempt) click(ctx context.Context, doc *document, first bool) error {
	if err := a.portal.wait(ctx, a.page); err != nil {
		return err
	}
	if err := a.spread(ctx); err != nil {
		return a.settle(ctx, doc, nil, err)
	}
	expected := a.browser.ExpectDownload()
	defer expected.Cancel()
	complaints := len(a.browser.Tab().Problems())
	err := a.notShown(ctx)
	if err == nil {
		err = a.browser.Tab().Uncached(ctx, true)
	}
	var there bool
	if err == nil {
		err = a.browser.Tab().InspectAndClick(ctx, call("click", doc.item.Index), &there)
	}
	if err == nil && !there {
		err = gone()
	}
	if err == nil || a.recipe().twoSteps() && errors.Is(err, browser.ErrNavigated) {
		err = a.clickShown(ctx, expected, first)
	}
	if err != nil {
		if expected.Has() {
			if download, _ := expected.Begun(ctx, 0); download != nil {
				a.browser.Discard(ctx, download)
			}
		}
		return a.settle(ctx, doc, nil, err)
	}
	stop := a.browser.Tab().KeepPace(ctx)
	defer stop()
	download, err := expected.BegunOr(ctx, a.portal.clickTimeout, func() {
		_ = a.browser.Tab().Inspect(ctx, call("saveShown"), nil) // where it fails, nothing begins
	})
	if errors.Is(err, browser.ErrNotBegun) {
		doc.said = a.chromeSaid(complaints)
	}
	if err != nil {
		return a.settle(ctx, doc, nil, err)
	}
	file, err := a.receive(ctx, download)
	return a.settle(ctx, doc, file, err)
}

// receive waits for a download that a click has begun.
func (a *attempt) receive(ctx context.Context, download *browser.Download) (*browser.File, error) {
	a.clicked = append(a.clicked, time.Now())[max(0, len(a.clicked)+1-burst):]
	if u, err := browser.ParseURL(strings.TrimPrefix(download.URL, "blob:")); err == nil && u.Host != "" && !a.portal.recipe.HostAllowed(u.Host, a.order()) {
		a.browser.Discard(ctx, download)
		return nil, &browser.DownloadError{Kind: browser.KindHost, URL: download.URL}
	} else if err == nil && u.Scheme == "http" { // Chrome does not tell where it comes from if it is no navigation
		a.portal.servers.answered(download.URL, "")
	}
	return a.browser.Wait(ctx, download, a.portal.recipe.Limits.MaxFileSize)
}
