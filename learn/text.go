package learn

import (
	"math/big"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/poscrape/poscrape/internal/amount"
	"github.com/poscrape/poscrape/internal/compare"
)

// text is what a text on a page can mean.
type text struct {
	raw     string
	fold    string
	words   string
	numbers map[string]*big.Rat // by the way of writing
	days    map[string]string   // by layout
}

// texts remembers what texts mean: many pages show the same.
type texts map[string]*text

func (ts texts) of(raw string) *text {
	if t := ts[raw]; t != nil {
		return t
	}
	t := &text{raw: raw, fold: compare.Fold(raw), words: wordsOf(raw)}
	if strings.ContainsAny(raw, "0123456789") {
		for style, value := range amount.Readings(raw) {
			if n, ok := new(big.Rat).SetString(value); ok {
				if t.numbers == nil {
					t.numbers = map[string]*big.Rat{}
				}
				t.numbers[style] = n
			}
		}
		t.days = compare.Dates(raw)
	}
	ts[raw] = t
	return t
}

// wordsOf returns the words of a text in one order, if there are several: lists of an office have "Hansen,
// Jan", or a supplier's number before its name, where a portal shows "Jan Hansen", or the number behind it.
func wordsOf(raw string) string {
	words := strings.FieldsFunc(strings.ToLower(norm.NFKC.String(raw)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) < 2 {
		return ""
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// is reports whether the text says what the cell says.
func (t *text) is(c *column, want *cell) bool {
	switch c.kind {
	case amountKind:
		for _, n := range t.numbers {
			if slices.ContainsFunc(want.numbers, func(w *big.Rat) bool { return w.Cmp(n) == 0 }) {
				return true
			}
		}
		return false
	case dateKind:
		for _, day := range t.days {
			if slices.Contains(want.days, day) {
				return true
			}
		}
		return false
	}
	if t.fold != "" && (slices.Contains(want.folds, t.fold) || t.words != "" && slices.Contains(want.words, t.words)) {
		return true
	}
	return c.role == "currency" && compare.SameCurrency(want.raw, t.raw)
}
