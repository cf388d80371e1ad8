package scrape

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/poscrape/poscrape/browser"
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
	if h := hindrance(f); h != nil {
		return h
	}
	if a.related != nil && f.Identity == identityOther && !p.Apart {
		return tasks.Retry(tasks.ClassIdentity, "the page is about another order than %s: it shows %s (%s)", f.PO, quoted(f.Seen), f.Address)
	}
	if f.Hollow != "" {
		return tasks.Retry(tasks.ClassUnproven, "%s", hollowText(f.Hollow))
	}
	if f.Restless != "" {
		return tasks.Retry(tasks.ClassUnsettled, "the page is busy, and did not come to rest within %v, so its print may lack a part: %s%s; what no print needs, keep from loading (block in the recipe)", f.Patience, f.Restless, f.Open)
	}
	return nil
}

// print prints the page that the tab shows.
func (a *attempt) print(ctx context.Context, p *page, out *printed) (err error) {
	tab := a.browser.Tab()
	shown, err := a.printText(ctx)
	if err != nil {
		return err
	}
	if err = tab.AsPrinted(ctx, true); err != nil {
		return err
	}
	defer func() {
		if mediaErr := tab.AsPrinted(ctx, false); err == nil {
			err = mediaErr
		}
	}()
	if err = a.drawn(ctx); err == nil { // it is told of that when it is drawn
		_, err = a.stillPrintable(ctx, p, shown)
	}
	if err != nil {
		return err
	}
	judged, err := a.paper(ctx, true)
	if err == nil {
		err = judged.flaw(a.portal.recipe.Block)
	}
	if err != nil {
		return err
	}
	file, err := tab.Print(ctx, a.prints, a.portal.recipe.Limits.MaxFileSize)
	if err != nil {
		return err
	}
	own, err := a.stillPrintable(ctx, p, shown)
	if err == nil {
		var kept []paper
		if kept, err = a.kept(ctx); err == nil {
			err = judged.changedOnPaper(kept, a.portal.recipe.Block)
		}
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Path))
	}
	out.file, out.text, out.own = file, judged.Text, own
	return nil
}

// stillPrintable returns why the tab does not show the page that was read any more, now that it is as on
// paper; or nil, and whether it shows the order's number. shown is its text on the screen.
func (a *attempt) stillPrintable(ctx context.Context, p *page, shown string) (own bool, err error) {
	q, err := a.read(ctx)
	if err != nil {
		return false, err
	}
	q.NotReady = "" // that need not be printed
	why := &tasks.Failure{}
	if !errors.As(a.refused(q), &why) {
		why = a.notFitToPrint(q)
	}
	if why != nil {
		return false, tasks.Retry(why.Class, "as it is printed, %s", why.Message)
	}
	if q.URL != p.URL {
		return false, tasks.Retry(tasks.ClassAttachment, "the page led on to another while it was printed: %s", browser.Redact(q.URL))
	}
	text, err := a.printText(ctx)
	if err != nil {
		return false, err
	}
	seen, err := a.numbersIn(ctx, text)
	switch {
	case err != nil:
		return false, err
	case a.related == nil && !seen.Own:
		before, err := a.numbersIn(ctx, shown)
		if err != nil || !before.Own {
			return false, err
		}
		return false, tasks.Permanent("", tasks.ClassAttachment, "the page's styles for print hide the order's number, so a print of it does not show which order it is about")
	case a.related == nil || seen.Own:
		return seen.Own, nil
	}
	other := seen.Other
	if other == "" { // its address may name one
		at, err := a.numbersIn(ctx, placeOf(q.URL))
		if err != nil || at.Own {
			return false, err
		}
		other = at.Other
	}
	if other != "" {
		return false, tasks.Retry(tasks.ClassIdentity, "the page shows the number of another order than %s, and not its own: %s (%s)", a.task.PO, quoted(other), browser.Redact(q.URL))
	}
	return seen.Own, nil
}

// drawn returns when the page has been drawn, or has had half a second for that.
func (a *attempt) drawn(ctx context.Context) error {
	stop := a.browser.Tab().KeepPace(ctx)
	defer stop()
	return a.browser.Tab().Inspect(ctx, `new Promise((done) => {
	setTimeout(done, 500);
	requestAnimationFrame(() => requestAnimationFrame(() => done()));
})`, nil)
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
