package scrape

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// A document may be the print of a page that a click on its item opens: in the same tab, by a link or
// a form's POST, or in a window of its own. What is opened is printed by the rules of another page of the
// order, and must be neither the order's own page again nor one like it.

// printsItems reports whether the page that is read by the recipe lists items that each open a page,
// which is the document.
func (docs *AttachmentsRule) printsItems() bool { return docs != nil && docs.Print && docs.Item != "" }

func (r *Recipe) printsItems() bool { return r.Attachments.printsItems() }

// opensPages reports whether documents of an order are pages that its items open.
func (r *Recipe) opensPages() bool {
	return r.printsItems() || slices.ContainsFunc(r.Related, func(rule RelatedRule) bool { return rule.Attachments.printsItems() })
}

// openedRecipe returns what a page is read by that an item opens.
func openedRecipe(r *Recipe) *Recipe {
	return relatedRecipe(r, RelatedRule{Attachments: &AttachmentsRule{Print: true, Shows: r.Attachments.Shows}})
}

// origin is the page whose item is clicked, as it was before that.
type origin struct {
	address, text string
	// shown is what attachments.shows meets there.
	shown string
	// others are the numbers of other orders that its list shows.
	others []string
}

// openItem brings a document by clicking its item, and printing the page that this opens.
// items are all that its page has of the kind.
func (a *attempt) openItem(ctx context.Context, doc *document, items []*document) error {
	if err := a.portal.wait(ctx, a.page); err != nil {
		return err
	}
	file, err := a.printOpened(ctx, doc, items)
	return a.settle(ctx, doc, file, err)
}

// failAlike fails documents whose items, on one page, have opened one page: it is not that of each.
func failAlike(docs []*document) error {
	type place struct {
		by     *attempt
		opened string
	}
	opened := map[place][]*document{}
	for _, doc := range docs {
		if at := (place{doc.item.by, doc.opened}); doc.opened != "" && doc.State == tasks.AttachmentDone {
			opened[at] = append(opened[at], doc)
		}
	}
	for _, same := range opened {
		if len(same) == 1 {
			continue
		}
		for _, doc := range same {
			doc.fail(tasks.Retry(tasks.ClassAttachment, "clicks on %d items opened one and the same page (%s), so it is unclear whose it is; if they all stand for it, have item meet one of them", len(same), browser.Redact(doc.from)))
			if err := os.Remove(filepath.Join(doc.staging, doc.staged)); err != nil {
				return err
			}
			doc.staged = ""
		}
	}
	return nil
}

func (a *attempt) printOpened(ctx context.Context, doc *document, items []*document) (*browser.File, error) {
	from, err := a.origin(ctx)
	if err != nil {
		return nil, err
	}
	expected := a.browser.ExpectDownload()
	defer expected.Cancel()
	opening := a.browser.ExpectWindow()
	defer opening.Close()
	defer func() {
		if download := begun(ctx, expected); download != nil {
			a.browser.Discard(ctx, download)
		}
	}()
	c := &clicked{attempt: a, codes: codesOf(doc, items), from: from, expected: expected, opening: opening, tab: a.browser.Tab()}
	c.was = c.tab.Showing()
	var there bool
	if err = c.tab.Uncached(ctx, true); err == nil {
		err = c.tab.InspectAndClick(ctx, call("click", doc.item.Index), &there)
	}
	switch {
	case err == nil && !there:
		return nil, gone()
	case err != nil && !errors.Is(err, browser.ErrNavigated):
		return nil, err
	}
	download, err := c.await(ctx)
	switch {
	case err != nil:
		return nil, err
	case download == nil:
		return c.print(ctx, doc)
	}
	if err := c.only(ctx); err != nil {
		a.browser.Discard(ctx, download)
		return nil, err
	}
	return a.receive(ctx, download)
}

// origin notes what the tab shows before an item is clicked.
func (a *attempt) origin(ctx context.Context) (origin, error) {
	from := origin{address: a.page}
	if a.recipe().List != nil {
		now, err := a.listNow(ctx)
		if err != nil {
			return from, err
		}
		from.others = slices.DeleteFunc(now.Numbers, func(number string) bool {
			return len([]rune(number)) < 4 || a.names(number) || !strings.ContainsFunc(number, unicode.IsDigit)
		})
	}
	var err error
	if from.text, err = a.printText(ctx); err == nil {
		from.shown, err = a.shown(ctx)
	}
	return from, err
}

