package learn

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/poscrape/poscrape/internal/amount"
	"github.com/poscrape/poscrape/internal/calendar"
	"github.com/poscrape/poscrape/scrape"
)

// styles are the ways of writing amounts, those that are taken first where texts do not tell, and
// a locale of each.
var styles = []struct{ name, locale string }{
	{"comma", "en"}, {"point", "de"}, {"space", "fr"}, {"apostrophe", "ch"}, {"pointspace", "es"}, {"lakh", "in"},
}

// reading is how a field's texts are read.
type reading struct {
	Type   scrape.FieldType
	Locale string
	Layout string
	// styles are those in which all texts are right, where they are amounts.
	styles []string
	doubt  string
}

// values returns what a candidate finds, and what the sheet wants there, or nil, page by page.
func (in *induction) values(c *column, one *candidate) (values []string, wants []*cell) {
	for i, page := range in.pages {
		if !one.there[i] {
			continue
		}
		value := page.take(one.Locator, one.part)
		want := in.cells[c][i]
		if one.other[i] {
			want = nil
		}
		values, wants = append(values, value), append(wants, want)
	}
	return values, wants
}

// readingOf returns how what a candidate finds is read, or false where no recipe can.
func (in *induction) readingOf(c *column, one *candidate) (reading, bool) {
	values, wants := in.values(c, one)
	if c.kind == amountKind && in.isNumber(one.Locator) {
		return reading{Type: scrape.FieldAmount}, true
	}
	switch c.kind {
	case amountKind:
		var fit []string
		for _, style := range styles {
			if in.allIn(style.name, values, wants) {
				fit = append(fit, style.name)
			}
		}
		return reading{Type: scrape.FieldAmount, styles: fit, doubt: in.doubtUnread(fit, values)}, len(fit) > 0
	case dateKind:
		return in.layoutOf(values, wants)
	}
	return reading{Type: scrape.FieldText}, true
}

// isNumber reports whether a locator finds numbers of JSON, which are read without a locale.
func (in *induction) isNumber(l scrape.Locator) bool {
	return slices.ContainsFunc(in.pages, func(p *seen) bool { return p.numbers[l] })
}

// unreadable is how many of so many texts may be none that a recipe can read, where the sheet does not say them
// either: such as two amounts, one of which is crossed out. They are missing values then.
func unreadable(of int) int { return of / 4 }

func (in *induction) allIn(style string, values []string, wants []*cell) bool {
	may := unreadable(len(values))
	for i, value := range values {
		n := in.texts.of(value).numbers[style]
		if n == nil && wants[i] == nil && may > 0 {
			may--
			continue
		}
		if n == nil || wants[i] != nil && !slices.ContainsFunc(wants[i].numbers, func(w *number) bool { return w.Cmp(n) == 0 }) {
			return false
		}
	}
	return true
}

// doubtUnread says on how many orders an amount cannot be read in any of the styles, if on some.
func (in *induction) doubtUnread(fit, values []string) string {
	unread := 0
	for _, value := range values {
		is := func(style string) bool { return in.texts.of(value).numbers[style] != nil }
		if len(fit) > 0 && !slices.ContainsFunc(fit, is) {
			unread++
		}
	}
	if unread == 0 {
		return ""
	}
	return fmt.Sprintf("on %s, its value is none that can be read as %s", plural(unread, "order"), scrape.FieldAmount)
}

// layoutOf finds the layout in which all values are the days that the sheet says.
func (in *induction) layoutOf(values []string, wants []*cell) (reading, bool) {
	var fit []string
	for _, layout := range layouts {
		all, may := true, unreadable(len(values))
		for i, value := range values {
			day, err := calendar.ParseDate(value, layout, "", "")
			if err != nil && wants[i] == nil && may > 0 {
				may--
				continue
			}
			if all = err == nil && (wants[i] == nil || slices.Contains(wants[i].days, day)); !all {
				break
			}
		}
		if all {
			fit = append(fit, layout)
		}
	}
	switch {
	case len(fit) == 0:
		return reading{}, false
	case fit[0] == "":
		return reading{Type: scrape.FieldDate}, true
	case tellsApart(fit, values):
		return reading{Type: scrape.FieldText, doubt: "its dates could be day and month, or month and day; say which with type: date and layout"}, true
	}
	return reading{Type: scrape.FieldDate, Layout: fit[0]}, true
}

