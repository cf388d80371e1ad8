package scrape

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

func orderValues() TemplateValues {
	return TemplateValues{
		PO: "PO4711", Digits: "4711", BaseURL: "https://portal.acme.example/app/",
		Columns: []string{"PO Number", "Sales-Org", "sales org", "Net/Gross", "Note", "Late", "supplier"},
		Cells:   []string{"PO4711", " 10/20 ü&?#% ", "exact", "net", "", "x"},
		Fields:  map[string]string{"supplier": "Müller & Söhne A/S", "buyer": "", "dots": "..", "po": "other", "note": " n ", "Late": "field"},
	}
}

func TestExpandURL(t *testing.T) {
	t.Parallel()
	for template, want := range map[string]string{
		"https://h.example/orders/{po}":                    "https://h.example/orders/PO4711",
		"http://127.0.0.1:8080/{digits}?q={digits}":        "http://127.0.0.1:8080/4711?q=4711",
		"{base_url}/orders/{po}":                           "https://portal.acme.example/app/orders/PO4711",
		"{base_url}/#/orders/{po}":                         "https://portal.acme.example/app/#/orders/PO4711",
		"https://h.example/{column:Sales-Org}/{po}":        "https://h.example/10%2F20%20%C3%BC%26%3F%23%25/PO4711",
		"https://h.example/?org={column:Sales-Org}&p={po}": "https://h.example/?org=10%2F20%20%C3%BC%26%3F%23%25&p=PO4711",
		"https://h.example/{column:sales org}":             "https://h.example/exact",
		"https://h.example/{column:po_number}":             "https://h.example/PO4711",
		"https://h.example/{column:Net/Gross}":             "https://h.example/net",
		"https://h.example/büro 7/{column:Sales-Org}":      "https://h.example/b%C3%BCro%207/10%2F20%20%C3%BC%26%3F%23%25",
		"https://h.example":                                "https://h.example",
	} {
		got, err := ExpandURL(template, orderValues())
		if err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", template, got, err, want)
		}
		if err := CheckURLTemplate(template, "https://portal.acme.example"); err != nil {
			t.Errorf("CheckURLTemplate(%q) says: %v", template, err)
		}
	}
}

func TestExpandURLRefusesMissingValues(t *testing.T) {
	t.Parallel()
	for template, want := range map[string]string{
		"https://h.example/{column:Note}":     "{column:Note}, which is empty",
		"https://h.example/{column:supplier}": "{column:supplier}, which is empty", // a short row
		"https://h.example/{column:Nope}":     `the column "Nope"`,
	} {
		got, err := ExpandURL(template, orderValues())
		if err == nil || !strings.Contains(err.Error(), want) || got != "" {
			t.Errorf("%s is %q, %v; want an error with %q", template, got, err, want)
		}
	}
	for _, dots := range []string{".", ".."} {
		v := TemplateValues{PO: dots}
		if got, err := ExpandURL("https://h.example/orders/{po}/x", v); err == nil {
			t.Errorf("the number %q leads to %s", dots, got)
		}
	}
}

func TestCheckURLTemplate(t *testing.T) {
	t.Parallel()
	for template, want := range map[string]string{
		"":                                     "must begin with",
		"/orders/{po}":                         "must begin with",
		"ftp://h.example/{po}":                 "must begin with",
		"javascript:alert({po})":               "must begin with",
		"https://{po}.h.example/":              "must begin with",
		"https://h.example{po}/":               "must begin with",
		"https://h.example:{digits}/":          "must begin with",
		`https://h.example\{po}`:               "must begin with",
		"https://h.example/{po":                "a { without its }",
		"https://h.example/po}":                "a } without its {",
		"https://h.example/{{po}}":             "a { without its }",
		"https://h.example/{}":                 "names nothing",
		"https://h.example/{column: }":         "names nothing",
		"https://h.example/{pos}":              "did you mean {po}",
		"https://h.example/{order_identifier}": "a URL can have",
		"https://h.example/../{po}":            "leads elsewhere",
		"https://h.example/%2e%2e/{po}":        "leads elsewhere",
		"https://joe@h.example/{po}":           "user name",
		"https://h.example:port/{po}":          "is not a URL",
		"https://h.example/%zz":                "is not a URL",
		"https:///x":                           "must begin with",
		"{base_url}/{po}":                      "there is no base_url",
	} {
		err := CheckURLTemplate(template, "")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("CheckURLTemplate(%q) says %v, want %q in it", template, err, want)
		}
	}
}

