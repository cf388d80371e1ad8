package orders

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/workbook"
)

// table is a source of the rows of a workbook's sheet.
type table struct {
	*workbook.Table
	name string
	// at is the row that comes next, and line that of the last record.
	at, line int
}

func (t *table) head() []record {
	var rows []record
	for ahead := *t; len(rows) < headRows; {
		rec, ok, _ := ahead.next()
		if !ok {
			break
		}
		rows = append(rows, rec)
	}
	return rows
}

func (t *table) next() (record, bool, *FileError) {
	for t.at < len(t.Rows) {
		row := t.Rows[t.at]
		t.at++
		rec := record{line: row.Line, gap: row.Line > t.line+1, cells: row.Cells, kinds: row.Kinds}
		if !rec.blank() || slices.Contains(row.Kinds, workbook.NoValue) {
			t.line = row.Line
			return rec, true, nil
		}
	}
	return record{}, false, nil
}

func (t *table) named([]string) {}

// openWorkbook reads a sheet of a workbook, and says in notes which one.
func openWorkbook(name string, data []byte, sheet string) (*table, []string, *FileError) {
	book, err := workbook.Open(data)
	if err != nil {
		return nil, nil, workbookError(name, err)
	}
	chosen, err := chooseSheet(book, sheet)
	if err != nil {
		return nil, nil, &FileError{File: name, Message: err.Error()}
	}
	rows, err := book.Read(chosen)
	if err != nil {
		return nil, nil, workbookError(name, err)
	}
	var notes []string
	if others := otherSheets(book, chosen); sheet == "" && len(others) > 0 {
		notes = append(notes, fmt.Sprintf("the sheet %s is read, one of %d; --sheet NAME takes another: %s",
			quoted(chosen.Name), len(others)+1, quotedList(others)))
	}
	return &table{Table: rows, name: chosen.Name}, notes, nil
}

// chooseSheet returns the sheet of that name, or without one the first that people see.
func chooseSheet(book *workbook.Workbook, name string) (workbook.Sheet, error) {
	sheets := book.Sheets
	if len(sheets) == 0 {
		return workbook.Sheet{}, errors.New("the workbook has no sheet with rows")
	}
	if name == "" {
		return sheets[max(0, slices.IndexFunc(sheets, func(s workbook.Sheet) bool { return !s.Hidden }))], nil
	}
	for _, same := range []func(string) bool{
		func(other string) bool { return other == name },
		func(other string) bool { return strings.EqualFold(trimInvisible(other), trimInvisible(name)) },
	} {
		if i := slices.IndexFunc(sheets, func(s workbook.Sheet) bool { return same(s.Name) }); i >= 0 {
			return sheets[i], nil
		}
	}
	return workbook.Sheet{}, fmt.Errorf("--sheet %s: there is no such sheet; the sheets are %s", name, quotedList(sheetNames(sheets)))
}

func sheetNames(sheets []workbook.Sheet) (names []string) {
	for _, s := range sheets {
		names = append(names, s.Name)
	}
	return names
}

func otherSheets(book *workbook.Workbook, than workbook.Sheet) []string {
	return slices.DeleteFunc(sheetNames(book.Sheets), func(name string) bool { return name == than.Name })
}

// notes says what of a sheet is read that people do not see as it is read, going by the
// lines of its rows.
func (t *table) notes(header []string, first, last int) (notes []string) {
	rows, columns := 0, 0
	for _, row := range t.Rows {
		if row.Hidden && row.Line >= first && row.Line <= last {
			rows++
		}
	}
	for _, i := range t.HiddenColumns {
		if i < len(header) && trimInvisible(header[i]) != "" {
			columns++
		}
	}
	if rows+columns > 0 {
		notes = append(notes, fmt.Sprintf("hidden rows and columns are read as well: %s and %s", count(rows, "row"), count(columns, "column")))
	}
	if n := t.noValues(first, last); n > 0 {
		notes = append(notes, count(n, "formula")+" without a stored value read as empty; open the workbook in a spreadsheet program, and save it, to have them")
	}
	if t.Merged > 0 {
		notes = append(notes, fmt.Sprintf("merged cells stand for each of their rows: %s filled in", count(t.Merged, "cell")))
	}
	return notes
}

// noValues counts the formulas without a stored value in the rows between two lines.
func (t *table) noValues(first, last int) (n int) {
	for _, row := range t.Rows {
		if row.Line >= first && row.Line <= last {
			for _, kind := range row.Kinds {
				if kind == workbook.NoValue {
					n++
				}
			}
		}
	}
	return n
}

func count(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// follow gives the cells of a column that show no address, but are linked to a page, that address.
func (t *table) follow(rec record, column int) {
	if column >= len(rec.cells) {
		return
	}
	link, err := parseAddress(t.Link(rec.line, column))
	if err != nil {
		return
	}
	if _, err := parseAddress(rec.cells[column]); err != nil {
		rec.cells[column], rec.kinds[column] = link, workbook.Text
	}
}

// namedWorkbook reports whether a file's name says that it is a workbook.
func namedWorkbook(name string) bool {
	extension := strings.ToLower(filepath.Ext(name))
	return slices.Contains([]string{".xlsx", ".xlsm", ".xltx", ".xltm", ".xlsb", ".xls", ".ods", ".numbers"}, extension)
}

// locks returns the sheet beside which spreadsheet programs put a file of this name while they have it
// open, or "".
func locks(name string) string {
	base := filepath.Base(name)
	if sheet, ok := strings.CutPrefix(base, "~$"); ok && namedWorkbook(base) {
		return sheet
	}
	sheet, ok := strings.CutPrefix(base, ".~lock.")
	if sheet, closed := strings.CutSuffix(sheet, "#"); ok && closed {
		return sheet
	}
	return ""
}

func workbookError(name string, err error) *FileError {
	message := "the workbook cannot be read"
	switch {
	case errors.Is(err, workbook.ErrBroken):
		message += "; open it in a spreadsheet program and save it again"
	case errors.Is(err, workbook.ErrTooLarge):
		message += "; leave only the orders in it"
	}
	return &FileError{File: name, Message: message, Err: err}
}
