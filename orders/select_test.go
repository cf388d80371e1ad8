package orders

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSelect(t *testing.T) {
	t.Parallel()
	const sheet = "po,region,url\n" +
		"PO1,North,https://h/1\n" + // 2
		"PO2,south,https://h/2\n" +
		",North,https://h/9\n" + // 4
		"1,East,https://h/1\n" +
		"PO3,Südwest,https://h/3\n" + // 6
		",South,https://h/8\n" +
		"PO4,North/West [2],https://h/4\n" + // 8
		"Total,,\n"
	done := func(o PurchaseOrder) string {
		if o.Number == "PO1" {
			return "earlier"
		}
		return ""
	}
	for name, c := range map[string]struct {
		only  []string
		done  bool
		limit int
		// run are the orders, out the lines that are left out and invalid those that cannot be used.
		run, out, invalid string
		note              string
	}{
		"all":                   {nil, false, 0, "PO1 PO2 PO3 PO4", "", "4 7", ""},
		"a glob":                {[]string{"Region=*TH"}, false, 0, "PO1 PO2", "6 8", "4 7", "2 of 4 orders are run; left out are 2 by --only"},
		"verbatim":              {[]string{"region=north"}, false, 0, "PO1", "3 6 7 8", "4", ""},
		"one of several rows":   {[]string{"region=east"}, false, 0, "PO1", "3 4 6 7 8", "", ""},
		"two conditions":        {[]string{"region=*th*", "po=PO[!1]"}, false, 0, "PO2 PO4", "2 4 5 6 7", "", ""},
		"any character":         {[]string{"po=po?", "url=*[2-3]"}, false, 0, "PO2 PO3", "2 4 5 7 8", "", ""},
		"empty":                 {[]string{"po="}, false, 0, "", "2 3 5 6 8", "4 7", ""},
		"decomposed":            {[]string{"region=su\u0308d*"}, false, 0, "PO3", "2 3 4 5 7 8", "", ""},
		"marks of patterns":     {[]string{"region=north/west [[]2]"}, false, 0, "PO4", "2 3 4 5 6 7", "", ""},
		"done":                  {nil, true, 0, "PO2 PO3 PO4", "2 5", "4 7", "left out are 1 by --skip-done"},
		"the first":             {nil, false, 1, "PO1", "3 4 6 7 8", "", "3 by --limit"},
		"the first two":         {nil, false, 2, "PO1 PO2", "4 6 7 8", "", ""},
		"more than there are":   {nil, false, 9, "PO1 PO2 PO3 PO4", "", "4 7", ""},
		"the first that remain": {[]string{"region=*th*"}, true, 1, "PO2", "2 4 5 6 7 8", "", "1 by --only, 1 by --skip-done, 1 by --limit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sheet := mustRead(t, sheet, Options{})
			wanted := Selection{Limit: c.limit}
			for _, text := range c.only {
				condition, err := ParseCondition(text)
				if err != nil {
					t.Fatal(err)
				}
				wanted.Only = append(wanted.Only, condition)
			}
			if c.done {
				wanted.Done = done
			}
			if err := sheet.Select(wanted); err != nil {
				t.Fatal(err)
			}
			checkInvariants(t, sheet)
			var run, out, invalid []string
			for _, spec := range sheet.Specs() {
				for _, row := range spec.Rows {
					switch line := fmt.Sprint(row.Line); {
					case spec.Invalid != nil && spec.Skipped == "":
						invalid = append(invalid, line)
					case spec.Skipped != "" && row.Line < 9:
						out = append(out, line)
					}
					if unusable := row.Raw == ""; unusable != (spec.Invalid != nil) {
						t.Errorf("line %d: it cannot be used: %v", row.Line, spec.Invalid)
					}
				}
				if spec.Invalid == nil && spec.Skipped == "" {
					run = append(run, spec.PO)
				}
			}
			slices.Sort(out)
			for i, got := range [][]string{run, out, invalid} {
				if want := []string{c.run, c.out, c.invalid}[i]; strings.Join(got, " ") != want {
					t.Errorf("got %q, want %q (%d)", got, want, i)
				}
			}
			if len(sheet.Problems) != len(invalid) || !strings.Contains(strings.Join(sheet.Notes, "\n"), c.note) {
				t.Errorf("problems %v, notes %q", sheet.Problems, sheet.Notes)
			}
		})
	}
}

func TestSelectionsThatCannotBe(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"po":            "it does not say what a column must hold",
		"=x":            "it does not say what a column must hold",
		"po=[a":         `"[a" is no pattern`,
		"po=[z-a]":      "is no pattern",
		"colour=red":    `there is no such column; the columns are "po", "url"`,
		"po=PM*":        `no row has that; the column has "PO1", "PO2", "PO3", "PO4", "PO5" and others`,
		"url=https://i": "no row has that",
	} {
		var rows strings.Builder
		for n := range 7 {
			fmt.Fprintf(&rows, "PO%d,https://h/%d\n", n+1, n+1)
		}
		sheet := mustRead(t, "po,url\n"+rows.String(), Options{})
		condition, err := ParseCondition(text)
		if err == nil {
			err = sheet.Select(Selection{Only: []Condition{condition}})
		}
		var option *OptionError
		if !asError(err, &option) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "--only "+text+": ") {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// What an earlier session left out stays so, and does not count.
func TestSelectOfThoseReadAgain(t *testing.T) {
	t.Parallel()
	const out = "left out by --limit 1"
	sheet := mustRead(t, "po,url\nPO1,https://h/1\nPO2,https://h/2\nPO3,https://h/3\n", Options{})
	sheet.Orders[0].Skipped = out
	if err := sheet.Select(Selection{Limit: 1}); err != nil {
		t.Fatal(err)
	}
	if o := sheet.Orders; o[0].Skipped != out || o[1].Skipped != "" || o[2].Skipped == "" {
		t.Errorf("%+v", o)
	}
	sheet.Orders[1].Skipped = out
	if err := sheet.Select(Selection{}); err != nil {
		t.Errorf("with nothing left: %v", err)
	}
}
