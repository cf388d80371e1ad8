package orders

import (
	"fmt"
	"strings"

	"github.com/poscrape/poscrape/internal/template"
	"github.com/poscrape/poscrape/internal/workbook"
	"github.com/poscrape/poscrape/tasks"
)

// role is what a column is for.
type role string

const (
	rolePO       role = "po"
	roleURL      role = "url"
	roleSupplier role = "supplier"
	roleAmount   role = "amount"
	roleCurrency role = "currency"
	rolePriority role = "priority"
	roleBuyer    role = "buyer"
	// roleDocuments is how many documents an order has.
	roleDocuments role = "documents"
)

func roles() []role {
	return []role{rolePO, roleURL, roleSupplier, roleAmount, roleCurrency, rolePriority, roleBuyer, roleDocuments}
}

func roleList() string {
	var names []string
	for _, r := range roles() {
		names = append(names, string(r))
	}
	return strings.Join(names, ", ")
}

// steers reports whether a wrong column would send poscrape to a wrong page, so
// that two that fit equally well are an error.
func (r role) steers() bool { return r == rolePO || r == roleURL || r == rolePriority }

// noColumn is what is written instead of a column's name for a role that no
// column is to have.
const noColumn = "none"

// columns says which column of a sheet has which role.
type columns struct {
	header []string
	index  map[role]int
	// names are those of all columns, folded.
	names map[string]bool
	// own is how many columns come before those of an earlier run's results, or all.
	own int
}

// sheet returns those of a row's cells that are not of an earlier run's results.
func (c columns) sheet(cells []string) []string {
	if c.own == len(c.header) {
		return cells
	}
	return cells[:min(len(cells), c.own)]
}

// matchColumns finds the columns by their names. The overrides are those of
// Options.Columns. Of the results of an earlier run, only the address stands for anything. The error's Line is left to the caller, as is that of the
// warnings.
func matchColumns(header []string, overrides map[string]string) (columns, []Problem, *FileError) {
	c := columns{header: header, index: map[role]int{}, names: foldedSet(header...), own: tasks.OwnColumns(header)}
	for name, wanted := range overrides {
		if wanted == noColumn {
			continue
		}
		i, ok := template.FindColumn(header, wanted)
		if !ok {
			return c, nil, &FileError{Message: fmt.Sprintf("--column %s=%s: there is no such column; the columns are %s",
				name, wanted, quotedList(header))}
		}
		c.index[role(name)] = i
	}
	taken := map[int]bool{}
	for _, i := range c.index {
		taken[i] = true
	}
	var warnings []Problem
	for _, r := range roles() {
		if _, ok := overrides[string(r)]; ok {
			continue
		}
		best := bestMatches(header[:c.own], r, taken)
		if len(best) == 0 && r == roleURL && c.own < len(header) {
			best = []int{c.own + tasks.ResultsURL} // where the run has found the orders
		}
		if len(best) == 0 {
			continue
		}
		c.index[r] = best[0]
		if len(best) == 1 || !r.steers() {
			continue
		}
		first, second := header[best[0]], header[best[1]]
		if between := header[best[0]+1 : best[1]]; r == rolePO && len(between) > 0 && (record{cells: between[len(between)-1:]}).blank() {
			return c, nil, &FileError{Message: fmt.Sprintf("two tables stand side by side: the columns %s and %s are both of order numbers, and an empty one is between them: give each table a file or a sheet of its own, or take the first with --column po=NAME",
				quoted(first), quoted(second))}
		}
		if template.FoldColumn(first) != template.FoldColumn(second) {
			return c, nil, &FileError{Message: fmt.Sprintf("the columns %s and %s could both be the %s: say which one it is with --column %s=NAME",
				quoted(first), quoted(second), r.meaning(), r)}
		}
		warnings = append(warnings, Problem{Column: first, Warning: true, Message: fmt.Sprintf(
			"%d columns have this name: the first one is taken for the %s", len(best), r.meaning())})
	}
	return c, warnings, nil
}

func (r role) meaning() string {
	if r == rolePO {
		return "order number"
	}
	return string(r)
}

// bestMatches returns the columns whose names fit the role best.
func bestMatches(header []string, r role, taken map[int]bool) []int {
	var best []int
	bestRank := 0
	for i, name := range header {
		found, ok := headerNames[template.FoldColumn(name)]
		if !ok || found.role != r || taken[i] {
			continue
		}
		switch {
		case best == nil || found.rank < bestRank:
			best, bestRank = []int{i}, found.rank
		case found.rank == bestRank:
			best = append(best, i)
		}
	}
	return best
}

// cell returns the row's cell in the column of the role; it is empty where there
// is no such column, and where the row is too short.
func (c columns) cell(cells []string, r role) string {
	i, ok := c.index[r]
	if !ok || i >= len(cells) {
		return ""
	}
	return cells[i]
}

// fault says why a workbook's cell in the column of the role holds nothing that could be used
// for it, or is nil.
func (c columns) fault(rec record, r role) error {
	i, ok := c.index[r]
	if !ok || i >= len(rec.kinds) {
		return nil
	}
	switch rec.kinds[i] {
	case workbook.NoValue:
		return errNoValue
	case workbook.Date:
		return fmt.Errorf("%s is a date, which a spreadsheet may have made of something else: format the column as text, and enter the %s again", quoted(rec.cells[i]), r.meaning())
	}
	return nil
}

// name returns the header of the column of the role, or the role's own name.
func (c columns) name(r role) string {
	if i, ok := c.index[r]; ok {
		return c.header[i]
	}
	return string(r)
}

// is reports whether a column has the role.
func (c columns) is(column int, r role) bool {
	i, ok := c.index[r]
	return ok && i == column
}

func (c columns) has(r role) bool {
	_, ok := c.index[r]
	return ok
}

// roles returns which column was taken for what.
func (c columns) roles() map[string]int {
	roles := map[string]int{}
	for r, i := range c.index {
		roles[string(r)] = i
	}
	return roles
}

// taken says which column was taken for what, for messages: `the order numbers
// from "PO", the addresses from "Link"`.
func (c columns) taken() string {
	text := "the order numbers were taken from the column " + quoted(c.name(rolePO))
	if c.has(roleURL) {
		text += ", the addresses from " + quoted(c.name(roleURL))
	}
	return text
}
