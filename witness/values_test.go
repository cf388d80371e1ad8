package witness_test

import (
	"slices"
	"testing"

	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/witness"
)

var columns = []string{"po", "supplier", "total", "date", "site", "buyer", "documents"}

func rows(cells ...string) []tasks.Row { return []tasks.Row{{Line: 2, Cells: cells}} }

// sheet returns the values of eight orders. They all are of one buyer, and two at each site.
func sheet() *witness.Values {
	v := witness.NewValues(columns, []string{"date"}, map[string]int{"po": 0, "documents": 6})
	for _, cells := range [][]string{
		{"PO1001", "ACME GmbH", "1250.00", "2026-03-01", "Hamburg", "Muster AG", "3"}, {"PO1002", "Zeta Ltd.", "99", "2026-03-02", "Hamburg", "Muster AG", "3"},
		{"PO1003", "PO1003 Ltd", "77", "2026-03-03", "Berlin", "Muster AG", "1"}, {"PO1004", "Abc", "1.5", "2026-03-04", "Berlin", "Muster AG", "1"},
		{"PO1005", "Five Ltd", "5000", "2026-03-05", "Kiel", "Muster AG", "1"}, {"PO1006", "Six Ltd", "6000", "2026-03-06", "Kiel", "Muster AG", "1"},
		{"PO1007", "Seven Ltd", "7000", "2026-03-07", "Ulm", "Muster AG", "1"}, {"PO1008", "Eight Ltd", "8000", "2026-03-08", "Ulm", "Muster AG", "1"},
	} {
		v.See(rows(cells...))
	}
	return v
}

func TestValuesOfAPage(t *testing.T) {
	t.Parallel()
	v := sheet()
	acme := tasks.Spec{PO: "PO1001", Digits: "1001", Rows: rows("PO1001", "ACME GmbH", "1250.00", "2026-03-01", "Hamburg", "Muster AG", "3")}
	for text, want := range map[string]string{
		"ACME GmbH": "supplier", "acme gmbh": "supplier", "Supplier: ACME GmbH": "supplier", "A.C.M.E. GmbH": "supplier", "ACME": "", "ACME GmbH & Co": "",
		"1,250.00 EUR": "total", "1.250,00 €": "total", "1250": "total", "Total: 1250": "total", "12500": "",
		"2026-03-01": "", // its column was told to the portal
		"Hamburg":    "site", "Muster AG": "", "PO1001": "", "3": "", "": "",
	} {
		values, row, _ := v.Match(acme, "https://h/orders/1001", []witness.Text{{Text: text, At: 9}})
		var columns []string
		for _, value := range row {
			columns = append(columns, value.Column)
			if value.At != 9 || value.Meaning == 0 {
				t.Errorf("%q is %+v", text, value)
			}
		}
		if values != 3 || !slices.Equal(columns, nonEmpty(want)) {
			t.Errorf("%q is of %d values that of %v, want %q", text, values, columns, want)
		}
	}
	if values, row, _ := v.Match(acme, "https://h/orders?supplier=ACME GmbH", []witness.Text{{Text: "ACME GmbH"}}); values != 2 || len(row) > 0 {
		t.Errorf("what was sent for it is a value: %d, %v", values, row)
	}
	for name, spec := range map[string]tasks.Spec{
		"its number in it": {PO: "PO1003", Digits: "1003", Rows: rows("PO1003", "PO1003 Ltd", "77", "", "", "Muster AG")},
	} {
		if values, row, _ := v.Match(spec, "", []witness.Text{{Text: "PO1003 Ltd"}, {Text: "77"}, {Text: "Muster AG"}}); values != 0 || len(row) > 0 {
			t.Errorf("%s: %d values, %v", name, values, row)
		}
	}
	fraction := tasks.Spec{PO: "PO1004", Digits: "1004", Rows: rows("PO1004", "Abc", "1.5")}
	if values, row, _ := v.Match(fraction, "", []witness.Text{{Text: "1.50"}, {Text: "Abc"}}); values != 1 || len(row) != 1 || row[0].Column != "total" {
		t.Errorf("an amount with a fraction: %d values, %v", values, row)
	}
}

func nonEmpty(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// TestOthersValues: what stands on a page of other rows is told, with the same meaning as it has on theirs.
func TestOthersValues(t *testing.T) {
	t.Parallel()
	v := sheet()
	zeta := tasks.Spec{PO: "PO1002", Digits: "1002", Rows: rows("PO1002", "Zeta Ltd.", "99", "2026-03-02", "Hamburg", "Muster AG", "3")}
	texts := []witness.Text{{Text: "acme gmbh", At: 5}, {Text: "1250", At: 6}, {Text: "Hamburg", At: 7}, {Text: "nothing", At: 8}}
	_, row, others := v.Match(zeta, "", texts)
	if len(row) != 1 || row[0].Column != "site" || len(others) != 2 || others[0].At != 5 || others[1].At != 6 {
		t.Fatalf("of its own are %+v, of others %+v", row, others)
	}
	acme := tasks.Spec{PO: "PO1001", Digits: "1001", Rows: rows("PO1001", "ACME GmbH", "1250.00", "2026-03-01", "Hamburg", "Muster AG", "3")}
	_, row, _ = v.Match(acme, "", texts)
	if len(row) != 3 || row[0].Meaning != others[0].Meaning || row[1].Meaning != others[1].Meaning {
		t.Errorf("for the order that they are of it is %+v, and elsewhere %+v", row, others)
	}
}

// TestOneOrder: in a sheet of one, all its values count.
func TestOneOrder(t *testing.T) {
	t.Parallel()
	v := witness.NewValues([]string{"po", "supplier"}, nil, map[string]int{"po": 0})
	v.See(rows("PO1", "ACME"))
	if values, row, _ := v.Match(tasks.Spec{PO: "PO1", Digits: "1", Rows: rows("PO1", "ACME")}, "", []witness.Text{{Text: "ACME"}}); values != 1 || len(row) != 1 {
		t.Errorf("%d values, %v", values, row)
	}
}
