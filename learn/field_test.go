package learn

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/amount"
	"github.com/poscrape/poscrape/scrape"
)

func money(i int) string { return fmt.Sprintf("%d.%02d", 1203+411*i, (i*37)%100) }

func TestASheetThatIsWrongHereAndThere(t *testing.T) {
	t.Parallel()
	b := newBook("amount")
	for i := range 10 {
		cell := money(i)
		switch i {
		case 2:
			cell = "17.00"
		case 5:
			cell = money(1)
		case 7:
			cell = ""
		}
		b.order([]string{cell}, at(1, money(i), label("Total"), selector(scrape.ByID, "#total"))...)
	}
	d := Learn(b.Sheet, b.pages)
	f := d.of("amount")
	if f == nil || f.Locator.Label != "Total" || !f.Sure() || f.Equal != 7 || f.Compared != 9 {
		t.Fatalf("the amount is %+v", f)
	}
	if len(d.Findings) != 2 || !strings.Contains(d.Findings[0], `(line 4): amount: the sheet says "17.00", the portal "2025.74"`) {
		t.Errorf("the findings are %q", d.Findings)
	}
}

// TestPlacesThatAreAlike has two places that show the column's values, on these orders only one of
// them, or none.
func TestPlacesThatAreAlike(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		column       string
		other        func(i int) string // what the place beside shows
		cell         func(i int) string
		label        string
		sure, absent bool
	}{
		"one is wrong on one order": {column: "amount", other: func(i int) string {
			if i == 3 {
				return "9.00"
			}
			return money(i)
		}, label: "Total", sure: true},
		"both are always right":           {column: "amount", other: money, label: "Total"},
		"one is called as the column":     {column: "Gross", other: money, label: "Gross"},
		"one is called alike":             {column: "Grossed up", other: money, label: "Gross"},
		"each is right on its own orders": {column: "amount", other: func(i int) string { return fmt.Sprintf("%d.50", 7*i+1) }, cell: func(i int) string { return fmt.Sprintf("%d.50", 7*i+1) }, absent: true},
	} {
		b := newBook(c.column)
		for i := range 6 {
			cell := money(i)
			if c.cell != nil && i >= 3 {
				cell = c.cell(i)
			}
			b.order([]string{cell}, all(
				at(1, money(i), label("Total"), selector(scrape.ByID, "#total")),
				at(2, c.other(i), label("Gross"), selector(scrape.ByID, "#gross")))...)
		}
		f := Learn(b.Sheet, b.pages).of(c.column)
		if f == nil {
			t.Errorf("%s: nothing was found", name)
			continue
		}
		if known := f.Unknown == ""; known == c.absent {
			t.Errorf("%s: it is unknown because %q", name, f.Unknown)
		}
		if !c.absent && (f.Locator.Label != c.label || f.Sure() != c.sure) {
			t.Errorf("%s: it is %q, doubts %q", name, f.Locator.Label, f.Doubts)
		}
	}
}

// TestNamesInTheMarkupTellPlacesApart has a value under a label of something else, and again where the markup
// calls it as the column is.
func TestNamesInTheMarkupTellPlacesApart(t *testing.T) {
	t.Parallel()
	for _, named := range []scrape.Locator{selector(scrape.ByAttr, `[data-field="supplier"] input`), selector(scrape.ByID, "#supplier"), selector(scrape.ByClass, ".card .supplier")} {
		b := newBook("Supplier")
		for _, name := range names {
			b.order([]string{name}, all(at(1, name, label("Number")), at(2, name, named))...)
		}
		if f := Learn(b.Sheet, b.pages).of("Supplier"); f == nil || f.Locator != named || f.Sure() {
			t.Errorf("it is found by %+v, not by %q", f, named.Selector)
		}
	}
}

