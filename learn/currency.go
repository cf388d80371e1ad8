package learn

import (
	"regexp"
	"slices"

	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/scrape"
)

// An amount with its currency before it, and behind it.
const (
	markBefore = `[-(]?([^\s\d(-]+)\s?-?\d[\d .,'’]*[-)]?`
	markBehind = `[-(]?\d[\d .,'’]*[-)]?\s?([^\s\d)-]+)`
)

// marks find what stands beside an amount that is all of a text: its currency.
var marks = []*part{newPart("^" + markBefore + "$"), newPart("^" + markBehind + "$")}

func newPart(pattern string) *part { return &part{pattern: pattern, re: regexp.MustCompile(pattern)} }

func (p *part) isMark() bool { return slices.Contains(marks, p) }

// mark returns what finds a column of currencies beside the amounts that a locator finds, or nil.
func (in *induction) mark(c *column, l scrape.Locator) *candidate {
	if c.role != "currency" {
		return nil
	}
	for _, p := range marks {
		if one := in.tally(c, l, p); in.enough(c, one) {
			return one
		}
	}
	return nil
}

// beside returns what finds a column of currencies beside the sheet's own amounts, of which all is the candidates'
// that find these already. A currency belongs to the amount that it stands beside, so no other place is nearer to it.
func (in *induction) beside(c *column, all []*candidate) (own []*candidate) {
	if c.role != "currency" {
		return nil
	}
	for _, amounts := range in.columns {
		if amounts.kind != amountKind && !amounts.whole {
			continue
		}
		f := in.known(amounts)
		if f == nil || f.Unknown != "" || f.Type != scrape.FieldAmount {
			continue
		}
		if f.Match == "" {
			for _, one := range all {
				one.own = one.own || one.part.isMark() && one.Locator == f.Locator
			}
			continue
		}
		lead, tail, ok := sides(f.Match)
		if !ok {
			continue
		}
		for _, mark := range []string{markBefore, markBehind} {
			if one := in.tally(c, f.Locator, newPart(lead+mark+tail)); in.enough(c, one) {
				one.own = true
				own = append(own, one)
			}
		}
	}
	return own
}

// farness orders places of currencies: one that has nothing else, the one beside an amount of the sheet, and others.
func farness(c *column, p *place) int {
	switch best := p.best(); {
	case c.role != "currency", best.part == nil && best.Kind != scrape.ByPath:
		return 0
	case p.own():
		return 1
	}
	return 2
}

// vague returns a symbol that does not say which of several currencies it stands for, or nothing. It is what the
// sheet says even where that is wrong, so it must not be preferred to what tells them apart.
func (in *induction) vague(c *column, one *candidate) string {
	if c.role != "currency" {
		return ""
	}
	values, _ := in.values(c, one)
	if i := slices.IndexFunc(values, func(value string) bool { return len(compare.Currencies(value)) > 1 }); i >= 0 {
		return values[i]
	}
	return ""
}
