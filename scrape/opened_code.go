package scrape

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/poscrape/poscrape/scrape/number"
)

// An item that opens a page may have a number in its name, such as that of an invoice. The page is not
// its document if it shows the number of another one, and not this. Many pages show none, which says
// nothing; dates and amounts are written in several ways, and are no numbers of documents.

// itemCodes are the numbers in the name of an item, and those in the names of the others on its page.
type itemCodes struct{ own, others []string }

func codesOf(doc *document, items []*document) (codes itemCodes) {
	codes.own = codesIn(doc.item.Name)
	for _, one := range items {
		for _, code := range codesIn(one.item.Name) {
			if !slices.Contains(codes.own, code) {
				codes.others = append(codes.others, code)
			}
		}
	}
	return codes
}

var (
	codeLike = regexp.MustCompile(`[\pL\pN]+(?:[-/_][\pL\pN]+)*`)
	dateLike = regexp.MustCompile(`^\d{1,4}[-/_]\d{1,2}(?:[-/_]\d{1,4})?$`)
)

// codesIn returns what stands in a name as the number of a document does, in upper case.
func codesIn(name string) (codes []string) {
	for _, code := range codeLike.FindAllString(strings.ToUpper(name), -1) {
		digits := 0
		for _, r := range code {
			if unicode.IsDigit(r) {
				digits++
			}
		}
		lettered := strings.ContainsFunc(code, unicode.IsLetter)
		if !dateLike.MatchString(code) && (digits >= 5 || lettered && digits >= 3) {
			codes = append(codes, code)
		}
	}
	return codes
}

// another returns the number of another document that a page shows which shows none of the item's own,
// or "".
func (c itemCodes) another(text string) string {
	text = number.Fold(text)
	plain := alphanumeric(text)
	if len(c.own) == 0 || slices.ContainsFunc(c.own, func(code string) bool { return strings.Contains(plain, alphanumeric(code)) }) {
		return ""
	}
	for _, code := range c.others {
		if number.StandsAlone(text, code) {
			return code
		}
	}
	for _, code := range c.own {
		if other := number.SameForm(text, code); other != "" {
			return other
		}
	}
	return ""
}

// alphanumeric returns a text without spaces and signs.
func alphanumeric(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}
