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

func TestLabelsAreInTheBrowsersLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		asked [2]string
		line  string
	}{
		{[2]string{"de-CH", "de-CH"}, "\nbrowser: {language: de-CH}\n"},
		{[2]string{"de", "de"}, "\nbrowser: {language: de}\n"},
		{[2]string{"de", "fr"}, ""},
		{[2]string{"", ""}, ""},
		{[2]string{"de}\nname: evil", "de}\nname: evil"}, ""},
	} {
		b := newBook("Vendor")
		for i, name := range names[:2] {
			b.order([]string{name}, at(1, name, label("Lieferant"))...)
			b.pages[i].Language = c.asked[i]
		}
		if text := Learn(b.Sheet, b.pages).YAML(); c.line == "" == strings.Contains(text, "language:") || !strings.Contains(text, c.line) {
			t.Errorf("asked for %q, it is\n%s", c.asked, text)
		}
	}
}

func TestTextsOfAPageStayTexts(t *testing.T) {
	t.Parallel()
	bad := "Total\": {x}\n# evil: yes \u2028 'q' \\ %s"
	b := newBook("a: b # {c}", "on")
	for i := range 4 {
		value := fmt.Sprintf("%s %d", bad, i)
		b.order([]string{value, fmt.Sprintf("x%dy", i)}, all(at(1, value, label(bad), selector(scrape.ByAttr, `[name="a\"b"]`)), at(2, fmt.Sprintf("x%dy", i), label("on")))...)
	}
	d := Learn(b.Sheet, b.pages)
	d.Name = "a\nb"
	recipe, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(d.YAML()))
	if err != nil || len(recipe.Fields) != 2 || recipe.Fields[0].Label != strings.TrimSpace(bad) {
		t.Errorf("%v\n%s", err, d.YAML())
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		url  func(o Order) string
		want string
		// nowhere is the address of an order that does not exist.
		nowhere string
	}{
		"a number":    {func(o Order) string { return "https://h.example/o/" + o.PO + "?x=1" }, "{base_url}/o/{po}?x=1", "/o/PO4999999?x=1"},
		"digits":      {func(o Order) string { return "https://h.example/#/o/" + o.Digits }, "{base_url}/#/o/{digits}", "/#/o/4999999"},
		"two columns": {func(o Order) string { return "https://h.example/" + o.Rows[0][1] + "/" + o.PO }, "{base_url}/{column:Plant}/{po}", "/plant0/PO4999999"},
		"a short id":  {func(o Order) string { return "https://h.example/o/" + o.Rows[0][2] }, "{base_url}/o/{column:Id}", "/o/1999999"},
		"a long id":   {func(o Order) string { return "https://h.example/o/" + o.Rows[0][3] }, "{base_url}/o/{column:Key}", "/o/a9-9f9b"},
		"a plant":     {func(o Order) string { return "https://h.example/o/" + o.Rows[0][1] }, "{base_url}/o/{column:Plant}", ""},
		"none":        {func(o Order) string { return fmt.Sprintf("https://h.example/o/%x", len(o.PO)+int(o.PO[8])) }, "", ""},
	} {
		sheet := Sheet{Columns: []string{"po", "Plant", "Id", "Key"}, Roles: map[string]int{"po": 0}}
		for i := range 3 {
			o := Order{PO: fmt.Sprintf("PO450000%d", i), Digits: fmt.Sprintf("450000%d", i)}
			o.Rows = [][]string{{o.PO, fmt.Sprintf("plant%d", i%2), fmt.Sprint(12 + i), fmt.Sprintf("a1-%df7b", 2+i)}}
			o.URL = c.url(o)
			sheet.Orders = append(sheet.Orders, o)
		}
		a := addressOf(sheet)
		if a.URL != c.want || a.BaseURL != "https://h.example" {
			t.Errorf("%s: it is %+v, not %q", name, a, c.want)
		}
		if o, asked, ok := a.Nonexistent(sheet); ok != (c.nowhere != "") || ok && (o.URL != a.BaseURL+c.nowhere || !strings.Contains(o.URL, strings.TrimPrefix(asked, "PO"))) {
			t.Errorf("%s: an order that does not exist is at %q, told by %q, not at %q", name, o.URL, asked, c.nowhere)
		}
	}
}