// tellsApart reports whether two of the layouts make different days of a value.
func tellsApart(fit, values []string) bool {
	for _, value := range values {
		first, _ := calendar.ParseDate(value, fit[0], "", "")
		for _, layout := range fit[1:] {
			if day, _ := calendar.ParseDate(value, layout, "", ""); day != first {
				return true
			}
		}
	}
	return false
}

// layouts are the ways of writing dates that are known, ISO 8601 first.
var layouts = func() []string {
	days := []string{
		"02/01/2006", "01/02/2006", "02.01.2006", "02-01-2006", "01-02-2006", "2006/01/02", "2006.01.02", "20060102",
		"2/1/2006", "1/2/2006", "2.1.2006", "2-1-2006", "1-2-2006", "2006/1/2", "2006-1-2",
		"02/01/06", "01/02/06", "02.01.06", "2/1/06", "1/2/06", "2.1.06", "02-01-06",
		"2 Jan 2006", "02 Jan 2006", "2-Jan-2006", "02-Jan-2006", "2-Jan-06", "02-Jan-06", "Jan 2, 2006", "Jan 02, 2006",
		"2 January 2006", "January 2, 2006", "2. January 2006", "2. Jan. 2006", "2 de January de 2006", "Mon, 2 Jan 2006", "Monday, January 2, 2006", "Monday, 2 January 2006",
		"2. 1. 2006", "02. 01. 2006", "2006. 1. 2.", "2006. 01. 02.", "2006年1月2日", "2006年01月02日", "2006년 1월 2일", "2006년 01월 02일",
	}
	all := []string{""}
	for _, time := range []string{"", " 15:04", " 15:04:05", ", 15:04", ", 3:04 PM", " 3:04 PM"} {
		for _, day := range days {
			all = append(all, day+time)
		}
	}
	return all
}()

// pointed are the ways of writing with a decimal point; the others have a comma. Ways with one sign differ in how
// they group digits: what is grouped otherwise cannot be read, but is never read as something else.
var pointed = map[string]bool{"comma": true, "apostrophe": true, "lakh": true}

// untold reports whether a field's texts leave open which sign stands before the decimals.
func (r reading) untold() bool {
	points := 0
	for _, style := range r.styles {
		if pointed[style] {
			points++
		}
	}
	return points > 0 && points < len(r.styles)
}

// settleLocales gives amounts their locales: the one in which all of the portal's are right, if
// there is one, since a portal writes them in one way. Of a field whose own texts do not tell, that is
// for a person to look at.
func settleLocales(fields []*Field) {
	common := slices.Clone(styles)
	told := false
	for _, f := range fields {
		if f.Type != scrape.FieldAmount || len(f.styles) == 0 {
			continue
		}
		told = told || len(f.styles) < len(styles)
		common = slices.DeleteFunc(common, func(s struct{ name, locale string }) bool { return !slices.Contains(f.styles, s.name) })
	}
	for _, f := range fields {
		switch {
		case f.Type != scrape.FieldAmount || len(f.styles) == 0 || !told:
		case len(common) > 0:
			if f.Locale = common[0].locale; f.untold() {
				f.doubt("no value that was seen tells how it is written; it is read as the other amounts are")
			}
		case len(f.styles) < len(styles):
			f.Locale = styles[slices.IndexFunc(styles, func(s struct{ name, locale string }) bool { return s.name == f.styles[0] })].locale
		}
	}
}

// likeMoney is a text that is hardly anything but an amount: it has a currency, or cents.
var likeMoney = regexp.MustCompile(`\p{Sc}|[.,]\d\d(?:\D|$)`)

// readAs returns how further values of the same pages are read: as the amounts or dates among the fields are, if
// all of them can be, else as text.
func readAs(fields []*Field, values []string) reading {
	for _, f := range fields {
		amounts := f.Type == scrape.FieldAmount && f.Locale != "" && !slices.ContainsFunc(values, func(v string) bool {
			_, err := amount.Parse(v, f.Locale)
			return err != nil || !likeMoney.MatchString(v)
		})
		dates := f.Type == scrape.FieldDate && !slices.ContainsFunc(values, func(v string) bool {
			_, err := calendar.ParseDate(v, f.Layout, f.Locale, "")
			return err != nil
		})
		if amounts || dates {
			return reading{Type: f.Type, Locale: f.Locale, Layout: f.Layout}
		}
	}
	return reading{Type: scrape.FieldText}
}
