package report

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// negativeNumber matches what a spreadsheet reads as a number below zero, in
// any locale, and nothing that it would calculate.
var negativeNumber = regexp.MustCompile(`^-[.,]?[0-9]+(?:[.,' \x{00A0}\x{202F}]?[0-9]+)*(?:[eE][+-]?[0-9]+)?$`)

const (
	// signs are what a formula begins with, also in full width.
	signs = "=+-@\uff1d\uff0b\uff0d\uff20"
	// lineBreaks end a row, unless the reader knows the quotes around the cell.
	lineBreaks = "\r\n"
	// dividers are what some spreadsheet divides cells at besides.
	dividers = ";,\t|"
)

// neutral returns a text that is no formula as a whole: where it begins like one, an apostrophe is
// put before it. Negative numbers stay.
func neutral(cell string) string {
	if strings.ContainsRune(signs+lineBreaks+"\t", firstRune(cell)) && !negativeNumber.MatchString(cell) {
		return "'" + cell
	}
	return cell
}

// neutralDivided returns a cell of which no spreadsheet takes a part for a formula either, wherever it
// divides cells: in much of Europe at semicolons, which need no quotes in a file with commas. A sign
// that nothing follows stays as well: "1.234,-".
func neutralDivided(cell string) string {
	cell = neutral(cell)
	if !strings.ContainsAny(cell, signs) || !strings.ContainsAny(cell, dividers+lineBreaks) {
		return cell
	}
	var safe strings.Builder
	for i := range len(cell) {
		safe.WriteByte(cell[i])
		if strings.IndexByte(dividers+lineBreaks, cell[i]) >= 0 && calculates(cell[i+1:], cell[i]) {
			safe.WriteByte('\'')
		}
	}
	return safe.String()
}

// calculates reports whether a spreadsheet that divides cells at a character would take what
// follows it for a formula.
func calculates(rest string, divider byte) bool {
	rest = strings.TrimLeft(rest, `"`) // as it is written, these are doubled, and read as nothing
	if !strings.ContainsRune(signs, firstRune(rest)) {
		return false
	}
	_, size := utf8.DecodeRuneInString(rest)
	next := firstRune(strings.TrimLeft(rest[size:], "-"))         // "1.234,--"
	if next < 0 || strings.ContainsRune(";,|"+lineBreaks, next) { // formulas may have tabs
		return false
	}
	if i := strings.IndexAny(rest, lineBreaks+string(divider)); i >= 0 {
		rest = rest[:i]
	}
	return !negativeNumber.MatchString(rest)
}

// firstRune returns the first character of a text, or none, -1.
func firstRune(text string) rune {
	for _, c := range text {
		return c
	}
	return -1
}
