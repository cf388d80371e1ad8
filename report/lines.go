package report

import (
	"maps"
	"slices"

	"github.com/poscrape/poscrape/internal/compare"
)

// lineColumns are the columns that any order's lines have, with how they are written.
type lineColumns map[string]*compare.Column

func (c lineColumns) see(lines []map[string]string) {
	for _, line := range lines {
		for name, text := range line {
			if c[name] == nil {
				c[name] = compare.NewColumn()
			}
			c[name].See(text)
		}
	}
}

func (c lineColumns) names() []string { return slices.Sorted(maps.Keys(c)) }
