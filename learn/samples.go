package learn

import (
	"maps"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/compare"
)

// Choose returns up to n orders of the sheet to look at, besides those that are used already: each
// the one with the most values that none of the chosen ones has; the first of several. Values that are
// rare and distinct tell places on a page apart, and so do orders on which columns differ that are often equal.
func Choose(sheet Sheet, n int, used map[string]bool) []Order {
	known := make([]map[string]bool, len(sheet.Columns))
	for i := range known {
		known[i] = map[string]bool{}
	}
	alike := alikePairs(sheet)
	note := func(o Order) {
		for pair := range alike {
			if o.differs(pair) {
				alike[pair]++
			}
		}
		for i := range sheet.Columns {
			known[i][o.fold(i)] = true
		}
	}
	for _, o := range sheet.Orders {
		if used[o.PO] {
			note(o)
		}
	}
	taken := map[string]bool{}
	var chosen []Order
	for len(chosen) < n {
		best, most := -1, -1
		for at, o := range spread(sheet.Orders, n) {
			if used[o.PO] || taken[o.PO] {
				continue
			}
			gain := 0
			for i := range sheet.Columns {
				fold := o.fold(i)
				switch {
				case fold == "":
				case known[i][fold]:
					gain++
				default:
					gain += 3
				}
			}
			for pair, told := range alike {
				if told < toldApart && o.differs(pair) {
					gain += toldGain
				}
			}
			if gain > most {
				best, most = at, gain
			}
		}
		if best < 0 {
			break
		}
		o := spread(sheet.Orders, n)[best]
		taken[o.PO] = true
		note(o)
		chosen = append(chosen, o)
	}
	return chosen
}

// ChooseToCheck returns up to n orders to hold a draft against. Some of them have empty cells where all orders that it
// was learnt from have none: they show whether the page has a value then.
func ChooseToCheck(sheet Sheet, n int, used map[string]bool) []Order {
	filled := make([]bool, len(sheet.Columns))
	for i := range filled {
		empty := func(o Order) bool { return used[o.PO] && o.fold(i) == "" }
		filled[i] = !slices.ContainsFunc(sheet.Orders, empty)
	}
	var chosen []Order
	taken := maps.Clone(used)
	for _, o := range spread(sheet.Orders, n) {
		news := false
		for i := range filled {
			news = news || filled[i] && o.fold(i) == ""
		}
		if !news || taken[o.PO] || 2*len(chosen) >= n {
			continue
		}
		for i := range filled {
			filled[i] = filled[i] && o.fold(i) != ""
		}
		taken[o.PO] = true
		chosen = append(chosen, o)
	}
	return append(chosen, Choose(sheet, n-len(chosen), taken)...)
}

// Columns that are often equal are told apart by several orders: on one of them, the sheet may be wrong. To have
// such an order is worth more than several new values.
const (
	toldApart = 2
	toldGain  = 12
)

// alikePairs returns the pairs of columns that are equal on a good part of the orders, but not on all, with 0 for each.
func alikePairs(sheet Sheet) map[[2]int]int {
	equal, differ := map[[2]int]int{}, map[[2]int]int{}
	for _, o := range sheet.Orders {
		folds := make([]string, len(sheet.Columns))
		for i := range folds {
			folds[i] = o.fold(i)
			for j := range i {
				switch {
				case folds[i] == "" || folds[j] == "":
				case folds[i] == folds[j]:
					equal[[2]int{i, j}]++
				default:
					differ[[2]int{i, j}]++
				}
			}
		}
	}
	pairs := map[[2]int]int{}
	for pair, n := range equal {
		if differ[pair] > 0 && 4*n >= n+differ[pair] {
			pairs[pair] = 0
		}
	}
	return pairs
}

func (o Order) differs(pair [2]int) bool {
	a, b := o.fold(pair[0]), o.fold(pair[1])
	return a != "" && b != "" && a != b
}

// spread returns the orders in an order that begins with ones from all over the sheet: what stands
// together in it is often alike.
func spread(orders []Order, n int) []Order {
	step := max(1, len(orders)/max(1, 2*n))
	var all []Order
	for from := range step {
		for i := from; i < len(orders); i += step {
			all = append(all, orders[i])
		}
	}
	return all
}

func (o Order) fold(column int) string {
	if len(o.Rows) == 0 || column >= len(o.Rows[0]) {
		return ""
	}
	return compare.Fold(strings.TrimSpace(o.Rows[0][column]))
}

// Nonexistent returns an order that looks like the sheet's, with its address, and is none of them; and its number, or
// the cell that stands for that in the address. Where nothing that tells orders apart is in their address, there is none.
func (a Address) Nonexistent(sheet Sheet) (order Order, asked string, ok bool) {
	first := sheet.Orders[0]
	was, err := a.Expand(sheet, first)
	if err != nil {
		return order, "", false
	}
	prefix := strings.TrimSuffix(first.PO, first.Digits)
	order.Digits = unlike(first.Digits, func(digits string) bool {
		return slices.ContainsFunc(sheet.Orders, func(o Order) bool { return o.PO == prefix+digits })
	})
	order.PO, order.Rows, asked = prefix+order.Digits, first.Rows, prefix+order.Digits
	if order.URL, err = a.Expand(sheet, order); err != nil || order.URL != was {
		return order, asked, err == nil
	}
	order.Rows = [][]string{slices.Clone(first.Rows[0])}
	for _, i := range a.columns(sheet) {
		if cell := anotherCell(sheet, i); cell != "" {
			order.Rows[0][i], asked = cell, cell
		}
	}
	order.URL, err = a.Expand(sheet, order)
	return order, asked, err == nil && order.URL != was
}

// anotherCell returns a cell that looks like those of a column, and is none of them, or "" where the column has one
// cell twice. A short one is made longer, as the portal has more of them than the sheet.
func anotherCell(sheet Sheet, column int) string {
	const long = 7
	taken := map[string]bool{}
	for _, o := range sheet.Orders {
		if len(o.Rows) == 0 || column >= len(o.Rows[0]) || taken[o.Rows[0][column]] {
			return ""
		}
		taken[o.Rows[0][column]] = true
	}
	cell := strings.TrimSpace(sheet.Orders[0].Rows[0][column])
	if strings.Trim(cell, "0123456789") == "" {
		cell += strings.Repeat("9", max(0, long-len(cell)))
	}
	if cell = unlike(cell, func(cell string) bool { return taken[cell] }); taken[cell] {
		return ""
	}
	return cell
}

// unlike returns a number with other digits than this one, but for the first, that is not taken.
func unlike(number string, taken func(string) bool) string {
	digits := []byte(number)
	for _, by := range "97538642" {
		for i := len(digits) - 1; i >= 1; i-- {
			if digits[i] >= '0' && digits[i] <= '9' {
				digits[i] = byte(by)
			}
		}
		if !taken(string(digits)) {
			return string(digits)
		}
	}
	return string(digits) + "0"
}