func TestExpandFolder(t *testing.T) {
	t.Parallel()
	for template, want := range map[string]string{
		"{po}":                              "PO4711",
		"{digits}":                          "4711",
		"{supplier}/{po}":                   "Müller & Söhne A_S/PO4711",
		"{buyer}/{nothing}":                 "unknown/unknown",
		"{dots}/{po}":                       "unknown/PO4711",
		"{Sales-Org}":                       "10_20 ü&_#%",
		"{note}":                            "n",
		"{Late}":                            "field", // a field comes before a column
		"{column:Late}":                     "x",
		"{column:nope}":                     "unknown",
		"{column:Net/Gross}/{po}":           "net/PO4711",
		"orders of {supplier}, {note}/{po}": "orders of Müller & Söhne A_S, n/PO4711",
		"CON/{po}":                          "_CON/PO4711",
	} {
		if err := checkFolderTemplate(template); err != nil {
			t.Errorf("checkFolderTemplate(%q) says: %v", template, err)
		}
		if got := ExpandFolder(template, orderValues()); got != want {
			t.Errorf("%s is %q, want %q", template, got, want)
		}
	}
}

func TestExpandFolderBoundsEachLevel(t *testing.T) {
	t.Parallel()
	v := TemplateValues{PO: "PO1", Fields: map[string]string{"supplier": strings.Repeat("ü", 500)}}
	got := ExpandFolder("{supplier}/{po}", v)
	if want := strings.Repeat("ü", maxFolderBytes/2) + "/PO1"; got != want {
		t.Errorf("folder is %q, want %q", got, want)
	}
}

func TestCheckFolderTemplate(t *testing.T) {
	t.Parallel()
	for template, want := range map[string]string{
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
		err := checkFolderTemplate(template)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("checkFolderTemplate(%q) says %v, want %q in it", template, err, want)
		}
	}
}

func FuzzExpandURL(f *testing.F) {
	f.Add("https://h.example/orders/{po}?x={column:c}", "PO1", "a b")
	f.Add("{base_url}/#/{digits}", "..", "/")
	f.Add("http://h.example/ {column:c}", "1", "/")
	f.Fuzz(func(t *testing.T, template, po, cell string) {
		v := TemplateValues{PO: po, Digits: po, BaseURL: "https://base.example", Columns: []string{"c"}, Cells: []string{cell}}
		got, err := ExpandURL(template, v)
		if err != nil {
			return
		}
		if err := CheckURLTemplate(template, v.BaseURL); err != nil {
			t.Errorf("%q was expanded, and CheckURLTemplate says: %v", template, err)
		}
		u, err := url.Parse(got)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
			t.Fatalf("%q became %q (%v), which is not a web address", template, got, err)
		}
		// What a row brings changes neither the host nor the number of levels.
		plain, err := ExpandURL(template, TemplateValues{PO: "1", Digits: "1", BaseURL: v.BaseURL, Columns: v.Columns, Cells: []string{"1"}})
		if err != nil {
			t.Fatal(err)
		}
		same, err := url.Parse(plain)
		if err != nil || same.Host != u.Host || strings.Count(same.EscapedPath(), "/") != strings.Count(u.EscapedPath(), "/") {
			t.Errorf("%q became %q, and %q with plain values", template, got, plain)
		}
	})
}

func FuzzExpandFolder(f *testing.F) {
	f.Add("{supplier}/{po}", "..", "PO1")
	f.Add("a/{column:x/y}/b{supplier}", "/etc", "CON")
	f.Fuzz(func(t *testing.T, template, supplier, po string) {
		if checkFolderTemplate(template) != nil {
			return
		}
		got := ExpandFolder(template, TemplateValues{PO: po, Fields: map[string]string{"supplier": supplier}})
		segments := strings.Split(got, "/")
		if len(segments) > maxFolderLevels || len(segments) != len(splitFolder(template)) {
			t.Errorf("%q became %q, with other levels", template, got)
		}
		for _, segment := range segments {
			assertSafeName(t, segment, maxFolderBytes)
		}
	})
}

func ExampleExpandFolder() {
	fmt.Println(ExpandFolder("{supplier}/{po}", TemplateValues{
		PO:     "PO15262984",
		Fields: map[string]string{"supplier": "Acme A/S"},
	}))
	// Output: Acme A_S/PO15262984
}
