package workbook

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The bounds of a sheet: Excel's, but for the length of a text in bytes, of which it allows less.
const (
	maxRows    = 1 << 20
	maxColumns = 1 << 14
	maxText    = 1 << 20
)

// Kind says what a cell holds.
type Kind byte

const (
	// Text, also of a truth value (TRUE) and of a formula's error (#N/A); or nothing.
	Text Kind = iota
	// Number, as it is stored.
	Number
	// Date, YYYY-MM-DD, with a time of the day if it has one, or that alone.
	Date
	// NoValue: a formula whose value is not stored. The cell's text is empty.
	NoValue
)

// Row is one with at least one filled cell.
type Row struct {
	// Line is its number in the sheet, from 1.
	Line   int
	Hidden bool
	// Cells up to the last filled one, and what each holds.
	Cells []string
	Kinds []Kind
}

// Table is what a sheet holds.
type Table struct {
	// Rows in the order of their lines.
	Rows []Row
	// HiddenColumns are those that people do not see, by their places from 0.
	HiddenColumns []int
	// Merged is how many cells got the text of the merged area that they are in.
	Merged int
	// links lead from cells to addresses.
	links map[cellRef]string
}

// cellRef is where a cell is: its line from 1, its column from 0.
type cellRef struct{ line, column int }

// Link returns the address of the web page that the cell is linked to, or "".
func (t *Table) Link(line, column int) string { return t.links[cellRef{line, column}] }

// Read reads a sheet. Its error is an ErrBroken or an ErrTooLarge.
func (w *Workbook) Read(s Sheet) (*Table, error) {
	part, found, err := w.openPart(s.part)
	if err != nil || !found {
		return nil, broken(s.part, err)
	}
	defer part.Close()
	r := &reader{book: w, xml: xml.NewDecoder(part)}
	if err := r.read(); err != nil {
		return nil, partError(s.part, err)
	}
	if err := r.spread(); err != nil {
		return nil, broken(s.part, err)
	}
	if err := r.link(s.part); err != nil {
		return nil, err
	}
	if err := r.spreadLinks(); err != nil {
		return nil, broken(s.part, err)
	}
	for i, hidden := range r.hidden {
		if hidden {
			r.table.HiddenColumns = append(r.table.HiddenColumns, i)
		}
	}
	return &r.table, nil
}

// reader reads one sheet.
type reader struct {
	book  *Workbook
	xml   *xml.Decoder
	table Table
	// line is that of the row that is read, or was last.
	line int
	// cells, empty ones among them, bytes of text, and columns that are described.
	cells, empty, text, columns int

	hidden [maxColumns]bool
	merged []area
	linked []linkedArea
}

func (r *reader) read() error {
	for depth, begun := 0, false; ; {
		token, err := r.xml.RawToken()
		if errors.Is(err, io.EOF) && depth == 0 && begun {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.EndElement:
			depth--
		case xml.StartElement:
			depth++
			begun = begun || t.Name.Local == "worksheet"
			read, err := r.element(t)
			if err != nil {
				return err
			}
			if read {
				depth--
			}
		}
		if depth < 0 {
			return errors.New("an element ends that did not begin")
		}
	}
}

// element reads what is known of an element, and reports whether it has read it to its end.
func (r *reader) element(t xml.StartElement) (toItsEnd bool, err error) {
	switch t.Name.Local {
	case "col":
		return false, r.column(t)
	case "row":
		return true, r.row(t)
	case "mergeCell":
		a, err := parseArea(attribute(t, "ref"))
		if err == nil {
			r.merged = append(r.merged, a)
		}
		if len(r.merged) > r.book.limits.areas {
			err = tooLarge("it has more than %d merged areas", r.book.limits.areas)
		}
		return false, err
	case "hyperlink":
		a, err := parseArea(attribute(t, "ref"))
		if id := attribute(t, "id"); err == nil && id != "" {
			r.linked = append(r.linked, linkedArea{a, id})
		}
		if len(r.linked) > r.book.limits.areas {
			err = tooLarge("it has more than %d links", r.book.limits.areas)
		}
		return false, err
	}
	return false, nil
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func truth(text string) bool { return text == "1" || text == "true" }

func (r *reader) column(t xml.StartElement) error {
	first, err := strconv.Atoi(attribute(t, "min"))
	last, err2 := strconv.Atoi(attribute(t, "max"))
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	if r.columns++; r.columns > maxColumns {
		return tooLarge("it describes more than %d columns", maxColumns)
	}
	if truth(attribute(t, "hidden")) {
		for i := max(first, 1); i <= min(last, maxColumns); i++ {
			r.hidden[i-1] = true
		}
	}
	return nil
}

// row reads a row to its end.
func (r *reader) row(t xml.StartElement) error {
	line := r.line + 1
	if text := attribute(t, "r"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n <= r.line || n > maxRows {
			return fmt.Errorf("row %q comes after row %d", text, r.line)
		}
		line = n
	}
	r.line = line
	row := Row{Line: line, Hidden: truth(attribute(t, "hidden"))}
	if n := len(r.table.Rows); n > 0 {
		width := len(r.table.Rows[n-1].Cells)
		row.Cells, row.Kinds = make([]string, 0, width), make([]Kind, 0, width)
	}
	next := 0
	for {
		token, err := r.xml.RawToken()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.EndElement:
			if t.Name.Local != "row" {
				continue
			}
			if len(row.Cells) > 0 {
				r.table.Rows = append(r.table.Rows, row)
			}
			return nil
		case xml.StartElement:
			if t.Name.Local != "c" {
				continue
			}
			if next, err = r.cell(t, &row, next); err != nil {
				return fmt.Errorf("row %d: %w", line, err)
			}
		}
	}
}

