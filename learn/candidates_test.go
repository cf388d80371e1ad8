package learn

import (
	"testing"

	"github.com/poscrape/poscrape/scrape"
)

// lostPages are pages on each of which the locators find one text.
func lostPages(wanted []string, shows map[scrape.Locator][]string) []LostOn {
	pages := make([]LostOn, len(wanted))
	for i, want := range wanted {
		d := &scrape.Description{}
		at := 0
		for l, texts := range shows {
			at++
			if texts[i] != "" {
				d.Finds = append(d.Finds, scrape.Find{Locator: l, Met: 1, Seen: true, Value: texts[i], At: at})
			}
		}
		pages[i].Description = d
		if want != "" {
			pages[i].Holds = func(text string) (bool, bool) { return text == want, text != "" }
		}
	}
	return pages
}

func by(kind scrape.LocatorKind, text string) scrape.Locator {
	if kind == scrape.ByLabel {
		return scrape.Locator{Kind: kind, Label: text}
	}
	return scrape.Locator{Kind: kind, Selector: text}
}

func TestCandidates(t *testing.T) {
	t.Parallel()
	total, net, tax, label := by(scrape.ByClass, ".v-total"), by(scrape.ByClass, ".v-net"), by(scrape.ByClass, ".v-tax"), by(scrape.ByLabel, "Total")
	place := by(scrape.ByPath, "#aspnetform > table > tr:nth-of-type(6)")
	lost := Lost{Locator: scrape.Locator{Selector: "#order .v-totla"}, Name: "total"}
	for name, c := range map[string]struct {
		lost  Lost
		sheet []string
		shows map[scrape.Locator][]string
		want  []scrape.Locator
		equal int
		tie   bool
	}{
		"a slip of the keyboard": {lost: lost, sheet: []string{"10", "20", "30"}, equal: 3,
			shows: map[scrape.Locator][]string{total: {"10", "20", "30"}, tax: {"1", "2", "3"}}, want: []scrape.Locator{total}},
		"no sheet, a slip": {lost: lost, sheet: []string{"", ""},
			shows: map[scrape.Locator][]string{total: {"10", "20"}, tax: {"1", "2"}}, want: []scrape.Locator{total}},
		"another name, by the sheet": {lost: Lost{Locator: scrape.Locator{Selector: ".xyzzy"}, Name: "sum"}, sheet: []string{"10", "20"}, equal: 2,
			shows: map[scrape.Locator][]string{total: {"10", "20"}, tax: {"1", "2"}}, want: []scrape.Locator{total}},
		"by its label": {lost: Lost{Locator: scrape.Locator{Label: "Totals"}, Name: "x"}, sheet: []string{"", ""},
			shows: map[scrape.Locator][]string{label: {"10", "20"}, tax: {"1", "2"}}, want: []scrape.Locator{label}},
		"two that are equal on all": {lost: Lost{Locator: scrape.Locator{Selector: ".xyzzy"}, Name: "sum"}, sheet: []string{"10", "20"}, equal: 2, tie: true,
			shows: map[scrape.Locator][]string{total: {"10", "20"}, net: {"10", "20"}, tax: {"1", "2"}}, want: []scrape.Locator{net, total}},
		"what lasts, where none is alike": {lost: Lost{Locator: scrape.Locator{Selector: "#nope"}, Name: "sum"}, sheet: []string{"10", "20"}, equal: 2, tie: true,
			shows: map[scrape.Locator][]string{label: {"10", "20"}, place: {"10", "20"}}, want: []scrape.Locator{label, place}},
		"alike, and the sheet says otherwise": {lost: lost, sheet: []string{"10", "20"}, equal: 2,
			shows: map[scrape.Locator][]string{total: {"1", "2"}, net: {"10", "20"}}, want: []scrape.Locator{net}},
		"a sheet that is wrong once": {lost: lost, sheet: []string{"10", "20", "99"}, equal: 2,
			shows: map[scrape.Locator][]string{total: {"10", "20", "30"}}, want: []scrape.Locator{total}},
		"nothing speaks for any": {lost: Lost{Locator: scrape.Locator{Selector: ".xyzzy"}, Name: "sum"}, sheet: []string{"", ""},
			shows: map[scrape.Locator][]string{total: {"10", "20"}, tax: {"1", "2"}}},
	} {
		got, tie := Candidates(c.lost, lostPages(c.sheet, c.shows))
		if len(got) != len(c.want) || tie != c.tie {
			t.Errorf("%s: got %+v, %v", name, got, tie)
			continue
		}
		for i, want := range c.want {
			if got[i].Locator != want || i == 0 && got[i].Equal != c.equal {
				t.Errorf("%s: got %+v", name, got)
			}
		}
	}
}

func TestCandidatesForDocuments(t *testing.T) {
	t.Parallel()
	doc, menu := by(scrape.ByClass, "a.doc-link"), by(scrape.ByClass, "a.menu")
	page := LostOn{Description: &scrape.Description{
		Controls: []scrape.Control{{Text: "Offer.pdf", Listed: true}, {Text: "Plan.pdf", Listed: true}, {Text: "Home"}},
		Groups:   []scrape.Group{{Locator: menu, Of: []int{2}}, {Locator: doc, Of: []int{0, 1}}},
	}}
	got, tie := Candidates(Lost{Kind: LostDocuments, Locator: scrape.Locator{Selector: ".doc-lnik"}}, []LostOn{page, page})
	if len(got) != 1 || got[0].Locator != doc || got[0].Met != 2 || got[0].Elements != 4 || tie {
		t.Errorf("got %+v, %v", got, tie)
	}
}

// TestCandidatesForTheNumber: an identity is a selector, so a label is no candidate for it. A field's may be.
func TestCandidatesForTheNumber(t *testing.T) {
	t.Parallel()
	crumbs, labelled := by(scrape.ByClass, ".crumbs"), scrape.Locator{Kind: scrape.ByLabel, Label: "Order no.", Under: "Header"}
	page := LostOn{Description: &scrape.Description{Finds: []scrape.Find{
		{Locator: labelled, Value: "PO1001", Met: 1, Seen: true, Shows: true, At: 1}, {Locator: crumbs, Value: "Orders / PO1001", Met: 1, Seen: true, Shows: true, At: 2}}}}
	lost := Lost{Kind: LostNumber, Locator: scrape.Locator{Selector: ".crumsb"}}
	if got, _ := Candidates(lost, []LostOn{page}); len(got) != 1 || got[0].Locator != crumbs {
		t.Errorf("got %+v", got)
	}
	lost = Lost{Kind: LostValue, Name: "number", Locator: scrape.Locator{Label: "Order no"}}
	if got, _ := Candidates(lost, []LostOn{page}); len(got) != 1 || got[0].Locator != labelled {
		t.Errorf("got %+v", got)
	}
}
