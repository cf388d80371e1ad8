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
