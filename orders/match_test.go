package orders

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// Each case gives rows as "number url"; a number's spaces are written as _.
// What is wanted is "number url: lines" for each spec, and "!: line" for a row
// that cannot be used. URLs are single letters below https://h.example/.
func TestWhichRowsAreOneOrder(t *testing.T) {
	t.Parallel()
	template := Options{URL: "https://h.example/t/{po}"}
	for name, test := range map[string]struct {
		options Options
		rows    []string
		want    []string
	}{
		"equal numbers":                       {template, []string{"PO1", "po_1", "PO2"}, []string{"PO1 t/PO1: 2 3", "PO2 t/PO2: 4"}},
		"the bare one is the prefixed one":    {template, []string{"123456", "PO123456", "_po123456_"}, []string{"PO123456 t/PO123456: 2 3 4"}},
		"two prefixed ones":                   {template, []string{"PO1", "1", "PM1"}, []string{"PO1 t/PO1: 2", "1 t/1: 3", "PM1 t/PM1: 4"}},
		"three prefixed ones":                 {template, []string{"1", "PO1", "PM1", "PO-1", "1"}, []string{"1 t/1: 2 6", "PO1 t/PO1: 3", "PM1 t/PM1: 4", "PO-1 t/PO-1: 5"}},
		"a prefixed one that cannot be used":  {template, []string{"PO1", "1", "PM1 ftp://x"}, []string{"PO1 t/PO1: 2", "1 t/1: 3", "!: 4"}},
		"leading zeros count":                 {template, []string{"PO1", "01"}, []string{"PO1 t/PO1: 2", "01 t/01: 3"}},
		"other prefixes":                      {Options{URL: template.URL, Prefixes: []string{"X"}}, []string{"PO1", "1", "X1"}, []string{"PO1 t/PO1: 2", "X1 t/X1: 3 4"}},
		"different URLs":                      {Options{}, []string{"PO1 a", "PO1 b", "PO1 a"}, []string{"PO1 a: 2 4", "PO1 b: 3"}},
		"no URL joins the only one":           {Options{}, []string{"PO1", "PO1 a", "1"}, []string{"PO1 a: 2 3 4"}},
		"no URL joins rather than a template": {template, []string{"PO1", "PO1 a"}, []string{"PO1 a: 2 3"}},
		"a bare one has the URL":              {Options{}, []string{"PO1", "1 a"}, []string{"PO1 a: 2 3"}},
		"bare and prefixed with one URL":      {Options{}, []string{"1 a", "PO1 a"}, []string{"PO1 a: 2 3"}},
		"bare with another URL":               {Options{}, []string{"1 b", "PO1 a", "1", "PO1"}, []string{"1 b: 2 4", "PO1 a: 3 5"}},
		"two URLs and none":                   {Options{}, []string{"PO1 a", "PO1 b", "PO1"}, []string{"PO1 a: 2", "PO1 b: 3", "!: 4"}},
		"two URLs, none, and a template":      {template, []string{"PO1 a", "PO1 b", "PO1", "1"}, []string{"PO1 a: 2", "PO1 b: 3", "PO1 t/PO1: 4 5"}},
		"the template makes one of the two":   {template, []string{"PO1 t/PO1", "PO1 b", "PO1"}, []string{"PO1 t/PO1: 2 4", "PO1 b: 3"}},
		"bare with two URLs, prefixed none":   {template, []string{"1 a", "1 b", "PO1"}, []string{"1 a: 2", "1 b: 3", "PO1 t/PO1: 4"}},
		"bare without, prefixed with two":     {Options{}, []string{"PO1 a", "PO1 b", "1"}, []string{"PO1 a: 2", "PO1 b: 3", "!: 4"}},
		"a recipe opens":                      {Options{URLOptional: true}, []string{"PO1", "1", "PO2 a", "PO2 b", "PO2"}, []string{"PO1 : 2 3", "PO2 a: 4", "PO2 b: 5", "PO2 : 6"}},
		"digits":                              {Options{URL: "https://h.example/{digits}"}, []string{"PO1", "1", "2"}, []string{"PO1 1: 2 3", "2 2: 4"}},
		"no URL at all":                       {Options{}, []string{"PO1 a", "PO2"}, []string{"PO1 a: 2", "!: 3"}},
		"pattern": {
			Options{URL: template.URL, Pattern: regexp.MustCompile(`^PO\d+$`)},
			[]string{"PO1", "1", "PM1", "2", "PO-3"}, []string{"PO1 t/PO1: 2 3", "!: 4", "!: 5", "!: 6"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := "po,url\n"
			for _, row := range test.rows {
				number, link, _ := strings.Cut(row, " ")
				if link != "" && !strings.Contains(link, ":") {
					link = "https://h.example/" + link
				}
				text += strings.ReplaceAll(number, "_", " ") + "," + link + "\n"
			}
			sheet := mustRead(t, text, test.options)
			if got := describe(sheet); !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
			checkInvariants(t, sheet)
		})
	}
}