// TestWhatOnlyMakesTheAddressIsNoField: a typed template is kept where none is found, and the column in
// it is a field only where the page itself calls a value so.
func TestWhatOnlyMakesTheAddressIsNoField(t *testing.T) {
	t.Parallel()
	for shown, want := range map[string]bool{"Case": false, "ticket": true} {
		b := newBook("Vendor", "Ticket")
		b.URL = "https://portal.example/issues/{column:Ticket}?as={digits}"
		for i, name := range names {
			ticket := fmt.Sprintf("%d", 3+i)
			b.order([]string{name, ticket}, all(at(1, name, label("Vendor"), selector(scrape.ByID, "#v")), at(2, ticket, label(shown), selector(scrape.ByID, "#t")))...)
			o := &b.Orders[i]
			o.URL = "https://portal.example/issues/" + ticket + "?as=" + o.Digits
			b.pages[i].Order = *o
		}
		d := Learn(b.Sheet, b.pages)
		if got := d.of("Ticket") != nil; got != want || len(d.Unseen) > 0 || d.of("Vendor") == nil {
			t.Errorf("shown as %s: it is a field: %v, want %v; unseen are %q", shown, got, want, d.Unseen)
		}
		if d.URL != b.URL || !strings.Contains(d.YAML(), b.URL) {
			t.Errorf("the template is %q in\n%s", d.URL, d.YAML())
		}
	}
}

// TestTheirNumber: a heading says how many documents there are, and a badge shows a number that is equal by chance.
func TestTheirNumber(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		most int
		want string
	}{"enough": {3, "h2"}, "always as many": {1, ""}} {
		b := newBook("Vendor")
		for i := range 5 {
			n := 1 + i%c.most
			badge := n
			if i == 4 {
				badge = 7
			}
			b.order([]string{names[i]}, all(at(1, names[i], label("Vendor")), at(2, fmt.Sprintf("Documents (%d)", n), selector(scrape.ByClass, "h2")), at(3, fmt.Sprint(badge), selector(scrape.ByClass, ".badge")))...)
			page := &b.pages[i]
			page.Groups = []scrape.Group{{Locator: selector(scrape.ByClass, "a.f")}}
			for k := range n {
				page.Controls = append(page.Controls, scrape.Control{Text: "a.pdf", Href: fmt.Sprintf("https://h.example/%d/%d", i, k), Listed: true})
				page.Groups[0].Of = append(page.Groups[0].Of, k)
			}
		}
		if docs := Learn(b.Sheet, b.pages).Documents; docs == nil || docs.Count != c.want {
			t.Errorf("%s: %+v", name, docs)
		}
	}
}

func TestPagesOfTwoKinds(t *testing.T) {
	t.Parallel()
	b := newBook("Vendor")
	for i := range 5 {
		first, second := at(1, names[i], label("Vendor"), selector(scrape.ByID, "#vendor"), selector(scrape.ByClass, ".v")), at(1, names[i], label("Supplied by"), selector(scrape.ByID, "#by"), selector(scrape.ByClass, ".b"), selector(scrape.ByClass, ".c"), selector(scrape.ByClass, ".d"))
		if i < 3 {
			b.order([]string{names[i]}, first...)
		} else {
			b.order([]string{names[i]}, second...)
		}
	}
	d := Learn(b.Sheet, b.pages)
	if f := d.of("Vendor"); d.Kinds != 2 || f == nil || f.Locator.Label != "Vendor" || f.Seen != 3 || len(d.Findings) != 2 {
		t.Errorf("%d kinds, %+v, %q", d.Kinds, f, d.Findings)
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	sheet := Sheet{Columns: []string{"po", "Vendor", "State"}, Roles: map[string]int{"po": 0}}
	for i := range 20 {
		po := fmt.Sprintf("PO%d", 100+i)
		vendor, state := "Cedar Ridge", "open"
		if i == 13 {
			vendor, state = "Greystone", "closed"
		}
		if i == 17 {
			vendor, state = "", ""
		}
		sheet.Orders = append(sheet.Orders, Order{PO: po, Digits: po[2:], Rows: [][]string{{po, vendor, state}}})
	}
	chosen := Choose(sheet, 2, nil)
	if len(chosen) != 2 || chosen[1].PO != "PO113" {
		t.Errorf("chosen are %+v", chosen)
	}
	if all := Choose(sheet, 50, map[string]bool{"PO100": true}); len(all) != 19 {
		t.Errorf("%d of 19 are left", len(all))
	}
}

func TestIdentityNamesNoOther(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"PO4500100": false, "Order PO4500100. See also PO9999999.": true, "PO4500100 of 2026": false, "4500100/4500100": false, "PO4500100 replaces PO4500099": true,
	} {
		if got := namesOther(text, "4500100"); got != want {
			t.Errorf("%q names another: %v, want %v", text, got, want)
		}
	}
}