func TestWhatIsNotSure(t *testing.T) {
	t.Parallel()
	both := []scrape.Locator{label("Terms"), selector(scrape.ByID, "#terms")}
	for name, c := range map[string]struct {
		locators []scrape.Locator
		value    func(i int) string
		says     string
	}{
		"the same everywhere":      {both, func(int) string { return "Net 30" }, "same on all orders"},
		"two values":               {both, func(i int) string { return []string{"Net 30", "Net 60"}[i%2] }, "only 2 different values"},
		"one locator":              {both[:1], func(i int) string { return fmt.Sprintf("Net %d", 30+i) }, "nothing but its label"},
		"only a place in the page": {[]scrape.Locator{selector(scrape.ByPath, "body > p:nth-of-type(2)")}, func(i int) string { return fmt.Sprintf("Net %d", 30+i) }, "only its place"},
	} {
		b := newBook("Conditions")
		for i := range 5 {
			b.order([]string{c.value(i)}, at(1, c.value(i), c.locators...)...)
		}
		f := Learn(b.Sheet, b.pages).of("Conditions")
		if f == nil || f.Sure() || !strings.Contains(f.Unknown+strings.Join(f.Doubts, "; "), c.says) {
			t.Errorf("%s: it is %+v, which does not say %q", name, f, c.says)
		}
	}
}

// TestForms reads amounts and dates in the forms of many places, and parts of texts.
func TestForms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cells, shown          []string
		kind                  scrape.FieldType
		locale, layout, match string
		doubt                 string
	}{
		"English":      {[]string{"1250.50", "99.00", "12345.75"}, []string{"1,250.50", "99.00", "12,345.75"}, scrape.FieldAmount, "en", "", "", ""},
		"German":       {[]string{"1250.50", "99.00", "12345.75"}, []string{"1.250,50 €", "99,00 €", "12.345,75 €"}, scrape.FieldAmount, "de", "", "", ""},
		"French":       {[]string{"1250.50", "99.00", "12345.75"}, []string{"1 250,50", "99,00", "12 345,75"}, scrape.FieldAmount, "fr", "", "", ""},
		"Swiss":        {[]string{"1250.50", "99.00", "12345.75"}, []string{"CHF 1’250.50", "CHF 99.00", "CHF 12’345.75"}, scrape.FieldAmount, "ch", "", "", ""},
		"German both":  {[]string{"1.250,50", "99,00", "12.345,75"}, []string{"1.250,50", "99,00", "12.345,75"}, scrape.FieldAmount, "de", "", "", ""},
		"dates":        {[]string{"2025-03-17", "2025-04-01", "2025-05-30"}, []string{"17.03.2025", "01.04.2025", "30.05.2025"}, scrape.FieldDate, "", "02.01.2006", "", ""},
		"month first":  {[]string{"2025-03-17", "2025-04-01", "2025-05-30"}, []string{"3/17/2025", "4/1/2025", "5/30/2025"}, scrape.FieldDate, "", "1/2/2006", "", ""},
		"ISO":          {[]string{"17.03.2025", "01.04.2025", "30.05.2025"}, []string{"2025-03-17", "2025-04-01", "2025-05-30"}, scrape.FieldDate, "", "", "", ""},
		"with a time":  {[]string{"2025-03-17", "2025-04-01", "2025-05-30"}, []string{"17/03/2025 14:30", "01/04/2025 09:05", "30/05/2025 23:59"}, scrape.FieldDate, "", "02/01/2006 15:04", "", ""},
		"either way":   {[]string{"03/04/2025", "05/06/2025", "07/08/2025"}, []string{"03/04/2025", "05/06/2025", "07/08/2025"}, scrape.FieldText, "", "", "", "day and month"},
		"a part":       {[]string{"C-17", "C-2200", "C-305"}, []string{"Contract C-17 of May", "Contract C-2200 of June", "Contract C-305 of July"}, scrape.FieldText, "", "", `^Contract (\S+) of `, ""},
		"in brackets":  {[]string{"Ann Lee", "Bo Ek", "Cy Dart"}, []string{"Approved (by Ann Lee)", "Approved (by Bo Ek)", "Approved (by Cy Dart)"}, scrape.FieldText, "", "", `^Approved \(by (.+?)\)$`, ""},
		"a currency":   {[]string{"1250.50", "99.00", "12345.75"}, []string{"Sum of 1 250,50 EUR gross", "Sum of 99,00 € gross", "Sum of 12 345,75 CHF gross, and 12 345,75 CHF net"}, scrape.FieldAmount, "fr", "", `^Sum of (.+?) gross`, ""},
		"turned round": {[]string{"Lee, Ann", "Ek, Bo", "Dart, Cy"}, []string{"Ann Lee", "Bo Ek", "Cy Dart"}, scrape.FieldText, "", "", "", ""},
		"a point":      {[]string{"Ann Lee", "Bo Ek S.A.", "Cy Dart"}, []string{"by Ann Lee, worth 1", "by Bo Ek S.A., worth 2", "by Cy Dart, worth 3"}, scrape.FieldText, "", "", `^by (.+?), worth `, ""},
		"codes":        {[]string{"R-17023", "R-99031", "R-12345"}, []string{"R-17023", "R-99031", "R-12345"}, scrape.FieldText, "", "", "", ""},
		"words before": {[]string{"1250.50", "99.00", "12345.75"}, []string{"Sum of 3 lines: 1,250.50", "Sum of 1 lines: 99.00", "Sum of 12 lines: 12,345.75"}, scrape.FieldAmount, "en", "", `(?:^|\s)lines: (\S+)$`, ""},
	} {
		b := newBook("Value")
		for i, cell := range c.cells {
			b.order([]string{cell}, at(1, c.shown[i], selector(scrape.ByID, "#value"), selector(scrape.ByClass, ".value"))...)
		}
		d := Learn(b.Sheet, b.pages)
		f := d.of("Value")
		if f == nil || f.Type != c.kind || f.Locale != c.locale || f.Layout != c.layout || f.Match != c.match || !strings.Contains(strings.Join(f.Doubts, ";"), c.doubt) {
			t.Errorf("%s: it is %+v", name, f)
			continue
		}
		if _, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(d.YAML())); err != nil {
			t.Errorf("%s: %v\n%s", name, err, d.YAML())
		}
	}
}

