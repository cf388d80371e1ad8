package learn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/scrape"
)

// book is a sheet and its pages, made row by row.
type book struct {
	Sheet
	pages []Page
	marks int
}

func newBook(columns ...string) *book {
	b := &book{Sheet: Sheet{Columns: append([]string{"po"}, columns...), Roles: map[string]int{"po": 0}}}
	for i, name := range columns {
		if name == "amount" || name == "currency" {
			b.Roles[name] = i + 1
		}
	}
	return b
}

// order adds an order with these cells, whose page has these finds.
func (b *book) order(cells []string, finds ...scrape.Find) {
	n := 4500001 + len(b.Orders)
	po := fmt.Sprintf("PO%d", n)
	o := Order{PO: po, Digits: po[2:], URL: "https://portal.example/orders/" + po, Line: len(b.Orders) + 2, Rows: [][]string{append([]string{po}, cells...)}}
	b.Orders = append(b.Orders, o)
	finds = append(finds, scrape.Find{Locator: selector(scrape.ByID, "#po"), Value: po, Met: 1, Seen: true, Shows: true, At: 1000})
	b.pages = append(b.pages, Page{o, &scrape.Description{URL: o.URL, Finds: finds}})
}

func label(text string) scrape.Locator { return scrape.Locator{Kind: scrape.ByLabel, Label: text} }

func selector(kind scrape.LocatorKind, text string) scrape.Locator {
	return scrape.Locator{Kind: kind, Selector: text}
}

// at are the finds of several locators that find one value at one place.
func at(place int, value string, locators ...scrape.Locator) (finds []scrape.Find) {
	for _, l := range locators {
		finds = append(finds, scrape.Find{Locator: l, Value: value, Met: 1, Seen: true, At: place})
	}
	return finds
}

func all(lists ...[]scrape.Find) (finds []scrape.Find) {
	for _, list := range lists {
		finds = append(finds, list...)
	}
	return finds
}

// of returns the draft's field of a column, or nil.
func (d *Draft) of(column string) *Field {
	for _, f := range d.Fields {
		if f.Column == column {
			return f
		}
	}
	return nil
}

var names = []string{"Cedar Ridge", "Halvorsen Marine", "Greystone", "Brightwell", "Tiedemann"}

func TestAFieldThatSeveralLocatorsFindIsSure(t *testing.T) {
	t.Parallel()
	b := newBook("Vendor name", "amount")
	for i, name := range names {
		sum := fmt.Sprintf("%d.%d0", 1000+37*i, i)
		b.order([]string{name, sum}, all(
			at(1, name, label("Supplier"), selector(scrape.ByID, "#supplier"), selector(scrape.ByPath, "main > p")),
			at(2, "1."+sum[1:4]+","+sum[5:], label("Total"), selector(scrape.ByClass, ".total")))...)
	}
	d := Learn(b.Sheet, b.pages)
	f := d.of("Vendor name")
	if f == nil || !f.Sure() || f.Locator.Label != "Supplier" || !f.Required || f.Name != "vendor_name" || len(f.Also) != 1 {
		t.Errorf("the supplier is %+v", f)
	}
	if f := d.of("amount"); f == nil || !f.Sure() || f.Locale != "de" {
		t.Errorf("the amount is %+v", f)
	}
	if d.Identity == nil || d.Identity.Selector != "#po" || d.URL != "{base_url}/orders/{po}" {
		t.Errorf("the number is at %+v, the orders are at %+v", d.Identity, d.Address)
	}
	if _, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(d.YAML())); err != nil {
		t.Errorf("%v\n%s", err, d.YAML())
	}
}
