package scrape

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// whereNext is the place in the recipe of what leads to the next page of documents.
const whereNext = "attachments.next"

// maxPages bounds how many pages of documents one order has.
const maxPages = 100

// turnPatience is how long a page may take to show another list once it has come to rest: some
// ask their server a moment later.
const turnPatience = 3 * time.Second

// turns reports whether documents have several pages.
func (r *Recipe) turns() bool { return r.Attachments != nil && !r.Attachments.Next.none() }

// turning is what attachments.next meets on a page. On: there is one that can be used. Refused is
// its label where it must not be.
type turning struct {
	Met     int    `json:"met"`
	On      bool   `json:"on"`
	Refused string `json:"refused"`
}

// paging is the visit of the pages of documents that one of an order's pages has.
type paging struct {
	rule *AttachmentsRule
	// leaves are those that were read. One that shows what the page before it has shown, and
	// more, is in its place.
	leaves []leaf
	// shown is the number of the page that the tab shows.
	shown int
	// repeated: it lists what was listed before, and nothing else. why says why no further page
	// was visited, or is nil.
	repeated bool
	why      *tasks.Failure
	// late is when no further page is begun, or zero.
	late time.Time
}

// reading is the number of the page that is about to be read.
func (g *paging) reading() int {
	if g == nil {
		return 1
	}
	return g.shown + 1
}

// turnPages visits the pages of documents that follow a page, and returns it with what all of them
// list. What keeps it from visiting one is noted in the page; an error is the attempt's.
func (a *attempt) turnPages(ctx context.Context, p *page) (*page, error) {
	if !a.recipe().turns() {
		return p, nil
	}
	a.paging = &paging{rule: a.recipe().Attachments, leaves: []leaf{{p, 1}}, shown: 1}
	if deadline, is := ctx.Deadline(); is { // documents take time as well
		a.paging.late = time.Now().Add(time.Until(deadline) / 2)
	}
	return a.turnOn(ctx)
}

// turnOn visits further pages of documents, as far as the one that is to be shown.
func (a *attempt) turnOn(ctx context.Context) (*page, error) {
	g := a.paging
	for more := true; more && g.shown != a.upTo; {
		var err error
		if more, err = a.turn(ctx); err != nil {
			return nil, err
		}
	}
	return g.whole(), nil
}

// turn visits the next page of documents, and reports whether there was one.
func (a *attempt) turn(ctx context.Context) (bool, error) {
	g, last := a.paging, a.paging.last()
	if !last.Turn.On || g.ended() || last.None && len(last.Prints) == 0 {
		return false, nil
	}
	if g.why = a.unturnable(last.Turn); g.ended() {
		return false, nil
	}
	q, err := a.nextPage(ctx, last)
	if err == nil {
		err = a.refused(q)
	}
	if err != nil {
		f := a.failure(ctx, err)
		if f.Advice == tasks.AdviceRelease || ctx.Err() != nil || pageLost(err) || clockTrouble(err) != "" || f.Facts.Disk != nil ||
			f.Class == tasks.ClassLogin || f.Class == tasks.ClassWall {
			return false, err
		}
		g.why = g.unread(f)
		return false, nil
	}
	g.shown++
	g.add(q)
	return true, nil
}

// unturnable returns why the next page of documents is not visited, or nil.
func (a *attempt) unturnable(t turning) *tasks.Failure {
	g, limit := a.paging, a.portal.recipe.Limits.MaxFiles
	said := fmt.Sprintf("%s %s leads to further documents, and was not used after page %d: ", whereNext, g.rule.Next, g.shown)
	switch listed := len(g.items()); {
	case t.Refused != "":
		return tasks.Permanent("", tasks.ClassNotClicked, "%s%q says that it does more than show a page", said, t.Refused)
	case listed > limit:
		return tasks.Permanent("", tasks.ClassLimit, "%s%d documents are listed so far, over the limit of %d (limits.max_files)", said, listed, limit)
	case g.shown >= maxPages:
		return tasks.Permanent("", tasks.ClassLimit, "%sso many pages are visited at the most", said)
	case !g.late.IsZero() && time.Now().After(g.late) && a.upTo == 0:
		return tasks.Retry(tasks.ClassTimeout, "%shalf of the order's time was over; give orders more (--task-timeout)", said)
	}
	return nil
}

// unread is what follows for the order from a page of documents that could not be read.
func (g *paging) unread(f *tasks.Failure) *tasks.Failure {
	why := tasks.Retry(f.Class, "page %d of the documents could not be read, so there may be more than was found: %s", g.shown+1, f.Message)
	why.After = f.After
	if f.Advice == tasks.AdvicePermanent {
		why.Advice, why.Retryable = tasks.AdvicePermanent, false
	}
	return why
}

