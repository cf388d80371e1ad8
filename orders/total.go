package orders

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/poscrape/poscrape/internal/amount"
	"github.com/poscrape/poscrape/internal/template"
)

// totalWords are what totals are called, folded.
var totalWords = foldedSet(
	"total", "totals", "grand total", "sub total", "overall total", "sum", "sums", "sum total",
	"summe", "summen", "gesamt", "gesamtsumme", "zwischensumme", "endsumme", "teilsumme", "gesamtbetrag",
	"somme", "total général", "sous total", "total generale", "totale", "subtotale", "totale generale", "total geral", "total general", "suma", "suma total",
	"totaal", "subtotaal", "eindtotaal", "totalt", "summa", "delsumma", "razem", "ogółem", "celkem", "yhteensä", "i alt",
	"итого", "всего", "合計", "小計", "総計", "合计", "小计", "总计", "Σ",
)

func foldedSet(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[template.FoldColumn(name)] = true
	}
	return set
}

var (
	// currencyMark is a currency beside an amount or behind the word total.
	currencyMark = regexp.MustCompile(`^\(?(\p{Lu}{3}|\p{Sc})\)?$`)
	// labelled is a text whose first word may be the word total: "Total: 12 orders".
	labelled = regexp.MustCompile(`^\p{L}+[\s:(]`)
)

// isTotalWord reports whether a cell is just a word for a total.
func isTotalWord(cell string) bool {
	var words []string
	for _, word := range strings.Fields(strings.TrimSuffix(cell, ":")) {
		if len(words) == 0 || !currencyMark.MatchString(word) {
			words = append(words, word)
		}
	}
	return totalWords[template.FoldColumn(strings.Join(words, " "))]
}

func beginsWithTotal(cell string) bool {
	word := labelled.FindString(cell)
	return word != "" && totalWords[template.FoldColumn(word)]
}

// siftTotals finds the totals and subtotals.
func (r *rowReader) siftTotals(entries []*entry) {
	s := summer{entries: entries, columns: map[int]map[string][]float64{}, orders: make([]int, len(entries)+1)}
	for i, e := range entries {
		if s.orders[i+1] = s.orders[i]; e.numberErr == nil {
			s.orders[i+1]++
		}
	}
	since := 0
	for i, e := range entries {
		if e.skipped == "" && (e.numberErr != nil || beginsWithTotal(trimInvisible(e.row.Raw))) && r.isTotal(e, i, since, &s) {
			e.skipped = "it is a total"
			since = i + 1
		}
	}
}

// isTotal reports whether a row is a total of rows above it, those from since on or all. A word
// for it is not enough where it may be a supplier's name, and none is needed where an amount
// says so.
func (r *rowReader) isTotal(e *entry, i, since int, s *summer) bool {
	po := trimInvisible(e.row.Raw)
	exact, begins := isTotalWord(po), beginsWithTotal(po)
	if po != "" && !exact && !begins || e.link != "" {
		return false
	}
	rest := r.restOf(e, exact)
	sums := func(atLeast int) bool {
		return slices.ContainsFunc(rest.amounts, func(column int) bool { return s.isSum(i, since, column, atLeast) })
	}
	switch {
	case exact || rest.word && po == "":
		return !rest.others || sums(1)
	case begins:
		return sums(2)
	case rest.doubtful:
		return !rest.others && sums(1)
	}
	return !rest.others && sums(2)
}

// rest is what stands in a row beside its number.
type rest struct {
	// word: there is a word for a total; doubtful: it may be somebody's name.
	word, doubtful bool
	// others: there are texts that no total has.
	others bool
	// amounts are the columns of those.
	amounts []int
}

// restOf looks at a row beside its number. In a total it may say of how many orders it is, or
// of which day.
func (r *rowReader) restOf(e *entry, total bool) (rest rest) {
	for column, cell := range r.columns.sheet(e.row.Cells) {
		cell = trimInvisible(cell)
		ofPeople := r.columns.is(column, roleSupplier) || r.columns.is(column, roleBuyer)
		switch {
		case cell == "" || r.columns.is(column, rolePO) || currencyMark.MatchString(cell):
		case isTotalWord(cell) && ofPeople:
			rest.doubtful = true
		case isTotalWord(cell):
			rest.word = true
		case len(amount.Readings(cell)) > 0:
			rest.amounts = append(rest.amounts, column)
		case total && !ofPeople && strings.IndexAny(cell, "0123456789") == 0: // "12 orders", a date
		default:
			rest.others = true
		}
	}
	return rest
}

// summer sums up the amounts of orders.
type summer struct {
	entries []*entry
	// columns have, for each way of writing amounts, the sums of the orders above each row.
	columns map[int]map[string][]float64
	// orders counts those above each row.
	orders []int
}

// isSum reports whether the amount in a column of row i is the sum of those above it, from row
// since on or of all, where these are at least so many.
func (s *summer) isSum(i, since, column, atLeast int) bool {
	const cent = 0.005
	sums := s.sums(column)
	for style, text := range amount.Readings(s.entries[i].row.Cells[column]) {
		value, err := strconv.ParseFloat(text, 64)
		if err != nil || math.Abs(value) < cent || sums[style] == nil {
			continue
		}
		for _, from := range []int{since, 0} {
			if s.orders[i]-s.orders[from] >= atLeast && math.Abs(sums[style][i]-sums[style][from]-value) < cent {
				return true
			}
		}
	}
	return false
}

func (s *summer) sums(column int) map[string][]float64 {
	if sums, ok := s.columns[column]; ok {
		return sums
	}
	sums := map[string][]float64{}
	for i, e := range s.entries {
		if e.numberErr == nil && column < len(e.row.Cells) {
			for style, text := range amount.Readings(e.row.Cells[column]) {
				if sums[style] == nil {
					sums[style] = make([]float64, len(s.entries)+1)
				}
				sums[style][i+1], _ = strconv.ParseFloat(text, 64)
			}
		}
	}
	for _, sum := range sums {
		for i := range s.entries {
			sum[i+1] += sum[i]
		}
	}
	s.columns[column] = sums
	return sums
}
