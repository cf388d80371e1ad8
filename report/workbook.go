package report

import (
	"fmt"
	"io"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/tasks"
)

// The names of the workbook's sheets. What is too long for one goes on in "Orders 2".
const (
	ordersSheet      = "Orders"
	linesSheet       = "Lines"
	documentsSheet   = "Documents"
	differencesSheet = "Differences"
	summarySheet     = "Summary"
)

// WriteWorkbook writes results.xlsx: a sheet with what WriteResultsCSV writes, and sheets with
// the lines and the documents of the orders, with the cells of the input that the portal contradicts, if there
// are any, and a summary. Numbers and dates are such where
// it is certain which; all else is text as results.csv has it. Links lead to the orders'
// folders and documents, as long as the file lies in the session folder.
//
// What does not fit in memory is kept in files in the directory temp meanwhile; none is left.
func (r *Report) WriteWorkbook(w io.Writer, temp string) (err error) {
	b := newWorkbook(r, temp)
	defer func() {
		if closeErr := b.file.Close(); err == nil && closeErr != nil {
			err = fmt.Errorf("clearing up after results.xlsx: %w", closeErr)
		}
	}()
	if b.err != nil {
		return fmt.Errorf("writing results.xlsx: %w", b.err)
	}
	for _, write := range []func(*workbook) error{r.writeOrders, r.writeParts, r.writeDifferences, r.writeSummary} {
		if err := write(b); err != nil {
			return fmt.Errorf("writing results.xlsx: %w", err)
		}
	}
	if b.err != nil {
		return fmt.Errorf("writing results.xlsx: %w", b.err)
	}
	if _, err := b.file.WriteTo(w); err != nil {
		return fmt.Errorf("writing results.xlsx: %w", err)
	}
	return nil
}

// writeOrders writes the rows of the input with what became of them.
func (r *Report) writeOrders(b *workbook) error {
	s, err := b.sheet(ordersSheet, r.orderWidths())
	if err != nil {
		return err
	}
	s.mark = &mark{column: len(r.columns)} // outcome
	for _, o := range tasks.Outcomes() {
		if o.State().Final() && !o.Well() {
			s.mark.words = append(s.mark.words, string(o))
		}
	}
	for i := range r.rows {
		v := &r.rows[i]
		for c := range r.columns {
			s.add(r.inputCell(b, v, c))
		}
		folder := ""
		if v.downloaded > 0 {
			folder = cellLink(v.folder)
		}
		s.add(b.text(string(v.outcome)))
		s.link(b.text(v.url), webLink(v.url))
		s.add(b.number(float64(v.found), 0), b.number(float64(v.downloaded), 0))
		s.link(b.text(v.folder), folder)
		s.add(b.text(v.error), b.number(float64(v.attempts), 0), b.number(v.seconds(), 3), b.text(v.unlike()), b.count(v.added), b.text(v.confirmed))
		for _, name := range r.fields {
			s.add(b.field(v.fields[name]))
		}
		s.next()
	}
	return s.close()
}

// orderWidths returns how wide the columns are to be for the first rows.
func (r *Report) orderWidths() *widths {
	w := newWidths(r.resultNames())
	for i := range r.rows[:min(len(r.rows), widthRows)] {
		v := &r.rows[i]
		for c := range r.columns[:min(len(v.cells), len(r.columns))] {
			w.see(c, v.cells[c])
		}
		for c, cell := range v.columns() {
			w.see(len(r.columns)+c, cell)
		}
		for f, name := range r.fields {
			w.see(len(r.columns)+len(resultColumns)+f, v.fields[name].text)
		}
	}
	return w
}

// inputCell returns a cell of the input. The order's number is text, whatever it looks like.
func (r *Report) inputCell(b *workbook, v *row, column int) any {
	if column >= len(v.cells) {
		return nil
	}
	text := v.cells[column]
	if po, ok := r.roles["po"]; ok && po == column {
		return b.text(text)
	}
	amount, ok := r.roles["amount"]
	return b.cell(r.sheet.Column(column), text, ok && amount == column)
}

// writeParts writes the lines and the documents of all orders.
func (r *Report) writeParts(b *workbook) error {
	lines, err := r.beginLines(b)
	if err != nil {
		return err
	}
	documents, err := beginDocuments(b)
	if err != nil {
		return err
	}
	names := r.lines.names()
	for t, err := range r.tasks.all(nil) {
		if err != nil {
			return err
		}
		for n, line := range t.Lines {
			lines.add(b.text(t.PO), b.number(float64(n+1), 0))
			for _, name := range names {
				lines.add(b.cell(r.lines[name], line[name], false))
			}
			lines.next()
		}
		for i := range t.Attachments {
			documents.addDocument(t.PO, &t.Attachments[i])
		}
	}
	if err := lines.close(); err != nil {
		return err
	}
	return documents.close()
}

