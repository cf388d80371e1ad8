package learn

import (
	"regexp"
	"slices"

	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/scrape"
)

// marks find what stands beside an amount that is all of a text, before it or behind it: its currency.
var marks = []*part{newPart(`^[-(]?([^\s\d(-]+)\s?-?\d[\d .,'’]*[-)]?$`), newPart(`^[-(]?\d[\d .,'’]*[-)]?\s?([^\s\d)-]+)$`)}

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

// doubtSymbol notes a symbol that does not say which of several currencies it stands for.
func (in *induction) doubtSymbol(c *column, f *Field, best *candidate) {
	if c.role != "currency" {
		return
	}
	values, _ := in.values(c, best)
	for _, value := range values {
		if len(compare.Currencies(value)) > 1 {
			f.doubt("several currencies are written %q", value)
			return
		}
	}
}
