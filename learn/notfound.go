package learn

import (
	"cmp"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// NotFound says what the portal shows for a number that does not exist.
type NotFound struct {
	// Asked is the number that was tried, or empty.
	Asked string
	// Status is that of the answer; Known: it is known without the recipe's help.
	Status int
	Known  bool
	// Selector and Text are what only such a page shows, or empty.
	Selector, Text string
	// Trouble says what else came of it, or is empty.
	Trouble string
}

// NoteNotFound adds what became of a number that does not exist: the error, or nil, and the page, if it
// is known.
func (d *Draft) NoteNotFound(asked string, err error, page *scrape.Description, orders []Page) {
	f := tasks.AsFailure(err)
	known := f != nil && f.Class == tasks.ClassNotFound
	n := NotFound{Asked: asked, Known: known}
	if f != nil && !known && page == nil {
		n.Trouble = f.Message
		d.NotFound = n
		return
	}
	if page != nil {
		n.Status = page.Status
		if n.Status < 400 {
			n.Selector, n.Text = onlyThere(page, orders)
		}
	}
	if !known && n.Selector == "" && n.Status < 400 {
		n.Trouble = "the portal shows a page for it on which nothing says that there is no such order"
	}
	d.NotFound = n
}

// onlyThere finds the element that no order's page has, and that says something.
func onlyThere(page *scrape.Description, orders []Page) (selector, text string) {
	on := map[scrape.Locator]bool{}
	said := map[string]bool{}
	for _, o := range orders {
		for _, f := range o.Finds {
			on[f.Locator] = true
			said[f.Value] = true
		}
	}
	var best *scrape.Find
	for i := range page.Finds {
		f := &page.Finds[i]
		if f.Selector == "" || f.Kind == scrape.ByPath || on[f.Locator] || f.Differ || !f.Seen || f.Value == "" || said[f.Value] || len(f.Value) > 200 {
			continue
		}
		if best == nil || cmp.Or(cmp.Compare(rank(f.Locator), rank(best.Locator)), cmp.Compare(len(f.Selector), len(best.Selector))) < 0 {
			best = f
		}
	}
	if best == nil {
		return "", ""
	}
	return best.Selector, best.Value
}
