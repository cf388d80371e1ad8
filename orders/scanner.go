package orders

import (
	"fmt"
	"strings"

	"github.com/poscrape/poscrape/internal/workbook"
)

const (
	// maxCellBytes bounds one cell; the largest of Excel has 32,767 characters.
	maxCellBytes = 1 << 20
	// maxCells bounds one row, as Excel does.
	maxCells = 16384
)

// record is one row of the file.
type record struct {
	// line is where it begins, from 1.
	line int
	// gap: blank rows stand right above it.
	gap bool

	cells []string
	// oddity says what is strange about its quotes, or is empty.
	oddity string
	// kinds say what the cells of a workbook hold; nil in a text.
	kinds []workbook.Kind
}

// source is where the rows of a sheet come from.
type source interface {
	// head returns the first rows to come, headRows at most, and takes none of them.
	head() []record
	// next takes the next row that is not blank; ok is false at the end.
	next() (rec record, ok bool, err *FileError)
	// named says what the columns are called from here on.
	named(header []string)
}

// blank reports whether there is nothing to be seen in any cell.
func (r record) blank() bool {
	for _, cell := range r.cells {
		if trimInvisible(cell) != "" {
			return false
		}
	}
	return true
}

// scanner cuts a text into records. encoding/csv would change line ends inside
// cells, and gives up on a quote in the middle of a cell. Here cells are kept
// verbatim, a quote in the middle of a cell that does not begin with one is a
// character like any other, and LF, CRLF and CR alone end a row.
type scanner struct {
	file  string
	text  string
	delim byte
	pos   int
	line  int
	// header names the columns in errors; nil while the header itself is read.
	header []string
}

func newScanner(file, text string, delim byte) *scanner {
	return &scanner{file: file, text: text, delim: delim, line: 1}
}

// next returns the next record that is not blank; ok is false at the end.
func (s *scanner) next() (rec record, ok bool, err *FileError) {
	for gap := false; s.pos < len(s.text); gap = true {
		if rec, err = s.record(); err != nil || !rec.blank() {
			rec.gap = gap
			return rec, err == nil, err
		}
	}
	return record{}, false, nil
}

func (s *scanner) head() []record {
	var rows []record
	for ahead := *s; len(rows) < headRows; {
		rec, ok, err := ahead.next()
		if err != nil || !ok {
			break
		}
		rows = append(rows, rec)
	}
	return rows
}

func (s *scanner) named(header []string) { s.header = header }

func (s *scanner) record() (record, *FileError) {
	rec := record{line: s.line}
	for {
		cell, err := s.cell(&rec)
		if err != nil {
			return rec, err
		}
		if len(cell) > maxCellBytes {
			return rec, s.errorAt(&rec, rec.line, "this cell has more than %d MiB: is a quote missing?", maxCellBytes>>20)
		}
		if rec.cells = append(rec.cells, cell); len(rec.cells) > maxCells {
			return rec, s.errorAt(nil, rec.line, "the row has more than %d cells: is this a CSV file?", maxCells)
		}
		if s.endOfRow() {
			return rec, nil
		}
		s.pos++ // the delimiter
	}
}

// endOfRow takes the line end, if the cell was the last of its row.
func (s *scanner) endOfRow() bool {
	rest := s.text[s.pos:]
	switch {
	case rest == "":
		return true
	case strings.HasPrefix(rest, "\r\n"):
		s.pos += 2
	case rest[0] == '\n' || rest[0] == '\r':
		s.pos++
	default:
		return false
	}
	s.line++
	return true
}

func (s *scanner) cell(rec *record) (string, *FileError) {
	if s.pos < len(s.text) && s.text[s.pos] == '"' {
		return s.quotedCell(rec)
	}
	return s.plain(), nil
}

// plain returns the text up to the next delimiter or line end.
func (s *scanner) plain() string {
	start := s.pos
	for s.pos < len(s.text) {
		if b := s.text[s.pos]; b == s.delim || b == '\n' || b == '\r' {
			break
		}
		s.pos++
	}
	return s.text[start:s.pos]
}

func (s *scanner) quotedCell(rec *record) (string, *FileError) {
	opened := s.line
	inner, doubled, closed := s.untilQuote()
	if !closed {
		return "", s.errorAt(rec, opened, "a quote is opened here and never closed: close it, or write it twice where it belongs to the text")
	}
	if len(inner) > maxCellBytes {
		return inner, nil
	}
	lines := countLines(inner)
	s.line += lines
	rest := s.plain()
	if rest != "" && lines > 0 {
		return "", s.errorAt(rec, opened, "a quote is opened here, and the next one, in line %d, does not end a cell: one of the two is too many, or must be written twice", s.line)
	}
	if rest != "" {
		rec.oddity = "a quote is closed in the middle of a cell: write it twice where it belongs to the text"
	}
	if lines > 0 && s.looksLikeRows(inner) {
		rec.oddity = fmt.Sprintf("a quoted cell goes from line %d to line %d and holds what looks like whole rows: is a quote missing?", opened, s.line)
	}
	if doubled {
		inner = strings.ReplaceAll(inner, `""`, `"`)
	}
	return inner + rest, nil
}

// untilQuote takes a quoted text with both its quotes, and returns what is
// between them, and whether quotes in it are doubled.
func (s *scanner) untilQuote() (inner string, doubled, closed bool) {
	start := s.pos + 1
	for end := start; ; {
		i := strings.IndexByte(s.text[end:], '"')
		if i < 0 {
			return "", false, false
		}
		end += i
		if !strings.HasPrefix(s.text[end:], `""`) {
			s.pos = end + 1
			return s.text[start:end], doubled, true
		}
		doubled = true
		end += 2
	}
}

// looksLikeRows reports whether a line within a cell, neither its first nor its
// last, has as many delimiters as a row of three cells or more.
func (s *scanner) looksLikeRows(inner string) bool {
	lines := strings.FieldsFunc(inner, func(r rune) bool { return r == '\n' || r == '\r' })
	if len(lines) < 3 {
		return false
	}
	for _, line := range lines[1 : len(lines)-1] {
		if strings.Count(line, string(rune(s.delim))) >= 2 {
			return true
		}
	}
	return false
}

// errorAt returns an error about the record's next cell, or, without a record,
// about the whole line.
func (s *scanner) errorAt(rec *record, line int, format string, args ...any) *FileError {
	err := &FileError{File: s.file, Line: line, Message: fmt.Sprintf(format, args...)}
	if rec != nil && len(rec.cells) < len(s.header) {
		err.Column = s.header[len(rec.cells)]
	}
	return err
}
