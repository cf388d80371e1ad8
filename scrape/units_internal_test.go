package scrape

import (
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// TestUnits reads amounts in minor units and dates that count from 1970, and refuses what is
// most likely neither.
func TestUnits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule, raw string
		number    bool
		want      string
	}{
		{"type: amount, minor_unit: 2", "1250", true, "12.50"},
		{"type: amount, minor_unit: 2", "5", true, "0.05"},
		{"type: amount, minor_unit: 2", "0", true, "0.00"},
		{"type: amount, minor_unit: 2", "-5", true, "-0.05"},
		{"type: amount, minor_unit: 2", "1.25e3", true, "12.50"},
		{"type: amount, minor_unit: 2", "12345678901234567890123", true, "123456789012345678901.23"},
		{"type: amount, minor_unit: 3", "1250", false, "1.250"},
		{"type: amount, minor_unit: 2", "12.5", true, ""},
		{"type: amount, minor_unit: 2", "12.00", false, ""},
		{"type: amount, minor_unit: 2", "cents", false, ""},
		{"type: amount, minor_unit: 2", "JPY 1250", false, ""},
		{"type: amount, minor_unit: 2", "¥1250", false, ""},
		{"type: date, layout: unix", "1764111599", true, "2025-11-25"},
		{"type: date, layout: unix", "1764111600", false, "2025-11-26"}, // midnight in Berlin
		{"type: date, layout: unix", "1.7641116e9", true, "2025-11-26"},
		{"type: date, layout: unix_ms", "1764111600000", true, "2025-11-26"},
		{"type: date, layout: unix_ms", "1764111600", true, ""},
		{"type: date, layout: unix", "1764111600000", true, ""},
		{"type: date, layout: unix", "1764111600.5", true, ""},
		{"type: date, layout: unix", "yesterday", false, ""},
		{"type: date, layout: unix", "0", true, ""},
		{"type: date, layout: unix", "99999999999999999999", true, ""},
	} {
		r, err := ReadRecipe("units.yaml", strings.NewReader("version: 1\nfields: {x: {selector: p, "+c.rule+"}}\nbrowser: {timezone: Europe/Berlin}\n"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Fields[0].read(c.raw, c.number)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q reads %q, %v, want %q", c.rule, c.raw, got, err, c.want)
		}
	}
	for _, bad := range []string{"minor_unit: 2", "type: date, minor_unit: 2", "type: amount, minor_unit: 0", "type: amount, minor_unit: 5",
		"layout: unix", "type: date, layout: unix, locale: de", "type: date, layout: unix"} {
		if _, err := ReadRecipe("units.yaml", strings.NewReader("version: 1\nfields: {x: {selector: p, "+bad+"}}\n")); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// TestMinorUnitsOfCurrencies refuses amounts in minor units that their currency does not have.
func TestMinorUnitsOfCurrencies(t *testing.T) {
	t.Parallel()
	rules := []FieldRule{{Name: "total", MinorUnit: 2}, {Name: "currency"}, {Name: "scope"}}
	for code, want := range map[string]string{"EUR": "12.50", "usd": "12.50", "RSD": "12.50", "JPY": "", "KWD": "", "CLF": "", "": "12.50", "points": "12.50"} {
		fields := map[string]tasks.Field{"total": {Raw: "1250", Value: "12.50"}, "currency": {Value: code}, "scope": {Value: "JPY"}}
		checkMinorUnits(rules, fields)
		if got := fields["total"]; got.Value != want || (got.Error == "") != (want != "") {
			t.Errorf("%s: got %+v", code, got)
		}
	}
}

// TestADashIsNoValue: what stands in place of an amount or a date is missing, and no text that cannot be read.
func TestADashIsNoValue(t *testing.T) {
	t.Parallel()
	r, err := ReadRecipe("dash.yaml", strings.NewReader("version: 1\nfields: {total: {label: Total, type: amount, required: true}, due: {label: Due, type: date, required: true}, note: {label: Note, required: true}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]tasks.Field{}
	for _, f := range r.Fields {
		value, err := f.read(" – ", false)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		fields[f.Name] = tasks.Field{Raw: "–", Value: value}
	}
	if missing := missingFields(r, fields); !slices.Equal(missing, []string{"total", "due"}) {
		t.Errorf("missing are %q", missing)
	}
}
