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
}

// LineColumn is one column of the lines.
type LineColumn struct {
	Name, Head, Selector string
	// Place: only its place in the row finds it.
	Place bool
}

// lines finds the table that all pages have, with other rows, and that lists no documents.
func (in *induction) lines() *Lines {
	type table struct {
		tables []scrape.Table
		rows   int
	}
	byHead := map[string]*table{}
	var heads []string
	for _, page := range in.pages {
		for _, t := range page.Tables {
			if listsDocuments(page.Controls, t) {
				continue
			}
			key := strings.Join(t.Heads, "\x00")
			if byHead[key] == nil {
				byHead[key] = &table{}
				heads = append(heads, key)
			}
			byHead[key].tables = append(byHead[key].tables, t)
			byHead[key].rows += len(t.Rows)
		}
	}
	var best *table
	for _, key := range heads {
		t := byHead[key]
		if len(t.tables) == len(in.pages) && differ(t.tables) && (best == nil || t.rows > best.rows) {
			best = t
		}
	}
	if best == nil {
		return nil
	}
	row := commonRow(best.tables)
	if row == "" {
		return nil
	}
	lines := &Lines{Row: row, Found: best.rows, On: len(best.tables)}
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
