// Package compare holds what portals show of orders against what the sheet says of them.
package compare

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/poscrape/poscrape/internal/template"
	"github.com/poscrape/poscrape/tasks"
)

// Off as the column of a field has that field compared with none; as the column of All, no
// field is compared.
const (
	Off = "none"
	All = ""
)

// Difference is a cell of the sheet that says something else than the portal.
type Difference struct {
	// Row is the line of the cell's row in its file.
	Row    int    `json:"row"`
	Field  string `json:"field"`
	Column string `json:"column"`
	Sheet  string `json:"sheet"`
	Portal string `json:"portal"`
}

// roleOf is the role of the column that fields of these names are held against where no
// column has their name. Of two fields of an order with one role the first here counts.
var roleOf = []struct{ field, role string }{
	{"supplier", "supplier"}, {"vendor", "supplier"},
	{"amount", "amount"}, {"total", "amount"},
	{"currency", "currency"},
}

// roleDocuments is the role of the column of how many documents orders have, and their field in differences.
const roleDocuments = "documents"

// Comparison compares orders with the rows of a sheet. Before the first order it has to See
// every row. It is used by one goroutine at a time.
type Comparison struct {
	header []string
	// roles are the columns of the roles, named those of a name, folded.
	roles map[string]int
	named map[string]int
	// wanted are the columns that people named, by the field's folded name; -1 for none.
	wanted map[string]int
	off    bool
	seen   []*Column
	// held counts by column the orders that were held against it, and unequal the cells that differ.
	held, unequal []int
}

// Compared is what came of a column of the sheet.
type Compared struct {
	Column string `json:"column"`
	// Role is what the column is to the sheet, as amount, or empty.
	Role string `json:"role,omitempty"`
	// Orders is how many orders were held against the column, none where the portal has shown nothing
	// to hold against it. Differences counts the cells that say something else.
	Orders      int `json:"orders"`
	Differences int `json:"differences"`
}

// New returns the Comparison for an input. The columns that steer the run, the order's number
// and its address, and what an earlier run has added, are compared with nothing unless that is asked for: what
// a portal showed once is no word of the sheet. Nor is anything compared where it is not known which these are, as in sessions that were begun by an earlier version.
func New(input tasks.Input) *Comparison {
	c := &Comparison{
		header: input.Columns, roles: input.Roles, named: map[string]int{}, wanted: map[string]int{},
		seen: make([]*Column, len(input.Columns)), held: make([]int, len(input.Columns)), unequal: make([]int, len(input.Columns)), off: input.Compare[All] == Off || input.Roles == nil,
	}
	for i := range c.seen {
		c.seen[i] = NewColumn()
	}
	for i, name := range input.Columns[:tasks.OwnColumns(input.Columns)] {
		folded := template.FoldColumn(name)
		if _, known := c.named[folded]; folded != "" && !known && !c.steers(i) {
			c.named[folded] = i
		}
	}
	for field, name := range input.Compare {
		i, ok := template.FindColumn(input.Columns, name)
		if !ok || name == Off {
			i = -1
		}
		c.wanted[template.FoldColumn(field)] = i
	}
	return c
}

func (c *Comparison) steers(column int) bool {
	for _, role := range []string{"po", "url", "priority", roleDocuments} {
		if i, ok := c.roles[role]; ok && i == column {
			return true
		}
	}
	return false
}

// See looks at a row, for how numbers and dates are written in its columns.
func (c *Comparison) See(cells []string) {
	for i, cell := range cells[:min(len(cells), len(c.seen))] {
		c.seen[i].See(cell)
	}
}

// Column returns what See has learnt of a column of the sheet, by its index.
func (c *Comparison) Column(i int) *Column { return c.seen[i] }

// Order returns where the sheet and the portal differ on an order, by row and field. What
// is empty on either side, or could not be read, is not compared.
func (c *Comparison) Order(rows []tasks.Row, fields map[string]tasks.Field) []Difference {
	if c.off {
		return nil
	}
	var all []Difference
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		shown := shownOf(fields[name])
		i, role := c.columnOf(name, fields)
		if i < 0 || shown.text == "" {
			continue
		}
		shown.amount = shown.amount || role == "amount"
		shown.currency = role == "currency"
		unlike, filled := c.unlike(rows, i, shown)
		if filled {
			c.held[i]++
		}
		c.unequal[i] += len(unlike)
		for _, row := range unlike {
			all = append(all, Difference{Row: row.Line, Field: name, Column: c.header[i], Sheet: row.Cells[i], Portal: shown.text})
		}
	}
	slices.SortStableFunc(all, func(a, b Difference) int { return cmp.Compare(a.Row, b.Row) })
	return all
}

