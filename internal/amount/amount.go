// Package amount reads amounts of money as people write them.
package amount

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/currency"
	"golang.org/x/text/unicode/norm"

	"github.com/poscrape/poscrape/internal/spelling"
)

var (
	// ErrNot: the text is no amount as its locale writes them.
	ErrNot = errors.New("not an amount")
	// ErrAmbiguous: without a locale the text could be several amounts.
	ErrAmbiguous = errors.New("ambiguous amount")
	// ErrUnknownLocale: the locale's way of writing amounts is not known here.
	ErrUnknownLocale = errors.New("unknown locale")
)

// maxBytes: what is longer is no amount.
const maxBytes = 100

// numberStyle is one way of writing numbers.
type numberStyle struct {
	decimal rune
	// group lists the characters between groups of digits; one number uses one.
	group string
	// lakh: groups of two digits above the last three.
	lakh bool
}

// numberStyles by name. A space stands for any of the spaces that
// normalize maps to it.
var numberStyles = map[string]numberStyle{
	"comma":      {decimal: '.', group: ","},
	"point":      {decimal: ',', group: "."},
	"space":      {decimal: ',', group: " "},
	"pointspace": {decimal: ',', group: ". "},
	"apostrophe": {decimal: '.', group: "'"},
	"lakh":       {decimal: '.', group: ",", lakh: true},
}

// localesOf lists the locales of each style, after CLDR's symbols. Of a language
// that is written in several ways only the regions listed are known.
var localesOf = map[string]string{
	"comma": "en en-us en-gb en-ca en-au en-nz en-ie en-sg en-hk en-ph ja ja-jp zh zh-cn zh-tw zh-hk ko ko-kr th th-th he he-il " +
		"ms ms-my es-mx es-us es-pr es-gt es-hn es-ni es-pa es-pe es-sv es-do",
	"point": "de de-de de-lu nl nl-nl nl-be it it-it es-ar es-co es-cl es-uy es-ec pt-br da da-dk id id-id tr tr-tr el el-gr " +
		"ro ro-ro hr hr-hr sl sl-si vi vi-vn",
	"space": "fr fr-fr fr-be fr-ca fr-ch pl pl-pl cs cs-cz sk sk-sk ru ru-ru uk uk-ua bg bg-bg sv sv-se nb nb-no nn nn-no no " +
		"fi fi-fi hu hu-hu et et-ee lv lv-lv lt lt-lt pt-pt",
	"pointspace": "de-at es es-es pt",
	"apostrophe": "ch de-ch it-ch de-li",
	"lakh":       "in en-in hi hi-in",
}

// CheckLocale returns an ErrUnknownLocale for a locale whose way of writing
// amounts Parse does not know, else nil.
func CheckLocale(locale string) error {
	_, err := stylesOf(locale)
	return err
}

// stylesOf returns the locale's style, or all without a locale.
func stylesOf(locale string) (map[string]numberStyle, error) {
	if locale == "" {
		return numberStyles, nil
	}
	tag := strings.ReplaceAll(strings.ToLower(locale), "_", "-")
	var known []string
	for style, list := range localesOf {
		locales := strings.Fields(list)
		if slices.Contains(locales, tag) {
			return map[string]numberStyle{style: numberStyles[style]}, nil
		}
		known = append(known, locales...)
	}
	slices.Sort(known)
	hint := `write one such as en, de, fr, ch, in, or with a region, "en-IN"`
	if near := spelling.Nearest(tag, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return nil, fmt.Errorf("%w %q; %s", ErrUnknownLocale, locale, hint)
}

// Parse reads an amount as its locale writes it ("en": 5,099,154.00;
// "de": 5.099.154,00; "fr": 5 099 154,00; "ch": 5'099'154.00; "in":
// 50,99,154.00; or a tag such as "pt-BR") and returns it as an exact decimal
// with a point: "5099154.00". The digits after the point are those of the text.
// Up to two currency symbols or codes may stand around it ("USD $12.50"); a
// negative amount has a minus before or after it, or stands in parentheses.
//
// Without a locale a text is accepted when it means the same wherever it can be
// read at all: "12.50" and "1.234,56", but "1,234" is an ErrAmbiguous.
// What is malformed is an ErrNot: nothing is guessed.
func Parse(raw, locale string) (string, error) {
	styles, err := stylesOf(locale)
	if err != nil {
		return "", err
	}
	if len(raw) > maxBytes {
		return "", fmt.Errorf("%w: text of %d bytes", ErrNot, len(raw))
	}
	meanings := map[string]bool{}
	for _, value := range readings(raw, styles) {
		meanings[value] = true
	}
	values := slices.Sorted(maps.Keys(meanings))
	switch {
	case len(values) > 1:
		return "", fmt.Errorf("%w: %q can be %s; set the field's locale", ErrAmbiguous, raw, strings.Join(values, " or "))
	case len(values) == 0 && locale != "":
		return "", fmt.Errorf("%w in locale %q: %q", ErrNot, locale, raw)
	case len(values) == 0:
		return "", fmt.Errorf("%w: %q", ErrNot, raw)
	}
	return values[0], nil
}

// Readings returns what a text can mean, as Parse would write it, by the name of each style
// of writing in which it is an amount.
func Readings(raw string) map[string]string {
	if len(raw) > maxBytes {
		return nil
	}
	return readings(raw, numberStyles)
}

// readings is Readings in some of the styles.
func readings(raw string, styles map[string]numberStyle) map[string]string {
	number, negative, ok := strip(normalize(raw))
	if !ok {
		return nil
	}
	meanings := map[string]string{}
	for name, style := range styles {
		value, ok := style.read(number)
		if !ok {
			continue
		}
		if negative && strings.Trim(value, "0.") != "" {
			value = "-" + value
		}
		meanings[name] = value
	}
	return meanings
}

// normalize maps all spaces, apostrophes and minus signs to one of each.
func normalize(raw string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch r {
		case '\u2019', '\u02bc', '\u2032':
			return '\''
		case '\u2212', '\u2011', '\u2010', '\uff0d', '\ufe63':
			return '-'
		case '\u200e', '\u200f', '\u061c', '\u200b', '\ufeff', '\u2066', '\u2069', '\u202a', '\u202c', '\u202d':
			return -1
		}
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, norm.NFC.String(raw)))
}

