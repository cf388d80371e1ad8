package orders

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// twoPortals returns the options of a sheet for two portals whose orders have the same numbers.
func twoPortals() Options {
	return Options{
		Portals: []Portal{
			{Name: "a.example", BaseURL: "https://a.example/app", URL: "{base_url}/orders/{po}", Prefixes: []string{"AX"}},
			{Name: "b.example", BaseURL: "https://b.example", URL: "{base_url}/search", SharedURL: true, Pattern: regexp.MustCompile(`^\d+$`)},
		},
		PortalOf: func(host string) (string, error) {
			if host == "a.example" || host == "b.example" {
				return host, nil
			}
			return "", fmt.Errorf("the page is on %s, and no recipe is for that host", host)
		},
	}
}

func TestRowsOfSeveralPortals(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		rows, url string
		// want lists portal, number, digits and address of each order, and the problems.
		want []string
	}{
		"by their host": {"1001,https://a.example/x/1\n1001,https://b.example/x/1\n", "",
			[]string{"a.example 1001 1001 https://a.example/x/1", "b.example 1001 1001 https://b.example/x/1"}},
		"with the prefixes of their own": {"AX7,https://a.example/x/7\n8,https://b.example/8\nAX9,https://b.example/9\n", "",
			[]string{"a.example AX7 7 https://a.example/x/7", "b.example 8 8 https://b.example/8", `line 4: "AX9" is not a number of this portal`}},
		"with only the portal": {"AX7,https://a.example/app/\nAX8,https://A.example\n8,https://b.example\n9,https://b.example/\n", "",
			[]string{"a.example AX7 7 https://a.example/app/orders/AX7", "a.example AX8 8 https://a.example/app/orders/AX8",
				"b.example 8 8 https://b.example/search", "b.example 9 9 https://b.example/search"}},
		"a prefix is lacked at its own portal only": {"AX7,https://a.example/app/\n7,https://b.example/\n7,https://a.example/\n", "",
			[]string{"a.example AX7 7 https://a.example/app/orders/AX7", "b.example 7 7 https://b.example/search"}},
		"elsewhere": {"1,https://c.example/1\n2,https://b.example/2\n", "",
			[]string{"b.example 2 2 https://b.example/2", "line 2: the page is on c.example, and no recipe is for that host"}},
		"without a URL": {"1,\n2,https://b.example/2\n2,\n", "",
			[]string{"b.example 2 2 https://b.example/2", "line 2: there is no URL, so it is not known which of the recipes"}},
		"without a URL, of two portals": {"2,https://b.example/2\n2,https://a.example/2\n2,\n", "",
			[]string{"b.example 2 2 https://b.example/2", "a.example 2 2 https://a.example/2", "line 4: there is no URL"}},
		"with a template": {"AX1,\n2,https://b.example/2\nAX2,\n", "https://a.example/t/{digits}",
			[]string{"a.example AX1 1 https://a.example/t/1", "b.example 2 2 https://b.example/2", "a.example AX2 2 https://a.example/t/2"}},
		"of one address": {"1,https://a.example/x\n2,https://a.example/x\n3,https://b.example/x\n4,https://b.example/x\n", "",
			[]string{"b.example 3 3 https://b.example/x", "b.example 4 4 https://b.example/x", "line 2: line 3 (2) has the same address", "line 3: line 2 (1) has the same address"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := twoPortals()
			o.URL = test.url
			sheet, err := Read("s.csv", strings.NewReader("po,url\n"+test.rows), o)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, order := range sheet.Orders {
				spec := order.Spec()
				got = append(got, fmt.Sprintf("%s %s %s %s", spec.Portal, spec.PO, spec.Digits, spec.URL))
			}
			for _, p := range sheet.Problems {
				got = append(got, fmt.Sprintf("line %d: %s", p.Line, p.Message))
			}
			for i := range max(len(got), len(test.want)) {
				if i >= len(got) || i >= len(test.want) || !strings.HasPrefix(got[i], test.want[i]) {
					t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
				}
			}
		})
	}
}

func TestTemplateOfSeveralPortals(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://c.example/{po}":     "no recipe is for that host",
		"{base_url}/{po}":            "there is no base_url",
		"https://a.example/nonumber": "has no place for the order's number",
	} {
		o := twoPortals()
		o.URL = url
		_, err := Read("s.csv", strings.NewReader("po\nAX1\nAX2\n"), o)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", url, err, want)
		}
		var option *OptionError
		if errors.As(err, &option) && option.Field != "URL" {
			t.Errorf("%s: the error is about %s", url, option.Field)
		}
	}
}
