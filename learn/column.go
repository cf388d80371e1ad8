package learn

import (
	"math/big"
	"regexp"
	"strings"

	"github.com/poscrape/poscrape/internal/amount"
	"github.com/poscrape/poscrape/internal/compare"
)

// kind says what the cells of a column are.
type kind int

const (
	textKind kind = iota
	amountKind
	dateKind
)

// mostly is how many of a column's filled cells must be of a kind: a sheet is wrong here and there.
const mostly = 0.6

// column is what is known of a column's cells, from the whole sheet.
type column struct {
	index      int
	name       string
	role       string
	kind       kind
	filled     int
	distinct   map[string]int
	styles     map[string]int // in how many cells a way of writing amounts fits
	layouts    map[string]int
	bestStyle  int
	bestLayout int
	// whole: its cells are whole numbers, which may be amounts or codes; the pages tell.
	whole bool
}

func newColumn(index int, name, role string, cells []string) *column {
	c := &column{index: index, name: name, role: role, distinct: map[string]int{}, styles: map[string]int{}, layouts: map[string]int{}}
	numbered, dated, codes, plain := 0, 0, 0, 0
	for _, cell := range cells {
		cell = strings.TrimSpace(cell)
		if cell == "" {
			continue
		}
		c.filled++
		c.distinct[compare.Fold(cell)]++
		if !strings.ContainsAny(cell, "0123456789") {
			continue
		}
		if readings := amount.Readings(cell); len(readings) > 0 {
			numbered++
			for style := range readings {
				c.styles[style]++
			}
		}
		if isCode(cell) {
			codes++
		}
		if strings.Trim(cell, "0123456789") == "" {
			plain++
		}
		if days := compare.Dates(cell); len(days) > 0 && strings.Trim(cell, "0123456789") != "" {
			dated++
			for layout := range days {
				c.layouts[layout]++
			}
		}
	}
	most := func(n int) bool { return c.filled > 0 && float64(n) >= mostly*float64(c.filled) }
	switch {
	case most(dated):
		c.kind = dateKind
	case most(numbered) && (role == "amount" || codes == 0 && numbered > plain):
		c.kind = amountKind
	case most(numbered) && codes == 0:
		c.whole = true
	}
	c.bestStyle, c.bestLayout = highest(c.styles), highest(c.layouts)
	return c
}

// isCode reports whether a cell is a number whose leading zeros count, or one that a hyphen ties to letters: "R-4711"
// is no amount below zero.
func isCode(cell string) bool {
	return len(cell) > 1 && cell[0] == '0' && cell[1] >= '0' && cell[1] <= '9' || tied.MatchString(cell)
}

var tied = regexp.MustCompile(`^\pL+-\d+$`)

// asAmounts returns the column with its cells taken for amounts.
func (c *column) asAmounts() *column {
	amounts := *c
	amounts.kind = amountKind
	return &amounts
}

func highest(counts map[string]int) (most int) {
	for _, n := range counts {
		most = max(most, n)
	}
	return most
}

// cell is what one order's cells in a column can mean.
type cell struct {
	raw     string
	folds   []string
	words   []string
	numbers []*big.Rat
	days    []string
}

// cellOf returns what the cells of an order's rows mean; any of them may be right, and so may be
// the sum of several amounts.
func (c *column) cellOf(rows [][]string) *cell {
	one := &cell{}
	sums, counts := map[string]*big.Rat{}, map[string]int{}
	for _, cells := range rows {
		if c.index >= len(cells) || strings.TrimSpace(cells[c.index]) == "" {
			continue
		}
		raw := strings.TrimSpace(cells[c.index])
		if one.raw == "" {
			one.raw = raw
		}
		if fold := compare.Fold(raw); fold != "" {
			one.folds = append(one.folds, fold)
		}
		if words := wordsOf(raw); words != "" {
			one.words = append(one.words, words)
		}
		for style, text := range amount.Readings(raw) {
			if n, ok := new(big.Rat).SetString(text); ok && c.kind == amountKind && c.styles[style] == c.bestStyle {
				one.numbers = append(one.numbers, n)
				if sums[style] == nil {
					sums[style] = new(big.Rat)
				}
				sums[style].Add(sums[style], n)
				counts[style]++
			}
		}
		if c.kind == dateKind {
			for layout, day := range compare.Dates(raw) {
				if c.layouts[layout] == c.bestLayout {
					one.days = append(one.days, day)
				}
			}
		}
	}
	for style, sum := range sums {
		if counts[style] > 1 {
			one.numbers = append(one.numbers, sum)
		}
	}
	if one.raw == "" {
		return nil
	}
	return one
}

// weak: that a text equals this cell says little.
func (c *column) weak(one *cell) bool {
	return len([]rune(one.raw)) < 3 || len(c.distinct) < 3
}
