package orders

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/poscrape/poscrape/internal/template"
)

// sift finds the rows that are no orders and are not meant to be: repeated headers, Excel's line
// that names a delimiter, as where files were joined, totals, and notes below the last order. It returns an error where another table begins.
func (r *rowReader) sift(entries []*entry) *FileError {
	for _, e := range entries {
		switch {
		case r.repeatsHeader(e):
			e.skipped = fmt.Sprintf("it repeats the header of line %d", r.headerLine)
		case e.filled == 1 && strings.EqualFold(strings.TrimSpace(strings.Join(e.row.Cells, "")), "sep="):
			e.skipped = "it is Excel's line that names the delimiter"
		case e.numberErr != nil && r.isHeader(e):
			return &FileError{File: r.file, Line: e.row.Line, Message: fmt.Sprintf(
				"another table begins here, with the columns %s; the one from line %d on has %s: give each table a file or a sheet of its own",
				quotedList(e.row.Cells), r.headerLine, quotedList(r.columns.header))}
		}
	}
	r.siftTotals(entries)
	last := -1
	for i, e := range entries {
		if e.skipped == "" && e.numberErr == nil && !r.isNote(e) {
			last = i
		}
	}
	for _, e := range entries[last+1:] {
		if e.skipped == "" && last >= 0 && e.filled == 1 && (e.numberErr != nil || r.isNote(e)) {
			e.skipped = "it is a note below the last order"
		}
	}
	return nil
}

// repeatsHeader reports whether what is in a row stands at the same places in the header, the
// name of the order numbers among it; or whether that alone is in it, in other words.
func (r *rowReader) repeatsHeader(e *entry) bool {
	po := r.columns.cell(e.row.Cells, rolePO)
	if folded := template.FoldColumn(po); folded == "" || folded != template.FoldColumn(r.columns.name(rolePO)) {
		return folded != "" && e.filled == 1 && e.numberErr != nil && headerNames[folded].role == rolePO
	}
	for i, cell := range r.columns.sheet(e.row.Cells) {
		if trimInvisible(cell) != "" && (i >= len(r.columns.header) || template.FoldColumn(cell) != template.FoldColumn(r.columns.header[i])) {
			return false
		}
	}
	return true
}

// isHeader reports whether a row without a number names columns. Below a gap, where a table
// may begin, that is believed sooner.
func (r *rowReader) isHeader(e *entry) bool {
	known, named, words := map[role]bool{}, 0, true
	for _, cell := range r.columns.sheet(e.row.Cells) {
		folded := template.FoldColumn(cell)
		if folded == "" {
			continue
		}
		found, ok := headerNames[folded]
		if ok {
			known[found.role] = true
		}
		if ok || r.columns.names[folded] {
			named++
		}
		words = words && strings.IndexFunc(cell, unicode.IsDigit) < 0
	}
	switch {
	case e.filled < 2 || !words:
		return false
	case known[rolePO]:
		return named >= 2 || e.gap
	}
	return len(known) >= 2 || e.gap && named >= 1
}

// isNote reports whether the only text of a row reads like a sentence, although it has a digit
// in it as an order's number does: "Printed on 1 March", "Date: 1.3.". In a sheet of one column,
// each row has a single text, and none is left out for how it reads.
func (r *rowReader) isNote(e *entry) bool {
	if e.filled != 1 || r.columns.own == 1 {
		return false
	}
	words := 0
	for _, field := range strings.Fields(e.row.Raw) {
		word, labels := strings.CutSuffix(field, ":")
		if utf8.RuneCountInString(word) < 2 || strings.IndexFunc(word, func(c rune) bool { return !unicode.IsLetter(c) }) >= 0 ||
			headerNames[template.FoldColumn(word)].role == rolePO || splitPrefix(tidy(word)+"0", e.rule.prefixes).prefixed {
			continue
		}
		if words++; labels {
			words++
		}
	}
	return words >= 2
}
