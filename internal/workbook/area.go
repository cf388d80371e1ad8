package workbook

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// area is a rectangle of cells, its last ones included.
type area struct{ first, last cellRef }

type linkedArea struct {
	area
	id string
}

// parseArea reads A1:B2, or A1 for one cell.
func parseArea(text string) (area, error) {
	from, to, several := strings.Cut(text, ":")
	if !several {
		to = from
	}
	first, err := parseRef(from)
	if err != nil {
		return area{}, err
	}
	last, err := parseRef(to)
	return area{first, last}, err
}

// parseRef reads a cell's name, B7.
func parseRef(name string) (cellRef, error) {
	letters := strings.TrimLeft(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	column, line := 0, 0
	for _, c := range name[:min(len(name)-len(letters), 4)] {
		column = column*26 + int(c-'A') + 1
	}
	for _, c := range letters[:min(len(letters), 8)] {
		if c < '0' || c > '9' {
			line = 0
			break
		}
		line = line*10 + int(c-'0')
	}
	if column < 1 || column > maxColumns || line < 1 || line > maxRows {
		return cellRef{}, fmt.Errorf("%q is not the name of a cell", name)
	}
	return cellRef{line, column - 1}, nil
}

// each calls do for the rows that the areas have cells in, with the area and the row. It
// returns an error where the areas, which must not overlap, have too many cells.
func (r *reader) each(areas []area, do func(i int, row *Row) error) error {
	steps := 0
	for i, a := range areas {
		at, _ := slices.BinarySearchFunc(r.table.Rows, a.first.line, func(row Row, line int) int { return row.Line - line })
		for ; at < len(r.table.Rows) && r.table.Rows[at].Line <= a.last.line; at++ {
			if steps++; steps > r.book.limits.cells {
				return tooLarge("its merged or linked areas have more than %d rows", r.book.limits.cells)
			}
			if err := do(i, &r.table.Rows[at]); err != nil {
				return err
			}
		}
	}
	return nil
}

// spread gives the text of a merged area to each of the rows below its first that have
// something of their own: it stands for all of them. It stays in the area's first column.
func (r *reader) spread() error {
	texts := make([]string, len(r.merged))
	kinds := make([]Kind, len(r.merged))
	return r.each(r.merged, func(i int, row *Row) error {
		at := r.merged[i].first
		switch {
		case row.Line == at.line && at.column < len(row.Cells):
			texts[i], kinds[i] = row.Cells[at.column], row.Kinds[at.column]
		case texts[i] == "" && kinds[i] != NoValue || at.column < len(row.Cells) && row.Cells[at.column] != "":
		default:
			r.table.Merged++
			return r.put(row, at.column, texts[i], kinds[i])
		}
		return nil
	})
}

// spreadLinks gives the address that a merged area is linked to, by its first cell, to the rows
// below that have its text.
func (r *reader) spreadLinks() error {
	if len(r.table.links) == 0 {
		return nil
	}
	texts := make([]string, len(r.merged))
	return r.each(r.merged, func(i int, row *Row) error {
		at := r.merged[i].first
		address := r.table.Link(at.line, at.column)
		switch {
		case address == "" || at.column >= len(row.Cells):
		case row.Line == at.line:
			texts[i] = row.Cells[at.column]
		case row.Cells[at.column] == texts[i] && r.table.Link(row.Line, at.column) == "":
			return r.addLink(cellRef{row.Line, at.column}, address)
		}
		return nil
	})
}

// hyperlink is a formula that makes a link to an address that it holds itself.
var hyperlink = regexp.MustCompile(`(?i)^\s*HYPERLINK\(\s*"((?:[^"]|"")*)"\s*[,)]`)

// linkOf returns the address that a formula links its cell to, or "".
func linkOf(formula string) string {
	if m := hyperlink.FindStringSubmatch(formula); m != nil {
		return strings.ReplaceAll(m[1], `""`, `"`)
	}
	return ""
}

func (r *reader) addLink(at cellRef, address string) error {
	if r.table.links == nil {
		r.table.links = map[cellRef]string{}
	}
	r.table.links[at] = address
	if len(r.table.links) > r.book.limits.areas {
		return tooLarge("more than %d of its cells are linked", r.book.limits.areas)
	}
	return r.addText(address)
}

// link finds the addresses that cells are linked to.
func (r *reader) link(part string) error {
	if len(r.linked) == 0 {
		return nil
	}
	targets, err := r.book.relations(part)
	if err != nil {
		return err
	}
	var areas []area
	for _, l := range r.linked {
		areas = append(areas, l.area)
	}
	err = r.each(areas, func(i int, row *Row) error {
		if target := targets[r.linked[i].id]; target.Mode == "External" {
			for column := areas[i].first.column; column <= min(areas[i].last.column, len(row.Cells)-1); column++ {
				if err := r.addLink(cellRef{row.Line, column}, target.Target); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return broken(part, err)
	}
	return nil
}