// cell reads a cell to its end. It is in column next, from 0, unless it says otherwise, and
// the result is the column after it.
func (r *reader) cell(t xml.StartElement, row *Row, next int) (int, error) {
	style, kind := 0, ""
	for _, a := range t.Attr {
		switch a.Name.Local {
		case "r":
			at, err := parseRef(a.Value)
			if err != nil || at.line != row.Line {
				return next, fmt.Errorf("a cell is named %q", a.Value)
			}
			next = at.column
		case "s":
			style, _ = strconv.Atoi(a.Value) // one that is not known has no format
		case "t":
			kind = a.Value
		}
	}
	if next >= maxColumns {
		return next, fmt.Errorf("there are more than %d columns", maxColumns)
	}
	text, holds, link, err := r.value(kind, style)
	if err != nil {
		return next, err
	}
	if link != "" {
		if err := r.addLink(cellRef{row.Line, next}, link); err != nil {
			return next, err
		}
	}
	if len(text) > maxText {
		return next, tooLarge("a cell has more than %d MiB", maxText>>20)
	}
	if text != "" || holds == NoValue {
		return next + 1, r.put(row, next, text, holds)
	}
	return next + 1, nil
}

func (r *reader) put(row *Row, column int, text string, kind Kind) error {
	limits := r.book.limits
	if r.cells += max(0, column+1-len(row.Cells)); r.cells > limits.cells {
		return tooLarge("it has more than %d cells", limits.cells)
	}
	if r.empty += max(0, column-len(row.Cells)); r.empty > limits.empty {
		return tooLarge("it has more than %d empty cells", limits.empty)
	}
	if err := r.addText(text); err != nil {
		return err
	}
	for len(row.Cells) <= column {
		row.Cells, row.Kinds = append(row.Cells, ""), append(row.Kinds, Text)
	}
	row.Cells[column], row.Kinds[column] = text, kind
	return nil
}

// addText counts the text of a cell, or the address that it is linked to.
func (r *reader) addText(text string) error {
	if r.text += len(text); r.text > r.book.limits.text {
		return tooLarge("its cells have more than %d MiB of text, which is too much for a file of its size", r.book.limits.text>>20)
	}
	return nil
}

// value reads what is in a cell of a type, up to its end. The link is that of a formula which
// makes one.
func (r *reader) value(kind string, style int) (text string, holds Kind, link string, err error) {
	var value, inline, formula strings.Builder
	into, stored, calculated := (*strings.Builder)(nil), false, false
	for {
		token, err := r.xml.RawToken()
		if err != nil {
			return "", Text, "", err
		}
		switch t := token.(type) {
		case xml.CharData:
			if into != nil {
				into.Write(t)
			}
		case xml.StartElement:
			into = nil
			switch t.Name.Local {
			case "v":
				into = &value
				stored = stored || kind == "str" // an empty text is a value
			case "f":
				into, calculated = &formula, true
			case "is":
				text, err := readText(r.xml)
				if err != nil {
					return "", Text, "", err
				}
				inline.WriteString(text)
			}
		case xml.EndElement:
			into = nil
			if t.Name.Local != "c" {
				continue
			}
			if calculated && value.Len() == 0 && !stored {
				return "", NoValue, linkOf(formula.String()), nil
			}
			text, holds, err := r.meaning(kind, style, value.String(), inline.String())
			return text, holds, linkOf(formula.String()), err
		}
	}
}

// meaning returns what a cell of a type holds.
func (r *reader) meaning(kind string, style int, value, inline string) (string, Kind, error) {
	switch kind {
	case "s":
		if value == "" {
			return "", Text, nil
		}
		i, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || i < 0 || i >= len(r.book.texts) {
			return "", Text, fmt.Errorf("there is no text number %q", value)
		}
		return r.book.texts[i], Text, nil
	case "inlineStr":
		return inline, Text, nil
	case "str", "e":
		return unescape(value), Text, nil
	case "b":
		if truth(value) {
			return "TRUE", Text, nil
		}
		return "FALSE", Text, nil
	case "d":
		return strings.Replace(strings.TrimSuffix(value, "T00:00:00"), "T", " ", 1), Date, nil
	}
	if value == "" {
		return "", Text, nil
	}
	text, holds := r.book.number(value, style)
	return text, holds, nil
}
