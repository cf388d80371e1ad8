package learn

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/poscrape/poscrape/scrape"
)

// candidate is a locator that finds a column's values, or a part of what it finds is them.
type candidate struct {
	scrape.Locator
	part *part // or nil
	// equal and other are the pages on which what it finds is the cell's, and is not; there are all
	// on which it finds something.
	equal, other, there pages
	differs             bool // on some page it finds several values
	own                 bool // it finds the currency beside an amount of the sheet
}

// pages is a set of pages, by their places in the list.
type pages []bool

func (p pages) count() (n int) {
	for _, is := range p {
		if is {
			n++
		}
	}
	return n
}

// within reports whether all of p are in q.
func (p pages) within(q pages) bool {
	for i, is := range p {
		if is && !q[i] {
			return false
		}
	}
	return true
}

func (p pages) meets(q pages) bool {
	for i, is := range p {
		if is && q[i] {
			return true
		}
	}
	return false
}

// place is where on the pages a column's values stand: all locators that find them there.
type place struct {
	locators []*candidate
}

// best is the locator that people are shown, and that is right on most pages.
func (p *place) best() *candidate { return p.locators[0] }

// own reports whether it is the currency beside an amount of the sheet.
func (p *place) own() bool {
	return slices.ContainsFunc(p.locators, func(one *candidate) bool { return one.own })
}

// label is what people read beside the place, or empty.
func (p *place) label() string {
	for _, one := range p.locators {
		if one.Label != "" {
			return one.Label
		}
	}
	return ""
}

// rank orders the kinds of locators by how long they last.
func rank(l scrape.Locator) int {
	return slices.Index([]scrape.LocatorKind{scrape.ByLabel, scrape.ByID, scrape.ByAttr, scrape.ByClass, scrape.ByWords, scrape.ByData, scrape.ByPath}, l.Kind)
}

// family is what changes together: all names in the markup are of one.
func family(l scrape.Locator) string {
	switch l.Kind {
	case scrape.ByLabel, scrape.ByPath, scrape.ByData, scrape.ByWords:
		return string(l.Kind)
	}
	return "markup"
}

// tally returns what a locator comes to for a column.
func (in *induction) tally(c *column, l scrape.Locator, p *part) *candidate {
	one := &candidate{Locator: l, part: p, equal: make(pages, len(in.pages)), other: make(pages, len(in.pages)), there: make(pages, len(in.pages))}
	for i, page := range in.pages {
		if f := page.finds[l]; f != nil && f.Differ && p == nil {
			one.differs = true
			continue
		}
		value := page.take(l, p)
		if value == "" || c.kind != textKind && onlyDigits(value) == "" {
			continue // what stands in place of an amount or a date, such as a dash, is none
		}
		one.there[i] = true
		if want := in.cells[c][i]; want != nil {
			is := in.texts.of(value).is(c, want)
			one.equal[i], one.other[i] = is, !is
		}
	}
	return one
}

// enough: what the candidate finds is right on most pages that it was held against, or on a good part
// of them with several values that no chance makes equal.
func (in *induction) enough(c *column, one *candidate) bool {
	equal, other := one.equal.count(), one.other.count()
	if one.differs || equal < 2 || in.byChance(c, one) {
		return false
	}
	return equal > other || 2*equal >= other && in.telling(c, one) >= enoughValues
}

// most reports whether a candidate is right on more than half of the pages of which the sheet has a cell.
func (in *induction) most(c *column, one *candidate) bool {
	return 2*one.equal.count() > in.filled(c)
}

// filled is on how many pages the sheet has a cell.
func (in *induction) filled(c *column) (n int) {
	for _, want := range in.cells[c] {
		if want != nil {
			n++
		}
	}
	return n
}

// byChance reports whether a candidate is right with one word alone, while the sheet says that and others:
// "no" is in "No documents", too.
func (in *induction) byChance(c *column, one *candidate) bool {
	right := map[string]bool{}
	known := 0
	for i, want := range in.cells[c] {
		if want == nil || len(want.folds) == 0 {
			continue
		}
		known++
		if one.equal[i] {
			right[want.folds[0]] = true
		}
	}
	return len(right) == 1 && 4*one.equal.count() < 3*known
}

