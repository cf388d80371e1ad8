package scrape

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

// A page that was printed is a document only if it is known to be what was read: it has come to rest, and
// shows the order before and after, as it is on paper.

// whereShows is the place in the recipe of what a printed page has to show.
const whereShows = "attachments.shows"

// printed is what has become of printing a page: a file, or why there is none.
type printed struct {
	file *browser.File
	err  error
	// text is what is on its paper; own: the order's number is.
	text string
	own  bool
	// unfit is why it was not tried, or nil.
	unfit *tasks.Failure
}

// prints reports whether the page that is read by the recipe is itself the document.
func (r *Recipe) prints() bool {
	return r.Attachments != nil && r.Attachments.Print && !r.printsItems()
}

// printsAny reports whether any page of an order is a document.
func (r *Recipe) printsAny() bool {
	return r.prints() || r.printsItems() || slices.ContainsFunc(r.Related, func(related RelatedRule) bool {
		return related.Attachments != nil && related.Attachments.Print // it may be nil while the recipe is read
	})
}

// placePrints makes the staging directory where pages are to be printed, before the order's documents
// are known.
func (a *attempt) placePrints() (err error) {
	if a.portal.recipe.printsAny() {
		a.prints, err = a.makeStaging()
	}
	return err
}

// printPage lists the page that the tab shows as a document, and prints it where there is a place
// for it. What keeps it from being printed is the document's failure; its error is that of the attempt.
func (a *attempt) printPage(ctx context.Context, p *page) error {
	if !a.recipe().prints() {
		return nil
	}
	it := item{Name: a.task.PO + ".pdf", Source: p.URL, Printed: &printed{unfit: a.notFitToPrint(p)}}
	if it.Printed.unfit == nil && a.prints != "" {
		if it.Printed.err = a.print(ctx, p, it.Printed); !it.Printed.own && a.related != nil {
			it.PrintKey = a.printKey(p.URL)
		}
	}
	if err := it.Printed.err; err != nil && (ctx.Err() != nil || errors.Is(err, browser.ErrLost) || pageLost(err) || clockTrouble(err) != "" || isDisk(err)) {
		return err
	}
	p.Items = []item{it}
	return nil
}

// settlePrints gives the documents that are pages their states.
func settlePrints(ctx context.Context, docs []*document) error {
	for _, doc := range docs {
		print := doc.item.Printed
		if print.unfit != nil {
			doc.fail(print.unfit)
			continue
		}
		if err := doc.item.by.settle(ctx, doc, print.file, print.err); err != nil {
			return err
		}
	}
	return nil
}

// notFitToPrint returns why a page that was read is not to be printed, or nil.
func (a *attempt) notFitToPrint(p *page) *tasks.Failure {
	if p.visited && len(p.frames) > 0 {
		return tasks.Permanent("", tasks.ClassAttachment, "only a frame of another host shows the order, and is not printed with its page")
	}
	f := a.facts(p, nil)
	if h := verdict.Hindrance(f); h != nil {
		return h
	}
	if a.related != nil && f.Identity == verdict.IdentityOther && !p.Apart {
		return tasks.Retry(tasks.ClassIdentity, "the page is about another order than %s: it shows %s (%s)", f.PO, quoted(f.Seen), f.Address)
	}
	if p.Left != "" {
		return tasks.Permanent("", tasks.ClassIncomplete, "the page says %s, so a print of it would lack a part; have it show all first, by the address or, on the order's own page, by expand", quoted(p.Left))
	}
	if h := verdict.Hollow(f); h != nil {
		return h
	}
	if f.Restless != "" {
		return tasks.Retry(tasks.ClassUnsettled, "the page is busy, and did not come to rest within %v, so its print may lack a part: %s%s; what no print needs, keep from loading (block in the recipe)", f.Patience, f.Restless, f.Open)
	}
	return nil
}

