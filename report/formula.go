package report

import (
	"regexp"
	"strings"
)

// negativeNumber matches what a spreadsheet reads as a number below zero, in
// any locale, and nothing that it would calculate.
var negativeNumber = regexp.MustCompile(`^-[.,]?[0-9]+(?:[.,' \x{00A0}\x{202F}]?[0-9]+)*(?:[eE][+-]?[0-9]+)?$`)

// neutral returns a cell that no spreadsheet takes for a formula: where it
// begins like one, an apostrophe is put before it. Negative numbers stay.
func neutral(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) || negativeNumber.MatchString(cell) {
		return cell
	}
	return "'" + cell
}
