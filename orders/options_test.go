package orders

import (
	"strings"
	"testing"
)

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
		"placeholder":        {Options{URL: "https://h.example/{identifier}"}, "URL", "a URL can have {po}, {digits}"},
		"brace":              {Options{URL: "https://h.example/{po"}, "URL", "a { without its }"},
		"no scheme":          {Options{URL: "h.example/{po}"}, "URL", "https://"},
		"no host":            {Options{URL: "https:///{po}"}, "URL", "host"},
		"no base":            {Options{URL: "{base_url}/{po}"}, "URL", "base_url"},
		"base without https": {Options{URL: "{base_url}/{po}", BaseURL: "h.example"}, "URL", "https://"},
		"password":           {Options{URL: "https://me:hunter2@h.example/{po}"}, "URL", "user name"},
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
