package scrape

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/poscrape/poscrape/internal/calendar"
	"github.com/poscrape/poscrape/internal/compare"
	"github.com/poscrape/poscrape/tasks"
)

// Some lists have no number, and a sheet names their rows by date. What a row shows is then the day, or
// the month, of which the sheet has 2026-03-01 or 2026-03, in a layout of the portal's own: all of the
// text, and nothing else.

// DateNumber says how a list of orders writes the dates that are its orders' numbers: Layout is as in
// FieldRule.Layout, or has no day; and Locale is the language of its months, or empty for any.
type DateNumber struct {
	Layout, Locale string
	// sheet is the column of the orders' numbers, as far as it was seen; or nil.
	sheet *compare.Column
}

const yearMonth = "2006-01"

var fullYear = regexp.MustCompile(`\d{4}`)

// ofMonths reports whether the layout has no day.
func (d *DateNumber) ofMonths() bool {
	return calendar.CheckLayout(d.Layout) != nil && calendar.CheckLayout(d.Layout+" 02") == nil
}

// read returns the day or month that an order's number is. What can be read in two ways is none: the
// portal's own way of writing says nothing of the sheet's.
func (d *DateNumber) read(po string) (t time.Time, ok bool) {
	if !fullYear.MatchString(po) {
		return t, false
	}
	if d.ofMonths() {
		t, err := time.Parse(yearMonth, po)
		if err != nil && strings.Contains(d.Layout, "2006") {
			t, err = calendar.Parse(d.Layout, po, d.Locale)
		}
		return t, err == nil
	}
	alone := compare.NewColumn()
	alone.See(po)
	for _, column := range []*compare.Column{alone, d.sheet} {
		if column != nil && !ok {
			t, ok = column.Date(po)
		}
	}
	if !ok && strings.Contains(d.Layout, "Jan") && strings.Contains(d.Layout, "2006") {
		day, err := calendar.Parse(d.Layout, po, d.Locale)
		return day, err == nil
	}
	return t, ok
}

// unread says why an order's number is no date that a row can be found by.
func (d *DateNumber) unread(po string) string {
	want := "2026-03-01"
	if d.ofMonths() {
		want = "2026-03"
	}
	text := fmt.Sprintf("list.number has a layout, so its orders are dates such as %s, and %s is none", want, po)
	days := slices.Compact(slices.Sorted(maps.Values(compare.Dates(po))))
	if !d.ofMonths() && len(days) > 1 {
		text = fmt.Sprintf("%s may be %s, and the sheet's other dates do not tell which; write it as %s", po, strings.Join(days, " or "), days[0])
	}
	return text
}

// SeeNumber tells of an order's number in the sheet. All of them show how dates are written there, so they
// are to be seen before the first order.
func (p *Portal) SeeNumber(po string) {
	if list := p.recipe.List; list != nil && list.Date != nil {
		list.Date.sheet.See(po)
	}
}

// texts returns what a row of the order may show as its number, in lower case.
func (d *DateNumber) texts(po string) []string {
	t, ok := d.read(po)
	if !ok {
		return []string{}
	}
	const month = "\x00"
	text := strings.ToLower(t.Format(strings.NewReplacer("January", month, "Jan", month).Replace(strings.Join(strings.Fields(d.Layout), " "))))
	if !strings.Contains(text, month) {
		return []string{text}
	}
	var all []string
	text = strings.ReplaceAll(text, month+".", month)
	for _, name := range calendar.MonthNames(t.Month(), d.Locale) {
		all = append(all, strings.ReplaceAll(text, month, name), strings.ReplaceAll(text, month, name+"."))
	}
	return all
}

// numberText says what belongs to the selector of a row's number.
func (l *ListRule) numberText() string {
	text := patternText(l.NumberMatch)
	if l.Date != nil {
		text = strings.TrimSpace(text + " " + l.Date.Layout)
	}
	return text
}

// datedList returns the texts that rows of the order may show where numbers are dates, or nil.
func (r *Recipe) datedList(po string) []string {
	if r.List == nil || r.List.Date == nil {
		return nil
	}
	return r.List.Date.texts(po)
}

// namesRow reports whether a row of a list that shows this text is the order's.
func (a *attempt) namesRow(text string) bool {
	if dated := a.portal.recipe.datedList(a.task.PO); dated != nil {
		return slices.Contains(dated, strings.ToLower(text))
	}
	return a.names(text)
}

// checkDate sees that the order's number is a date where the list has dates.
func (a *attempt) checkDate() error {
	if r := a.portal.recipe; r.List != nil && r.List.Date != nil {
		if _, ok := r.List.Date.read(a.task.PO); !ok {
			return tasks.Permanent(tasks.OutcomeInvalidInput, tasks.ClassInvalidInput, "%s", r.List.Date.unread(a.task.PO))
		}
	}
	return nil
}

// checkDateNumber says what is wrong with a layout of DateNumber.
func checkDateNumber(layout string) error {
	switch {
	case isCount(layout):
		return errors.New("is for fields only; write the layout of what people read")
	case strings.Contains(layout, "Mon"):
		return errors.New("has a day of the week; leave that out by match")
	case (&DateNumber{Layout: layout}).ofMonths():
		return nil
	}
	return calendar.CheckLayout(layout)
}
