package learn

import (
	"cmp"
	"strings"

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
	// Text is what only such a page says, without the number, or empty.
	Text string
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
		if n.Status < 400 && !known {
			n.Text = withoutNumber(onlyThere(page, orders), asked)
		}
	}
	if !known && n.Text == "" && n.Status < 400 {
		n.Trouble = "the portal shows a page for it on which nothing says that there is no such order"
	}
	d.NotFound = n
}

// shortest is how short a text may be that tells such a page from an order's.
const shortest = 8

// withoutNumber returns the longest part of a text beside a number, or "" where that is too short
// to tell anything.
func withoutNumber(text, number string) string {
	longest := ""
	for part := range strings.SplitSeq(text, number) {
		if part = strings.TrimSpace(part); len(part) > len(longest) {
			longest = part
		}
	}
	if len(longest) < shortest {
		return ""
	}
	return longest
}

// onlyThere returns what an element says that no order's page has.
func onlyThere(page *scrape.Description, orders []Page) string {
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
		return ""
	}
	return best.Value
}