// listNow returns what the tab shows of the list of orders.
func (a *attempt) listNow(ctx context.Context) (now listed, err error) {
	err = a.browser.Tab().Inspect(ctx, call("listed", a.words()), &now)
	return now, err
}

// clicked is what follows a click on an item that opens a page.
type clicked struct {
	*attempt
	codes    itemCodes
	from     origin
	expected *browser.Expectation
	opening  *browser.Opening
	// tab is the one that was clicked in, and was the document that it showed then. window: a window was
	// opened, and is the browser's tab now.
	tab    *browser.Tab
	was    string
	window bool
	// file: what the window asked for is a file.
	file bool
	// route is where an application says that it is since then, which has shown no other document, or empty.
	route string
}

// await waits until the click has opened a page, or begun a download, which it returns.
func (c *clicked) await(ctx context.Context) (*browser.Download, error) {
	stop := c.tab.KeepPace(ctx)
	defer stop()
	var kept error
	for late := time.Now().Add(c.portal.clickTimeout); ; {
		download, err := c.expected.Begun(ctx, lookAfterClick)
		var refused *browser.DownloadError
		switch {
		case download != nil:
			return download, nil
		case errors.As(err, &refused):
			kept = err
		case !errors.Is(err, browser.ErrNotBegun):
			return nil, err
		}
		if err := c.stopped(c.browser.Stopped()); err != nil {
			return nil, err
		}
		if c.opening.Asked() {
			if err := c.show(ctx); err != nil || c.opened() {
				return nil, err
			}
		}
		if c.opened() {
			return nil, nil
		}
		if led, err := c.routed(ctx); led || err != nil {
			return nil, err
		}
		if time.Now().After(late) {
			if kept != nil {
				return nil, kept
			}
			return nil, c.nothing(ctx)
		}
	}
}

// show shows the window that was opened, once the page that has opened it is at rest: until then that
// may lead the window on, or open another.
func (c *clicked) show(ctx context.Context) error {
	res, err := c.showWindow(ctx)
	c.file = err == nil && res.Download
	return err
}

// showWindow is show for what may be a file, too.
func (c *clicked) showWindow(ctx context.Context) (*browser.Response, error) {
	for asks := -1; asks != c.opening.Asks(); { // what it is led to last counts
		asks = c.opening.Asks()
		if err := c.calm(ctx); err != nil {
			return nil, err
		}
	}
	if c.window {
		return nil, tasks.Retry(tasks.ClassAttachment, "a click on it opened a window, and the page that it is on led that on while it was looked at")
	}
	c.window = true
	res, err := c.opening.Show(ctx)
	if kept := (*browser.StoppedError)(nil); errors.As(err, &kept) {
		return nil, c.stopped(kept.URL)
	}
	return res, err
}

// opened reports whether the tab that is to be printed shows a page that the click has opened.
func (c *clicked) opened() bool {
	if c.window {
		return !c.file
	}
	return c.tab.Showing() != c.was
}

// routed reports whether an application has gone to another address of its own, and is at rest there.
func (c *clicked) routed(ctx context.Context) (bool, error) {
	if c.window || c.opening.Asked() {
		return false, nil
	}
	before, at := c.route, ""
	err := c.tab.Inspect(ctx, "document.location.href", &at)
	if errors.Is(err, browser.ErrNavigated) {
		return false, nil
	}
	if err != nil || withoutFragment(at) == withoutFragment(c.from.address) {
		return false, err
	}
	if c.route = at; before != at { // what comes with it comes first
		return false, c.tab.Calm(ctx, calm, settleAfterStep)
	}
	return true, nil
}

