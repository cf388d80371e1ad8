package orders

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/poscrape/poscrape/internal/filename"
	"github.com/poscrape/poscrape/internal/shell"
	"github.com/poscrape/poscrape/internal/template"
	"github.com/poscrape/poscrape/tasks"
)

// Sheet is what Read made of a file.
type Sheet struct {
	Input tasks.Input
	// Orders in the order of their first rows.
	Orders []PurchaseOrder
	// Unusable are the rows that belong to no order, in input order.
	Unusable []UnusableRow
	// Skipped are the rows that are no orders, such as totals, in input order.
	Skipped []SkippedRow
	// Problems of all rows, warnings too, in input order.
	Problems []Problem
	// Notes say how the file was read where people may not expect it: which of several sheets,
	// what stands above the header, what is hidden.
	Notes []string
	// Delimiter between the cells; a comma for a workbook.
	Delimiter rune
	// Encoding of the file: UTF-8, UTF-16LE, UTF-16BE, Windows-1252, or what Options say; empty for a workbook.
	Encoding string
}

// Specs returns what is asked of the queue, in the order of each one's first
// row: the orders, and each unusable or skipped row as one of its own.
func (s *Sheet) Specs() []tasks.Spec {
	specs := make([]tasks.Spec, 0, len(s.Orders)+len(s.Unusable))
	for _, order := range s.Orders {
		specs = append(specs, order.Spec())
	}
	for _, row := range s.Unusable {
		specs = append(specs, row.Spec())
	}
	for _, row := range s.Skipped {
		specs = append(specs, row.Spec())
	}
	slices.SortStableFunc(specs, func(a, b tasks.Spec) int { return a.Rows[0].Line - b.Rows[0].Line })
	return specs
}

// Read reads a CSV, TSV or XLSX file of up to 256 MB from r, which it does not close. What it
// is shows its content; the name is for messages, and "-" is standard input. A row that
// cannot be used is no error. The error is an *OptionError or a *FileError.
func Read(name string, r io.Reader, o Options) (*Sheet, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	sheet, err := read(name, r, o)
	if err != nil {
		return nil, err
	}
	return sheet, nil
}

func read(name string, r io.Reader, o Options) (*Sheet, *FileError) {
	data, err := readFile(name, r)
	if err != nil {
		return nil, err
	}
	file, err := openFile(name, data, o)
	if err != nil {
		return nil, err
	}
	header, above, err := file.findHeader(name, o.Columns)
	if err != nil {
		return nil, err
	}
	reader, err := newRowReader(name, header, file.head(), o)
	if err != nil {
		return nil, file.explain(err)
	}
	reader.book = file.book
	entries, err := reader.readAll(file)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, file.explain(&FileError{File: name, Line: header.line, Message: "the file has a header but no rows"})
	}
	sum := sha256.Sum256(data)
	sheet := &Sheet{
		Input: tasks.Input{File: name, Rows: len(entries), SHA256: hex.EncodeToString(sum[:]), Columns: header.cells,
			Delimiter: string(file.delimiter), Mark: file.mark, Roles: reader.columns.roles()},
		Delimiter: file.delimiter, Encoding: file.encoding, Notes: file.notes,
	}
	if above > 0 {
		sheet.Notes = append(sheet.Notes, fmt.Sprintf("the header is in line %d; what stands above it is left out", header.line))
	}
	if file.book != nil {
		sheet.Notes = append(sheet.Notes, file.book.notes(header.cells, header.line+1, entries[len(entries)-1].row.Line)...)
	}
	sheet.Notes = append(sheet.Notes, reader.notes...)
	meant := slices.DeleteFunc(slices.Clone(entries), func(e *entry) bool { return e.skipped != "" })
	if err := reader.match(meant); err != nil {
		return nil, err
	}
	sheet.collect(entries)
	if len(sheet.Orders) == 0 {
		return nil, file.explain(reader.nothingUsable(entries))
	}
	sheet.noteSkipped()
	sheet.noteUnlike()
	sheet.Problems = sorted(reader.problems)
	return sheet, nil
}

// sorted sorts problems by their lines.
func sorted(problems []Problem) []Problem {
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.Line - b.Line })
	return problems
}

// newRowReader finds the columns, and says what is missing if no row could be used. head are the
// first rows below the header.
func newRowReader(name string, header record, head []record, o Options) (*rowReader, *FileError) {
	fail := func(format string, args ...any) (*rowReader, *FileError) {
		return nil, &FileError{File: name, Line: header.line, Message: fmt.Sprintf(format, args...)}
	}
	cols, warnings, err := matchColumns(header.cells, o.Columns)
	if err != nil {
		err.File, err.Line = name, header.line
		return nil, err
	}
	for i := range warnings {
		warnings[i].File, warnings[i].Line = name, header.line
	}
	if !cols.has(rolePO) {
		return fail("no column is named as one of order numbers (po, order number, ...)%s; the columns are %s: name one of them po, or say which one it is with --column po=NAME%s",
			looksLikeData(header.cells, o), quotedList(header.cells), onlyNumbers(header, head, o))
	}
	reader := &rowReader{file: name, options: o, columns: cols, headerLine: header.line, header: header.cells, problems: warnings, templateColumns: map[string]int{}}
	reader.plain, reader.named = o.rules()
	if o.URL == "" && !cols.has(roleURL) && !o.URLOptional {
		return fail("there is no column of URLs, so the orders cannot be opened; the columns are %s: add a column url, or say how URLs are made with --url, such as --url 'https://portal.example/orders/{po}'; {column:NAME} in it is the cell of any column (run and check take URLs from a recipe, too: --recipe)",
			quotedList(header.cells))
	}
	for _, rule := range reader.rules() {
		if rule.template == nil {
			continue
		}
		for _, column := range rule.template.Columns() {
			i, ok := template.FindColumn(header.cells, column)
			if reader.templateColumns[column] = i; !ok {
				return fail("the URL template asks for a column %s that is not there; the columns are %s", quoted(column), quotedList(header.cells))
			}
		}
	}
	return reader, nil
}

