package orders_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/orders"
)

// TestDocumentsColumn: a column of that name is one of how many documents orders have only where each filled cell is
// such a number, and what it says counts for an order only where a person has named the column.
func TestDocumentsColumn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cells   string // of PO1, PO1 again, and PO2
		named   string
		role    bool
		notice  string
		counts  string // of both orders
		warning string
	}{
		"by its name":               {cells: "3 3 0", role: true, notice: "is taken for how many documents an order has"},
		"by a person":               {cells: "3 3 0", named: "Documents", role: true, counts: "3 0"},
		"with decimals":             {cells: "3.0 3 10000", named: "Documents", role: true, counts: "3 10000"},
		"rows that differ":          {cells: "3 2 1", named: "Documents", role: true, counts: "- 1"},
		"one row is silent":         {cells: "- 2 -", named: "Documents", role: true, counts: "2 -"},
		"names of files":            {cells: "a.pdf 2 3"},
		"too many":                  {cells: "10001 2 3"},
		"negative":                  {cells: "-1 2 3"},
		"all silent":                {cells: "- - -"},
		"a wrong cell, by a person": {cells: "3 3 many", named: "Documents", role: true, counts: "3 -", warning: `"many" is no number of documents`},
		"none, by a person":         {cells: "3 3 0", named: "none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cells := strings.Fields(c.cells)
			for i := range cells {
				if cells[i] == "-" {
					cells[i] = `""`
				}
			}
			text := fmt.Sprintf("po,url,Documents\nPO1,https://h/1,%s\nPO1,https://h/1,%s\nPO2,https://h/2,%s\n", cells[0], cells[1], cells[2])
			options := orders.Options{Columns: map[string]string{}}
			if c.named != "" {
				options.Columns["documents"] = c.named
			}
			sheet, err := orders.Read("pos.csv", strings.NewReader(text), options)
			if err != nil {
				t.Fatal(err)
			}
			if _, has := sheet.Input.Roles["documents"]; has != c.role {
				t.Errorf("the roles are %v", sheet.Input.Roles)
			}
			var counts []string
			for _, o := range sheet.Orders {
				if o.Sheet.Documents == nil {
					counts = append(counts, "-")
				} else {
					counts = append(counts, fmt.Sprint(*o.Sheet.Documents))
				}
			}
			if want := map[bool]string{true: "- -", false: c.counts}[c.counts == ""]; strings.Join(counts, " ") != want {
				t.Errorf("the orders have %v, want %s", counts, want)
			}
			if notes := strings.Join(sheet.Notes, "\n"); (notes != "") != (c.notice != "") || !strings.Contains(notes, c.notice) {
				t.Errorf("the notes are %q", notes)
			}
			if (len(sheet.Problems) > 0) != (c.warning != "") || c.warning != "" && !strings.Contains(sheet.Problems[0].Message, c.warning) {
				t.Errorf("the problems are %v", sheet.Problems)
			}
		})
	}
}
