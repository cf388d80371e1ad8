package scrape

import (
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/compare"
)

// TestDatesAsNumbers says what rows may show where an order's number is a date.
func TestDatesAsNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		layout, locale, po string
		shows, hides       []string
	}{
		{"Jan 2, 2006", "en", "2026-03-01", []string{"mar 1, 2026", "march 1, 2026", "mar. 1, 2026"}, []string{"mar 11, 2026", "may 1, 2026", "mar 1, 2025"}},
		{"2. January 2006", "", "2026-03-01", []string{"1. märz 2026", "1. march 2026"}, []string{"1. mai 2026"}},
		{"02.01.2006", "", "2026-03-01", []string{"01.03.2026"}, []string{"03.01.2026"}},
		{"01/02/2006", "", "25/04/2026", []string{"04/25/2026"}, nil},
		{"02/01/2006", "", "03/04/2026", nil, []string{"03/04/2026", "04/03/2026"}},
		{"02/01/2006", "", "13/04/26", nil, []string{"13/04/2026"}},
		{"02-01-06", "", "26-03-04", nil, []string{"26-03-04"}},
		{"Jan 2, 2006", "en", "MARCH 1, 2026", []string{"mar 1, 2026"}, nil},
		{"01/2006", "", "03/2026", []string{"03/2026"}, nil},
		{"01/06", "", "03/26", nil, []string{"03/26"}},
		{"January 2006", "en", "2026-03", []string{"march 2026"}, []string{"march 2025", "may 2026"}},
		{"January 2006", "en", "2026-03-01", nil, []string{"march 2026"}},
		{"Jan 2, 2006", "en", "PO1001", nil, []string{"", "mar 1, 2026"}},
	} {
		dated := &DateNumber{Layout: c.layout, Locale: c.locale}
		if err := checkDateNumber(c.layout); err != nil {
			t.Errorf("%s: %v", c.layout, err)
		}
		texts := dated.texts(c.po)
		if texts == nil {
			t.Errorf("%s: no list, which is one of numbers that are no dates", c.po)
		}
		for _, text := range c.shows {
			if !slices.Contains(texts, text) {
				t.Errorf("%s in %q may not be %q, but %q", c.po, c.layout, text, texts)
			}
		}
		for _, text := range c.hides {
			if slices.Contains(texts, text) {
				t.Errorf("%s in %q may be %q", c.po, c.layout, text)
			}
		}
	}
	for _, c := range []struct {
		sheet []string
		want  []string
	}{
		{[]string{"03/04/2026", "25/04/2026"}, []string{"04/03/2026"}},
		{[]string{"03/04/2026", "04/25/2026"}, []string{"03/04/2026"}},
		{[]string{"03/04/2026", "25/04/2026", "04/25/2026"}, []string{}},
		{[]string{"03/04/2026", "25/04/2026", "PO1001"}, []string{}},
		{[]string{"03/04/2026", "2026-04-25"}, []string{}},
	} {
		p := NewPortal(&Recipe{List: &ListRule{Date: &DateNumber{Layout: "01/02/2006", sheet: compare.NewColumn()}}}, nil)
		for _, po := range c.sheet {
			p.SeeNumber(po)
		}
		if got := p.recipe.List.Date.texts("03/04/2026"); !slices.Equal(got, c.want) {
			t.Errorf("%q: rows of 03/04/2026 show %q, want %q", c.sheet, got, c.want)
		}
	}
	if said := (&DateNumber{Layout: "02/01/2006"}).unread("03/04/2026"); !strings.Contains(said, "2026-03-04 or 2026-04-03") {
		t.Errorf("an ambiguous date is not explained: %s", said)
	}
	for _, layout := range []string{"unix", "Mon, Jan 2, 2006", "January", "2 January"} {
		if checkDateNumber(layout) == nil {
			t.Errorf("the layout %q is taken", layout)
		}
	}
}
