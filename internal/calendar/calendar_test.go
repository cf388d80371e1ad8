package calendar_test

import (
	"errors"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/calendar"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ layout, text, locale, want string }{
		{"2 January 2006", "3 March 2026", "", "2026-03-03"},
		{"2. January 2006", "3. März 2026", "", "2026-03-03"},
		{"2. January 2006", "3. März 2026", "de-AT", "2026-03-03"},
		{"2. January 2006", "3. Jänner 2026", "", "2026-01-03"},
		{"2. Jan 2006", "3. Mrz 2026", "", "2026-03-03"},
		{"2. Jan. 2006", "3. Okt 2026", "", "2026-10-03"},
		{"2 Jan 2006", "3 févr. 2026", "", "2026-02-03"},
		{"2 Jan 2006", "3 AOÛT 2026", "", "2026-08-03"},
		{"2 January 2006", "1er décembre 2026", "", "2026-12-01"},
		{"2 de January de 2006", "3 de marzo de 2026", "", "2026-03-03"},
		{"2 de January de 2006", "3 de março de 2026", "pt_BR", "2026-03-03"},
		{"2-Jan-06", "3-gru-26", "", "2026-12-03"},
		{"2 January 2006", "3 września 2026", "pl", "2026-09-03"},
		{"Monday, 2. January 2006", "Dienstag, 3. März 2026", "", "2026-03-03"},
		{"Mon 2 Jan 2006", "mar. 3 mars 2026", "fr", "2026-03-03"},
		{"2. January 2006 15:04", "3. Mai 2026 13:30", "", "2026-05-03"},
		{"January 2, 2006", "März 3, 2026", "", "2026-03-03"},
		// What is none.
		{"2 January 2006", "3 Marsh 2026", "", ""},
		{"2 January 2006", "3 mars 2026", "de", ""},
		{"2 January 2006", "31 février 2026", "", ""},
		{"2 January 2006", "3 03 2026", "", ""},
		{"02/01/2006", "3 mars 2026", "", ""},
		{"2 January 2006", "3 de marzo de 2026", "", ""},
	} {
		got := ""
		if day, err := calendar.Parse(c.layout, c.text, c.locale); err == nil {
			got = day.Format(time.DateOnly)
		}
		if got != c.want {
			t.Errorf("%q in %q, locale %q: %q, want %q", c.text, c.layout, c.locale, got, c.want)
		}
	}
}

func TestCheckLocale(t *testing.T) {
	t.Parallel()
	for _, locale := range []string{"de", "de-AT", "pt_BR", "no", "EN"} {
		if err := calendar.CheckLocale(locale); err != nil {
			t.Errorf("%s: %v", locale, err)
		}
	}
	if err := calendar.CheckLocale("xx"); !errors.Is(err, calendar.ErrUnknownLocale) {
		t.Errorf("xx: %v", err)
	}
}