// TestALineOfSeveral: a supplier's name stands above its address, in one element, or below something else.
func TestALineOfSeveral(t *testing.T) {
	t.Parallel()
	for match, text := range map[string]func(i int, name string) string{
		`^([^\n]+)`: func(i int, name string) string {
			return name + []string{"", "\nLeeds"}[min(i, 1)]
		},
		`^[^\n]+\n([^\n]+)`: func(i int, name string) string {
			return fmt.Sprintf("Line %d\n%s%s", 7*i, name, []string{"", "\nLeeds"}[min(i, 1)])
		},
		`\n([^\n]+)$`: func(i int, name string) string {
			return strings.Repeat(fmt.Sprintf("Line %d\n", 7*i), 1+i%2) + name
		},
	} {
		b := newBook("Vendor")
		for i, name := range names {
			finds := at(1, strings.ReplaceAll(text(i, name), "\n", " "), label("Vendor"))
			if strings.Contains(text(i, name), "\n") {
				finds[0].Lines = text(i, name)
			}
			b.order([]string{name}, finds...)
		}
		d := Learn(b.Sheet, b.pages)
		if f := d.of("Vendor"); f == nil || f.Match != match || f.Equal != len(names) || f.Locator != label("Vendor") {
			t.Errorf("it is %+v\n%s", f, d.YAML())
		}
		if _, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(d.YAML())); err != nil {
			t.Errorf("%v\n%s", err, d.YAML())
		}
	}
}

// TestAWholeTextBeforeAPart: what has the value alone is worded alike on every page, what has it among other words
// may not be.
func TestAWholeTextBeforeAPart(t *testing.T) {
	t.Parallel()
	b := newBook("Vendor")
	for _, name := range names {
		b.order([]string{name}, append(at(1, "View pictures of "+name, label("Pictures")), at(2, name, selector(scrape.ByPath, "h1"))...)...)
	}
	d := Learn(b.Sheet, b.pages)
	if f := d.of("Vendor"); f == nil || f.Match != "" || f.Locator != selector(scrape.ByPath, "h1") {
		t.Errorf("it is %+v\n%s", f, d.YAML())
	}
}

