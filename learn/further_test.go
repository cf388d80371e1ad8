package learn

import (
	"fmt"
	"maps"
	"testing"
)

// TestFurtherValuesAreTyped suggests further values as amounts and dates where those of the sheet's columns are
// written so, and all of them can be read.
func TestFurtherValuesAreTyped(t *testing.T) {
	t.Parallel()
	b := newBook("amount", "issued")
	for i := range names {
		b.order([]string{fmt.Sprintf("%d.%d0", 1000+37*i, i), fmt.Sprintf("2025-03-%d", 20+i)}, all(
			at(1, fmt.Sprintf("1.%03d,%d0", 37*i, i), label("Total")), at(2, fmt.Sprintf("%d.03.2025", 20+i), label("Issued")),
			at(3, fmt.Sprintf("%d,50 €", 70+i), label("Net")), at(4, fmt.Sprintf("%d.04.2025", 10+i), label("Due")),
			at(5, fmt.Sprintf("70%d", i), label("Ref")), at(6, []string{"7,50", "8,50", "on request", "9,50", "1,50"}[i], label("Fee")))...)
	}
	d := Learn(b.Sheet, b.pages)
	got := map[string]string{}
	for _, f := range d.Others {
		got[f.Name] = f.rule()
	}
	want := map[string]string{"net": `net: {label: "Net", type: amount, locale: de}`, "due": `due: {label: "Due", type: date, layout: "02.01.2006"}`,
		"ref": `ref: {label: "Ref"}`, "fee": `fee: {label: "Fee"}`}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
