package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/poscrape/poscrape/internal/spelling"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/tasks"
)

// mostProbed is how many orders are opened at most.
const mostProbed = 100

// choose returns the orders that a --probe means: those of its numbers, or so many of all. A
// number that an order has is that order; a comma makes it a list in any case. It returns a
// *setup.ConfigError.
func choose(probe string, all []orders.PurchaseOrder) ([]orders.PurchaseOrder, error) {
	bad := func(format string, args ...any) error {
		return &setup.ConfigError{Field: "probe", Message: fmt.Sprintf(format, args...)}
	}
	probe = strings.TrimSpace(probe)
	n, err := strconv.Atoi(probe)
	if isCount := err == nil && len(find(probe, all)) == 0; isCount {
		if n < 1 || n > mostProbed {
			return nil, bad("%d is out of bounds: between 1 and %d orders can be opened; an order's own number needs a comma: --probe %d,", n, mostProbed, n)
		}
		return spread(n, all), nil
	}
	var chosen []orders.PurchaseOrder
	for number := range strings.SplitSeq(probe, ",") {
		if number = strings.TrimSpace(number); number == "" {
			continue
		}
		found := find(number, all)
		if len(found) == 0 {
			return nil, bad("the sheet has no order %s%s", number, nearest(number, all))
		}
		for _, o := range found {
			if !slices.ContainsFunc(chosen, func(c orders.PurchaseOrder) bool { return c.Dir == o.Dir }) {
				chosen = append(chosen, o)
			}
		}
	}
	switch {
	case len(chosen) == 0:
		return nil, bad("it names no orders; write how many, or their numbers: --probe 3, --probe PO1001,PO1002")
	case len(chosen) > mostProbed:
		return nil, bad("it names %d orders, and at most %d can be opened", len(chosen), mostProbed)
	}
	return chosen, nil
}

// find returns the orders of a number, as people write it.
func find(number string, all []orders.PurchaseOrder) (found []orders.PurchaseOrder) {
	var byDigits []orders.PurchaseOrder
	for _, o := range all {
		switch spec := o.Spec(); {
		case isCalled(&spec, number):
			found = append(found, o)
		case folded(spec.Digits) == folded(number):
			byDigits = append(byDigits, o)
		}
	}
	if len(found) == 0 {
		return byDigits
	}
	return found
}

// isCalled reports whether a number is the order's, or what a row of it says, as people write it.
func isCalled(o *tasks.Spec, number string) bool {
	want := folded(number)
	return folded(o.PO) == want || slices.ContainsFunc(o.Rows, func(row tasks.Row) bool { return folded(row.Raw) == want })
}

// folded returns a number without what does not matter when people write it.
func folded(number string) string {
	return strings.ToUpper(strings.Join(strings.FieldsFunc(number, func(r rune) bool { return r == ' ' || r == '-' || r == '#' }), ""))
}

func nearest(number string, all []orders.PurchaseOrder) string {
	var known []string
	for _, o := range all[:min(len(all), 5000)] {
		known = append(known, o.Number)
	}
	if near := spelling.Nearest(strings.ToUpper(number), known); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return ""
}

// spread returns n orders from all over the sheet, the first among them; of several portals,
// so many of each in turn as there are.
func spread(n int, all []orders.PurchaseOrder) (chosen []orders.PurchaseOrder) {
	var portals []string
	of := map[string][]orders.PurchaseOrder{}
	for _, o := range all {
		if of[o.Portal] == nil {
			portals = append(portals, o.Portal)
		}
		of[o.Portal] = append(of[o.Portal], o)
	}
	for i, portal := range portals {
		list := of[portal]
		share := min(len(list), max(1, (n+len(portals)-1-i)/len(portals)))
		for k := range share {
			chosen = append(chosen, list[k*len(list)/share])
		}
	}
	return chosen
}
