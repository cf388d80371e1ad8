package learn

import (
	"strings"

	"github.com/poscrape/poscrape/internal/compare"
)

// Choose returns up to n orders of the sheet to look at, besides those that are used already: each
// the one with the most values that none of the chosen ones has; the first of several. Values that are
// rare and distinct tell places on a page apart.
func Choose(sheet Sheet, n int, used map[string]bool) []Order {
	known := make([]map[string]bool, len(sheet.Columns))
	for i := range known {
		known[i] = map[string]bool{}
	}
	note := func(o Order) {
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

// Nonexistent returns a number that looks like the sheet's, and is none of them, with its digits.
func Nonexistent(sheet Sheet) (po, digits string) {
	taken := map[string]bool{}
	for _, o := range sheet.Orders {
		taken[o.PO] = true
	}
	o := sheet.Orders[0]
	number := []byte(o.Digits)
	for _, by := range "97538642" {
		for i := len(number) - 1; i >= 1; i-- {
			if number[i] >= '0' && number[i] <= '9' {
				number[i] = byte(by)
			}
		}
		digits = string(number)
		po = strings.TrimSuffix(o.PO, o.Digits) + digits
		if !taken[po] {
			return po, digits
		}
	}
	return po + "0", digits + "0"
}
