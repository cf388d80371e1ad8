package template

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

const baseURL = "https://portal.acme.example/app/"

// rowValues returns the values of a row below the header.
func rowValues(po string, header, cells []string) Values {
	return Values{PO: po, Digits: strings.TrimPrefix(po, "PO"), Column: func(name string) (string, bool) {
		i, ok := FindColumn(header, name)
		if !ok || i >= len(cells) {
			return "", ok
		}
		return cells[i], true
	}}
}

func orderValues() Values {
	return rowValues("PO4711",
		[]string{"PO Number", "Sales-Org", "sales org", "Net/Gross", "Note", "Ort: Süd", "supplier"},
		[]string{"PO4711", "10/20 ü&?#%", "exact", "net", "", "Köln"})
}

func expand(source string, v Values) (string, error) {
	u, err := ParseURL(source, baseURL)
	if err != nil {
		return "", err
	}
	return u.Expand(v)
}

func TestExpandURL(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"https://h.example/orders/{po}":                    "https://h.example/orders/PO4711",
		" https://h.example/orders/{po}\n":                 "https://h.example/orders/PO4711",
		"http://127.0.0.1:8080/{digits}?q={digits}":        "http://127.0.0.1:8080/4711?q=4711",
		"{base_url}/orders/{po}":                           "https://portal.acme.example/app/orders/PO4711",
		"{base_url}/#/orders/{po}":                         "https://portal.acme.example/app/#/orders/PO4711",
		"{base_url}?s={column:Net/Gross}&x=1":              "https://portal.acme.example/app?s=net&x=1",
		"https://h.example/{column:Sales-Org}/{po}":        "https://h.example/10%2F20%20%C3%BC%26%3F%23%25/PO4711",
		"https://h.example/?org={column:Sales-Org}&p={po}": "https://h.example/?org=10%2F20%20%C3%BC%26%3F%23%25&p=PO4711",
		"https://h.example/{column:sales org}":             "https://h.example/exact",
		"https://h.example/{column:po_number}":             "https://h.example/PO4711",
		"https://h.example/{column:Ort: Süd}":              "https://h.example/K%C3%B6ln",
		"https://h.example/büro 7/{column:Sales-Org}":      "https://h.example/b%C3%BCro%207/10%2F20%20%C3%BC%26%3F%23%25",
		"https://h.example":                                "https://h.example",
	} {
		if got, err := expand(source, orderValues()); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", source, got, err, want)
		}
	}
}

func TestBaseURLMayHavePlaceholders(t *testing.T) {
	t.Parallel()
	u, err := ParseURL("{base_url}/{po}", "https://h.example/{column:Net/Gross}/")
	if err != nil {
		t.Fatal(err)
	}
	if columns := u.Columns(); !slices.Equal(columns, []string{"Net/Gross"}) {
		t.Errorf("the columns are %q", columns)
	}
	if got, err := u.Expand(orderValues()); err != nil || got != "https://h.example/net/PO4711" {
		t.Errorf("it is %q, %v", got, err)
	}
}

func TestExpandURLRefusesMissingValues(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"https://h.example/{column:Note}":     "{column:Note}, which is empty",
		"https://h.example/{column:supplier}": "{column:supplier}, which is empty", // a short row
		"https://h.example/{column:Nope}":     `the column "Nope"`,
	} {
		got, err := expand(source, orderValues())
		if err == nil || !strings.Contains(err.Error(), want) || got != "" {
			t.Errorf("%s is %q, %v; want an error with %q", source, got, err, want)
		}
	}
	for _, po := range []string{"", ".", "..", "a/../b", `..\b`} {
		if got, err := expand("https://h.example/orders/{po}/x", Values{PO: po}); err == nil {
			t.Errorf("the number %q leads to %s", po, got)
		}
	}
	if got, err := expand("https://h.example/{column:x}", Values{}); err == nil {
		t.Errorf("without columns, a column leads to %s", got)
	}
}

