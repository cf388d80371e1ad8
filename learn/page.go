package learn

import (
	"github.com/poscrape/poscrape/scrape"
)

// Sheet is what is known of the sheet as a whole.
type Sheet struct {
	// Columns are the header, Roles the columns of its roles by their names, as in tasks.Input.
	Columns []string
	Roles   map[string]int
	// URL is the template that the addresses were made with, where one is known.
	URL string
	// Orders are all that have an address.
	Orders []Order
}

// Order is one order of the sheet.
type Order struct {
	PO, Digits, URL string
	// Line is that of its first row, Rows its rows' cells.
	Line int
	Rows [][]string
}

// Page is one order's page.
type Page struct {
	Order
	*scrape.Description
}

// seen is a page with its finds at hand.
type seen struct {
	Page
	finds map[scrape.Locator]*scrape.Find
	// numbers are the locators whose values are numbers of JSON.
	numbers map[scrape.Locator]bool
	// common are the parts of the addresses of data that other pages have, too; or nil.
	common map[string]bool
}

func newSeen(p Page, common map[string]bool) *seen {
	s := &seen{Page: p, common: common, finds: map[scrape.Locator]*scrape.Find{}, numbers: map[scrape.Locator]bool{}}
	for i := range p.Finds {
		f := &p.Finds[i]
		if s.finds[f.Locator] == nil {
			s.finds[f.Locator] = f
		}
	}
	s.addData()
	return s
}

// at returns the one value that a locator finds, or nil.
func (s *seen) at(l scrape.Locator) *scrape.Find {
	if f := s.finds[l]; f != nil && !f.Differ {
		return f
	}
	return nil
}

// take returns what a part of what a locator finds is: the one part that there is in all of its texts.
func (s *seen) take(l scrape.Locator, p *part) (value string) {
	f := s.finds[l]
	switch {
	case f == nil || f.Differ && p == nil:
		return ""
	case !f.Differ && p != nil && p.lined && f.Lines != "":
		value, _ = p.of(f.Lines)
		return value
	case !f.Differ:
		value, _ = p.of(f.Value)
		return value
	}
	for _, text := range f.Values {
		if one, ok := p.of(text); ok && one != value {
			if value != "" {
				return ""
			}
			value = one
		}
	}
	return value
}
