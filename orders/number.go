package orders

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const maxNumberRunes = 64

// number is an order number in canonical form.
type number struct {
	canonical string
	// digits is the number without its prefix, and the same as canonical for
	// one that has no prefix.
	digits   string
	prefixed bool
}

// parseNumber returns the canonical form of a number as it is written in a
// sheet. Prefixes are in canonical form themselves, the longest first. The
// errors say what is wrong, and how to put it right.
func parseNumber(raw string, prefixes []string) (number, error) {
	text := unwrap(trimInvisible(norm.NFKC.String(raw)))
	if text == "" {
		return number{}, errors.New("there is no order number")
	}
	if strings.IndexFunc(text, unicode.IsControl) >= 0 {
		return number{}, fmt.Errorf("%s has a line break or a control character in it: write one order number in each row", quoted(text))
	}
	if severalNumbers(text, prefixes) {
		return number{}, fmt.Errorf("%s seems to be several numbers: write one order number in each row", quoted(text))
	}
	text = unwrap(tidy(text)) // once more: a space may have hidden the marks, = "0012"
	if strings.ContainsRune(text, utf8.RuneError) {
		return number{}, fmt.Errorf("%s has a character that cannot be read: save the file as CSV UTF-8", quoted(text))
	}
	n := splitPrefix(text, prefixes)
	if sheetError.MatchString(text) {
		return number{}, fmt.Errorf("%s is the error of a formula: put the number itself into the cell", quoted(text))
	}
	if lostDigits.MatchString(n.digits) {
		return number{}, fmt.Errorf("%s has lost its digits in a spreadsheet: format the column as text, enter the number again, and save", quoted(text))
	}
	n = n.withoutZeroDecimals()
	if strings.IndexFunc(n.canonical, unicode.IsDigit) < 0 {
		return number{}, fmt.Errorf("%s has no digit in it, so it is not an order number", quoted(raw))
	}
	if strings.ContainsAny(n.canonical, ",;|") {
		return number{}, fmt.Errorf("%s has a separator in it: write one order number in each row, without thousands separators", quoted(raw))
	}
	if length := utf8.RuneCountInString(n.canonical); length > maxNumberRunes {
		return number{}, fmt.Errorf("%s has %d characters: an order number has %d at most", quoted(text), length, maxNumberRunes)
	}
	return n, nil
}

var (
	// lostDigits is a number as spreadsheets show it when a cell is too narrow,
	// or beyond 15 digits. 12E5 and 12E-5 are not theirs.
	lostDigits = regexp.MustCompile(`^[+-]?\d+([.,]\d+E[+-]?|E\+)\d+$`)
	// sheetError is what a formula shows that failed: #DIV/0! or #N/A
	sheetError = regexp.MustCompile(`^#(N/A|[A-Z0-9/_]+[!?])$`)
	// wholeNumber is a whole number with decimals, all of them zero.
	wholeNumber = regexp.MustCompile(`^(\d+)([.,])(0+)$`)
)

// tidy brings the characters of a number into canonical form: NFKC, upper case,
// nothing invisible, no spaces. It goes on until nothing changes, since what
// was apart may come together.
func tidy(text string) string {
	text = norm.NFKC.String(text)
	for range 4 {
		before := text
		text = norm.NFKC.String(strings.Map(visible, strings.ToUpper(text)))
		if text == before {
			break
		}
	}
	return text
}

func visible(r rune) rune {
	if invisible(r) || unicode.IsSpace(r) {
		return -1
	}
	return r
}

// unwrap undoes what makes a spreadsheet take a number for a text: a leading
// apostrophe, and ="0012".
func unwrap(text string) string {
	for {
		inner := trimInvisible(strings.TrimLeft(text, "'’"))
		if formula, ok := strings.CutPrefix(inner, `="`); ok {
			if value, ok := strings.CutSuffix(formula, `"`); ok {
				inner = trimInvisible(value)
			}
		}
		if inner == text {
			return text
		}
		text = inner
	}
}

// severalNumbers reports whether the text is a list, such as "PO1 PO2".
func severalNumbers(text string, prefixes []string) bool {
	beginnings := 0
	for _, word := range strings.FieldsFunc(text, unicode.IsSpace) {
		word = tidy(word)
		if slices.Contains(prefixes, word) || splitPrefix(word, prefixes).prefixed {
			beginnings++
		}
	}
	return beginnings > 1
}

// splitPrefix splits a prefix from the rest. What follows a prefix must begin
// with a digit, so that PORT1 is not PO and RT1; a mark between the two, as in
// PO-123 and PO#123, belongs to neither.
func splitPrefix(text string, prefixes []string) number {
	for _, prefix := range prefixes {
		rest, ok := strings.CutPrefix(text, prefix)
		rest = strings.TrimLeft(rest, "-_#:./")
		first, _ := utf8.DecodeRuneInString(rest)
		if ok && unicode.IsDigit(first) {
			return number{canonical: text, digits: rest, prefixed: true}
		}
	}
	return number{canonical: text, digits: text}
}

// withoutZeroDecimals makes 15262984.0 and 15262984,00 what they were before a
// spreadsheet took them for amounts. 1.000 and 1,000 stay: these may be thousands.
func (n number) withoutZeroDecimals() number {
	m := wholeNumber.FindStringSubmatch(n.digits)
	if m == nil {
		return n
	}
	whole, point, zeros := m[1], m[2], m[3]
	if len(zeros)%3 == 0 && (point == "," || len(whole) <= 3) {
		return n
	}
	n.canonical = strings.TrimSuffix(n.canonical, point+zeros)
	n.digits = whole
	return n
}

// trimInvisible cuts spaces and invisible characters off both ends.
func trimInvisible(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return visible(r) < 0 })
}

// invisible reports whether the character only steers how others are shown:
// zero-width spaces, byte order marks, soft hyphens, marks of direction.
func invisible(r rune) bool { return r > unicode.MaxASCII && unicode.Is(unicode.Cf, r) }
