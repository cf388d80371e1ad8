package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteResultsCSV writes results.csv: one line for each input row, in input
// order, with all the input's columns and then those of resultColumns. Cells
// that a spreadsheet would take for a formula are neutralised, see neutral.
// A row with too few cells is filled up; cells beyond the header are left out.
func (r *Report) WriteResultsCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	record := append([]string{}, r.columns...)
	record = append(record, addedNames(r.columns)...)
	width := len(r.columns)
	for i := -1; i < len(r.rows); i++ {
		if i >= 0 {
			clear(record)
			copy(record[:width], r.rows[i].cells)
			added := r.rows[i].columns()
			copy(record[width:], added[:])
		}
		for c := range record {
			record[c] = neutral(record[c])
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

// addedNames returns the names of resultColumns, with "poscrape_" before those
// that the input has already.
func addedNames(input []string) []string {
	taken := map[string]bool{}
	for _, name := range input {
		taken[strings.ToLower(strings.TrimSpace(name))] = true
	}
	names := make([]string, len(resultColumns))
	for i, name := range resultColumns {
		for taken[name] {
			name = "poscrape_" + name
		}
		names[i] = name
	}
	return names
}

// HasFailed reports whether there are rows for failed.csv.
func (r *Report) HasFailed() bool { return slices.Contains(r.unwell, true) }

// WriteFailedCSV writes failed.csv: the header and the rows whose order ended
// and did not end well, in input order, cell for cell as they were read, so
// that it can be the input of the next run. Rows that only wait, or were
// interrupted, are not in it: they are resumed.
func (r *Report) WriteFailedCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := writeVerbatim(w, out, r.columns); err != nil {
		return err
	}
	for i := range r.rows {
		if !r.rows[i].unwell {
			continue
		}
		if err := writeVerbatim(w, out, r.rows[i].cells); err != nil {
			return err
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("writing failed.csv: %w", err)
	}
	return nil
}

// writeVerbatim writes one record. A record of one empty cell is written as
// "", since readers of CSV pass over an empty line.
func writeVerbatim(w io.Writer, out *csv.Writer, cells []string) error {
	if len(cells) == 0 || len(cells) == 1 && cells[0] == "" {
		out.Flush()
		if _, err := io.WriteString(w, "\"\"\n"); err != nil {
			return fmt.Errorf("writing failed.csv: %w", err)
		}
		return nil
	}
	if err := out.Write(cells); err != nil {
		return fmt.Errorf("writing failed.csv: %w", err)
	}
	return nil
}
