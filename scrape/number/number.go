// Package number knows the number of a purchase order where it stands in addresses, file names and data, and
// tells it from the numbers of other orders. What pages show is read by page/number.js; testdata/golden.json
// says what both make of the same texts. It reads and writes nothing, and does not block.
package number

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/poscrape/poscrape/scrape/words"
)

// short is how many digits say nothing alone, nor behind a prefix: "42" may be anything.
const short = 2

// Number is what an order is called. The zero value is none.
type Number struct {
	// PO is the whole number, and Digits what it is without its prefix, or empty; both as Fold writes them.
	PO, Digits string
}

// Of returns the number that the sheet has as po, of which digits are what follows its prefix.
func Of(po, digits string) Number { return Number{PO: Fold(po), Digits: Fold(digits)} }

// prefix is what stands before the digits, less the signs between them, or empty.
func (n Number) prefix() string {
	if n.Digits == "" {
		return ""
	}
	return strings.TrimRightFunc(strings.TrimSuffix(n.PO, n.Digits), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// seam is where a letter of a script without spaces between words stands beside a letter or digit of ours.
// number.js does the same.
var seam = regexp.MustCompile(`([\x{e00}-\x{eff}\x{1000}-\x{11ff}\x{1780}-\x{17ff}\x{3040}-\x{30ff}\x{3400}-\x{9fff}\x{ac00}-\x{d7af}])([A-Za-z0-9#])|([A-Za-z0-9])([\x{e00}-\x{eff}\x{1000}-\x{11ff}\x{1780}-\x{17ff}\x{3040}-\x{30ff}\x{3400}-\x{9fff}\x{ac00}-\x{d7af}])`)

// Fold writes a text as numbers are compared: in capitals, with digits of ours, without accents and invisible
// characters, and with a space where a script without spaces has a number or word of ours in it.
func Fold(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
		return strings.ToUpper(text)
	}
	text = words.Fold(text)
	for range 2 { // matches may not share the letter between them
		text = seam.ReplaceAllString(text, "$1$3 $2$4")
	}
	return strings.ToUpper(text)
}

// Names reports whether a text, or an escaped part of an address, shows the number with no letter or digit beside
// it. Digits alone are none with decimals behind them: then they are an amount.
func (n Number) Names(text string) bool {
	text = Fold(unescaped(text))
	return stands(text, n.PO) || stands(text, n.prefix()+n.Digits) || len(n.Digits) > short && stands(text, n.Digits)
}

// Is reports whether a text is the number, and nothing else.
func (n Number) Is(text string) bool {
	text = strings.TrimSpace(Fold(text))
	return text == n.PO || len(n.Digits) > short && text == n.Digits
}

// Alone reports whether a text shows the number, and no other one that is made like it.
func (n Number) Alone(text string) bool { return n.Names(text) && n.Other(text) == "" }

// Other returns the number of another order that stands in a text, prefix and all, or "". Where a sign or space
// parts it from its prefix, it has as many digits as the order's, and "a" may be a word.
func (n Number) Other(text string) string {
	if all := n.others(text, 1); len(all) > 0 {
		return all[0]
	}
	return ""
}

// OtherTwin is Other for those that have as many digits as the order's.
func (n Number) OtherTwin(text string) string {
	for _, other := range n.others(text, -1) {
		if len(runs.FindString(other)) == len(n.Digits) {
			return other
		}
	}
	return ""
}

func (n Number) others(text string, most int) (all []string) {
	prefix := n.prefix()
	if prefix == "" {
		return nil
	}
	text = Fold(text)
	tokens := word.FindAllStringIndex(text, -1)
	for i, at := range tokens {
		if len(all) == most {
			break
		}
		one := text[at[0]:at[1]]
		if prefixed, _ := n.Like(one); prefixed {
			all = append(all, one)
		}
		if one != prefix || i+1 == len(tokens) {
			continue
		}
		next := tokens[i+1]
		digits := text[next[0]:next[1]]
		if len(digits) == len(n.Digits) && digits != n.Digits && plain.MatchString(digits) && parts(text[at[1]:next[0]], prefix) {
			all = append(all, text[at[0]:next[1]])
		}
	}
	return all
}

// parts reports whether a text parts a prefix and its digits.
func parts(text, prefix string) bool {
	return strings.Contains("-_.#", text) || text == " " && len(prefix) > 1
}

// Twin reports whether a word is made as the number is, with as many digits, and is another one.
func (n Number) Twin(word string) bool {
	letters, digits, ok := Cut(word)
	return ok && len(digits) == len(n.Digits) && digits != n.Digits && (letters == "" || letters == n.prefix())
}

// Like reports whether a text is made as the number is, with its prefix or without, and is another one. Before
// its digits it may have spaces and signs.
func (n Number) Like(text string) (prefixed, bare bool) {
	letters, digits, ok := Cut(strings.NewReplacer(" ", "", "-", "", "#", "").Replace(text))
	if !ok || digits == n.Digits || len(digits) <= short {
		return false, false
	}
	prefixed = letters != "" && letters == n.prefix()
	return prefixed, letters == "" && (len(digits) == len(n.Digits) || strings.HasPrefix(digits, n.Digits))
}

var (
	word  = regexp.MustCompile(`[\pL\pN]+`)
	plain = regexp.MustCompile(`^\d+$`)
	like  = regexp.MustCompile(`^(\pL*)(\d+)$`)
	runs  = regexp.MustCompile(`\d+`)
	// decimals stand behind an amount.
	decimals = regexp.MustCompile(`^[.,]\d\d?(?:[^\pL\pN]|$)`)
)

// Words returns the words and numbers of a text, folded.
func Words(text string) []string { return word.FindAllString(Fold(text), -1) }

// Cut returns the letters and the digits, folded, of what consists of these in this order.
func Cut(word string) (letters, digits string, ok bool) {
	m := like.FindStringSubmatch(Fold(word))
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// StandsAlone reports whether a text has a number in it with no letter or digit beside it. Both are folded here.
func StandsAlone(text, number string) bool { return stands(Fold(text), Fold(number)) }

func stands(text, number string) bool {
	if number == "" {
		return false
	}
	for from := 0; ; {
		at := strings.Index(text[from:], number)
		if at < 0 {
			return false
		}
		at += from
		from = at + len(number)
		amount := plain.MatchString(number) && decimals.MatchString(text[from:])
		if alone(text, at, from) && !amount {
			return true
		}
	}
}

// alone reports whether neither a letter nor a digit stands beside a part of a text.
func alone(text string, from, to int) bool {
	part := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !part(before) && !part(after)
}

// SameForm returns another number that stands in a text in the form of this one: its letters and signs, and as
// many digits. It returns "" where there is none, or where the number has no letters, and so no form of its own.
func SameForm(text, number string) string {
	text, number = Fold(text), Fold(number)
	if !strings.ContainsFunc(number, unicode.IsLetter) || !runs.MatchString(number) {
		return ""
	}
	form := runs.ReplaceAllStringFunc(regexp.QuoteMeta(number), func(run string) string {
		return `\d{` + strconv.Itoa(len(run)) + `}`
	})
	for _, at := range regexp.MustCompile(form).FindAllStringIndex(text, -1) {
		if found := text[at[0]:at[1]]; found != number && alone(text, at[0], at[1]) {
			return found
		}
	}
	return ""
}

func unescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}
