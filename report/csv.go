package report

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/poscrape/poscrape/internal/template"
)

// WriteResultsCSV writes results.csv: one line for each input row, in input
// order, with all the input's columns, those of resultColumns, and the fields by their
// names. Cells of which a spreadsheet would take a part for a formula are neutralised, see neutralDivided.
// A row with too few cells is filled up; cells beyond the header are left out. The
// text is UTF-8 in the input's delimiter, with a byte order mark unless the input was
// UTF-8 without one.
func (r *Report) WriteResultsCSV(w io.Writer) error {
	if _, err := io.WriteString(w, r.byteOrderMark()); err != nil {
		return fmt.Errorf("writing results.csv: %w", err)
	}
	out := csv.NewWriter(w)
	out.Comma = r.delimiter
	record := r.resultNames()
	width := len(r.columns)
	for i := -1; i < len(r.rows); i++ {
		if i >= 0 {
			clear(record)
			copy(record[:width], r.rows[i].cells)
			added := r.rows[i].columns()
			copy(record[width:], added[:])
			for f, name := range r.fields {
				record[width+len(added)+f] = r.rows[i].fields[name].text
			}
		}
		for c := range record {
			record[c] = neutralDivided(record[c])
		}
		if err := out.Write(record); err != nil {
			return fmt.Errorf("writing results.csv: %w", err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("writing results.csv: %w", err)
	}
	return nil
}

// resultNames returns the names of the columns of results.csv.
func (r *Report) resultNames() []string {
	return slices.Concat(r.columns, addedNames(r.columns, slices.Concat(resultColumns[:], r.fields)))
}

// addedNames returns the names of the columns that are added, with "poscrape_" before those
// that the input has already, or that were added before.
func addedNames(input, added []string) []string {
	taken := map[string]bool{}
	for _, name := range input {
		taken[template.FoldColumn(name)] = true
	}
	names := make([]string, len(added))
	for i, name := range added {
		for taken[template.FoldColumn(name)] {
			name = "poscrape_" + name
		}
		taken[template.FoldColumn(name)] = true
		names[i] = name
	}
	return names
}

// HasFailed reports whether there are rows for failed.csv.
func (r *Report) HasFailed() bool { return slices.Contains(r.unwell, true) }

// byteOrderMark returns what the text of a CSV file begins with.
func (r *Report) byteOrderMark() string {
	if r.mark {
		return "\ufeff"
	}
	return ""
}

// foundByLooking are the delimiters that a sheet's readers find out for themselves.
const foundByLooking = ",;\t|"

// WriteFailedCSV writes failed.csv: the header and the rows whose order ended
// and did not end well, in input order, cell for cell as they were read, and written
// as WriteResultsCSV does, so that it can be the input of the next run. Rows that only
// wait, or were interrupted, are not in it: they are resumed.
func (r *Report) WriteFailedCSV(w io.Writer) error {
	out := bufio.NewWriter(w)
	line := []byte(r.byteOrderMark())
	if !strings.ContainsRune(foundByLooking, r.delimiter) {
		line = fmt.Appendf(line, "sep=%c\n", r.delimiter)
	}
	_, err := out.Write(appendVerbatim(line, r.columns, r.delimiter))
	for i := range r.rows {
		if r.rows[i].unwell && err == nil {
			line = appendVerbatim(line[:0], r.rows[i].cells, r.delimiter)
			_, err = out.Write(line)
		}
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("writing failed.csv: %w", err)
	}
	return nil
}

// appendVerbatim adds one record to the text, for a reader who has to find out
// what the delimiter is: with quotes around whatever could be taken for one, or
// for a byte order mark, or be passed over as an empty line. encoding/csv puts
// none around ";", a tab and "|".
func appendVerbatim(text []byte, cells []string, delimiter rune) []byte {
	if len(cells) == 0 {
		cells = []string{""}
	}
	for i, cell := range cells {
		if i > 0 {
			text = utf8.AppendRune(text, delimiter)
		}
		first, _ := utf8.DecodeRuneInString(cell)
		if strings.ContainsAny(cell, foundByLooking+"\"\r\n") || strings.ContainsRune(cell, delimiter) || unicode.IsSpace(first) || first == '\ufeff' || cell == "" && len(cells) == 1 {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		text = append(text, cell...)
	}
	return append(text, '\n')
}