// nothing says what a click has done that opened no page in time.
func (c *clicked) nothing(ctx context.Context) error {
	said := fmt.Sprintf("a click on it opened no page and began no download within %v", c.portal.clickTimeout)
	if c.window || c.opening.Others() > 0 {
		return tasks.Retry(tasks.ClassAttachment, "%s; it opened a window that is empty, or that scripts fill in, which is not printed", said)
	}
	text, err := c.printText(ctx)
	switch {
	case err != nil:
		return err
	case squeezed(text) != squeezed(c.from.text):
		return tasks.Retry(tasks.ClassAttachment, "%s; it changed the page that it is on, as a dialog or a part that opens does, and that is not printed", said)
	}
	return tasks.Retry(tasks.ClassAttachment, "%s, and changed nothing on its page; check %s", said, whereItem)
}

func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

// print prints the page that the click has opened.
func (c *clicked) print(ctx context.Context, doc *document) (*browser.File, error) {
	sub, q, err := c.read(ctx)
	if err == nil {
		sub.related.others = c.from.others
		err = c.fit(ctx, sub, q)
	}
	if err == nil {
		err = sub.printPage(ctx, q)
	}
	if err != nil {
		return nil, err
	}
	key := parseKey(doc.Key)
	key.address = q.Items[0].PrintKey
	doc.Key, doc.opened = key.String(), sub.printKey(q.URL)+" "+hashed(squeezed(q.Items[0].Printed.text))
	switch print := q.Items[0].Printed; {
	case print.unfit != nil:
		return nil, print.unfit
	case print.err != nil:
		return nil, print.err
	default:
		if err := c.alone(ctx); err != nil {
			return nil, errors.Join(err, print.file.Remove())
		}
		print.file.Suggested = c.task.PO + ".pdf"
		return print.file, nil
	}
}

// read reads the page that the click has opened. That of an application is opened at its address, so
// that nothing is on it of what was there before.
func (c *clicked) read(ctx context.Context) (*attempt, *page, error) {
	recipe := openedRecipe(c.recipe())
	if !c.opened() {
		u, err := browser.ParseURL(c.route)
		if err != nil || !c.allowed(c.route) {
			return nil, nil, elsewhere(c.route)
		}
		shown, err := c.shownByRoute(ctx)
		if err != nil {
			return nil, nil, err
		}
		sub, q, err := c.visitPage(ctx, &page{URL: c.from.address}, u, recipe)
		if err == nil && q.NotReady == "" {
			var now string
			if now, err = sub.shown(ctx); err == nil && now != shown {
				err = tasks.Retry(tasks.ClassAttachment, "a click on it changed the address, and %s shows %s there after the click, but %s when that address is opened anew (%s)", whereShows, quoted(shown), quoted(now), browser.Redact(q.URL))
			}
		}
		return sub, q, err
	}
	sub := *c.attempt
	sub.thens, sub.paging, sub.visits, sub.ahead = nil, nil, nil, false
	sub.related = &related{order: c.order(), recipe: recipe}
	res := c.browser.Tab().Document()
	if res == nil {
		return nil, nil, tasks.Retry(tasks.ClassAttachment, "a click on it opened what no server has sent, which is not printed")
	}
	if err := sub.arrived(res); err != nil {
		return nil, nil, err
	}
	q, err := sub.read(ctx)
	if err == nil {
		err = sub.refused(q)
	}
	return &sub, q, err
}

// shownByRoute waits until an application shows what attachments.shows meets at the address that it has gone
// to, and returns its text.
func (c *clicked) shownByRoute(ctx context.Context) (string, error) {
	for late, before := time.Now().Add(c.portal.clickTimeout), ""; ; {
		shown, err := c.shown(ctx)
		if err != nil || shown == before && shown != "" && shown != c.from.shown {
			return shown, err
		}
		before = shown
		if time.Now().After(late) {
			return "", tasks.Retry(tasks.ClassAttachment, "a click on it changed the address, but the page did not show %s %q with another value than before within %v, so it is unclear what is at that address (%s)",
				whereShows, c.recipe().Attachments.Shows, c.portal.clickTimeout, browser.Redact(c.route))
		}
		if err := c.tab.Calm(ctx, calm, settleAfterStep); err != nil {
			return "", err
		}
	}
}

// shown returns the text of what attachments.shows meets on the page that the tab shows.
func (a *attempt) shown(ctx context.Context) (text string, err error) {
	err = a.browser.Tab().Inspect(ctx, described(a.words(), "page.all("+inScript(a.recipe().Attachments.Shows)+").filter(page.inner.visible).map(page.inner.textOf).join(' ')"), &text)
	return squeezed(text), err
}

