package learn

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/scrape"
)

// Identity is where the order's number is shown.
type Identity struct {
	Selector    string
	Seen, Pages int
	Example     string
	// Path: only its place in the page finds it.
	Path bool
}

// numberLike are texts that may be order numbers.
var numberLike = regexp.MustCompile(`\d{3,}`)

// headingPath are ways to the heading of a page or of a part of it, where no other heading is beside it.
var headingPath = regexp.MustCompile(`> h[1-3]$`)

// namesOther reports whether a text has another number as long as the order's own: such a text
// may name the order in passing.
func namesOther(text, own string) bool {
	return slices.ContainsFunc(numberLike.FindAllString(text, -1), func(n string) bool { return n != own && len(n) == len(own) })
}

// numberAt is a locator that finds each page's own number, and whether it finds nothing else.
type numberAt struct {
	scrape.Locator
	exact bool
	depth int
}

// numbers returns what shows each page's own number, the steadiest first.
func (in *induction) numbers() (all []numberAt) {
	for _, l := range in.locators {
		if l.Selector == "" || l.Frame != "" {
			continue
		}
		one := numberAt{Locator: l, exact: true}
		shown := 0
		for _, page := range in.pages {
			f := page.at(l)
			if f == nil || !f.Shows || !f.Seen || len(f.Value) > 120 || namesOther(f.Value, page.Digits) {
				break
			}
			shown++
			fold := compare.Fold(f.Value)
			one.exact = one.exact && (fold == compare.Fold(page.PO) || fold == compare.Fold(page.Digits))
		}
		if shown == len(in.pages) {
			one.depth = strings.Count(l.Selector, " ")
			all = append(all, one)
		}
	}
	sortNumbers(all)
	return all
}

// identity finds what shows each page's own number.
func (in *induction) identity() *Identity {
	all := in.numbers()
	if len(all) == 0 {
		return nil
	}
	best := all[0]
	selectors, kinds := []string{best.Selector}, []scrape.LocatorKind{best.Kind}
	for _, one := range all[1:] {
		if one.Kind != scrape.ByPath && best.Kind != scrape.ByPath && (!slices.Contains(kinds, one.Kind) || strings.HasPrefix(one.Selector, "h1") && !strings.HasPrefix(best.Selector, "h1")) {
			selectors, kinds = append(selectors, one.Selector), append(kinds, one.Kind)
		}
	}
	// A single name is lost with the next version of the portal. Its place finds it then, and no more than this number
	// counts there; a heading is the page's own.
	lasting := func(one numberAt) bool {
		return one.Kind == scrape.ByPath && (one.exact || headingPath.MatchString(one.Selector))
	}
	if place := slices.IndexFunc(all, lasting); len(selectors) == 1 && best.Kind != scrape.ByPath && place > 0 {
		selectors = append(selectors, all[place].Selector)
	}
	return &Identity{Selector: strings.Join(slices.Compact(selectors), ", "), Seen: len(in.pages), Pages: len(in.pages), Example: in.pages[0].at(best.Locator).Value, Path: best.Kind == scrape.ByPath}
}

// plainLanguage is a language as a recipe names it, with or without a region.
var plainLanguage = regexp.MustCompile(`^[a-z]{2}(-[A-Z]{2})?$`)

// language returns the one in which all pages were asked for, or nothing.
func (in *induction) language() string {
	first := in.pages[0].Language
	other := func(page *seen) bool { return page.Language != first }
	if !plainLanguage.MatchString(first) || slices.ContainsFunc(in.pages, other) {
		return ""
	}
	return first
}

// sortNumbers sorts by how long the locators last.
func sortNumbers(all []numberAt) {
	slices.SortStableFunc(all, func(a, b numberAt) int {
		exact := func(c numberAt) int {
			if c.exact {
				return 0
			}
			return 1
		}
		path := func(c numberAt) int {
			if c.Kind == scrape.ByPath {
				return 1
			}
			return 0
		}
		if path(a) == 1 && path(b) == 1 && a.depth != b.depth {
			return cmp.Compare(a.depth, b.depth) // the longer the way, the sooner it leads elsewhere
		}
		return cmp.Or(cmp.Compare(path(a), path(b)), cmp.Compare(exact(a), exact(b)), cmp.Compare(rank(a.Locator), rank(b.Locator)), cmp.Compare(a.depth, b.depth))
	})
}