// TestAValueKeepsItsBrackets: no part of a text begins or ends between two brackets.
func TestAValueKeepsItsBrackets(t *testing.T) {
	t.Parallel()
	b := newBook("Phone")
	for _, number := range []string{"(800) 877-2246", "(229) 430-4646", "(907) 243-0507", "(800) 868-8602", "(412) 555-0199"} {
		bare := strings.NewReplacer("(", "", ") ", "-").Replace(number)
		b.order([]string{bare}, at(1, "Tel: "+number+" (work)", label("Work"))...)
	}
	d := Learn(b.Sheet, b.pages)
	f := d.of("Phone")
	if f == nil {
		t.Fatal("nothing is learnt")
	}
	recipe, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(d.YAML()))
	if err != nil {
		t.Fatal(err)
	}
	if got := recipe.Fields[0].Match.FindStringSubmatch("Tel: (123) 456-7890 (work)"); len(got) < 2 || got[1] != "(123) 456-7890" {
		t.Errorf("%q finds %q", f.Match, got)
	}
}

// TestALabelAndItsValueInOneElement: a name of that finds the value, too, once the label is called otherwise.
func TestALabelAndItsValueInOneElement(t *testing.T) {
	t.Parallel()
	for between, found := range map[string]bool{": ": true, " : ": true, " ": false} {
		b := newBook("Vendor")
		for _, name := range names {
			b.order([]string{name}, all(at(1, name, label("Supplier")), at(1, "Supplier"+between+name, selector(scrape.ByClass, ".line")))...)
		}
		d := Learn(b.Sheet, b.pages)
		if f := d.of("Vendor"); f == nil || !f.Sure() || (len(f.Also) == 1) != found {
			t.Errorf("%q: it is %+v", between, f)
		}
		recipe, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(d.YAML()))
		if err != nil || found && recipe.Fields[0].Also[0].Match.FindStringSubmatch("Lieferant" + between + "A: B")[1] != "A: B" {
			t.Errorf("%q: %v\n%s", between, err, d.YAML())
		}
	}
}

func TestOneLocaleForAllAmounts(t *testing.T) {
	t.Parallel()
	b := newBook("Gross", "Net")
	for i := range 4 {
		b.order([]string{fmt.Sprintf("%d.50", 1000+i), fmt.Sprintf("%d.00", 300+i)}, all(
			at(1, fmt.Sprintf("1.00%d,50", i), label("Gross"), selector(scrape.ByID, "#gross")),
			at(2, fmt.Sprintf("%d", 300+i), label("Net"), selector(scrape.ByID, "#net")))...)
	}
	if f := Learn(b.Sheet, b.pages).of("Net"); f == nil || f.Locale != "de" {
		t.Errorf("an amount without a separator is %+v", f)
	}
}

func TestData(t *testing.T) {
	t.Parallel()
	b := newBook("amount", "Plant")
	for i := range 4 {
		b.order([]string{money(i), fmt.Sprintf("P%d", 400+i)})
		page := &b.pages[i]
		page.Answers = []scrape.Answer{{URL: "https://portal.example/api/orders/" + page.PO + "?v=2", Value: map[string]any{
			"order": map[string]any{"total": json.Number(money(i)), "plant code": fmt.Sprintf("P%d", 400+i), "lines": []any{"x"}}}}}
	}
	d := Learn(b.Sheet, b.pages)
	f := d.of("amount")
	if f == nil || f.Locator.Answer != "/api/orders/{po}?v=2" || f.Locator.Path != "$.order.total" || f.Locale != "" || f.Sure() {
		t.Errorf("the amount is %+v", f)
	}
	recipe, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(d.YAML()))
	if err != nil || len(recipe.Fields) != 2 || recipe.Fields[1].Path == nil {
		t.Errorf("%v\n%s", err, d.YAML())
	}
}

