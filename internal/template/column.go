package template

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// FindColumn finds the column of a name that a person wrote: verbatim, or else
// whatever the case and the marks. Of several the first is taken.
func FindColumn(header []string, name string) (int, bool) {
	if i := slices.Index(header, name); i >= 0 {
		return i, true
	}
	folded := FoldColumn(name)
	i := slices.IndexFunc(header, func(h string) bool { return folded != "" && FoldColumn(h) == folded })
	return i, i >= 0
}

// FoldColumn reduces a column's name to its letters and digits, in lower case
// and without accents.
func FoldColumn(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, norm.NFKD.String(strings.ToLower(norm.NFKD.String(name))))
}
