package learn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/scrape"
)

// TestLines has two tables on each page: the order's lines, and a longer list of visits, which no sheet confirms.
func TestLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rows int // of the sheet, for each order
		cell func(i, total int) string
		says string
	}{
		"the total": {1, func(_, total int) string { return fmt.Sprintf("%d.00", total) }, "Amount adds up to column amount on 4 of 4"},
		"the rows":  {3, func(int, int) string { return "" }, "as many rows on 4 of 4"},
		"nothing":   {1, func(i, _ int) string { return fmt.Sprintf("%d.50", i+3) }, ""},
	} {
		b := newBook("amount")
		for i := range 4 {
			total := 3*(100*i+20) + 6
			b.order([]string{c.cell(i, total)}, at(1, fmt.Sprint("x", i), label("Other"))...)
			page := &b.pages[i]
			for range c.rows - 1 {
				page.Rows = append(page.Rows, page.Rows[0])
			}
			lines := scrape.Table{Heads: []string{"Item", "Amount", "Plant"}, Found: []scrape.Locator{selector(scrape.ByID, "#lines tr")}, Columns: []string{"td.i", "td.a", "td.p"}}
			visits := scrape.Table{Heads: []string{"Day", "Who", "From"}, Found: []scrape.Locator{selector(scrape.ByID, "#visits tr")}, Columns: []string{"td.d", "td.w", "td.f"}}
			for k := range 3 {
				lines.Rows = append(lines.Rows, []string{"x", fmt.Sprintf("%d.00", 100*i+20+2*k), "P1"})
			}
			for k := range 7 {
				visits.Rows = append(visits.Rows, []string{fmt.Sprint(k + i), "a", "b"})
			}
			page.Tables = []scrape.Table{visits, lines}
		}
		got := Learn(b.Sheet, b.pages).Lines
		want := "#lines tr"
		if c.says == "" {
			want = "#visits tr"
		}
		if got == nil || got.Row != want || !strings.Contains(got.Says, c.says) || (got.Says == "") != (c.says == "") {
			t.Errorf("%s: the lines are %+v", name, got)
		}
	}
}