// TestChooseTellsColumnsApart has two columns that are equal on most orders.
func TestChooseTellsColumnsApart(t *testing.T) {
	t.Parallel()
	b := newBook("Ship to", "Bill to", "Vendor", "Reference")
	for i := range 20 {
		bill := "Plant 1"
		if i == 7 || i == 13 {
			bill = "Head office"
		}
		b.order([]string{"Plant 1", bill, fmt.Sprint("Vendor ", i), fmt.Sprint("R-", i)})
	}
	apart := 0
	for _, o := range Choose(b.Sheet, 3, nil) {
		if o.Rows[0][1] != o.Rows[0][2] {
			apart++
		}
	}
	if apart != 2 {
		t.Errorf("%d of the orders chosen tell the columns apart, of the 2 that do", apart)
	}
}

// TestWholeNumbersAndDatesOfOtherScripts has amounts that the sheet writes as whole numbers, under a name that is
// not known, and dates with words between their parts.
func TestWholeNumbersAndDatesOfOtherScripts(t *testing.T) {
	t.Parallel()
	b := newBook("合計", "発注日", "Cost centre")
	for i := range 6 {
		sum, day := 1_204_000+31_000*i, 3+2*i
		shown := fmt.Sprint(sum)
		b.order([]string{shown, fmt.Sprintf("2025/03/%02d", day), fmt.Sprint(4000 + i)}, all(
			at(1, "¥"+shown[:1]+","+shown[1:4]+","+shown[4:], label("合計金額"), selector(scrape.ByID, "#total")),
			at(2, fmt.Sprintf("2025年3月%d日", day), label("発注日"), selector(scrape.ByID, "#date")),
			at(3, fmt.Sprint(4000+i), label("Cost centre"), selector(scrape.ByID, "#centre")))...)
	}
	d := Learn(b.Sheet, b.pages[:4])
	if f := d.of("合計"); f == nil || !f.Sure() || f.Type != scrape.FieldAmount || f.Locale != "en" {
		t.Errorf("the amount is %+v", f)
	}
	if f := d.of("発注日"); f == nil || !f.Sure() || f.Type != scrape.FieldDate || f.Layout != "2006年1月2日" {
		t.Errorf("the date is %+v", f)
	}
	if f := d.of("Cost centre"); f == nil || !f.Sure() || f.Type != scrape.FieldText {
		t.Errorf("a number that is no amount is %+v", f)
	}
}

func listedFiles(d *scrape.Description) {
	d.Controls = []scrape.Control{{Text: "Order.pdf", Href: d.URL + "/a.pdf", Listed: true, Seen: true}}
}

func besideAFile(d *scrape.Description) {
	d.Controls = []scrape.Control{{Text: "印刷", Seen: true}, {Beside: "plan.pdf", Seen: true}}
	d.Groups = []scrape.Group{{Locator: selector(scrape.ByClass, "button.icon"), Of: []int{1}}, {Locator: selector(scrape.ByClass, "button"), Of: []int{0, 1}}}
}

// TestANumberWithOneName is found by its place once that name has changed.
func TestANumberWithOneName(t *testing.T) {
	t.Parallel()
	b := newBook("Vendor")
	for i, name := range names[:3] {
		b.order([]string{name}, at(1, name, label("Vendor"))...)
		b.pages[i].Finds = append(b.pages[i].Finds, scrape.Find{Locator: selector(scrape.ByPath, "main > p:nth-of-type(1)"), Value: b.Orders[i].PO, Met: 1, Seen: true, Shows: true, At: 1000})
	}
	if d := Learn(b.Sheet, b.pages); d.Identity == nil || d.Identity.Selector != "#po, main > p:nth-of-type(1)" || d.Identity.Path {
		t.Errorf("the number is at %+v", d.Identity)
	}
}

// unknownLinks has one link to the supplier, one home, and others that are more on each page.
func unknownLinks(d *scrape.Description) {
	d.Controls = []scrape.Control{{Text: "Domů", Href: "https://h.example/", Seen: true}, {Text: "Acme", Href: d.URL + "/dodavatel", Seen: true}}
	links := scrape.Group{Locator: selector(scrape.ByClass, "a.smlouva")}
	for i := range int(d.URL[len(d.URL)-1] - '0') {
		links.Of = append(links.Of, len(d.Controls))
		d.Controls = append(d.Controls, scrape.Control{Text: "Smlouva", Href: fmt.Sprintf("%s/%d", d.URL, i), Seen: true})
	}
	d.Groups = []scrape.Group{links, {Locator: selector(scrape.ByClass, "a.dodavatel"), Of: []int{1}}}
}