func (r *Report) beginLines(b *workbook) (*sheet, error) {
	own := []string{"po", "line"}
	lines := r.lines.names()
	w := newWidths(slices.Concat(own, addedNames(own, lines)))
	for i, name := range lines {
		w.atLeast(len(own)+i, r.lines[name].Longest())
	}
	return b.sheet(linesSheet, w)
}

func beginDocuments(b *workbook) (*sheet, error) {
	w := newWidths([]string{"po", "name", "path", "state", "error", "size", "mime", "source", "same_as", "new", "sha256", "macros"})
	for i, chars := range []int{14, 36, 44, 9, 40, 10, 18, 40, 24, 7, 20, 8} {
		w.atLeast(i, chars)
	}
	s, err := b.sheet(documentsSheet, w)
	if err == nil {
		s.mark = &mark{column: 3, words: []string{string(tasks.AttachmentFailed), string(tasks.AttachmentSkipped)}}
	}
	return s, err
}

func (s *sheet) addDocument(po string, d *Attachment) {
	var size any
	if d.State == tasks.AttachmentDone {
		size = s.book.number(float64(d.Size), 0)
	}
	same := ""
	if d.SameAs != nil {
		same = d.SameAs.PO + ": " + d.SameAs.Name
	}
	isNew := ""
	if d.New != nil {
		isNew = map[bool]string{true: "yes", false: "no"}[*d.New]
	}
	macros := map[bool]string{true: "yes"}[d.Macros]
	text := s.book.text
	s.add(text(po), text(d.Name))
	s.link(text(d.Path), cellLink(d.Path))
	s.add(text(string(d.State)), text(errorText(d.Error)), size, text(d.MIME), text(d.Source), text(same), text(isNew), text(d.SHA256), text(macros))
	s.next()
}

// writeDifferences writes what the sheet and the portal say otherwise, cell by cell.
func (r *Report) writeDifferences(b *workbook) error {
	if r.Totals.Differences == 0 {
		return nil
	}
	w := newWidths([]string{"po", "row", "column", "sheet", "portal", "portal - sheet"})
	for i, chars := range []int{14, 7, 24, 30, 30, 16} {
		w.atLeast(i, chars)
	}
	s, err := b.sheet(differencesSheet, w)
	if err != nil {
		return err
	}
	for i := range r.rows {
		v := &r.rows[i]
		for _, d := range v.differences {
			if d.Row == v.line {
				s.addDifference(r, v, d)
			}
		}
	}
	return s.close()
}

func (s *sheet) addDifference(r *Report, v *row, d compare.Difference) {
	b, kind := s.book, v.fields[d.Field].kind
	column, po := r.sheet.Column(slices.Index(r.columns, d.Column)), ""
	if c, ok := r.roles["po"]; ok && c < len(v.cells) {
		po = v.cells[c]
	}
	s.add(b.text(po), b.number(float64(d.Row), 0), b.text(d.Column), b.cell(column, d.Sheet, kind == "amount"), b.field(fieldCell{d.Portal, kind}))
	before, ofSheet, told := column.Number(d.Sheet, true)
	now, ofPortal, shown := compare.Decimal(d.Portal)
	if kind == "amount" && told && shown {
		s.add(b.number(now-before, max(ofSheet, ofPortal)))
	}
	s.next()
}

// errorText returns an error as the sheets have it.
func errorText(e *Error) string {
	if e == nil {
		return ""
	}
	return oneLine(string(e.Class) + ": " + e.Message)
}

// workbook is a file in the making, with the styles of its cells.
type workbook struct {
	file   *excelize.File
	styles map[string]int
	sheets int
	limits sheetLimits
	// cut says what did not fit.
	cut []string
	err error
}

func newWorkbook(r *Report, temp string) *workbook {
	b := &workbook{file: excelize.NewFile(excelize.Options{TmpDir: temp}), styles: map[string]int{}, limits: excelLimits}
	made := ""
	if r.Session.StartedAt != nil {
		made = r.Session.StartedAt.Format(time.RFC3339)
	}
	b.err = b.file.SetDocProps(&excelize.DocProperties{Creator: "poscrape", Title: "poscrape " + r.Session.ID.String(), Created: made, Modified: made})
	return b
}

// widthRows is how many rows are looked at for how wide a column is to be.
const widthRows = 200

// widths are the names of a sheet's columns, and how many characters each is to show.
type widths struct {
	names []string
	chars []int
}

func newWidths(names []string) *widths {
	w := &widths{names, make([]int, len(names))}
	for i, name := range names {
		w.see(i, name+"   ") // beside the filter's button
	}
	return w
}

func (w *widths) see(column int, text string) { w.atLeast(column, utf8.RuneCountInString(text)) }

func (w *widths) atLeast(column, chars int) { w.chars[column] = max(w.chars[column], chars) }

// of returns a column's width: what is long would push all else off the screen.
func (w *widths) of(column int) float64 { return float64(min(max(w.chars[column], 6), 48) + 1) }
