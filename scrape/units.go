package scrape

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/goccy/go-yaml/ast"
	"golang.org/x/text/currency"

	"github.com/poscrape/poscrape/internal/amount"
	"github.com/poscrape/poscrape/internal/calendar"
	"github.com/poscrape/poscrape/internal/jsondata"
	"github.com/poscrape/poscrape/tasks"
)

// The layouts of dates that are a count since 1970-01-01T00:00:00Z.
const (
	layoutUnix   = "unix"    // of seconds
	layoutUnixMS = "unix_ms" // of milliseconds
)

// A day of these years is believed: what is earlier is most likely a count of something else, or
// a zero that stands for no date.
const firstYear, lastYear = 1980, 2199

// isCount reports whether a layout is of a count, and not of a date as people write it.
func isCount(layout string) bool { return layout == layoutUnix || layout == layoutUnixMS }

// checkLayout returns what is wrong with the layout of a field.
func checkLayout(layout string) error {
	if isCount(layout) {
		return nil
	}
	return calendar.CheckLayout(layout)
}

// parseUnix returns the day in a zone of a moment that is a whole count of seconds or
// milliseconds since 1970, as YYYY-MM-DD. What cannot be one is a calendar.ErrNotDate.
func parseUnix(raw, layout string, zone *time.Location) (string, error) {
	count, err := strconv.ParseInt(strings.TrimSpace(raw), 10, 64)
	if err != nil {
		return "", fmt.Errorf("%w: %q is no whole number, as the layout %q has it", calendar.ErrNotDate, raw, layout)
	}
	at, other := time.Unix(count, 0), layoutUnixMS
	if layout == layoutUnixMS {
		at, other = time.UnixMilli(count), layoutUnix
	}
	if at = at.In(zone); at.Year() < firstYear || at.Year() > lastYear {
		return "", fmt.Errorf("%w: %q is in the year %d by the layout %s; if that is not so, set layout: %s",
			calendar.ErrNotDate, raw, at.Year(), layout, other)
	}
	return at.Format(time.DateOnly), nil
}

// inMajorUnits returns an amount that counts minor units, such as cents, in units of which each
// has 10 to the power of digits: by its digits, so it is exact. One with a point is refused, as it is
// most likely in those units already.
func inMajorUnits(count string, digits int) (string, error) {
	if strings.Contains(count, ".") {
		return "", fmt.Errorf("%w: %q has decimals, so it does not count minor units; remove minor_unit", amount.ErrNot, count)
	}
	whole, negative := strings.CutPrefix(count, "-")
	if missing := digits + 1 - len(whole); missing > 0 {
		whole = strings.Repeat("0", missing) + whole
	}
	whole = whole[:len(whole)-digits] + "." + whole[len(whole)-digits:]
	if negative {
		whole = "-" + whole
	}
	return whole, nil
}

var (
	// oddCurrencies are those whose minor unit is not a hundredth, by how many digits it has (ISO 4217).
	oddCurrencies = map[int]map[string]bool{
		0: setOf("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
		3: setOf("BHD IQD JOD KWD LYD OMR TND"), 4: setOf("CLF UYW"),
	}
	namesCurrency = regexp.MustCompile(`(?i)curr(?:ency)?(?:[^\pL]|$)|currency|w(?:ä|ae|a)hrung|waers|devise|divisa|moneda|moeda|valuta|waluta`)
)

// minorDigits returns how many digits the minor unit of a currency has, or false for what is none.
func minorDigits(code string) (digits int, known bool) {
	for digits, codes := range oddCurrencies {
		if codes[code] {
			return digits, true
		}
	}
	_, err := currency.ParseISO(code)
	return 2, err == nil
}

// checkMinorUnits takes the value of amounts in minor units of which the currency that was read beside them has other ones.
func checkMinorUnits(rules []FieldRule, fields map[string]tasks.Field) {
	for _, of := range rules {
		code := strings.ToUpper(strings.TrimSpace(fields[of.Name].Value))
		digits, known := minorDigits(code)
		if !known || !namesCurrency.MatchString(of.Name) {
			continue
		}
		for _, f := range rules {
			if field := fields[f.Name]; f.MinorUnit > 0 && f.MinorUnit != digits && field.Value != "" {
				field.Value = ""
				field.Error = fmt.Sprintf("%q counts minor units by minor_unit: %d, but the field %s is %s, whose minor unit has %d digits", field.Raw, f.MinorUnit, of.Name, code, digits)
				fields[f.Name] = field
			}
		}
	}
}

// amount reads a field's text as an amount; number: it is a number of JSON.
func (f FieldRule) amount(raw string, number bool) (string, error) {
	if f.MinorUnit > 0 && !number && strings.ContainsFunc(raw, func(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.Sc, r) }) {
		return "", fmt.Errorf("%w: %q has more than a number, so it does not count minor units; remove minor_unit, or have match find the number", amount.ErrNot, raw)
	}
	read := func() (string, error) { return amount.Parse(raw, f.Locale) }
	if number {
		read = func() (string, error) { return jsondata.PlainNumber(raw) }
	}
	value, err := read()
	if err == nil && f.MinorUnit > 0 {
		value, err = inMajorUnits(value, f.MinorUnit)
	}
	return value, err
}

// unix reads a field's text as a count since 1970; number: it is a number of JSON.
func (f FieldRule) unix(raw string, number bool) (string, error) {
	count := raw
	if plain, err := jsondata.PlainNumber(raw); number && err == nil { // it may have an exponent
		count = plain
	}
	return parseUnix(count, f.Layout, f.zone)
}

// mostMinor is the most digits that any currency's minor unit has (ISO 4217).
const mostMinor = 4

func parseMinorUnit(n ast.Node) (int, error) {
	digits, err := parseCount(n)
	if err == nil && digits > mostMinor {
		err = fmt.Errorf("is %d; it is how many digits of the amount are decimals, from 1 to %d", digits, mostMinor)
	}
	return digits, err
}

// zones gives the fields that count from 1970 the zone in which their days are, which is that
// of the recipe's browser. Without one the day would be a guess: midnight in Berlin is the day
// before in UTC.
func (rd *recipeReader) zones() {
	zone, err := time.LoadLocation(rd.recipe.Browser.Timezone)
	for _, count := range rd.counts {
		if rd.recipe.Browser.Timezone == "" {
			rd.problem(count.node, count.path, "is a moment, which is a day only in a time zone; name the portal's: browser: {timezone: Europe/London}")
		}
		for i := range rd.recipe.Fields {
			if f := &rd.recipe.Fields[i]; f.Name == count.text && err == nil {
				f.zone = zone
			}
		}
	}
}
