package witness

import (
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/poscrape/poscrape/internal/amount"
	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/tasks"
)

const (
	// least is how many letters or digits a value has at least that is neither a date nor an amount, and leastDigits
	// how many digits an amount without a fraction or a currency.
	least, leastDigits = 4, 3
	// A value may stand in a quarter of the orders at most.
	quarter = 4
)

// Values are those of a sheet's rows that can tell one order's page from another's. All rows have to be seen before
// the first page; from then on, many goroutines may use it.
type Values struct {
	columns []string
	// without are columns whose cells say nothing of a page.
	without map[int]bool
	// on is in how many orders a value stands, by what it means.
	on     map[string]int
	orders int
	// years are those of its days, in four and two digits, and digits those of its amounts without the zeros at both
	// ends: reading each text of a page as a day or an amount would take longer than all else.
	years, digits map[string]bool
}

// NewValues returns those of a sheet with these columns. Told are the columns whose cells portals get from this
// program, and roles what columns were taken for, as in tasks.Input.
func NewValues(columns, told []string, roles map[string]int) *Values {
	v := &Values{columns: columns, without: map[int]bool{}, on: map[string]int{}, years: map[string]bool{}, digits: map[string]bool{}}
	for i, column := range columns {
		v.without[i] = slices.Contains(told, column)
	}
	for _, role := range []string{"po", "url", "documents", "portal"} {
		if i, is := roles[role]; is {
			v.without[i] = true
		}
	}
	return v
}

// See takes the rows of an order into account.
func (v *Values) See(rows []tasks.Row) {
	v.orders++
	meanings := map[string]bool{}
	v.cells(rows, func(_ int, cell string) {
		for _, meaning := range meaningsOf(cell, true, true) {
			meanings[meaning] = true
		}
	})
	for meaning := range meanings {
		v.on[meaning]++
		if day, is := strings.CutPrefix(meaning, "day "); is {
			v.years[day[:4]], v.years[day[2:4]] = true, true
		} else if value, is := strings.CutPrefix(meaning, "amount "); is {
			v.digits[core(value)] = true
		}
	}
}

// cells calls use with each cell that may be a value, and its column.
func (v *Values) cells(rows []tasks.Row, use func(column int, cell string)) {
	for _, row := range rows {
		for i, cell := range row.Cells {
			if i < len(v.columns) && !v.without[i] {
				use(i, strings.TrimSpace(cell))
			}
		}
	}
}

// Any reports whether there are values at all. Of nil there are none.
func (v *Values) Any() bool { return v != nil && len(v.on) > 0 }

// Text is one that stands alone on a page, at a place: a hash of it.
type Text struct {
	Text string `json:"text"`
	At   uint32 `json:"at"`
}

// Match returns how many values of an order's rows can show that a page is the order's, those of them that are among
// the page's texts, and values of other rows that are.
// Sent is what was sent to the portal for the order, not escaped.
func (v *Values) Match(spec tasks.Spec, sent string, texts []Text) (values int, row, others []tasks.Value) {
	own := map[string]tasks.Value{} // by what they mean
	of := map[string]bool{}
	number, sent := compare.Fold(spec.Digits), compare.Fold(sent)
	v.cells(spec.Rows, func(column int, cell string) {
		meanings := meaningsOf(cell, true, true)
		for _, meaning := range meanings {
			of[meaning] = true
		}
		folded := compare.Fold(cell)
		if number != "" && strings.Contains(folded, number) || strings.Contains(sent, folded) {
			return
		}
		telling := slices.DeleteFunc(meanings, func(meaning string) bool { return v.on[meaning] > max(1, v.orders/quarter) })
		for _, meaning := range telling {
			own[meaning] = tasks.Value{Column: v.columns[column], Text: cell}
		}
		if len(telling) > 0 {
			values++
		}
	})
	for _, text := range texts {
		v.match(text, own, of, &row, &others)
	}
	return values, row, others
}

// match adds what a text on the page is of the order's own values, or of others'.
func (v *Values) match(text Text, own map[string]tasks.Value, of map[string]bool, row, others *[]tasks.Value) {
	said := []string{text.Text}
	if _, value, labelled := strings.Cut(text.Text, ":"); labelled {
		said = append(said, strings.TrimSpace(value))
	}
	for _, one := range said {
		day, amount := v.may(one)
		meanings := meaningsOf(one, day, amount)
		for _, meaning := range meanings {
			if value, is := own[meaning]; is {
				value.At, value.Meaning = text.At, hash(meaning)
				*row = append(*row, value)
				return
			}
		}
		if slices.ContainsFunc(meanings, func(meaning string) bool { return of[meaning] }) {
			return
		}
		for _, meaning := range meanings {
			if v.on[meaning] > 0 {
				*others = append(*others, tasks.Value{At: text.At, Meaning: hash(meaning)})
				return
			}
		}
	}
}

func hash(text string) uint32 {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(text)) // which never fails
	return sum.Sum32()
}

// may reports whether a text of a page may mean one of the sheet's days, or amounts.
func (v *Values) may(text string) (day, amount bool) {
	if strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsDigit(r) }) {
		return true, true
	}
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
		n := len(run)
		day = day || v.years[run] || n >= 6 && (v.years[run[:4]] || v.years[run[:2]] || v.years[run[n-2:]] || v.years[run[n-4:]])
	}
	return day, v.digits[core(text)]
}

// core returns the digits of a text without the zeros at both ends.
func core(text string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text), "0")
}

// meaningsOf returns what a text can mean as a value, or nothing where it says too little. Whether it is read as a
// day, or an amount, is given.
func meaningsOf(text string, asDay, asAmount bool) (all []string) {
	if text == "" || len(text) > 200 {
		return nil
	}
	letters, digits := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	if letters+digits >= least {
		all = append(all, "text "+compare.Fold(text))
	}
	if digits == 0 {
		return all
	}
	if asDay {
		for _, day := range slices.Sorted(maps.Values(compare.Dates(text))) {
			all = append(all, "day "+day)
		}
	}
	if !asAmount {
		return slices.Compact(all)
	}
	for _, value := range slices.Sorted(maps.Values(amount.Readings(text))) {
		if strings.Contains(value, ".") {
			value = strings.TrimRight(strings.TrimRight(value, "0"), ".")
		}
		if digits >= leastDigits || letters > 0 || strings.Trim(text, "0123456789+-' ") != "" {
			all = append(all, "amount "+value)
		}
	}
	return slices.Compact(all)
}
