package orders

import (
	"errors"
	"net/url"
	"strings"
	"testing"
)

// TestAddressesThatCannotBeTold reads sheets whose addresses would open the wrong
// page, or a page of which nobody knows whose it is.
func TestAddressesThatCannotBeTold(t *testing.T) {
	t.Parallel()
	portalOnly := func(host string) bool { return host == "portal.example" }
	cases := map[string]struct {
		sheet   string
		options Options
		// refused has the line of each row that cannot be used, and a part of why.
		refused map[int]string
		orders  int
	}{
		"one address for two numbers": {
			"po,url\nPO1,https://h/x\nPO2,https://h/y\nPO3,https://h/x\n", Options{},
			map[int]string{2: "line 4 (PO3) has the same address", 4: "line 2 (PO1) has the same address"}, 1,
		},
		"one address for all but the fragment": {
			"po,url\nPO1,https://h/#/o/1\nPO2,https://h/#/o/2\n", Options{}, nil, 2,
		},
		"hosts compare without case": {
			"po,url\nPO1,https://H/x\nPO2,https://h/x\nPO3,https://h/z\n", Options{},
			map[int]string{2: "line 3 (PO2)", 3: "line 2 (PO1)"}, 1,
		},
		"one number in two forms": {
			"po,url\nPO15262984,https://h/x\n15262984,https://h/x\n15262984.0,https://h/x\n", Options{}, nil, 1,
		},
		"a template by a column that is the same": {
			"po,region\nPO1,eu\nPO2,eu\nPO3,us\n", Options{URL: "https://h/{column:region}"},
			map[int]string{2: "line 3 (PO2)", 3: "line 2 (PO1)"}, 1,
		},
		"a row on another host than the recipe's": {
			"po,url\nPO1,https://portal.example/1\nPO2,https://elsewhere.example/2\n",
			Options{BaseURL: "https://portal.example", HostAllowed: portalOnly},
			map[int]string{3: "elsewhere.example, and the recipe's base_url is https://portal.example: name the host under allowed_hosts, or take the pages from the recipe with --column url=none"}, 1,
		},
		"the recipe's addresses instead of the sheet's": {
			"po,url\nPO1,https://elsewhere.example/1\nPO2,\n",
			Options{BaseURL: "https://portal.example", URL: "{base_url}/{po}", HostAllowed: portalOnly, Columns: map[string]string{"url": "none"}}, nil, 2,
		},
		"one order needs no placeholder": {
			"po\nPO1\nPO1\n", Options{URL: "https://h/order"}, nil, 1,
		},
		"nor do rows with addresses of their own": {
			"po,url\nPO1,https://h/1\nPO2,https://h/2\nPO3,\n", Options{URL: "https://h/order"}, nil, 3,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sheet, err := Read("pos.csv", strings.NewReader(c.sheet), c.options)
			if err != nil {
				t.Fatal(err)
			}
			if len(sheet.Orders) != c.orders || len(sheet.Unusable) != len(c.refused) {
				t.Errorf("%d orders and %d unusable rows, want %d and %d: %v", len(sheet.Orders), len(sheet.Unusable), c.orders, len(c.refused), sheet.Problems)
			}
			for _, row := range sheet.Unusable {
				if want, ok := c.refused[row.Row.Line]; !ok || !strings.Contains(row.Problem.Message, want) || row.Problem.Column == "" {
					t.Errorf("line %d: %v, want %q", row.Row.Line, row.Problem, want)
				}
			}
			for _, order := range sheet.Orders {
				if u, err := url.Parse(order.URL); err != nil || c.options.HostAllowed != nil && !c.options.HostAllowed(u.Host) {
					t.Errorf("%s is opened at %s", order.Number, order.URL)
				}
			}
		})
	}
}

func TestSheetsWithoutAUsableOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sheet   string
		options Options
		want    []string
	}{
		"the wrong column": {
			"po,order id,url\nACME,PO1,https://h/1\nACME,PO2,https://h/2\n", Options{},
			[]string{`none of its 2 rows can be used`, `from the column "po"`, `the addresses from "url"`, `line 2: "ACME" has no digit`},
		},
		"one row":                   {"po,url\nPO1,nowhere\n", Options{}, []string{"its one row cannot be used", "line 2: "}},
		"all have the same address": {"po,url\nPO1,https://h/\nPO2,https://h/\n", Options{}, []string{"line 2: line 3 (PO2) has the same address"}},
		"a template without a placeholder": {
			"po\nPO1\nPO2\nPO2\n", Options{URL: "https://h/orders"},
			[]string{`"https://h/orders" has no place for the order's number, so 2 orders`, "{po} or {digits}"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Read("pos.csv", strings.NewReader(c.sheet), c.options)
			var file *FileError
			if !errors.As(err, &file) {
				t.Fatalf("the error is %v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in %q", want, err)
				}
			}
		})
	}
}

func TestColumnNone(t *testing.T) {
	t.Parallel()
	sheet, err := Read("pos.csv", strings.NewReader("po,priority,url\nPO1,9,https://h/1\n"), Options{Columns: map[string]string{"priority": "none"}})
	if err != nil || sheet.Orders[0].Priority != 0 {
		t.Errorf("the priority is %+v, %v", sheet, err)
	}
	_, err = Read("pos.csv", strings.NewReader("po,url\nPO1,https://h/1\n"), Options{Columns: map[string]string{"po": "none"}})
	if option := (*OptionError)(nil); !errors.As(err, &option) {
		t.Errorf("without numbers: %v", err)
	}
}