// The same rows in another order make the same orders.
func TestRowOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	lines := []string{"PO1,", "1,https://h.example/a", "PM2,", "2,", "PO2,https://h.example/b", "3,", "PO3,https://h.example/c", "PO3,https://h.example/d"}
	grouped := func(lines []string) []string {
		sheet := mustRead(t, "po,url\n"+strings.Join(lines, "\n"), Options{URL: "https://h.example/{po}"})
		var groups []string
		for _, spec := range sheet.Specs() {
			var raws []string
			for _, row := range spec.Rows {
				raws = append(raws, strings.Join(row.Cells, ","))
			}
			slices.Sort(raws)
			groups = append(groups, fmt.Sprint(spec.Key, raws))
		}
		slices.Sort(groups)
		return groups
	}
	want := grouped(lines)
	for range len(lines) {
		lines = append(lines[1:], lines[0])
		if got := grouped(lines); !slices.Equal(got, want) {
			t.Errorf("%q makes %q, not %q", lines, got, want)
		}
	}
}

func TestMergedOrder(t *testing.T) {
	t.Parallel()
	sheet := mustRead(t, "Priority,Vendor,po,url,Amount,Currency\n"+
		",,PO1,https://h.example/a,,EUR\n3.0,ACME,1,,\"1,50\",\nhigh,Other,PO1,,9,USD\n-2,,PO2,https://h.example/b,,\n99999999999,,PO3,https://h.example/c,,\n", Options{})
	one := sheet.Orders[0]
	if one.Number != "PO1" || one.Spec().Digits != "1" || one.Priority != 3 || one.Spec().Sheet != (tasks.Sheet{Supplier: "ACME", Amount: "1,50", Currency: "EUR"}) || len(one.Rows) != 3 {
		t.Errorf("PO1 is %+v", one)
	}
	if two := sheet.Orders[1]; two.Priority != -2 {
		t.Errorf("PO2 has the priority %d", two.Priority)
	}
	if len(sheet.Problems) != 2 || !sheet.Problems[0].Warning || sheet.Problems[0].Error() != `pos.csv:4: Priority: "HIGH" is not a whole number: the row gets priority 0` {
		t.Errorf("problems: %v", sheet.Problems)
	}
}

func TestTemplateWithColumns(t *testing.T) {
	t.Parallel()
	sheet := mustRead(t, "po,Site Code\nPO1,a b\nPO1,c\nPO2,\nPO3\n1,a b\n", Options{URL: "https://h.example/{column:site_code}/{po}"})
	want := []string{"PO1 a%20b/PO1: 2 6", "PO1 c/PO1: 3", "!: 4", "!: 5"}
	if got := describe(sheet); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func describe(sheet *Sheet) []string {
	var specs []string
	for _, spec := range sheet.Specs() {
		text := spec.PO + " " + strings.TrimPrefix(spec.URL, "https://h.example/") + ":"
		if spec.Invalid != nil {
			text = "!:"
		}
		for _, row := range spec.Rows {
			text += fmt.Sprint(" ", row.Line)
		}
		specs = append(specs, text)
	}
	return specs
}

// TestCaseOfLetters: rows that differ in it alone are orders at addresses of their own, or refused; a prefix has none.
func TestCaseOfLetters(t *testing.T) {
	t.Parallel()
	const text = "po\n8010MRatd\n8010MRAtd\npo17\nPO17\n"
	sheet := mustRead(t, text, Options{URL: "https://h.example/{po}/{digits}"})
	var urls []string
	for _, order := range sheet.Orders {
		urls = append(urls, order.URL)
	}
	want := []string{"https://h.example/8010MRatd/8010MRatd", "https://h.example/8010MRAtd/8010MRAtd", "https://h.example/PO17/17"}
	if !slices.Equal(urls, want) || len(sheet.Problems) > 0 {
		t.Errorf("got %q, %v; want %q", urls, sheet.Problems, want)
	}
	sheet = mustRead(t, text, Options{URLOptional: true})
	if len(sheet.Orders) != 2 || len(sheet.Problems) != 1 || sheet.Problems[0].Line != 3 || !strings.Contains(sheet.Problems[0].Message, `"8010MRAtd" differs from "8010MRatd" in line 2 in the case of its letters alone`) {
		t.Errorf("got %+v, %v", sheet.Orders, sheet.Problems)
	}
}
