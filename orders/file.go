package orders

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/poscrape/poscrape/internal/workbook"
)

// maxFileBytes bounds what is read into memory: some million rows.
const maxFileBytes = 256 << 20

// readFile reads all bytes of a sheet.
func readFile(name string, r io.Reader) ([]byte, *FileError) {
	if file, ok := r.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return nil, &FileError{File: name, Message: "this is a directory: give the name of a CSV, TSV or XLSX file"}
		}
	}
	data, err := io.ReadAll(io.LimitReader(r, maxFileBytes+1))
	if err != nil {
		return nil, &FileError{File: name, Message: "the file cannot be read", Err: err}
	}
	if len(data) > maxFileBytes {
		return nil, &FileError{File: name, Message: fmt.Sprintf(
			"the file is larger than %d MiB: split it into smaller ones", maxFileBytes>>20)}
	}
	return data, nil
}

// origin is a file that was opened: its rows, and what of it is known besides.
type origin struct {
	source
	// delimiter, encoding and mark are those of a text; of a workbook, those of what is
	// written for its readers.
	delimiter rune
	encoding  string
	mark      bool
	// book is the workbook's sheet, or nil.
	book *table
	// notes are what a person should know.
	notes []string
}

// openFile finds out what a file is. Its name does not decide that, but a text that is named as
// a workbook is refused, as something has gone wrong with it; unless it is .xls, as portals
// call any table that Excel opens.
func openFile(name string, data []byte, o Options) (origin, *FileError) {
	if what := otherKind(data); what != "" {
		return origin{}, &FileError{File: name, Message: "it is " + what}
	}
	if workbook.Looks(data) {
		if o.Encoding != "" {
			return origin{}, &FileError{File: name, Message: fmt.Sprintf("--encoding %s: it is a workbook, which says itself how it is encoded: leave the flag out", o.Encoding)}
		}
		t, notes, err := openWorkbook(name, data, o.Sheet)
		return origin{source: t, delimiter: ',', mark: true, book: t, notes: notes}, err
	}
	switch {
	case locks(name) != "":
		return origin{}, &FileError{File: name, Message: fmt.Sprintf("it is no sheet, but says that a program has one open: name %s", quoted(locks(name)))}
	case len(data) > 0 && namedWorkbook(name) && !strings.EqualFold(filepath.Ext(name), ".xls"):
		return origin{}, &FileError{File: name, Message: "it is named as a workbook, but is none: give a text of rows a name that ends in .csv; else open it in a spreadsheet program, and save it as .xlsx"}
	case o.Sheet != "":
		return origin{}, &FileError{File: name, Message: fmt.Sprintf("--sheet %s: it is no workbook, so it has no sheets: leave the flag out", o.Sheet)}
	}
	text, encoding, note, err := decode(name, data, o.Encoding)
	if err != nil {
		return origin{}, err
	}
	delim, scan := findDelimiter(name, text, o.Columns)
	f := origin{source: scan, delimiter: rune(delim), encoding: encoding, mark: !plain(data, encoding)}
	if note != "" {
		f.notes = []string{note}
	}
	return f, nil
}

// findHeader takes the rows up to the header, and returns it and how many rows are above it.
func (f origin) findHeader(name string, overrides map[string]string) (header record, above int, err *FileError) {
	if head := f.head(); len(head) > 0 {
		above = headerAmong(head, overrides)
	}
	for range above + 1 {
		var found bool
		if header, found, err = f.next(); err != nil {
			return header, above, err
		}
		if !found {
			return header, above, f.empty(name)
		}
	}
	f.named(header.cells)
	return header, above, nil
}

func (f origin) empty(name string) *FileError {
	what := "the file is empty"
	if f.book != nil {
		what = "the sheet " + quoted(f.book.name) + " is empty"
	}
	return f.explain(&FileError{File: name, Message: what + ": it needs a header row, such as po,url, and a row for each order"})
}

// explain adds to an error what of the file was read.
func (f origin) explain(err *FileError) *FileError {
	for _, note := range f.notes {
		err.Message += " (" + note + ")"
	}
	return err
}

// errNoValue says of a cell that nobody knows what stands in it.
var errNoValue = errors.New("the cell is a formula, and its value is not stored: open the workbook in a spreadsheet program, and save it")
