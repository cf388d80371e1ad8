package calendar

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrNotDate: the text is no date in the layout that was asked for.
var ErrNotDate = errors.New("not a date")

// isoLayouts are the forms of ISO 8601 that pages use, and RFC 3339's.
func isoLayouts() []string {
	return []string{
		time.DateOnly,
		"2006-01-02T15:04", "2006-01-02T15:04Z07:00",
		"2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700",
		"2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00",
	}
}

const (
	// earliestYear: what reads as an earlier date stands for none, as 01/01/0001 does.
	earliestYear = 1900
	// latest is how many years ahead a date may be: the years of Nepal are 56 or 57 ahead, those of Thailand 543.
	latest = 50
	// never is the year of a date that stands for no end.
	never = 9999
	// near is how many years away a year of two digits may be: Thailand's, read as ours, are 43 away.
	near = 40
)

// ParseDate reads a date by its layout, in Go's notation ("02/01/2006" for
// 31/12/2025), and returns it as YYYY-MM-DD. Names of months may be those of any language that package calendar
// knows, or of the locale's, if there is one. Without a layout it must be ISO 8601, alone or with a time. The
// day is the one that the text shows: no time zone is converted. Years are those of an era that package calendar
// knows, or ours if it is empty; a year of two digits is the one within 40 years of today. What cannot be
// read whole, or is a year of another era as it seems, before 1900 or more than 50 years ahead (9999 may be
// meant), is an ErrNotDate.
func ParseDate(raw, layout, locale, era string) (string, error) {
	text := strings.Join(strings.Fields(raw), " ")
	now := time.Now().Year()
	layouts := []string{strings.Join(strings.Fields(layout), " ")}
	want := fmt.Sprintf("in the layout %q", layout)
	if layout == "" {
		layouts = isoLayouts()
		want = "of the form YYYY-MM-DD; set the field's layout"
	}
	for _, l := range layouts {
		t, err := ParseOf(era, l, text, locale)
		if err != nil {
			continue
		}
		away := t.Year() - now
		if !strings.Contains(l, "2006") && away > near {
			t, away = t.AddDate(-100, 0, 0), away-100
		}
		switch {
		case t.Year() == never, strings.Contains(l, "2006") && t.Year() >= earliestYear && away <= latest, !strings.Contains(l, "2006") && max(away, -away) <= near:
			return t.Format(time.DateOnly), nil
		case t.Year() >= earliestYear:
			return "", fmt.Errorf("%w: %q would be of the year %d; if its years are another calendar's, say which (calendar: %s)", ErrNotDate, raw, t.Year(), strings.Join(Eras(), ", "))
		}
	}
	return "", fmt.Errorf("%w: %q is not one %s", ErrNotDate, raw, want)
}

// CheckLayout returns what is wrong with a layout of ParseDate, or nil: day,
// month and year must all be in it.
func CheckLayout(layout string) error {
	day := time.Date(2011, time.September, 23, 0, 0, 0, 0, time.UTC)
	for _, part := range []struct {
		name  string
		other time.Time
	}{
		{"day", day.AddDate(0, 0, 7)}, // the same weekday
		{"month", day.AddDate(0, 1, 0)},
		{"year", day.AddDate(1, 0, 0)},
	} {
		if day.Format(layout) == part.other.Format(layout) {
			return fmt.Errorf("has no %s; a layout is the date 2 January 2006, written as the portal does: %q or %q",
				part.name, "02/01/2006", "Jan 2, 2006")
		}
	}
	if _, err := time.Parse(layout, day.Format(layout)); err != nil {
		return errors.New(`cannot be read back; put something between its parts`)
	}
	return nil
}
