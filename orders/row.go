package orders

import (
	"cmp"
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
	// documents is how many the row says that there are, in a column that a person named, or nil.
	documents *int
	// numberErr and linkErr are what is wrong with number and link.
	numberErr, linkErr error
	// oddity is that of its record, shift what may be wrong with its cells' places.
	oddity, shift string
	// gap: blank rows stand right above it. filled is how many cells have something in them,
	// without an earlier run's results.
	gap    bool
	filled int
	// skipped says why the row is no order and not meant to be one, or is empty.
	skipped string
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
	// headerLine is where the header is.
	headerLine int
	// plain is the rule of rows without a URL, named those of the portals by their names,
	// where there are several.
	plain *rule
	named map[string]*rule
	// header are the names of the columns.
	header []string
	// templateColumns are the columns that the templates name.
	templateColumns map[string]int
	problems        []Problem
	// notes are as in Sheet.
	notes []string
}

func (r *rowReader) readAll(rows source) ([]*entry, *FileError) {
	var entries []*entry
	for {
		rec, ok, err := rows.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		if rec.filled() > 0 || r.columns.fault(rec, rolePO) != nil {
			entries = append(entries, r.entry(rec))
		}
	}
	if err := r.sift(entries); err != nil {
		return nil, err
	}
	r.countDocuments(entries)
	for _, e := range entries {
		if e.skipped == "" {
			r.check(e)
		}
	}
	return entries, nil
}

// entry reads a row by itself.
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
		oddity:   rec.oddity, shift: r.shiftHint(rec), gap: rec.gap, filled: record{cells: r.columns.sheet(rec.cells)}.filled(),
	}
	e.linkErr = cmp.Or(r.columns.fault(rec, roleURL), r.link(e, trimInvisible(r.columns.cell(rec.cells, roleURL))))
	e.number, e.numberErr = parseNumber(e.row.Raw, e.rule.prefixes)
	if fault := r.columns.fault(rec, rolePO); fault != nil {
		e.numberErr = fault
	}
	e.final = e.number
	return e
}

// check notes what is wrong with a row, or odd about it.
func (r *rowReader) check(e *entry) {
	switch {
	case e.numberErr != nil:
		r.refuse(e, rolePO, e.numberErr.Error()+e.shift)
		return
	case e.linkErr != nil:
		r.refuse(e, roleURL, e.linkErr.Error()+e.shift)
		return
	}
	e.priority = r.priority(e)
	if e.shift != "" {
		r.warn(e.row.Line, "", "the row is used"+e.shift)
	}
	if e.oddity != "" {
		r.warn(e.row.Line, "", e.oddity)
	}
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
func (r *rowReader) priority(e *entry) int {
	text := tidy(unwrap(trimInvisible(r.columns.cell(e.row.Cells, rolePriority))))
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(splitPrefix(text, nil).withoutZeroDecimals().canonical, 10, 32)
	if err != nil {
		r.warn(e.row.Line, r.columns.name(rolePriority), fmt.Sprintf("%s is not a whole number: the row gets priority 0", quoted(text)))
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
