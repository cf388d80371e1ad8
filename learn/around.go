package learn

import (
	"slices"

	"github.com/poscrape/poscrape/scrape"
)

// lookAround adds to the pages what stands around values, once they are known to be of one kind.
func (in *induction) lookAround() {
	known := map[scrape.Locator]bool{}
	for _, page := range in.pages {
		for i := range page.Around {
			f := &page.Around[i]
			if page.finds[f.Locator] == nil {
				page.finds[f.Locator] = f
			}
			if !known[f.Locator] {
				known[f.Locator] = true
				in.outer = append(in.outer, f.Locator)
			}
		}
	}
}

// onlyPlaces reports whether candidates find most of a column's values by nothing that lasts, or there are none.
func (in *induction) onlyPlaces(c *column, all []*candidate) bool {
	_, page := inData(all)
	lasts := func(one *candidate) bool { return one.Kind != scrape.ByPath && in.most(c, one) }
	return (len(page) > 0 || len(all) == 0) && !slices.ContainsFunc(page, lasts)
}

// around returns what finds a column's values by the words that they stand among ("12.00 Total"), or else
// in an attribute; and of the other candidates those that find something else than that.
func (in *induction) around(c *column, others []*candidate) []*candidate {
	var words, attributes []scrape.Locator
	for _, l := range in.outer {
		if l.Attr == "" {
			words = append(words, l)
		} else {
			attributes = append(attributes, l)
		}
	}
	found := slices.DeleteFunc(in.parts(c, words), func(one *candidate) bool { return !one.part.worded() })
	if len(found) == 0 {
		found = in.whole(c, attributes)
	}
	if len(found) == 0 {
		found = in.parts(c, attributes)
	}
	for _, other := range others {
		same := func(one *candidate) bool { return other.Kind == scrape.ByPath && in.agree(one, other) }
		if !slices.ContainsFunc(found, same) {
			found = append(found, other)
		}
	}
	return found
}
