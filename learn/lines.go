package learn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/scrape"
)

// Lines say where the order's lines are.
type Lines struct {
	Row     string
	Columns []LineColumn
	// Found is how many rows it finds on how many pages.
	Found, On int
	// Says is what the sheet says for them, or empty.
	Says string
}

// LineColumn is one column of the lines.
type LineColumn struct {
	Name, Head, Selector string
	// Place: only its place in the row finds it.
	Place bool
}

// pagesTable is a table of the pages, by its head.
type pagesTable struct {
	tables []scrape.Table
	rows   int
	says   string
}

// linesTable returns the table that all pages have, with other rows, and that lists no documents: one for which the
// sheet speaks, if there is one, the longest of several.
func (in *induction) linesTable() (best *pagesTable) {
	byHead := map[string]*pagesTable{}
	var heads []string
	for _, page := range in.pages {
		for _, t := range page.Tables {
			if listsDocuments(page.Controls, t) {
				continue
			}
			key := strings.Join(t.Heads, "\x00")
			if byHead[key] == nil {
				byHead[key] = &pagesTable{}
				heads = append(heads, key)
			}
			byHead[key].tables = append(byHead[key].tables, t)
			byHead[key].rows += len(t.Rows)
		}
	}
	for _, key := range heads {
		t := byHead[key]
		if len(t.tables) != len(in.pages) || !differ(t.tables) {
			continue
		}
		t.says = in.sheetSays(t.tables)
		if best == nil || t.says != "" && best.says == "" || (t.says == "") == (best.says == "") && t.rows > best.rows {
			best = t
		}
	}
	return best
}

// lines finds the order's lines.
func (in *induction) lines() *Lines {
	best := in.linesTable()
	if best == nil {
		return nil
	}
	row := commonRow(best.tables)
	if row == "" {
		return nil
	}
	lines := &Lines{Row: row, Found: best.rows, On: len(best.tables), Says: best.says}
	var names []string
	for i, head := range best.tables[0].Heads {
		if strings.TrimSpace(head) == "" || !strings.ContainsFunc(head, isLetter) || i >= len(best.tables[0].Columns) {
			continue
		}
		c := LineColumn{Name: unused(&names, fieldName(head)), Head: head, Selector: best.tables[0].Columns[i]}
		for _, t := range best.tables {
			if i >= len(t.Columns) || t.Columns[i] != c.Selector {
				c.Selector = fmt.Sprintf(":scope > :nth-child(%d)", i+1)
			}
		}
		c.Place = strings.HasPrefix(c.Selector, ":scope")
		lines.Columns = append(lines.Columns, c)
	}
	if len(lines.Columns) == 0 {
		return nil
	}
	return lines
}

// sheetSays returns what the sheet says for tables, one of each page, or "": that it has as many rows of the
// orders, or an amount that a column of the table adds up to.
func (in *induction) sheetSays(tables []scrape.Table) string {
	several, alike := 0, 0
	for i, page := range in.pages {
		if len(page.Rows) > 1 {
			several++
			if len(page.Rows) == len(tables[i].Rows) {
				alike++
			}
		}
	}
	if several >= 2 && 5*alike >= 4*several {
		return fmt.Sprintf("the sheet has as many rows on %d of %d", alike, several)
	}
	for i, head := range tables[0].Heads {
		for _, c := range in.columns {
			if c.kind != amountKind {
				continue
			}
			if equal, of := in.addsUp(tables, i, c); equal >= enoughValues && float64(equal) >= mostly*float64(of) {
				return fmt.Sprintf("%s adds up to column %s on %d of %d", head, c.name, equal, of)
			}
		}
	}
	return ""
}

// addsUp counts the pages with several rows on which what stands in a column of the table adds up to the cell, and all
// such pages that have one.
func (in *induction) addsUp(tables []scrape.Table, at int, c *column) (equal, of int) {
	for i, table := range tables {
		want := in.cells[c][i]
		if want == nil || len(table.Rows) < 2 {
			continue
		}
		of++
		for _, style := range styles {
			if sum := in.sum(table.Rows, at, style.name); sum != nil && slices.ContainsFunc(want.numbers, func(n *number) bool { return n.Cmp(sum) == 0 }) {
				equal++
				break
			}
		}
	}
	return equal, of
}

// sum returns what a column of rows adds up to, or nil where one of them is no amount in that style.
func (in *induction) sum(rows [][]string, at int, style string) *number {
	total := new(number)
	for _, row := range rows {
		if at >= len(row) {
			return nil
		}
		n := in.texts.of(row[at]).numbers[style]
		if n == nil {
			return nil
		}
		total.Add(total, n)
	}
	return total
}

func listsDocuments(controls []scrape.Control, t scrape.Table) bool {
	listed := 0
	for _, n := range t.Links {
		if n < len(controls) && controls[n].Listed {
			listed++
		}
	}
	return listed > 0 && 2*listed >= len(t.Rows)
}

// differ reports whether the tables have different rows, so that they are of the orders.
func differ(tables []scrape.Table) bool {
	return slices.ContainsFunc(tables, func(t scrape.Table) bool {
		return !slices.EqualFunc(t.Rows, tables[0].Rows, slices.Equal)
	})
}

func commonRow(tables []scrape.Table) string {
	best, bestRank := "", 0
	for _, l := range tables[0].Found {
		if slices.ContainsFunc(tables, func(t scrape.Table) bool { return !slices.Contains(t.Found, l) }) {
			continue
		}
		if r := 100*rank(l) + len(l.Selector); best == "" || cmp.Less(r, bestRank) {
			best, bestRank = l.Selector, r
		}
	}
	return best
}
