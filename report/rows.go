package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/tasks"
)

// row is one row of the input, with what became of its order.
type row struct {
	line  int
	cells []string
	*orderCells
}

// orderCells is what results.csv says about an order, the same in each of its rows.
type orderCells struct {
	// unwell: it has ended, and not well.
	unwell            bool
	outcome           tasks.Outcome
	url, folder       string
	found, downloaded int
	error             string
	attempts          int
	ms                float64
	differences       []compare.Difference
	// added counts the new documents; it is -1 in a session that updates no other.
	added int
	// confirmed is yes or no, or empty where the order did not end well.
	confirmed string
	// fields are what the sheet is given of the order's fields, by their names; nil where no
	// page was read.
	fields map[string]fieldCell
}

// addRows keeps the rows of a task for the CSV files.
func (r *Report) addRows(rows []tasks.Row, t *Task) {
	v := &orderCells{
		unwell:  t.unwell(),
		outcome: t.Outcome, url: t.URL, folder: t.Folder,
		found: len(t.Attachments), added: -1, attempts: chargedAttempts(t), differences: t.Differences, fields: fieldCells(t.Fields),
	}
	if r.updates {
		v.added = 0
	}
	if t.Confirmed != nil {
		v.confirmed = map[bool]string{true: "yes", false: "no"}[*t.Confirmed]
	}
	if t.Error != nil {
		v.error = oneLine(string(t.Error.Class) + ": " + t.Error.Message)
	}
	for i := range t.Attachments {
		if t.Attachments[i].State == tasks.AttachmentDone {
			v.downloaded++
			if isNew := t.Attachments[i].New; isNew != nil && *isNew {
				v.added++
			}
		}
	}
	for i := range t.Attempts {
		v.ms += wallMS(&t.Attempts[i])
	}
	for _, in := range rows {
		r.rows = append(r.rows, row{line: in.Line, cells: in.Cells, orderCells: v})
	}
}

// resultColumns are the columns that results.csv adds, in the order of columns.
var resultColumns = [...]string{
	"outcome", "url", "attachments_found", "attachments_downloaded", "folder", "error", "attempts", "seconds", "differences", "new_documents", "confirmed",
}

// columns returns the row's cells under resultColumns.
func (v *row) columns() [len(resultColumns)]string {
	return [...]string{
		string(v.outcome), v.url, strconv.Itoa(v.found), strconv.Itoa(v.downloaded), v.folder, v.error,
		strconv.Itoa(v.attempts), strconv.FormatFloat(v.seconds(), 'f', 3, 64), v.unlike(), v.news(), v.confirmed,
	}
}

// news returns how many documents are new, where the session updates another.
func (v *row) news() string {
	if v.added < 0 {
		return ""
	}
	return strconv.Itoa(v.added)
}

// seconds returns the wall time of the order's attempts.
func (v *row) seconds() float64 { return math.Round(v.ms) / 1000 }

// unlike says where the row and the portal differ: "total: 12.50 | 12.00".
func (v *row) unlike() string {
	var list []string
	for _, d := range v.differences {
		if d.Row == v.line {
			list = append(list, oneLine(d.Field+": "+d.Sheet+" | "+d.Portal))
		}
	}
	return strings.Join(list, "; ")
}

// fieldCell is what the sheet is given of a field: its value in canonical form, of this type,
// or else, without a type, what the page shows.
type fieldCell struct{ text, kind string }

func fieldCells(fields map[string]tasks.Field) map[string]fieldCell {
	if len(fields) == 0 {
		return nil
	}
	cells := make(map[string]fieldCell, len(fields))
	for name, f := range fields {
		cells[name] = fieldCell{text: f.Raw}
		if f.Value != "" {
			cells[name] = fieldCell{f.Value, f.Type}
		}
	}
	return cells
}

// fieldColumns returns the names of the fields that rows have columns for: those of the
// recipe, in its order; else, sorted, those that were read on at least half of the orders of
// which a page was read.
func fieldColumns(names []string, rows []row) []string {
	if names != nil {
		return names
	}
	counts, read := map[string]int{}, 0
	seen := map[*orderCells]bool{}
	for _, r := range rows {
		if r.fields == nil || seen[r.orderCells] {
			continue
		}
		seen[r.orderCells] = true
		read++
		for name, cell := range r.fields {
			if cell.text != "" {
				counts[name]++
			}
		}
	}
	for name, n := range counts {
		if 2*n >= read {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// oneLine returns text with every run of white space and control characters as
// one space.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool {
		return unicode.IsSpace(c) || unicode.IsControl(c)
	}), " ")
}
