package orders

import (
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	t.Parallel()
	values := Values{
		PO: "PO4500/7", Digits: "4500/7", BaseURL: "https://portal.example/app/",
		Column: func(name string) (string, bool) {
			cell, ok := map[string]string{"Site": " a b&c=d#? ", "Ort: Süd": "Köln", "Empty": ""}[name]
			return cell, ok
		},
	}
	for template, want := range map[string]string{
		"https://h.example/o/{po}":            "https://h.example/o/PO4500%2F7",
		"https://h.example/o?n={digits}":      "https://h.example/o?n=4500%2F7",
		"{base_url}/#/o/{po}":                 "https://portal.example/app/#/o/PO4500%2F7",
		"{base_url}?s={column:Site}&x=1":      "https://portal.example/app?s=a%20b%26c%3Dd%23%3F&x=1",
		"https://h.example/{column:Ort: Süd}": "https://h.example/K%C3%B6ln",
		"no placeholder":                      "no placeholder",
		"":                                    "",
	} {
		if got, err := Expand(template, values); err != nil || got != want {
			t.Errorf("%q became %q, %v; want %q", template, got, err, want)
		}
	}
	for template, message := range map[string]string{
		"{nope}":          "{nope}",
		"{PO}":            "{PO}",
		"{}":              "{}",
		"{column}":        "{column}",
		"{column:}":       "{column:}",
		"{po:x}":          "{po:x}",
		"a{po":            "not closed",
		"a{po{digits}":    "not closed",
		"a}b":             "no { before it",
		"{column:Nope}":   `no column "Nope"`,
		"{column:Empty}x": "nothing to put in place of {column:Empty}",
	} {
		if got, err := Expand(template, values); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%q became %q, %v; want an error with %q", template, got, err, message)
		}
	}
	if _, err := Expand("{base_url}/x", Values{}); err == nil {
		t.Error("a base URL that is missing is no error")
	}
}

func TestParseAddress(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" https://H.Example/A?b=c#/d ": "https://h.example/A?b=c#/d",
		"\u200bHTTP://127.0.0.1:80/x":  "http://127.0.0.1:80/x",
		"https://h.example/a%2Fb":      "https://h.example/a%2Fb",
		"https://user@h.example/":      "https://user@h.example/",
		"https://[::1]:8080/":          "https://[::1]:8080/",
	} {
		if got, err := parseAddress(text); err != nil || got != want {
			t.Errorf("%q became %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "portal.example/1", "www.portal.example", "ftp://h.example/", "javascript:alert(1)", "file:///etc/passwd",
		"https://", "https:///x", "https:/h.example", "https://:443/", "https://h.example:99999/", "https://h.example:x/",
		"https://h.example/a b", "https://h.example/\nhttps://h.example/", "https://h.example/%zz", `https:\\h.example`,
		"https://user:hunter2@h.example/", "https://user:hun/ter2@h.example/ x", "https://user:hunter2%zz@h.example/", "ftp://user:hunter2@h.example/",
	} {
		got, err := parseAddress(text)
		if err == nil {
			t.Errorf("%q became %q, no error", text, got)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error shows the password: %v", err)
		}
	}
}

func TestOptionsValidate(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		options Options
		field   string // empty: valid
		message string
	}{
		"zero":               {},
		"full":               {options: Options{URL: "{base_url}/o/{po}?d={digits}&s={column:Site}", BaseURL: "https://h.example", Columns: map[string]string{"po": "x"}}},
		"unknown role":       {Options{Columns: map[string]string{"price": "x"}}, "Columns", "po, url, supplier"},
		"no column":          {Options{Columns: map[string]string{"po": " "}}, "Columns", "--column po=NAME"},
		"empty prefix":       {Options{Prefixes: []string{"PO", " "}}, "Prefixes", "remove it"},
		"placeholder":        {Options{URL: "https://h.example/{id}"}, "URL", "{digits}"},
		"brace":              {Options{URL: "https://h.example/{po"}, "URL", "not closed"},
		"no scheme":          {Options{URL: "h.example/{po}"}, "URL", "https://"},
		"no host":            {Options{URL: "https:///{po}"}, "URL", "host"},
		"no base":            {Options{URL: "{base_url}/{po}"}, "URL", "base_url"},
		"base without https": {Options{URL: "{base_url}/{po}", BaseURL: "h.example"}, "URL", "https://"},
		"password":           {Options{URL: "https://me:hunter2@h.example/{po}"}, "URL", "password"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := test.options.Validate()
			if test.field == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var wrong *OptionError
			if !asError(err, &wrong) || wrong.Field != test.field || !strings.Contains(err.Error(), test.message) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("got %v; want one about %s with %q", err, test.field, test.message)
			}
		})
	}
}