// print prints the page that the tab shows.
func (a *attempt) print(ctx context.Context, p *page, out *printed) (err error) {
	tab := a.browser.Tab()
	screen, err := a.unroll(ctx)
	if err != nil {
		return err
	}
	var width int
	if err = tab.Inspect(ctx, paperWidth, &width); err != nil {
		return err
	}
	if err = tab.AsPrinted(ctx, width); err != nil {
		return err
	}
	defer func() {
		if mediaErr := tab.AsPrinted(ctx, 0); err == nil {
			err = mediaErr
		}
	}()
	if err = tab.Inspect(ctx, unpinBars, nil); err != nil {
		return err
	}
	if err = a.drawn(ctx); err != nil { // it is told of that when it is drawn
		return err
	}
	if err = a.stillPrintable(ctx, p); err != nil {
		return err
	}
	judged, err := a.paper(ctx, width)
	if err == nil {
		err = a.onPaper(ctx, judged, screen, out)
	}
	if err != nil {
		return err
	}
	file, err := tab.Print(ctx, a.prints, a.portal.recipe.Limits.MaxFileSize)
	if err != nil {
		return err
	}
	if err = a.stillPrintable(ctx, p); err == nil {
		var kept []paper
		if kept, err = a.kept(ctx); err == nil {
			err = a.changedOnPaper(judged, kept)
		}
	}
	if err != nil {
		return errors.Join(err, file.Remove())
	}
	out.file, out.text = file, judged.Text
	return nil
}

// unroll scrolls through the page, as some pages bring parts only when these come into view, and returns
// what it shows then. A page that goes on for ever, or takes away what is out of view, cannot be printed.
func (a *attempt) unroll(ctx context.Context) (all paper, err error) {
	if _, err = a.printText(ctx); err != nil {
		return all, err
	}
	before, err := a.paper(ctx, 0)
	if err != nil {
		return all, err
	}
	tab := a.browser.Tab()
	for n := 0; ; n++ {
		var end bool
		if err = tab.Inspect(ctx, scrollOn, &end); err != nil {
			return all, err
		}
		if n == 0 && end { // all of it is in view
			return before, nil
		}
		if err = a.drawn(ctx); err == nil && end {
			err = a.atPace(ctx, fmt.Sprintf("poscrape.rest(200, %d)", settleAfterStep.Milliseconds()))
		}
		switch {
		case err != nil:
			return all, err
		case n == maxScreens:
			return all, tasks.Permanent("", tasks.ClassIncomplete, "the page still goes on after it was scrolled by %d screens, so a print of it may lack a part", n)
		case !end:
			continue
		}
		if err = tab.Inspect(ctx, scrollOn, &end); err != nil { // it may have brought more
			return all, err
		}
		if end {
			break
		}
	}
	below, err := a.paper(ctx, 0)
	if err == nil {
		err = below.takesAway(before)
	}
	if err == nil {
		err = tab.Inspect(ctx, "void document.scrollingElement?.scrollTo(0, 0)", nil)
	}
	if err == nil {
		err = a.drawn(ctx)
	}
	if err == nil {
		all, err = a.paper(ctx, 0)
	}
	if err == nil {
		err = all.takesAway(below)
	}
	return all, err
}

// maxScreens is by how many screens a page is scrolled that is to be printed.
const maxScreens = 100

// scrollOn scrolls the page by a screen, and says whether it was at its end.
const scrollOn = `(() => {
	const el = document.scrollingElement;
	if (!el || el.scrollTop + innerHeight >= el.scrollHeight - 2) return true;
	el.scrollTop += innerHeight;
	return false;
})()`

// takesAway returns why a page that was scrolled does not show what it has shown before, or nil. A clock may
// change.
func (p paper) takesAway(before paper) error {
	has, had := map[string]bool{}, map[string]bool{}
	for _, word := range strings.Fields(p.Main) {
		has[word] = true
	}
	gone := 0
	for _, word := range strings.Fields(before.Main) {
		if !had[word] && !has[word] {
			gone++
		}
		had[word] = true
	}
	if gone >= 3 && gone*20 > len(had) {
		return tasks.Permanent("", tasks.ClassIncomplete, "the page has only those of its parts that are in view, and takes them away again when it is scrolled, so a print of it would lack the others")
	}
	return nil
}

