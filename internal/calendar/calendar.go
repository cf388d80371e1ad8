// Package calendar reads dates whose months and weekdays are written in words of several languages.
package calendar

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-playground/locales"
	"github.com/go-playground/locales/cs"
	"github.com/go-playground/locales/da"
	"github.com/go-playground/locales/de"
	"github.com/go-playground/locales/en"
	"github.com/go-playground/locales/es"
	"github.com/go-playground/locales/fi"
	"github.com/go-playground/locales/fr"
	"github.com/go-playground/locales/it"
	"github.com/go-playground/locales/nb"
	"github.com/go-playground/locales/nl"
	"github.com/go-playground/locales/pl"
	"github.com/go-playground/locales/pt"
	"github.com/go-playground/locales/sv"
)

// ErrUnknownLocale: the names of months are not known in the locale's language.
var ErrUnknownLocale = errors.New("unknown language of dates")

// names are the words for months (1 to 12) and weekdays, in lower case and without a point.
type names struct {
	months   map[string]time.Month
	weekdays map[string]bool
}

// languages are the names by language. Under "" stand those of all; a word that is one month in one
// language and another month in another is none of them.
var languages = readLanguages()

func readLanguages() map[string]names {
	all := names{map[string]time.Month{}, map[string]bool{}}
	known := map[string]names{"": all}
	unsure := map[string]bool{}
	for _, l := range []locales.Translator{cs.New(), da.New(), de.New(), en.New(), es.New(), fi.New(), fr.New(), it.New(), nb.New(), nl.New(), pl.New(), pt.New(), sv.New()} {
		own := names{map[string]time.Month{}, map[string]bool{}}
		for _, list := range [][]string{l.MonthsWide(), l.MonthsAbbreviated()} {
			for i, name := range list { // they begin with January
				own.months[plain(name)] = time.Month(i + 1)
			}
		}
		maps.Copy(own.months, others[l.Locale()])
		for _, list := range [][]string{l.WeekdaysWide(), l.WeekdaysAbbreviated()} {
			for _, name := range list {
				own.weekdays[plain(name)] = true
			}
		}
		maps.Copy(all.weekdays, own.weekdays)
		for name, month := range own.months {
			if another, is := all.months[name]; is && another != month {
				unsure[name] = true
			}
			all.months[name] = month
		}
		known[l.Locale()] = own
	}
	maps.DeleteFunc(all.months, func(name string, _ time.Month) bool { return unsure[name] })
	return known
}

// others are names that CLDR does not list and that programs write all the same.
var others = map[string]map[string]time.Month{
	"de": {"mrz": time.March, "jän": time.January, "jänner": time.January},
	"en": {"sept": time.September},
}

func plain(name string) string { return strings.ToLower(strings.Trim(name, ".")) }

// MonthNames returns the names of a month, long and short, in lower case and without a point: those of
// the locale's language, or of all languages that are known.
func MonthNames(month time.Month, locale string) []string {
	var all []string
	for name, is := range languages[language(locale)].months {
		if is == month {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// CheckLocale returns an ErrUnknownLocale for a locale in whose language Parse knows no names, else nil.
func CheckLocale(locale string) error {
	if _, known := languages[language(locale)]; known {
		return nil
	}
	list := slices.DeleteFunc(slices.Sorted(maps.Keys(languages)), func(name string) bool { return name == "" })
	return fmt.Errorf("%w %q; known are %s", ErrUnknownLocale, locale, strings.Join(list, ", "))
}

func language(locale string) string {
	name, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(locale), "_", "-"), "-")
	if name == "no" {
		return "nb"
	}
	return name
}

// first is how French writes the first day of a month.
var first = regexp.MustCompile(`\b1er\b`)

// words returns where the runs of letters of a text begin and end.
func words(text string) (spans [][2]int) {
	within := false
	for at, r := range text {
		switch {
		case !unicode.IsLetter(r):
			within = false
			continue
		case !within:
			spans = append(spans, [2]int{at})
		}
		within = true
		spans[len(spans)-1][1] = at + utf8.RuneLen(r)
	}
	return spans
}

// Parse reads a text as time.Parse does. Where the layout has the name of a month or weekday, the
// text may have that of another language: any, or the locale's if there is one. Short and long names
// stand for each other; a point behind one does not matter.
func Parse(layout, text, locale string) (time.Time, error) {
	t, err := time.Parse(layout, text)
	if err == nil || !strings.Contains(layout, "Jan") && !strings.Contains(layout, "Mon") || !strings.ContainsFunc(text, unicode.IsLetter) {
		return t, err
	}
	if strings.Contains(text, "1er") {
		text = first.ReplaceAllString(text, "1")
	}
	if english, ok := translate(layout, text, languages[language(locale)]); ok {
		return time.Parse(layout, english)
	}
	return t, err
}

// translate writes the names of a text as the layout does, in English.
func translate(layout, text string, known names) (string, bool) {
	want, have := words(layout), words(text)
	if len(want) != len(have) {
		return "", false
	}
	var b strings.Builder
	from := 0
	for i, at := range have {
		name, form := text[at[0]:at[1]], layout[want[i][0]:want[i][1]]
		b.WriteString(text[from:at[0]])
		from = at[1]
		switch form {
		case "January", "Jan":
			month, is := known.months[strings.ToLower(name)]
			if !is {
				return "", false
			}
			if name = month.String(); form == "Jan" {
				name = name[:3]
			}
		case "Monday", "Mon":
			if !known.weekdays[strings.ToLower(name)] {
				return "", false
			}
			name = form // which day of the week it is follows from the date
		default:
			b.WriteString(name)
			continue
		}
		b.WriteString(name)
		if strings.HasPrefix(text[from:], ".") && !strings.HasPrefix(layout[want[i][1]:], ".") {
			from++
		} else if !strings.HasPrefix(text[from:], ".") && strings.HasPrefix(layout[want[i][1]:], ".") {
			b.WriteByte('.')
		}
	}
	b.WriteString(text[from:])
	return b.String(), true
}

// eras are how many years those of a calendar are ahead of ours.
var eras = map[string]int{"buddhist": 543, "minguo": -1911}

// Eras returns the names of the calendars whose years are ours, counted from another one.
func Eras() []string { return slices.Sorted(maps.Keys(eras)) }

var digits = regexp.MustCompile(`[0-9]+`)

// ParseOf reads a text as Parse does. Its years are those of the era, or ours if that is empty; they stand at the
// layout's place for them, with something beside them that is no digit.
func ParseOf(era, layout, text, locale string) (time.Time, error) {
	ahead := eras[era]
	want, have := digits.FindAllStringIndex(layout, -1), digits.FindAllStringIndex(text, -1)
	for i, at := range want {
		if ahead == 0 || i >= len(have) {
			break
		}
		form, from, to := layout[at[0]:at[1]], have[i][0], have[i][1]
		year, err := strconv.Atoi(text[from:to])
		switch {
		case err != nil:
		case form == "2006":
			return Parse(layout, fmt.Sprintf("%s%04d%s", text[:from], year-ahead, text[to:]), locale)
		case form == "06" && year < 100:
			return Parse(layout, fmt.Sprintf("%s%02d%s", text[:from], (year-ahead%100+200)%100, text[to:]), locale)
		}
	}
	return Parse(layout, text, locale)
}
