package learn

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/poscrape/poscrape/internal/template"
)

func isLetter(r rune) bool { return unicode.IsLetter(r) }

// sameName reports whether a label on a page is a column's name.
func sameName(label, column string) bool {
	folded := template.FoldColumn(label)
	return folded != "" && folded == template.FoldColumn(column)
}

// fieldName makes the name of a field of a column's or a label's: "Order total" is order_total.
func fieldName(title string) string {
	var b strings.Builder
	for _, r := range norm.NFC.String(strings.ToLower(title)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	name := strings.Trim(b.String(), "_")
	if name == "" {
		return "field"
	}
	return name
}

// unused returns the name, with a number behind it where it is taken, and takes it.
func unused(taken *[]string, name string) string {
	free := name
	for n := 2; slices.Contains(*taken, free); n++ {
		free = fmt.Sprintf("%s_%d", name, n)
	}
	*taken = append(*taken, free)
	return free
}
