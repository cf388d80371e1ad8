package orders

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The table is testdata/sheets/numbers.csv: each number beside its canonical
// form, or beside nothing if it must be refused.
func TestNumbersOfTheSampleSheet(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(sheets, "numbers.csv"))
	if err != nil {
		t.Fatal(err)
	}
	s := newScanner("numbers.csv", string(text), ',')
	checked := 0
	for row, ok, err := s.next(); ok; row, ok, err = s.next() {
		if err != nil {
			t.Fatal(err)
		}
		if row.line == 1 {
			continue
		}
		raw, want, why := row.cells[0], row.cells[1], row.cells[2]
		n, problem := parseNumber(raw, Options{}.prefixes())
		if n.canonical != want || (problem != nil) != (want == "") {
			t.Errorf("%q (%s) became %q, %v; it should be %q", raw, why, n.canonical, problem, want)
		}
		checked++
	}
	if checked < 25 {
		t.Fatalf("only %d numbers were read", checked)
	}
}

func TestParseNumber(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ raw, canonical, digits string }{
		{"PO15262984", "PO15262984", "15262984"},
		{"PORT15", "PORT15", "PORT15"},
		{"PO", "", ""},
		{"PO-15", "PO-15", "15"},
		{"po # 15", "PO#15", "15"},
		{"''15", "15", "15"},
		{`'="0012"`, "0012", "0012"},
		{`="PO0012"`, "PO0012", "0012"},
		{"7.0", "7", "7"},
		{"1.000", "1.000", "1.000"},
		{"4500.000", "4500", "4500"},
		{"4500.0000", "4500", "4500"},
		{"15.5", "15.5", "15.5"},
		{"1.2.0", "1.2.0", "1.2.0"},
		{"15,000", "", ""},
		{"１．５Ｅ＋０７", "", ""},
		{"1.5e+07", "", ""},
		{"1.5E7", "", ""},
		{"4E-12", "4E-12", "4E-12"},
		{"#REF!", "", ""},
		{"PO 1 PO 2", "", ""},
		{"1;2", "", ""},
		{"PO1\tPO2", "", ""},
		{"PO1\x07", "", ""},
		{"PO1\ufffd", "", ""},
		{"\u202aPO1\u202c", "PO1", "1"},
		{"PO\u00ad1", "PO1", "1"},
		{"№ 5", "NO5", "NO5"},
		{strings.Repeat("1", 64), strings.Repeat("1", 64), strings.Repeat("1", 64)},
		{strings.Repeat("1", 65), "", ""},
	} {
		n, err := parseNumber(test.raw, Options{}.prefixes())
		if n.canonical != test.canonical || n.digits != test.digits || (err != nil) != (test.canonical == "") {
			t.Errorf("%q became %+v, %v; want %q and %q", test.raw, n, err, test.canonical, test.digits)
		}
	}
}

func TestPrefixes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		prefixes    []string
		raw, digits string
	}{
		{nil, "PM1", "1"},
		{[]string{}, "PO1", "PO1"},
		{[]string{"p", "p4"}, "P41", "1"},
		{[]string{" ord- "}, "ORD-77", "77"},
	} {
		n, err := parseNumber(test.raw, Options{Prefixes: test.prefixes}.prefixes())
		if err != nil || n.digits != test.digits {
			t.Errorf("%q with the prefixes %q has the digits %q, %v; want %q", test.raw, test.prefixes, n.digits, err, test.digits)
		}
	}
}

func FuzzParseNumber(f *testing.F) {
	for _, raw := range []string{"PO15262984", " po 1 ", `="0012"`, "'1.0", "１２", "1.5E+07", "ﬃ1", "a\u0308\u200b\u0301 1", "ŉ1", "ß1"} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		prefixes := Options{}.prefixes()
		n, err := parseNumber(raw, prefixes)
		if err != nil {
			return
		}
		again, err := parseNumber(n.canonical, prefixes)
		if err != nil || again != n {
			t.Errorf("%q is %+v; the canonical number itself is %+v, %v", raw, n, again, err)
		}
		if strings.ContainsAny(n.canonical, " \t\r\n,;|") || n.digits == "" {
			t.Errorf("%q is %+v", raw, n)
		}
	})
}
