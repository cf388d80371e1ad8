package scrape

import (
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/filename"
	"github.com/poscrape/poscrape/internal/template"
	"github.com/poscrape/poscrape/tasks"
)

// orderValues returns what an order has for its folder: its own values, and the
// fields of its page.
func orderValues() (template.Values, map[string]string) {
	row := tasks.Row{Cells: []string{"PO4711", " 10/20 ü&?#% ", "exact", "net", "", "x"}}
	spec := tasks.Spec{PO: "PO4711", Digits: "4711", Dir: "PO4711", Rows: []tasks.Row{row}}
	p := NewPortal(AutoRecipe(), []string{"PO Number", "Sales-Org", "sales org", "Net/Gross", "Note", "Late", "supplier"})
	a := &attempt{Scraper: &Scraper{portal: p}, task: &tasks.ProcessingTask{Spec: spec}}
	return a.values(), map[string]string{"supplier": "Müller & Söhne A/S", "buyer": "", "dots": "..", "po": "other", "note": " n ", "Late": "field"}
}

func TestExpandFolder(t *testing.T) {
	t.Parallel()
	values, fields := orderValues()
	for folder, want := range map[string]string{
		"{po}":                              "PO4711",
		"{digits}":                          "4711",
		"{supplier}/{po}":                   "Müller & Söhne A_S/PO4711",
		"{buyer}/{nothing}":                 "unknown/unknown",
		"{dots}/{po}":                       "unknown/PO4711",
		"{Sales-Org}":                       "10_20 ü&_#%",
		"{note}":                            "n",
		"{Late}":                            "field", // a field comes before a column
		"{Supplier}":                        "Müller & Söhne A_S",
		"{column:Late}":                     "x",
		"{column:nope}":                     "unknown",
		"{column:Net/Gross}/{po}":           "net/PO4711",
		"orders of {supplier}, {note}/{po}": "orders of Müller & Söhne A_S, n/PO4711",
		"CON/{po}":                          "_CON/PO4711",
	} {
		if err := checkFolderTemplate(folder); err != nil {
			t.Errorf("checkFolderTemplate(%q) says: %v", folder, err)
		}
		if got := expandFolder(folder, values, fields); got != want {
			t.Errorf("%s is %q, want %q", folder, got, want)
		}
	}
}

func TestExpandFolderBoundsEachLevel(t *testing.T) {
	t.Parallel()
	got := expandFolder("{supplier}/{po}", template.Values{PO: "PO1"}, map[string]string{"supplier": strings.Repeat("ü", 500)})
	if want := strings.Repeat("ü", filename.MaxFolderBytes/2) + "/PO1"; got != want {
		t.Errorf("folder is %q, want %q", got, want)
	}
}

func TestCheckFolderTemplate(t *testing.T) {
	t.Parallel()
	for folder, want := range map[string]string{
		"":              "without a name",
		"/x/{po}":       "absolute",
		"C:/x":          "absolute",
		`a\b`:           `write /`,
		"a//b":          "without a name",
		"a/":            "without a name",
		"a/ /b":         "without a name",
		"../{po}":       `".."`,
		"a/./b":         `"."`,
		"a/.. /b":       `".. "`,
		"a/b/c/d/{po}":  "5 levels",
		"{po":           "a { without its }",
		"po}":           "a } without its {",
		"{supplier}/{}": "names nothing",
	} {
		err := checkFolderTemplate(folder)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("checkFolderTemplate(%q) says %v, want %q in it", folder, err, want)
		}
	}
}

func TestCheckFolder(t *testing.T) {
	t.Parallel()
	columns := []string{"PO Number", "Sales-Org", "Vendor"}
	for folder, want := range map[string]string{
		"{po}":                  "",
		"{digits}/{Sales Org}":  "",
		"{supplier}/{vendor}":   "",
		"{Order Total}":         "", // a field, compared as columns are
		"{column:sales_org}":    "",
		"orders":                "",
		"{vendr}/{po}":          "has the placeholder {vendr}, which is neither a field of the recipe nor a column of the sheet; did you mean {vendor}?",
		"{po}/{suplier}":        "did you mean {supplier}?",
		"{PO}":                  "did you mean {po}?",
		"{column:vendr}":        "has the placeholder {column:vendr}, and the sheet has no column of that name; did you mean {column:vendor}?",
		"{column:supplier}":     "the sheet has no column of that name",
		"{name}":                "neither a field",
		"{something different}": "neither a field of the recipe nor a column of the sheet",
	} {
		r, err := ReadRecipe("acme.yaml", strings.NewReader("version: 1\nfields: {supplier: {selector: a}, order_total: {selector: b}}\nfolder: \""+folder+"\"\n"))
		if err != nil {
			t.Fatal(err)
		}
		err = r.CheckFolder(columns)
		if want == "" && err != nil {
			t.Errorf("%s: %v", folder, err)
		}
		if want != "" && (err == nil || !strings.HasPrefix(err.Error(), "acme.yaml:3:9: folder has the placeholder {") || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", folder, err, want)
		}
	}
}

func FuzzExpandFolder(f *testing.F) {
	f.Add("{supplier}/{po}", "..", "PO1")
	f.Add("a/{column:x/y}/b{supplier}", "/etc", "CON")
	f.Fuzz(func(t *testing.T, folder, supplier, po string) {
		if checkFolderTemplate(folder) != nil {
			return
		}
		got := expandFolder(folder, template.Values{PO: po}, map[string]string{"supplier": supplier})
		levels := strings.Split(got, "/")
		if len(levels) > maxFolderLevels || len(levels) != len(splitFolder(folder)) {
			t.Errorf("%q became %q, with other levels", folder, got)
		}
		for _, level := range levels {
			if level != filename.SafeFolder(level) {
				t.Errorf("%q became %q, which is not safe", folder, got)
			}
		}
	})
}