// strip takes the number out of its signs and currencies. It reports
// false for more than one sign, and for two currencies by their codes.
func strip(text string) (number string, negative, ok bool) {
	const mostCurrencies = 2
	signs, currencies := 0, 0
	codes := map[currency.Unit]bool{}
	for {
		text = strings.TrimSpace(text)
		if rest, sign := cutSign(text); sign != 0 {
			signs++
			negative = sign < 0
			text = rest
			continue
		}
		rest, mark := cutCurrency(text)
		if mark == "" || currencies == mostCurrencies {
			return text, negative, signs <= 1 && len(codes) <= 1
		}
		if unit, err := currency.ParseISO(mark); err == nil {
			codes[unit] = true
		}
		currencies++
		text = rest
	}
}

// cutSign removes a sign at either end: -1 for a minus or parentheses, 1 for a
// plus, 0 for none.
func cutSign(text string) (rest string, sign int) {
	if inner, ok := strings.CutPrefix(text, "("); ok {
		if inner, ok = strings.CutSuffix(inner, ")"); ok {
			return inner, -1
		}
	}
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		return rest, -1
	}
	if rest, ok := strings.CutSuffix(text, "-"); ok {
		return rest, -1
	}
	if rest, ok := strings.CutPrefix(text, "+"); ok {
		return rest, 1
	}
	return text, 0
}

// cutCurrency removes a currency at either end, and returns it, or "" where there is none.
func cutCurrency(text string) (rest, currency string) {
	inMark := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.Is(unicode.Sc, r) || r == '.' || r == '/'
	}
	rest = strings.TrimLeftFunc(text, inMark)
	mark := text[:len(text)-len(rest)]
	if isCurrency(mark) {
		return rest, mark
	}
	// The point of "$.50" is the number's.
	if short, point := strings.CutSuffix(mark, "."); point && isCurrency(short) {
		return "." + rest, short
	}
	rest = strings.TrimRightFunc(text, inMark)
	if mark = text[len(rest):]; isCurrency(mark) {
		return rest, mark
	}
	return text, ""
}

// isCurrency reports whether mark is an ISO 4217 code, a currency symbol, or
// one of the marks in letters that are common on such pages.
func isCurrency(mark string) bool {
	if mark == "" || len(mark) > 12 {
		return false
	}
	if _, err := currency.ParseISO(mark); err == nil {
		return true
	}
	letters := strings.TrimFunc(mark, func(r rune) bool { return unicode.Is(unicode.Sc, r) })
	if letters == "" {
		return len([]rune(mark)) == 1
	}
	symbol := len(letters) < len(mark)
	return symbol && len(letters) <= 3 && !strings.ContainsAny(letters, "./") && !isMultiple(mark, letters) ||
		slices.Contains(strings.Fields("Fr Fr. SFr SFr. Rs Rs. kr kr. zł Kč Ft lei RM Rp Rp. R S/ S/. DM лв лв. руб руб. р. ден. 円 元 圓 원"), mark)
}

// isMultiple reports whether the letters beside a symbol stand for thousands or more, as in "12 k€": what
// they say of the number is not read. Some dollars have such letters ("B$").
func isMultiple(mark, letters string) bool {
	multiples := "k m mn bn mio mrd tsd"
	if !strings.Contains(mark, "$") {
		multiples += " t b"
	}
	return slices.Contains(strings.Fields(multiples), strings.ToLower(letters))
}

// read returns number in canonical form, and whether it is one in this style.
func (s numberStyle) read(number string) (string, bool) {
	whole, fraction, hasFraction := strings.Cut(number, string(s.decimal))
	if hasFraction && (fraction == "" || !allDigits(fraction)) {
		return "", false
	}
	digits, ok := s.ungroup(whole)
	if !ok || digits == "" && !hasFraction {
		return "", false
	}
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		digits = "0"
	}
	if hasFraction {
		digits += "." + fraction
	}
	return digits, true
}

// ungroup returns the digits of whole, and whether they are grouped as the
// style does, or not at all.
func (s numberStyle) ungroup(whole string) (string, bool) {
	if allDigits(whole) {
		return whole, true
	}
	at := strings.IndexAny(whole, s.group)
	if at < 0 {
		return "", false
	}
	groups := strings.Split(whole, whole[at:at+1])
	first, last := groups[0], len(groups)-1
	most := 3
	if s.lakh {
		most = 2
	}
	if first == "" || first[0] == '0' || len(first) > most {
		return "", false
	}
	for i, group := range groups {
		want := 3
		if s.lakh && i < last {
			want = 2
		}
		if !allDigits(group) || i > 0 && len(group) != want {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}

// allDigits reports whether text has nothing but the digits 0 to 9.
func allDigits(text string) bool {
	return strings.Trim(text, "0123456789") == ""
}