// telling counts the different values that were right, but for those that say little.
func (in *induction) telling(c *column, one *candidate) int {
	values := map[string]bool{}
	for i, is := range one.equal {
		if want := in.cells[c][i]; is && !c.weak(want) && len(want.folds) > 0 {
			values[want.folds[0]] = true
		}
	}
	return len(values)
}

// places groups candidates by where on the pages they find something, the most likely first.
func (in *induction) places(c *column, all []*candidate) []*place {
	slices.SortStableFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.there.count(), a.there.count()), cmp.Compare(rank(a.Locator), rank(b.Locator)), cmp.Compare(len(a.Selector)+len(a.Label)+len(a.Under), len(b.Selector)+len(b.Label)+len(b.Under)))
	})
	var places []*place
	for _, one := range all {
		i := slices.IndexFunc(places, func(p *place) bool { return in.together(p.best(), one) })
		if i < 0 {
			places = append(places, &place{locators: []*candidate{one}})
		} else {
			places[i].locators = append(places[i].locators, one)
		}
	}
	for _, p := range places {
		most := p.best().there.count()
		slices.SortStableFunc(p.locators, func(a, b *candidate) int {
			full := func(c *candidate) int { return most - c.there.count() }
			return cmp.Or(cmp.Compare(full(a), full(b)), cmp.Compare(rank(a.Locator), rank(b.Locator)), cmp.Compare(in.unlike(c, a), in.unlike(c, b)))
		})
	}
	slices.SortStableFunc(places, func(a, b *place) int {
		return cmp.Or(cmp.Compare(min(1, len(in.vague(c, a.best()))), min(1, len(in.vague(c, b.best())))), cmp.Compare(b.best().equal.count(), a.best().equal.count()), cmp.Compare(in.unlike(c, a.best()), in.unlike(c, b.best())),
			cmp.Compare(farness(c, a), farness(c, b)), cmp.Compare(partial(a), partial(b)), cmp.Compare(rank(a.best().Locator), rank(b.best().Locator)))
	})
	return places
}

// partial is 1 where the values are parts of texts, which other pages may word otherwise.
func partial(p *place) int {
	if p.best().part != nil {
		return 1
	}
	return 0
}

// together reports whether two locators find the same thing wherever both find something.
func (in *induction) together(a, b *candidate) bool {
	if a.Kind == scrape.ByData || b.Kind == scrape.ByData {
		return a.Locator == b.Locator
	}
	if (a.Kind == scrape.ByWords || b.Kind == scrape.ByWords) && !in.agree(a, b) {
		return false // they meet many elements, of which at names the first
	}
	common := 0
	for i, page := range in.pages {
		if !a.there[i] || !b.there[i] {
			continue
		}
		if page.finds[a.Locator].At != page.finds[b.Locator].At {
			return false
		}
		common++
	}
	return common > 0
}

// unlike is 0 for a label that is the column's name, or a name in the markup that is, 1 for a label that begins a word
// as the column does, as "Ordered" and "Order date" do, and else 2.
func (in *induction) unlike(c *column, one *candidate) int {
	same := func(name string) bool { return sameName(name, c.name) }
	if one.Label != "" && same(one.Label) || one.Label == "" && slices.ContainsFunc(allNames(one.Selector), same) {
		return 0
	}
	if akin(one.Label, c.name) {
		return 1
	}
	return 2
}

// akin reports whether a word of one text begins as a word of the other does.
func akin(a, b string) bool {
	const stem = 4
	begins := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.ToLower(a), notLetter) {
		if letters := []rune(word); len(letters) >= stem {
			begins[string(letters[:stem])] = true
		}
	}
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(b), notLetter), func(word string) bool {
		letters := []rune(word)
		return len(letters) >= stem && begins[string(letters[:stem])]
	})
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }
