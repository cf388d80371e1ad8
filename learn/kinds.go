package learn

import "github.com/poscrape/poscrape/scrape"

// alike is which share of its names a page must have in common with another to be of one kind.
const alike = 0.5

// otherKind is what is said of an order whose page the recipe is not for.
const otherKind = "its page is of another kind than the others; it needs a recipe of its own"

// keepOneKind leaves out the pages that are of another kind than most: one recipe is for one kind.
func (in *induction) keepOneKind() {
	var groups [][]*seen
	common := in.common()
	for _, page := range in.pages {
		at := -1
		for i, group := range groups {
			if similarity(group[0], page, common) >= alike {
				at = i
				break
			}
		}
		if at < 0 {
			groups = append(groups, nil)
			at = len(groups) - 1
		}
		groups[at] = append(groups[at], page)
	}
	in.draft.Kinds = len(groups)
	if len(groups) < 2 {
		return
	}
	most := groups[0]
	for _, group := range groups[1:] {
		if len(group) > len(most) {
			most = group
		}
	}
	for _, group := range groups {
		if &group[0] != &most[0] {
			for _, page := range group {
				in.draft.find(page.Order, otherKind)
			}
			in.strange = append(in.strange, group...)
		}
	}
	in.pages = most
}

// common are the names in the markup, and the labels, that at least two pages have: what only one has
// is of its order.
func (in *induction) common() map[scrape.Locator]bool {
	on := map[scrape.Locator]int{}
	for _, page := range in.pages {
		for l := range page.finds {
			if l.Kind != scrape.ByPath {
				on[l]++
			}
		}
	}
	common := map[scrape.Locator]bool{}
	for l, n := range on {
		if n > 1 {
			common[l] = true
		}
	}
	return common
}

// similarity is the share of the common names of the page with fewer of them that the other has too:
// a page without documents lacks their names.
func similarity(a, b *seen, common map[scrape.Locator]bool) float64 {
	inA, inB, both := 0, 0, 0
	for l := range common {
		if a.finds[l] != nil {
			inA++
		}
		if b.finds[l] != nil {
			inB++
		}
		if a.finds[l] != nil && b.finds[l] != nil {
			both++
		}
	}
	if inA == 0 || inB == 0 {
		return 1
	}
	return float64(both) / float64(min(inA, inB))
}

// doubtStrange notes that a field finds something else on pages of other kinds: they may be the session's, too.
func (in *induction) doubtStrange(c *column, f *Field, best *candidate) {
	equal, other := 0, 0
	for _, page := range in.strange {
		value, want := page.take(best.Locator, best.part), c.cellOf(page.Rows)
		switch {
		case value == "" || want == nil:
		case in.texts.of(value).is(c, want):
			equal++
		default:
			other++
		}
	}
	if 4*other > equal+other {
		f.doubt("on pages of another kind it finds something else than the sheet says, on %d of %d", other, equal+other)
	}
}