// nextPage goes to the next page of documents and reads it once it shows another list, or has
// been at rest without one for some time.
func (a *attempt) nextPage(ctx context.Context, last leaf) (*page, error) {
	if err := a.portal.wait(ctx, a.page); err != nil {
		return nil, err
	}
	if err := a.press(ctx, fmt.Sprintf("%s %s", whereNext, a.recipe().Attachments.Next), false); err != nil {
		return nil, err
	}
	for until := time.Now().Add(a.portal.turnPatience); ; {
		err := a.browser.Tab().Calm(ctx, calm, settleAfterStep)
		if err == nil {
			err = a.stopped(a.browser.Stopped())
		}
		if err != nil {
			return nil, err
		}
		q, err := a.read(ctx)
		if err != nil {
			return nil, err
		}
		emptied := len(q.Prints) == 0 && len(last.Prints) > 0
		if !emptied && !slices.Equal(q.Prints, last.Prints) || time.Now().After(until) {
			return q, nil
		}
	}
}

// press uses what leads to the next page of documents, or of a list of orders: it is what the recipe says, in these
// words.
func (a *attempt) press(ctx context.Context, by string, ofList bool) error {
	var done struct {
		Pressed bool
		To      string
	}
	switch err := a.browser.Tab().InspectAndClick(ctx, call("turn", a.words(), ofList), &done); {
	case errors.Is(err, browser.ErrNavigated):
	case err != nil:
		return err
	case done.To != "":
		return a.goTo(ctx, done.To, by)
	case !done.Pressed:
		return tasks.Retry(tasks.ClassPage, "%s was gone before it could be clicked", by)
	}
	return nil
}

// goTo goes to the address of a next page, to which by leads.
func (a *attempt) goTo(ctx context.Context, address, by string) error {
	res, err := a.navigate(ctx, address, a.page)
	switch {
	case err != nil:
		return err
	case res.Download:
		return tasks.Permanent("", tasks.ClassPage, "%s leads to a document and no page: %s", by, browser.Redact(address))
	}
	tasks.Active(ctx)
	return a.arrived(res)
}

// unturned returns why there may be more pages of documents than were visited, or nil.
func (g *paging) unturned(p *page) *tasks.Failure {
	visited, last := g.last().number, g.last()
	paged := p.Pages != nil && p.Pages.Count <= visited
	said := p.Counted != nil || paged // fewer is the count of one page
	switch {
	case p.Declared != nil && g.why == nil: // which says more
		return nil
	case g.why != nil:
		return g.why
	case p.Pages != nil && p.Pages.Count > visited:
		return tasks.Retry(tasks.ClassIncomplete, "the page says that its documents have %s (%s), and %s led to %d", count(p.Pages.Count, "page"), quoted(p.Pages.Text), whereNext, visited)
	case g.repeated && !said:
		return tasks.Permanent("", tasks.ClassIncomplete, "page %d of the documents lists nothing that was not listed before, %s %s can still be used there, and nothing says how many documents there are; on the last page, it must meet nothing, or something disabled", g.shown, whereNext, g.rule.Next)
	case len(last.Numbers) > 0 && !paged: // a count of documents may be that of one page
		return tasks.Permanent("", tasks.ClassIncomplete, "%s was not visited: %s %s ended before it, on page %d of the documents", quotedAll(last.Numbers), whereNext, g.rule.Next, visited)
	case visited > 1 && len(last.Prints) == 0 && !last.None && !said:
		return tasks.Retry(tasks.ClassIncomplete, "page %d of the documents lists none, and nothing says that all are on the pages before it", visited)
	}
	return nil
}

// turnTo shows the page of documents that these are on, which are to be clicked. last was clicked
// before them on the page that the tab shows; it is nil where the tab shows another.
func (a *attempt) turnTo(ctx context.Context, docs []*document, last *document) error {
	number := docs[0].item.Page
	if last == nil || a.paging == nil || a.paging.shown >= number || a.recipe().twoSteps() || a.recipe().printsItems() || !a.idle(ctx, last) {
		return a.afresh(ctx, docs)
	}
	a.upTo = number
	defer func() { a.upTo = 0 }()
	p, err := a.turnOn(ctx)
	if err != nil {
		return err
	}
	a.lookUp(p, docs)
	return nil
}

// showing is the number of the page of documents that the tab shows.
func (a *attempt) showing() int {
	if a.paging == nil {
		return 0
	}
	return a.paging.shown
}