// unpinBars has bars that stay in view, such as a site's header, stand in their place in the page: on paper
// they would be on each sheet, and cover its text. What is larger stays where it is.
const unpinBars = `(() => {
	const visit = (root) => {
		for (const el of root.querySelectorAll("*")) {
			if (el.shadowRoot) visit(el.shadowRoot);
			if (getComputedStyle(el).position !== "fixed" || el.matches(":modal")) continue;
			const { width, height } = el.getBoundingClientRect();
			if (height <= innerHeight * 0.4 || width <= innerWidth * 0.4) el.style.setProperty("position", "static", "important");
		}
	};
	visit(document);
})()`

// stillPrintable returns why the tab does not show the page that was read any more, now that it is as on
// paper; or nil.
func (a *attempt) stillPrintable(ctx context.Context, p *page) error {
	q, err := a.read(ctx)
	if err != nil {
		return err
	}
	q.NotReady = "" // that need not be printed
	why := &tasks.Failure{}
	if !errors.As(a.refused(q), &why) {
		why = a.notFitToPrint(q)
	}
	if why != nil {
		return tasks.Retry(why.Class, "as it is printed, %s", why.Message)
	}
	if q.URL != p.URL {
		return tasks.Retry(tasks.ClassAttachment, "the page led on to another while it was printed: %s", browser.Redact(q.URL))
	}
	return nil
}

// onPaper returns why what is on paper is not the document, or nil, and notes whether it shows the order's
// number. screen is what the page shows on a screen.
func (a *attempt) onPaper(ctx context.Context, judged, screen paper, out *printed) error {
	if err := a.flaw(judged); err != nil {
		return err
	}
	seen, err := a.numbersIn(ctx, judged.Text)
	if err != nil {
		return err
	}
	if out.own = seen.Own; !seen.Own && a.related != nil {
		err = a.anothers(ctx, seen.Other)
	} else if !seen.Own {
		var before numbersIn
		if before, err = a.numbersIn(ctx, screen.Text); err == nil && before.Own {
			err = tasks.Permanent("", tasks.ClassAttachment, "the page's styles for print hide the order's number, so a print of it does not show which order it is about")
		}
	}
	switch docs := a.recipe().Attachments; {
	case err != nil:
		return err
	case docs.Shows != "" && !judged.Shown:
		return tasks.Permanent("", tasks.ClassAttachment, "what %s %q meets cannot be seen on paper", whereShows, docs.Shows)
	}
	return judged.lacks(screen)
}

// anothers returns why a page that does not show the order's number is another order's, or nil. other is the
// number that it shows.
func (a *attempt) anothers(ctx context.Context, other string) error {
	if other == "" { // its address may name one
		at, err := a.numbersIn(ctx, placeOf(a.page))
		if err != nil || at.Own {
			return err
		}
		other = at.Other
	}
	if other == "" {
		return nil
	}
	return tasks.Retry(tasks.ClassIdentity, "the page shows the number of another order than %s, and not its own: %s (%s)", a.task.PO, quoted(other), browser.Redact(a.page))
}

// drawn returns when the page has been drawn, or has had half a second for that.
func (a *attempt) drawn(ctx context.Context) error {
	return a.atPace(ctx, `new Promise((done) => {
	setTimeout(done, 500);
	requestAnimationFrame(() => requestAnimationFrame(() => done()));
})`)
}

// atPace evaluates a script while the page's clock goes on, as fast as real time.
func (a *attempt) atPace(ctx context.Context, script string) error {
	stop := a.browser.Tab().KeepPace(ctx)
	defer stop()
	return a.browser.Tab().Inspect(ctx, script, nil)
}

// printText returns the text that the page shows, and has those of its pictures loaded that wait until
// they are in view.
func (a *attempt) printText(ctx context.Context) (text string, err error) {
	err = a.browser.Tab().Inspect(ctx, `(() => {
	for (const el of document.querySelectorAll("img[loading=lazy], iframe[loading=lazy]")) el.loading = "eager";
	return document.body?.innerText ?? "";
})()`, &text)
	return text, err
}