func TestParseURLRefuses(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"":                                     "must begin with",
		"/orders/{po}":                         "must begin with",
		"h.example/{po}":                       "must begin with",
		"ftp://h.example/{po}":                 "must begin with",
		"javascript:alert({po})":               "must begin with",
		"https://{po}.h.example/":              "must begin with",
		"https://h.example{po}/":               "must begin with",
		"https://h.example:{digits}/":          "must begin with",
		`https://h.example\{po}`:               "must begin with",
		"https:///x":                           "must begin with",
		"https://h.example/{po":                "a { without its }",
		"https://h.example/{po{digits}":        "a { without its }",
		"https://h.example/po}":                "a } without its {",
		"https://h.example/{{po}}":             "a { without its }",
		"https://h.example/{}":                 "names nothing",
		"https://h.example/{column: }":         "names nothing",
		"https://h.example/{pos}":              "did you mean {po}",
		"https://h.example/{PO}":               "placeholder {PO}",
		"https://h.example/{po:x}":             "placeholder {po:x}",
		"https://h.example/{column}":           "placeholder {column}",
		"https://h.example/{order_identifier}": "a URL can have",
		"https://h.example/../{po}":            "leads elsewhere",
		"https://h.example/%2e%2e/{po}":        "leads elsewhere",
		"https://joe@h.example/{po}":           "user name",
		"https://joe:hunter2@h.example/{po}":   "user name",
		"https://joe:hunter2/@h.example/{po}":  "is not a URL",
		"https://h.example:port/{po}":          "is not a URL",
		"https://h.example:99999/{po}":         "port that does not exist",
		"https://:443/{po}":                    "no host",
		"https://h.example/%zz":                "is not a URL",
		"{base_url}/{po}":                      "there is no base_url",
	} {
		u, err := ParseURL(source, "")
		if err == nil || u != nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("ParseURL(%q) says %v, want %q in it", source, err, want)
		}
	}
	if _, err := ParseURL("{base_url}/{po}", "h.example"); err == nil {
		t.Error("a base URL without https:// is no error")
	}
}

func TestFindColumn(t *testing.T) {
	t.Parallel()
	header := []string{"Order No.", "order_no", "Größe", "%", "#"}
	for name, want := range map[string]int{
		"Order No.": 0, "order_no": 1, "ORDER-NO": 0, "grosse": -1, "GRÖSSE": -1, "größe": 2, "große": 2, "#": 4, "!": -1, "": -1, "order": -1,
	} {
		if got, ok := FindColumn(header, name); got != want || ok != (want >= 0) {
			t.Errorf("%q is column %d, %v; want %d", name, got, ok, want)
		}
	}
}

func FuzzExpandURL(f *testing.F) {
	f.Add("https://h.example/orders/{po}?x={column:c}", "PO1", "a b")
	f.Add("{base_url}/#/{digits}", "..", "/")
	f.Add("http://h.example/ {column:c}", "1", "/")
	f.Fuzz(func(t *testing.T, source, po, cell string) {
		u, err := ParseURL(source, baseURL)
		if err != nil {
			return
		}
		got, err := u.Expand(rowValues(po, []string{"c"}, []string{cell}))
		if err != nil {
			return
		}
		address, err := url.Parse(got)
		if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.User != nil {
			t.Fatalf("%q became %q (%v), which is not a web address", source, got, err)
		}
		// What a row brings changes neither the host nor the number of levels.
		plain, err := u.Expand(rowValues("1", []string{"c"}, []string{"1"}))
		if err != nil {
			t.Fatal(err)
		}
		same, err := url.Parse(plain)
		if err != nil || same.Host != address.Host || strings.Count(same.EscapedPath(), "/") != strings.Count(address.EscapedPath(), "/") {
			t.Errorf("%q became %q, and %q with plain values", source, got, plain)
		}
	})
}

func ExampleParseURL() {
	u, err := ParseURL("{base_url}/orders/{po}?plant={column:Plant}", "https://portal.example")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(u.Expand(Values{
		PO:     "4500-123/7",
		Column: func(name string) (string, bool) { return "Köln", name == "Plant" },
	}))
	// Output: https://portal.example/orders/4500-123%2F7?plant=K%C3%B6ln <nil>
}
