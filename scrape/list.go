package scrape

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

// ListRule says that an order's page is a list of orders, of which one row is the order, or one element of
// its data.
type ListRule struct {
	// Data says where the elements are, in place of Row and Number; or it is nil.
	Data *ListData
	// Row is the selector of the rows, and Number, within a row or of it, that of what shows the
	// order's number; NumberAttr is what to take of that element, as in FieldRule.Attr.
	// NumberMatch finds the part of that which is the number, its first group or all of it; or nil.
	Row, Number, NumberAttr string
	NumberMatch             *regexp.Regexp
	// Date says how numbers that are dates are written, or is nil.
	Date *DateNumber
	// Next is the selector of what leads to the next page of the list, or empty. Single says instead that
	// no further page matters, because no two orders of the list have the same number.
	Next   string
	Single bool
	// Frame is the selector of the frame that the list is in, or empty.
	Frame string
}

// The places in the recipe of what leads to the next page of a list of orders, and of its frame.
const (
	whereListNext  = "list.next"
	whereListFrame = "list.frame"
)

// selectors returns what finds the order in a list, by its places in the recipe.
func (l *ListRule) selectors() []namedSelector {
	number := namedSelector{field: "list.number", selector: l.Number, more: l.numberText()}
	if l.Data == nil {
		return []namedSelector{{field: "list.row", selector: l.Row}, number,
			{field: whereListNext, selector: l.Next}, {field: whereListFrame, selector: l.Frame}}
	}
	number.selector, number.text = l.Data.Number.text, true
	return append(l.Data.selectors("list", "json"), namedSelector{field: "list.items", selector: l.Data.Items.text, text: true}, number)
}

// listFacts adds what is known where an order is one of a list.
func (a *attempt) listFacts(f *verdict.Facts, p *page, rule *ListRule) {
	f.IdentityAt, f.IdentitySelector, f.ListPages = "list.number", rule.Number, a.row.pages
	f.ListApart = rule.Frame == "" && a.unframed == nil && (p.Unseen != "" || a.hasForeign(p))
	if a.row.rows > 1 {
		f.Identity = verdict.IdentitySeveral
	}
	if rule.Single {
		f.MoreRows = ""
	}
	listed := f.Refusal.Kind == verdict.RefusalList // as it should be
	if rule.Data != nil {
		f.IdentitySelector, f.ListApart, f.InData = rule.Data.Number.text, false, p.inData
		listed = listed || f.Refusal.Kind == verdict.RefusalNotFound && !f.Refusal.Ruled // its data say which orders there are
	}
	if listed {
		f.Refusal = verdict.Refusal{}
	}
}

// listed is what a page shows of a list of orders. Hits is how many of its rows are the order's;
// by Numbers, those in its rows, it is told from the list's other pages. Rows is how many rows there
// are, the hidden ones too.
type listed struct {
	Hits    int
	Rows    int
	Turn    turning
	Numbers []string
}

// listRow is what an attempt knows of a list of orders that has several pages.
type listRow struct {
	// at is the page that has the order's row, or 0. Pages were looked through, and rows are the
	// order's on all of them.
	at, pages, rows int
}

// lists are the lists that orders have looked through to their ends: what their rows show, by
// their addresses.
type lists struct {
	mu    sync.Mutex
	whole map[string][]string
}

// once reports whether the list at this address has at most one row of the order that names knows.
func (l *lists) once(address string, names func(string) bool) bool {
	l.mu.Lock()
	rows, known := l.whole[address]
	l.mu.Unlock()
	hits := 0
	for _, row := range rows {
		if names(row) {
			hits++
		}
	}
	return known && hits <= 1
}

// keep notes what the rows of a whole list show.
func (l *lists) keep(address string, rows []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.whole == nil {
		l.whole = map[string][]string{}
	}
	l.whole[address] = rows
}

// turnList shows the page of a list of orders that has the order's row. Where none has, the last
// one is left to be judged.
func (a *attempt) turnList(ctx context.Context) error {
	rule := a.portal.recipe.List
	if rule == nil || rule.Next == "" {
		return nil
	}
	if a.row.at == 0 {
		last, err := a.lookThrough(ctx)
		if err != nil || a.row.at == 0 || a.row.at == last {
			return err
		}
		if err := a.open(ctx); err != nil {
			return err
		}
		return a.getThere(ctx)
	}
	now, err := a.settledList(ctx)
	for page := 1; err == nil && page < a.row.at; page++ {
		now, err = a.nextList(ctx, now)
	}
	return err
}

