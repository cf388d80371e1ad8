package report

import (
	"math"
	"strconv"
	"strings"
	"unicode"

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
}

// addRows keeps the rows of a task for the CSV files.
func (r *Report) addRows(rows []tasks.Row, t *Task) {
	v := &orderCells{
		unwell:  t.unwell(),
		outcome: t.Outcome, url: t.URL, folder: t.Folder,
		found: len(t.Attachments), attempts: chargedAttempts(t),
	}
	if t.Error != nil {
		v.error = oneLine(string(t.Error.Class) + ": " + t.Error.Message)
	}
	for i := range t.Attachments {
		if t.Attachments[i].State == tasks.AttachmentDone {
			v.downloaded++
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
	"outcome", "url", "attachments_found", "attachments_downloaded", "folder", "error", "attempts", "seconds",
}

// columns returns the cells under resultColumns.
func (v *orderCells) columns() [len(resultColumns)]string {
	return [...]string{
		string(v.outcome), v.url, strconv.Itoa(v.found), strconv.Itoa(v.downloaded), v.folder, v.error,
		strconv.Itoa(v.attempts), strconv.FormatFloat(math.Round(v.ms)/1000, 'f', 3, 64),
	}
}

// oneLine returns text with every run of white space and control characters as
// one space.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool {
		return unicode.IsSpace(c) || unicode.IsControl(c)
	}), " ")
}
