package learn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/scrape"
)

// TestAround has pages on which a value has no label before it and no name: it stands before its label,
// beside another that is mostly the same, or in an attribute.
func TestAround(t *testing.T) {
	t.Parallel()
	row := selector(scrape.ByWords, "tr")
	alt := scrape.Locator{Kind: scrape.ByClass, Selector: ".logo", Attr: "alt"}
	b := newBook("amount", "Vendor", "Code")
	for i, name := range names {
		net := money(i)
		if i%2 == 1 {
			net = money(i + 20)
		}
		code := fmt.Sprintf("K-%d", 71+13*i)
		b.order([]string{money(i), name, code}, all(
			at(1, money(i), selector(scrape.ByPath, "body > tr:nth-of-type(1) > td")),
			at(2, net, selector(scrape.ByPath, "body > tr:nth-of-type(2) > td")),
			at(3, code, selector(scrape.ByPath, "body > p")))...)
		last := b.pages[len(b.pages)-1]
		last.Around = []scrape.Find{
			{Locator: row, Differ: true, Seen: true, At: 4, Values: []string{money(i) + " Total", net + " Net total", "EUR Currency", code + " -"}},
			{Locator: alt, Value: name, Seen: true, At: 5},
		}
	}
	d := Learn(b.Sheet, b.pages)
	text := d.YAML()
	for _, line := range []string{
		`amount: {selector: "tr", match: '^(\S+) Total$', type: amount, locale: en, required: true}`,
		`vendor: {selector: ".logo", attr: "alt", required: true}`,
	} {
		if !strings.Contains(text, "\n  "+line+"\n") {
			t.Errorf("there is no %s", line)
		}
	}
	for _, column := range []string{"amount", "Vendor"} {
		if f := d.of(column); f == nil || f.Sure() {
			t.Errorf("one thing alone finds %s, and it is %+v", column, f)
		}
	}
	if f := d.of("Code"); f == nil || f.Unknown == "" {
		t.Errorf("without words, a mere place is %+v", f)
	}
	if t.Failed() {
		t.Log(text)
	}
}

// TestSeams has values that no space parts from their label.
func TestSeams(t *testing.T) {
	t.Parallel()
	small := scrape.Locator{Kind: scrape.ByWords, Selector: ".figure"}
	b := newBook("amount", "Vendor")
	for i, name := range names {
		b.order([]string{money(i), name})
		last := b.pages[len(b.pages)-1]
		last.Around = []scrape.Find{{Locator: small, Differ: true, Seen: true, At: 4, Values: []string{money(i) + "Total", money(i+20) + "Net", "Supplier" + name}}}
	}
	d := Learn(b.Sheet, b.pages)
	for column, pattern := range map[string]string{"amount": `^(\S+)Total$`, "Vendor": `^Supplier(.+?)$`} {
		if f := d.of(column); f == nil || f.Match != pattern {
			t.Errorf("%s is %+v", column, f)
		}
	}
}

func TestWorded(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]bool{
		`^(\S+) Total$`: true, `^Payment within (.+?)$`: true, `(?:^|\s)Ref (\S+)`: true,
		`^(.+?)\.$`: false, `^\S+ \S+ (\S+)`: false, `^No (\S+)`: true, `^x (\S+)`: false,
	} {
		if is := (&part{pattern: pattern}).worded(); is != want {
			t.Errorf("worded of %q is %v", pattern, is)
		}
	}
}

// TestWrongCellsThatThePageHasElsewhere has values in the words of paragraphs. Some cells are wrong, and what they say
// is in another paragraph; some orders show a date a second time, beside a name; and each line has the currency, too.
func TestWrongCellsThatThePageHasElsewhere(t *testing.T) {
	t.Parallel()
	b := newBook("Ordered", "amount", "currency")
	codes := []string{"EUR", "PLN", "GBP", "EUR", "CHF", "SEK"}
	for i, code := range codes {
		ordered, due, other := fmt.Sprintf("2025-03-%d", 10+i), fmt.Sprintf("2025-05-%d", 13+2*i), codes[(i+1)%len(codes)]
		cells := []string{ordered, money(i), code}
		switch i {
		case 1:
			cells[2] = other
		case 3:
			cells[0] = due
		}
		finds := at(3, money(i+50)+" "+code, label("Set"))
		if i < 3 {
			finds = append(finds, at(2, ordered, label("Ann Lee"), selector(scrape.ByPath, "body > em"))...)
		}
		b.order(cells, finds...)
		last := b.pages[len(b.pages)-1]
		last.Around = []scrape.Find{{Locator: selector(scrape.ByWords, "p"), Differ: true, Seen: true, At: 4, Values: []string{
			fmt.Sprintf("It was ordered on %s for %s %s gross, %s %[3]s net", ordered, money(i), code, money(i+30)),
			"It is to be there on " + due,
			fmt.Sprintf("Seen lately: %s %s", money(i+40), other),
		}}}
	}
	d := Learn(b.Sheet, b.pages)
	text := d.YAML()
	for _, line := range []string{
		`ordered: {selector: "p", match: '^It was ordered on (\S+) for ', type: date, required: true}`,
		`currency: {selector: "p", match: '(?:^|\s)for [-(]?\d[\d .,''’]*[-)]?\s?([^\s\d)-]+)', required: true}`,
	} {
		if !strings.Contains(text, "\n  "+line+"\n") {
			t.Errorf("there is no %s", line)
		}
	}
	for _, f := range d.Fields {
		if f.Sure() {
			t.Errorf("one thing alone finds %s, and it is sure", f.Name)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

// TestASymbolOfSeveralCurrencies is beside the amount, and so right on all orders, also where the sheet is wrong.
func TestASymbolOfSeveralCurrencies(t *testing.T) {
	t.Parallel()
	b := newBook("amount", "currency")
	for i, code := range []string{"USD", "CAD", "USD", "MXN", "AUD"} {
		cell := code
		if i == 2 {
			cell = "CAD"
		}
		b.order([]string{money(i), cell}, all(at(1, "$"+money(i), label("Total")), at(2, code, label("Curr."), selector(scrape.ByID, "#cur")))...)
	}
	if f := Learn(b.Sheet, b.pages).of("currency"); f == nil || f.Locator != label("Curr.") || !f.Sure() || f.Equal != 4 {
		t.Errorf("it is %+v", f)
	}
}