// nothingUsable says that no row of the file can be used, and why the first one
// cannot.
func (r *rowReader) nothingUsable(entries []*entry) *FileError {
	first := &Problem{Line: entries[0].row.Line, Message: entries[0].skipped}
	if i := slices.IndexFunc(entries, func(e *entry) bool { return e.problem != nil }); i >= 0 {
		first = entries[i].problem
	}
	rows := "none of its " + strconv.Itoa(len(entries)) + " rows"
	if len(entries) == 1 {
		rows = "its one row cannot"
	} else {
		rows += " can"
	}
	return &FileError{File: r.file, Rows: sorted(r.problems), Message: fmt.Sprintf("%s be used; %s (--column po=NAME and url=NAME say otherwise); line %d: %s",
		rows, r.columns.taken(), first.Line, first.Message)}
}

// noteSkipped says which rows are no orders.
func (s *Sheet) noteSkipped() {
	var rows []string
	for _, row := range s.Skipped[:min(len(s.Skipped), 5)] {
		rows = append(rows, fmt.Sprintf("line %d: %s", row.Row.Line, row.Reason))
	}
	if more := len(s.Skipped) - len(rows); more > 0 {
		rows = append(rows, fmt.Sprintf("and %d more", more))
	}
	if len(rows) > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%s skipped: %s", count(len(s.Skipped), "row"), strings.Join(rows, "; ")))
	}
}

// looksLikeData returns a hint if the first row seems to be no header.
func looksLikeData(cells []string, o Options) string {
	for _, cell := range cells {
		n, err := parseNumber(cell, o.prefixes())
		_, urlErr := parseAddress(cell)
		if urlErr == nil || err == nil && (n.prefixed || strings.Trim(n.canonical, "0123456789") == "") {
			return ", and the first row looks like data, not like a header"
		}
	}
	return ""
}

// asDate is how a date begins that could be taken for a number, and asAmount what has decimals.
var (
	asDate   = regexp.MustCompile(`^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}`)
	asAmount = regexp.MustCompile(`\d[.,]\d`)
)

// onlyNumbers returns a hint at the one column whose cells in the first rows are all different, and
// could be order numbers.
func onlyNumbers(header record, head []record, o Options) string {
	var likely []string
	for i, name := range header.cells {
		seen := map[string]bool{}
		for _, rec := range head {
			if i >= len(rec.cells) || asDate.MatchString(rec.cells[i]) || asAmount.MatchString(rec.cells[i]) {
				continue
			}
			if n, err := parseNumber(rec.cells[i], o.prefixes()); err == nil && strings.ContainsAny(n.canonical, "0123456789") {
				seen[n.canonical] = true
			}
		}
		if len(head) >= fewestNumbers && len(seen) == len(head) {
			likely = append(likely, name)
		}
	}
	if len(likely) != 1 {
		return ""
	}
	return fmt.Sprintf("; of these, only the cells of %s are all different numbers (%s)", quoted(likely[0]), strings.TrimSpace(shell.Flag("column", "po="+likely[0])))
}

// fewestNumbers is how many rows must have different numbers for a hint.
const fewestNumbers = 3

// collect puts the entries into orders, by number and URL, and sets the rest aside.
func (s *Sheet) collect(entries []*entry) {
	at := map[identity]int{}
	names := filename.NewFolders()
	for _, e := range entries {
		if e.skipped != "" {
			s.Skipped = append(s.Skipped, SkippedRow{Row: e.row, Reason: e.skipped, Dir: names.Name(fmt.Sprintf("row-%d", e.row.Line))})
			continue
		}
		if e.problem != nil {
			s.Unusable = append(s.Unusable, UnusableRow{Row: e.row, Problem: *e.problem, Dir: names.Name(fmt.Sprintf("row-%d", e.row.Line))})
			continue
		}
		id := identity{e.final.canonical, e.url}
		i, known := at[id]
		if !known {
			i = len(s.Orders)
			at[id] = i
			s.Orders = append(s.Orders, PurchaseOrder{
				Number: e.final.canonical, Digits: e.final.digits, URL: e.url, Priority: e.priority,
				Dir: names.Name(e.final.canonical), Portal: e.rule.name,
			})
		}
		s.Orders[i].add(e)
	}
	for i := range s.Orders {
		s.Orders[i].Sheet.Documents = s.Orders[i].promised()
	}
}
