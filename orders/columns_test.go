package orders

import (
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/template"
)

func TestMatchColumns(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		header    []string
		overrides map[string]string
		po, url   int // -1: none
		err       []string
		warnings  int
	}{
		"plain":                     {header: []string{"po", "url"}, po: 0, url: 1},
		"case, spaces and marks":    {header: []string{" URL ", "\u00a0\"P.O. - Number\"\ufeff"}, po: 1, url: 0},
		"line break in a header":    {header: []string{"PO\nNumber"}, po: 0, url: -1},
		"full width":                {header: []string{"ＰＯ"}, po: 0, url: -1},
		"po#":                       {header: []string{"PO#", "Link"}, po: 0, url: 1},
		"German":                    {header: []string{"Lieferant", "Bestell-Nr."}, po: 1, url: -1},
		"French":                    {header: []string{"Numéro de commande"}, po: 0, url: -1},
		"French sign":               {header: []string{"N° de commande"}, po: 0, url: -1},
		"Spanish sign":              {header: []string{"Nº de pedido"}, po: 0, url: -1},
		"Italian":                   {header: []string{"Ordine"}, po: 0, url: -1},
		"decomposed accents":        {header: []string{"Nume\u0301ro de commande"}, po: 0, url: -1},
		"the surer one":             {header: []string{"Number", "Order", "Order Number", "PO Number"}, po: 3, url: -1},
		"the role's own name":       {header: []string{"po_number", "PO", "link", "url"}, po: 1, url: 3},
		"two that fit":              {header: []string{"PO No", "Purchase Order"}, err: []string{`"PO No"`, `"Purchase Order"`, "--column po=NAME"}},
		"two URLs that fit":         {header: []string{"po", "link", "href"}, err: []string{`"link"`, `"href"`, "--column url=NAME"}},
		"one of two is chosen":      {header: []string{"PO No", "Purchase Order"}, overrides: map[string]string{"po": "purchase_order"}, po: 1, url: -1},
		"same name twice":           {header: []string{"po", "PO", "url"}, po: 0, url: 2, warnings: 1},
		"tables side by side":       {header: []string{"po", "url", "", "po", "url"}, err: []string{"two tables stand side by side"}},
		"unknown duplicates":        {header: []string{"x", "po", "x"}, po: 1, url: -1},
		"two suppliers do not hurt": {header: []string{"vendor", "lieferant", "po"}, po: 2, url: -1},
		"override":                  {header: []string{"po", "Beleg"}, overrides: map[string]string{"po": "BELEG"}, po: 1, url: -1},
		"override verbatim first":   {header: []string{"BELEG", "Beleg"}, overrides: map[string]string{"po": "Beleg"}, po: 1, url: -1},
		"a taken column":            {header: []string{"number", "order"}, overrides: map[string]string{"supplier": "order"}, po: 0, url: -1},
		"override of no column":     {header: []string{"po", "b"}, overrides: map[string]string{"po": "c"}, err: []string{`--column po=c`, `"po", "b"`}},
		"nothing known":             {header: []string{"a", "", "-"}, po: -1, url: -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, warnings, err := matchColumns(test.header, test.overrides)
			if test.err != nil {
				if err == nil {
					t.Fatalf("there is no error, but %v", c.index)
				}
				for _, part := range test.err {
					if !strings.Contains(err.Message, part) {
						t.Errorf("the error does not say %s: %s", part, err.Message)
					}
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(warnings) != test.warnings {
				t.Errorf("warnings: %v", warnings)
			}
			for r, want := range map[role]int{rolePO: test.po, roleURL: test.url} {
				if i, ok := c.index[r]; ok != (want >= 0) || ok && i != want {
					t.Errorf("%s is column %d (%v), want %d", r, i, ok, want)
				}
			}
		})
	}
}

// A name that two roles claim would be decided by the order of the tables.
func TestEachHeaderNameHasOneRole(t *testing.T) {
	t.Parallel()
	if found := headerNames[template.FoldColumn("Purchase-Order_Number")]; found.role != rolePO {
		t.Fatalf("purchase order number: %+v", found)
	}
	seen := map[string]string{}
	for _, synonyms := range poNames() {
		for _, name := range synonyms {
			folded := template.FoldColumn(name)
			if folded == "" {
				t.Errorf("%q is nothing when folded", name)
			}
			if headerNames[folded].role != rolePO {
				t.Errorf("%q is claimed by the role %s too", name, headerNames[folded].role)
			}
			seen[folded] = name
		}
	}
	if len(seen) < 60 {
		t.Errorf("only %d names of order numbers", len(seen))
	}
}