// TestWaysOfWritingAmounts: where the sign before the decimals is known, no text is two amounts; where
// a field's texts do not tell it, that of others is not taken for sure.
func TestWaysOfWritingAmounts(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"1.234", "1,234", "1 234", "1'234", "12.50", "12,50", "1.234,50", "1,234.50", "1,23,456", "500", "1.234.567"} {
		means := map[bool]string{}
		for style, value := range amount.Readings(text) {
			if other := means[pointed[style]]; other != "" && other != value {
				t.Errorf("with one decimal sign, %q is %s and %s", text, other, value)
			}
			means[pointed[style]] = value
		}
	}
	b := newBook("amount", "Weight")
	for i := range 6 {
		weight := fmt.Sprint(100 + 7*i)
		b.order([]string{money(i), weight + ".00"}, all(
			at(1, strings.Replace(money(i), ".", ",", 1), label("Total"), selector(scrape.ByID, "#total")),
			at(2, weight, label("Weight"), selector(scrape.ByID, "#weight")))...)
	}
	d := Learn(b.Sheet, b.pages)
	if f := d.of("amount"); f == nil || !f.Sure() || f.Locale != "de" {
		t.Errorf("the amount is %+v", f)
	}
	if f := d.of("Weight"); f == nil || f.Sure() || f.Locale != "de" {
		t.Errorf("the weight is %+v", f)
	}
}

// TestCurrencies has a sheet's codes beside amounts, as codes or symbols.
func TestCurrencies(t *testing.T) {
	t.Parallel()
	codes := []string{"EUR", "PLN", "GBP", "EUR", "CHF"}
	before, behind := marks[0].pattern, marks[1].pattern
	for name, c := range map[string]struct {
		shown []string
		match string
		doubt string
	}{
		"symbols before":    {[]string{"€ 1.200,00", "zł 99,00", "£17,50", "€ 1.450,00", "CHF 12,25"}, before, ""},
		"with no space":     {[]string{"€1,200.00", "PLN99.00", "-£17.50", "€1,450.00", "CHF12.25"}, before, ""},
		"symbols behind":    {[]string{"1 200,00 €", "99,00 zł", "17,50 £", "1 450,00 €", "12,25 CHF"}, behind, ""},
		"codes behind":      {[]string{"1,200.00 EUR", "99.00 PLN", "17.50GBP", "1,450.00 EUR", "12.25 CHF"}, behind, ""},
		"alone":             {[]string{"€", "zł", "£", "€", "CHF"}, "", ""},
		"one of many":       {[]string{"€ 1.200,00", "zł 99,00", "£17,50", "€ 1.450,00", "Fr. 12,25"}, before, ""},
		"a symbol of many":  {[]string{"€1,200.00", "zł99.00", "£17.50", "€1,450.00", "$12.25"}, before, `written "$"`},
		"of the last line":  {[]string{"1 Pump 2,00 €", "1 Seal 9,00 zł", "1 Cap 7,50 £", "1 Rod 4,00 €", "1 Hub 3,00 CHF"}, `^\S+ \S+ \S+ (\S+)$`, ""},
		"not the currency":  {[]string{"€ 1,00", "€ 2,00", "€ 3,00", "€ 4,00", "€ 5,00"}, "none", ""},
		"its own, and that": {[]string{"EUR", "PLN", "GBP", "EUR", "CHF"}, "", ""},
	} {
		b := newBook("currency", "amount")
		for i, code := range codes {
			if strings.Contains(c.doubt, "$") && code == "CHF" {
				code = "CAD"
			}
			finds := at(1, c.shown[i], label("Sum"), selector(scrape.ByID, "#sum"))
			amount := ""
			if name == "its own, and that" {
				amount = money(i)
				finds = append(finds, at(2, c.shown[i]+" "+amount, label("Net"), selector(scrape.ByID, "#net"))...)
			}
			b.order([]string{code, amount}, finds...)
		}
		d := Learn(b.Sheet, b.pages)
		f := d.of("currency")
		if f == nil || c.match == "none" {
			if f != nil || c.match != "none" {
				t.Errorf("%s: it is %+v", name, f)
			}
			continue
		}
		if doubts := strings.Join(f.Doubts, ";"); f.Match != c.match || f.Locator.Label != "Sum" || (c.doubt == "") != f.Sure() || !strings.Contains(doubts, c.doubt) {
			t.Errorf("%s: it is %+v", name, f)
		}
		if _, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(d.YAML())); err != nil {
			t.Errorf("%s: %v\n%s", name, err, d.YAML())
		}
	}
}