// Documents returns the rows whose cell in the column of how many documents an order has is another number than the
// portal lists. The cells of several rows may also have it as their sum.
func (c *Comparison) Documents(rows []tasks.Row, listed int) (all []Difference) {
	i, known := c.roles[roleDocuments]
	if wanted, is := c.wanted[roleDocuments]; c.off || !known || is && wanted < 0 {
		return nil
	}
	sum, filled := 0, 0
	for _, row := range rows {
		if i >= len(row.Cells) || strings.TrimSpace(row.Cells[i]) == "" {
			continue
		}
		n, _, ok := Decimal(strings.TrimSpace(row.Cells[i]))
		if !ok {
			continue
		}
		filled++
		if sum += int(n); int(n) != listed {
			all = append(all, Difference{Row: row.Line, Field: roleDocuments, Column: c.header[i], Sheet: row.Cells[i], Portal: strconv.Itoa(listed)})
		}
	}
	if filled > 0 {
		c.held[i]++
	}
	if filled > 1 && sum == listed {
		return nil
	}
	c.unequal[i] += len(all)
	return all
}

// Compared returns the columns that orders were held against, and those that have a role which should have
// been. It counts all that Order was asked.
func (c *Comparison) Compared() []Compared {
	list := []Compared{}
	for i, column := range c.header {
		due := Compared{Column: column, Orders: c.held[i], Differences: c.unequal[i]}
		for _, r := range roleOf {
			if at, known := c.roles[r.role]; known && at == i {
				due.Role = r.role
			}
		}
		if due.Orders > 0 || due.Role != "" && !c.off && c.seen[i].filled > 0 && !c.leftOut(due.Role, i) {
			list = append(list, due)
		}
	}
	return list
}

// leftOut reports whether people want no field of this role, or that has this column's name, to be compared.
func (c *Comparison) leftOut(role string, column int) bool {
	for field, wanted := range c.wanted {
		named, is := c.named[field]
		ofRole := slices.ContainsFunc(roleOf, func(r struct{ field, role string }) bool { return r.field == field && r.role == role })
		if wanted < 0 && (ofRole || is && named == column) {
			return true
		}
	}
	return false
}

// Against returns the header of the column that a field is held against, where these are all
// fields of an order, or false where it is held against none.
func (c *Comparison) Against(name string, fields map[string]tasks.Field) (column string, compared bool) {
	if c.off {
		return "", false
	}
	i, _ := c.columnOf(name, fields)
	if i < 0 {
		return "", false
	}
	return c.header[i], true
}

// columnOf returns the column that a field is held against, or -1, and that column's role.
func (c *Comparison) columnOf(name string, fields map[string]tasks.Field) (column int, role string) {
	folded := template.FoldColumn(name)
	column, known := c.wanted[folded]
	if !known {
		column, known = c.named[folded]
	}
	if !known {
		column = c.byRole(name, folded, fields)
	}
	for role, i := range c.roles {
		if i == column && role != "po" && role != "url" {
			return column, role
		}
	}
	return column, ""
}

func (c *Comparison) byRole(name, folded string, fields map[string]tasks.Field) int {
	at := slices.IndexFunc(roleOf, func(r struct{ field, role string }) bool { return r.field == folded })
	if at < 0 {
		return -1
	}
	column, known := c.roles[roleOf[at].role]
	if !known {
		return -1
	}
	for other := range fields {
		before := slices.IndexFunc(roleOf, func(r struct{ field, role string }) bool {
			return r.field == template.FoldColumn(other) && r.role == roleOf[at].role
		})
		if other != name && (c.takes(other, column) || before >= 0 && before < at && !c.placed(other)) {
			return -1
		}
	}
	return column
}

// placed reports whether the field has a column by its name, or by people's word.
func (c *Comparison) placed(field string) bool {
	folded := template.FoldColumn(field)
	_, wanted := c.wanted[folded]
	_, named := c.named[folded]
	return wanted || named
}

// takes reports whether the field has this column by its name, or by people's word.
func (c *Comparison) takes(field string, column int) bool {
	folded := template.FoldColumn(field)
	if i, wanted := c.wanted[folded]; wanted {
		return i == column
	}
	i, named := c.named[folded]
	return named && i == column
}

// unlike returns the rows whose cell in a column is not what the portal shows, and whether any has one. The
// cells of several rows may also have an amount as their sum.
func (c *Comparison) unlike(rows []tasks.Row, i int, shown shown) (unlike []tasks.Row, filled bool) {
	var cells []string
	for _, row := range rows {
		if i >= len(row.Cells) || strings.TrimSpace(row.Cells[i]) == "" {
			continue
		}
		cells = append(cells, row.Cells[i])
		if !c.seen[i].same(row.Cells[i], shown) {
			unlike = append(unlike, row)
		}
	}
	if len(unlike) > 0 && len(cells) > 1 && c.seen[i].sum(cells, shown) {
		return nil, true
	}
	return unlike, len(cells) > 0
}
