package learn

import (
	"fmt"
	"strings"

	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/scrape"
)

// enoughValues is how many different values must have been right for a field to be sure.
const enoughValues = 3

// doubtPlace notes what speaks against a field's own place, and by what else it is found there.
func (in *induction) doubtPlace(f *Field, p *place, data []*candidate) {
	best := p.best()
	families := in.also(f, p, data)
	switch {
	case best.Kind == scrape.ByPath:
		f.Unknown = "only its place in the page finds it, and that moves when anything is added to the page"
	case families < 2:
		f.doubt("nothing but %s finds it", kindName(best.Kind))
	}
	switch {
	case f.distinct == 1:
		f.doubt("it is the same on all orders that were looked at")
	case f.distinct < enoughValues:
		f.doubt("only %d different values were seen", f.distinct)
	}
	if 4*best.other.count() > best.equal.count()+best.other.count() {
		f.doubt("the sheet says something else on %d of %d", best.other.count(), f.Compared)
	}
}

// also notes by what else a field is found at its place, and returns how many families of locators do.
func (in *induction) also(f *Field, p *place, data []*candidate) int {
	best := p.best()
	families, kinds := map[string]bool{}, map[scrape.LocatorKind]bool{best.Kind: true}
	for _, one := range p.locators {
		if one.differs || !best.there.within(one.there) || !in.agree(best, one) {
			continue
		}
		families[family(one.Locator)] = true
		if one.Kind != scrape.ByPath && one.Frame == best.Frame && one.Attr == best.Attr && !kinds[one.Kind] && samePart(one.part, best.part) {
			kinds[one.Kind] = true
			f.Also = append(f.Also, Further{Locator: one.Locator})
		}
	}
	if l, behind := in.named(best); l != nil && !families["markup"] {
		families["markup"] = true
		if behind {
			f.Also = append(f.Also, Further{*l, `^[^:：]+[:：] ?(.+)$`})
		}
	}
	for _, one := range data {
		if best.there.within(one.there) && in.same(best, one) {
			families["data"] = true
		}
	}
	return len(families)
}

// same reports whether two candidates find what means the same, however it is written.
func (in *induction) same(a, b *candidate) bool {
	for i, page := range in.pages {
		if !a.there[i] || !b.there[i] {
			continue
		}
		x := page.take(a.Locator, a.part)
		y := page.take(b.Locator, b.part)
		if a.equal[i] != b.equal[i] || compare.Fold(x) != compare.Fold(y) && !a.equal[i] {
			return false
		}
	}
	return true
}

// named returns a name in the markup that stands for the element that has a label and its value on every page, or
// nil, and whether nothing but a colon stands between the two.
func (in *induction) named(best *candidate) (name *scrape.Locator, behind bool) {
	if best.Kind != scrape.ByLabel {
		return nil, false
	}
	for _, l := range in.locators {
		is, colon := family(l) == "markup" && l.Frame == best.Frame, best.part == nil
		for i, page := range in.pages {
			if !is || !best.there[i] {
				continue
			}
			f, value := page.finds[l], page.finds[best.Locator].Value
			is = f != nil && !f.Differ && f.At == page.finds[best.Locator].At && strings.HasSuffix(f.Value, value)
			colon = colon && is && beforeColon(strings.TrimSuffix(f.Value, value), best.Label)
		}
		if is {
			return &l, colon
		}
	}
	return nil, false
}

func beforeColon(text, label string) bool {
	text = strings.TrimSpace(text)
	word := strings.TrimSpace(strings.TrimRight(text, ":："))
	return word != text && !strings.ContainsAny(word, ":：") && compare.Fold(word) == compare.Fold(label)
}

// inside reports whether what a candidate finds stands in what another one finds, on every page that has both.
func (in *induction) inside(a, b *candidate) bool {
	common := 0
	for i, page := range in.pages {
		inner, outer := page.finds[a.Locator], page.finds[b.Locator]
		if !a.there[i] || !b.there[i] || inner == nil || outer == nil {
			continue
		}
		if inner.Within != outer.At+1 {
			return false
		}
		common++
	}
	return common > 0
}

func kindName(k scrape.LocatorKind) string {
	switch k {
	case scrape.ByWords:
		return "the words beside it"
	case scrape.ByID:
		return "its id"
	case scrape.ByAttr:
		return "its attribute"
	case scrape.ByData:
		return "its place in the data"
	}
	return "its " + string(k)
}

func samePart(a, b *part) bool {
	return a == nil && b == nil || a != nil && b != nil && a.pattern == b.pattern
}

// agree reports whether two candidates find the same values.
func (in *induction) agree(a, b *candidate) bool {
	for i, page := range in.pages {
		if !a.there[i] || !b.there[i] {
			continue
		}
		x := page.take(a.Locator, a.part)
		y := page.take(b.Locator, b.part)
		if compare.Fold(x) != compare.Fold(y) {
			return false
		}
	}
	return true
}

// doubtRivals notes which other places have the column's values. Of one without a label, the page itself
// does not say that it is something else than what is called as the column is. One that stands in the first, or around
// it, is the same; and beside other amounts stands the currency that another place names, or that of the sheet's own
// amount, by nature.
func (in *induction) doubtRivals(c *column, f *Field, places []*place) {
	first := places[0].best()
	named := in.unlike(c, first) == 0
	for _, p := range places[1:] {
		rival := p.best()
		if in.vague(c, rival) != "" && in.vague(c, first) == "" {
			continue
		}
		if rival.equal.meets(first.other) {
			f.Unknown = fmt.Sprintf("two places have its values on different orders: %s, and %s", Words(first.Locator), Words(rival.Locator))
			return
		}
		if first.part == nil && in.inside(rival, first) || rival.part == nil && in.inside(first, rival) {
			continue
		}
		if (rival.part.isMark() || rival.own) && (first.part == nil || places[0].own()) {
			continue
		}
		if first.equal.within(rival.equal) && !rival.other.meets(first.equal) && (!named || p.label() != "") {
			f.doubt("%s shows the same, and no order tells them apart", Words(rival.Locator))
			return
		}
	}
}
