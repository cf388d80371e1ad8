package orders

import (
	"fmt"
	"strconv"

	"github.com/poscrape/poscrape/tasks"
)

// entry is one row on its way to an order.
type entry struct {
	row tasks.Row
	// number as this row alone gives it.
	number number
	// link is the row's own URL, or empty.
	link string
	// rule is what the row is held against.
	rule *rule
	// final and url are what the row's order has; match sets them.
	final                             number
	url                               string
	supplier, amount, currency, buyer string
	priority                          int
	// problem says why the row cannot be used, or is nil.
	problem *Problem
}

// rowReader turns records into entries, and collects what is wrong with them.
type rowReader struct {
	file    string
	options Options
	// book is the workbook's sheet that the rows are of, or nil.
	book    *table
	columns columns
	// plain is the rule of rows without a URL, named those of the portals by their names,
	// where there are several.
	plain *rule
	named map[string]*rule
	// templateColumns are the columns that the templates name.
	templateColumns map[string]int
	problems        []Problem
}

func (r *rowReader) readAll(rows source) ([]*entry, *FileError) {
	var entries []*entry
	for {
		rec, ok, err := rows.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return entries, nil
		}
		entries = append(entries, r.entry(rec))
	}
}

func (r *rowReader) entry(rec record) *entry {
	if i, ok := r.columns.index[roleURL]; ok && r.book != nil {
		r.book.follow(rec, i)
	}
	e := &entry{
		row:      tasks.Row{Line: rec.line, Raw: r.columns.cell(rec.cells, rolePO), Cells: rec.cells},
		supplier: trimInvisible(r.columns.cell(rec.cells, roleSupplier)),
		amount:   trimInvisible(r.columns.cell(rec.cells, roleAmount)),
		currency: trimInvisible(r.columns.cell(rec.cells, roleCurrency)),
		buyer:    trimInvisible(r.columns.cell(rec.cells, roleBuyer)),
	}
	linkErr := r.link(e, trimInvisible(r.columns.cell(rec.cells, roleURL)))
	number, err := parseNumber(e.row.Raw, e.rule.prefixes)
	if fault := r.columns.fault(rec, rolePO); fault != nil {
		err = fault
	}
	if err != nil {
		r.refuse(e, rolePO, err.Error()+r.shiftHint(rec))
		return e
	}
	e.number, e.final = number, number
	if fault := r.columns.fault(rec, roleURL); fault != nil {
		linkErr = fault
	}
	if linkErr != nil {
		r.refuse(e, roleURL, linkErr.Error()+r.shiftHint(rec))
		return e
	}
	e.priority = r.priority(rec)
	if hint := r.shiftHint(rec); hint != "" {
		r.warn(rec.line, "", "the row is used"+hint)
	}
	if rec.oddity != "" {
		r.warn(rec.line, "", rec.oddity)
	}
	return e
}

// link gives the entry the URL of its row, and the rule that this leads to.
func (r *rowReader) link(e *entry, text string) error {
	e.rule = r.plain
	if text == "" {
		return nil
	}
	link, err := parseAddress(text)
	if err != nil {
		return err
	}
	of, err := r.ruleOf(link)
	if err != nil {
		return err
	}
	if e.rule = of; !of.saysOnlyPortal(link) {
		e.link = link
	}
	return nil
}

// priority returns the row's priority. One that is no whole number counts as 0
// and is warned of: the order is wanted all the same.
func (r *rowReader) priority(rec record) int {
	text := tidy(unwrap(trimInvisible(r.columns.cell(rec.cells, rolePriority))))
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(splitPrefix(text, nil).withoutZeroDecimals().canonical, 10, 32)
	if err != nil {
		r.warn(rec.line, r.columns.name(rolePriority), fmt.Sprintf("%s is not a whole number: the row gets priority 0", quoted(text)))
		return 0
	}
	return int(n)
}

// shiftHint says so if the row has more in it than the header has columns,
// since its cells may then stand in the wrong columns.
func (r *rowReader) shiftHint(rec record) string {
	width := len(r.columns.header)
	if r.book != nil || len(rec.cells) <= width || (record{cells: rec.cells[width:]}).blank() {
		return ""
	}
	return fmt.Sprintf(" (it has %d cells, the header only %d: a cell with a delimiter in it must be in quotes)", len(rec.cells), width)
}

func (r *rowReader) refuse(e *entry, column role, message string) {
	e.problem = &Problem{File: r.file, Line: e.row.Line, Column: r.columns.name(column), Message: message}
	r.problems = append(r.problems, *e.problem)
}

func (r *rowReader) warn(line int, column, message string) {
	r.problems = append(r.problems, Problem{File: r.file, Line: line, Column: column, Message: message, Warning: true})
}