func elsewhere(address string) error {
	return tasks.Permanent("", tasks.ClassHost, "a click on it opened a page at an address that is none of the portal's: %s", browser.Redact(address))
}

// fit returns why a page that was opened is not what the item stands for, or nil.
func (c *clicked) fit(ctx context.Context, sub *attempt, q *page) error {
	u, err := browser.ParseURL(q.URL)
	if err != nil || !c.allowed(q.URL) {
		return elsewhere(q.URL)
	}
	sub.address = u
	back := tasks.Retry(tasks.ClassPageIncomplete, "a click on it led back to the page that it is on (%s)", browser.Redact(q.URL))
	if withoutFragment(q.URL) == withoutFragment(c.from.address) {
		return back
	}
	text, err := sub.printText(ctx)
	if err != nil {
		return err
	}
	if squeezed(text) == squeezed(c.from.text) {
		return back
	}
	if other := c.codes.another(text); other != "" {
		return tasks.Retry(tasks.ClassIdentity, "a click on it opened a page that shows the number of another document, and not its own: %s (%s)", quoted(other), browser.Redact(q.URL))
	}
	words := readerRule(c.recipe(), c.task.PO, c.task.Digits)
	words.Late, words.Ready.Selector, words.Ready.Gone = true, "", ""
	again, err := sub.evaluate(ctx, words, 0)
	if err != nil {
		return err
	}
	if again.Met > 0 {
		return tasks.Retry(tasks.ClassPageIncomplete, "a click on it opened a page that has items too (%s %q), so it may be one like the page that was clicked on, and no document; have the selector meet only what opens the documents (%s)",
			whereItem, c.recipe().Attachments.Item, browser.Redact(q.URL))
	}
	return nil
}

// calm waits until the page that has opened a window is at rest.
func (c *clicked) calm(ctx context.Context) error {
	stop := c.tab.KeepPace(ctx)
	defer stop()
	var page struct{ Why string }
	err := c.tab.Inspect(ctx, call("idle", c.portal.clickTimeout.Milliseconds()), &page)
	if err == nil && page.Why != "" {
		err = tasks.Retry(tasks.ClassUnsettled, "a click on it opened a window, and the page that it is on did not come to rest within %v, so it may still change the window: %s", c.portal.clickTimeout, page.Why)
	}
	if err == nil { // the browser hears of it a moment later
		err = c.tab.Calm(ctx, calm, settleAfterStep)
	}
	return err
}

// alone returns why nobody knows whether what was printed is the document: the click has done more.
func (c *clicked) alone(ctx context.Context) error {
	switch {
	case c.expected.Has():
		return tasks.Permanent("", tasks.ClassAttachment, "a click on it opened a page, and began a download; it is unclear which is the document")
	case c.opening.Others() > 0:
		return tasks.Permanent("", tasks.ClassAttachment, "a click on it opened more than one window; it is unclear which shows the document")
	case c.window && c.tab.Showing() != c.was:
		return tasks.Permanent("", tasks.ClassAttachment, "a click on it opened a window, and another page in its own place; it is unclear which shows the document")
	}
	if !c.window {
		return nil
	}
	if err := c.calm(ctx); err != nil {
		return err
	}
	if c.opening.Asked() {
		return tasks.Retry(tasks.ClassAttachment, "a click on it opened a window, and the page that it is on led that on while it was printed")
	}
	return nil
}

// only returns why nobody knows whether a download that the click has begun is the document: it has
// opened a window, too.
func (c *clicked) only(ctx context.Context) error {
	if c.window && c.file {
		return nil
	}
	err := c.calm(ctx)
	if err != nil && !errors.Is(err, browser.ErrNavigated) {
		return err
	}
	if c.window || c.opening.Asked() || c.opening.Others() > 0 {
		return tasks.Permanent("", tasks.ClassAttachment, "a click on it began a download, and opened a window; it is unclear which is the document")
	}
	return nil
}

// begun returns the download that an expectation has, or nil.
func begun(ctx context.Context, expected *browser.Expectation) *browser.Download {
	if !expected.Has() {
		return nil
	}
	download, _ := expected.Begun(ctx, 0)
	return download
}