// lookThrough looks for the order's row on the pages of the list, and returns the number of the
// page that the tab shows in the end. A second row of the order may be on any page, so it goes on
// to the last one, unless the whole list is known.
func (a *attempt) lookThrough(ctx context.Context) (int, error) {
	rule, g := a.portal.recipe.List, &a.row
	address := a.address.String()
	if a.portal.recipe.Open.Search != nil || takesNumber(a.portal.recipe.Open.Steps) {
		address = "" // each order has a list of its own
	}
	*g = listRow{}
	var rows []string
	var pages [][]string
	now, err := a.settledList(ctx)
	for page := 1; ; page++ {
		if err != nil {
			return 0, unlisted(page, err)
		}
		if page > 1 && len(now.Numbers) == 0 {
			return 0, tasks.Retry(tasks.ClassPage, "page %d of the list of orders shows no row that list.row %q meets", page, rule.Row)
		}
		if n := len(rows); n > 0 && len(now.Numbers) > n && slices.Equal(now.Numbers[:n], rows) { // it has grown
			*g, rows = listRow{}, nil
		}
		g.pages, g.rows, rows, pages = page, g.rows+now.Hits, append(rows, now.Numbers...), append(pages, now.Numbers)
		if now.Hits > 0 && g.at == 0 {
			g.at = page
		}
		switch {
		case g.at > 0 && address != "" && a.portal.lists.once(address, a.namesRow):
			return page, nil
		case !now.Turn.On:
			a.portal.lists.keep(address, rows)
			return page, nil
		case now.Turn.Refused != "":
			return 0, tasks.Permanent(tasks.OutcomeFailed, tasks.ClassNotClicked, "%s %q leads to further orders, and was not used: %q says that it does more than show a page", whereListNext, rule.Next, now.Turn.Refused)
		case page == maxPages:
			return 0, tasks.Permanent(tasks.OutcomeFailed, tasks.ClassLimit, "the list of orders has more than %d pages, and no more are looked through; have it show fewer orders, by open.steps", maxPages)
		}
		if now, err = a.nextList(ctx, now); err != nil {
			continue
		}
		if at := slices.IndexFunc(pages, func(numbers []string) bool { return slices.Equal(numbers, now.Numbers) }); at >= 0 {
			return 0, tasks.Retry(tasks.ClassPage, "%s %q was used on page %d of the list, and led to the rows of page %d; on the last page it must meet nothing, or what is disabled", whereListNext, rule.Next, page, at+1)
		}
	}
}

// unlisted is what follows for the order from a page of the list that could not be read: it may
// have the order's row, or another one of it.
func unlisted(page int, err error) error {
	f := (*tasks.Failure)(nil)
	if page == 1 || !errors.As(err, &f) || f.Advice != tasks.AdvicePermanent || f.Class == tasks.ClassLimit || f.Class == tasks.ClassNotClicked {
		return err
	}
	return tasks.Retry(f.Class, "page %d of the list of orders could not be read: %s", page, f.Message)
}

// nextList goes to the next page of the list, and returns it once it shows other orders, or has
// shown the same ones for some time.
func (a *attempt) nextList(ctx context.Context, before listed) (listed, error) {
	if err := a.portal.wait(ctx, a.page); err != nil {
		return listed{}, err
	}
	if err := a.press(ctx, fmt.Sprintf("%s %q", whereListNext, a.portal.recipe.List.Next), true); err != nil {
		return listed{}, err
	}
	for until := time.Now().Add(a.portal.turnPatience); ; {
		err := a.browser.Tab().Calm(ctx, calm, settleAfterStep)
		if err == nil {
			err = a.stopped(a.browser.Stopped())
		}
		if err != nil {
			return listed{}, err
		}
		now, err := a.settledList(ctx)
		if err != nil || len(now.Numbers) > 0 && !slices.Equal(now.Numbers, before.Numbers) || time.Now().After(until) {
			return now, err
		}
	}
}

// settledList waits until the page is settled, and returns what it shows of the list.
func (a *attempt) settledList(ctx context.Context) (listed, error) {
	for {
		var now listed
		_, err := a.settledPage(ctx)
		if err == nil {
			err = a.browser.Tab().Inspect(ctx, call("listed", a.words()), &now)
		}
		if !errors.Is(err, browser.ErrNavigated) || ctx.Err() != nil {
			return now, err
		}
	}
}

// settledPage waits until the page on the way to the order is settled, and returns it unless it was
// not read whole, or is none that an order may be found on.
func (a *attempt) settledPage(ctx context.Context) (*page, error) {
	for {
		p, err := a.settled(ctx, a.onTheWay())
		switch {
		case err == nil && p.BadSelector != "":
			return nil, a.badSelector(p.BadSelector)
		case err == nil:
			err = a.moved()
		}
		if err == nil && a.bars(p) {
			err = a.refused(p)
		}
		if err == nil {
			if h := verdict.Hindrance(a.facts(p, nil)); h != nil {
				err = h
			}
		}
		if !errors.Is(err, browser.ErrNavigated) || ctx.Err() != nil {
			return p, err
		}
	}
}
