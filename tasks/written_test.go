package tasks_test

import (
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

func TestAsWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ po, digits, raw, want, end string }{
		{"PO1001", "1001", "po 1001", "PO1001", "1001"},
		{"8010060000MRATD", "8010060000MRATD", " 8010060000MRatd ", "8010060000MRatd", "8010060000MRatd"},
		{"PO12AB", "12AB", "po#12ab", "PO12ab", "12ab"},
		{"PO12AB", "12AB", "12Ab", "PO12Ab", "12Ab"},
		{"0012AB", "0012AB", `="0012ab"`, "0012AB", "0012AB"},
		{"12STRASSE", "12STRASSE", "12straße", "12STRASSE", "12STRASSE"},
		{"12AB", "12AB", "", "12AB", "12AB"},
	} {
		po, end := tasks.Spec{PO: c.po, Digits: c.digits, Rows: []tasks.Row{{Raw: c.raw}}}.AsWritten()
		if po != c.want || end != c.end {
			t.Errorf("%q as written in %q is %q, %q; want %q, %q", c.po, c.raw, po, end, c.want, c.end)
		}
	}
	if po, _ := (tasks.Spec{PO: "AB1"}).AsWritten(); po != "AB1" {
		t.Errorf("without a row: %q", po)
	}
}
