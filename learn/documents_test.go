package learn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/scrape"
)

func TestDocuments(t *testing.T) {
	t.Parallel()
	b := newBook("Vendor")
	for i := range 4 {
		b.order([]string{names[i]}, at(1, names[i], label("Vendor"))...)
		page := &b.pages[i]
		page.Controls = []scrape.Control{{Text: "Terms.pdf", Href: "https://h.example/terms.pdf", Listed: true}, {Text: "Orders", Href: "https://h.example/"}}
		if i == 0 {
			page.Finds = append(page.Finds, scrape.Find{Locator: selector(scrape.ByClass, ".none"), Value: "No documents", None: true, Seen: true, Met: 1})
			page.Groups = []scrape.Group{{Locator: selector(scrape.ByClass, ".files a"), Of: []int{0}}}
			continue
		}
		if i == 2 {
			page.Further = []string{"Show more"}
		}
		page.Controls = append(page.Controls, scrape.Control{Text: "Order.pdf", Href: fmt.Sprintf("https://h.example/f/%d.pdf", i), Listed: true})
		page.Groups = []scrape.Group{{Locator: selector(scrape.ByClass, ".files a"), Of: []int{0, 2}}, {Locator: selector(scrape.ByClass, "a.doc"), Of: []int{2}}}
	}
	d := Learn(b.Sheet, b.pages)
	docs := d.Documents
	if recipe, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(d.YAML())); err != nil || recipe.Attachments.Next.Text != "Show more" {
		t.Errorf("%v\n%s", err, d.YAML())
	}
	if docs == nil || docs.Item != "a.doc" || docs.None != ".none" || docs.On != 3 || docs.Without != 1 || len(docs.LeftOut) != 1 {
		t.Errorf("the documents are %+v", docs)
	}
}

// TestWhatMayHoldDocuments: nothing is known to be a document. What may be one is named, a file before a closed part of the
// page, and one that says how many it has of something before others.
func TestWhatMayHoldDocuments(t *testing.T) {
	t.Parallel()
	for want, file := range map[string]string{`has "添付 (2)", which is closed`: "", `shows "Quote 7.pdf"`: "Quote 7.pdf"} {
		b := newBook("Vendor")
		for i := range 3 {
			b.order([]string{names[i]}, at(1, names[i], label("Vendor"))...)
			page := &b.pages[i]
			page.Controls = []scrape.Control{{Text: "条件", Seen: true, Closed: true}, {Text: "履歴 (0)", Seen: true, Closed: true}, {Text: "添付 (2)", Seen: true, Closed: true}}
			page.Finds = append(page.Finds, scrape.Find{Locator: selector(scrape.ByClass, ".name"), Values: []string{"Quote", file}, Differ: true, Seen: true, Met: 2})
		}
		if d := Learn(b.Sheet, b.pages); d.Documents != nil || !strings.Contains(d.Lacking, want) {
			t.Errorf("what is lacking is %q, not what %s", d.Lacking, want)
		}
	}
}

// TestTermsAmongDocuments: every order lists the same terms among its own documents, and nothing but their
// address tells them apart.
func TestTermsAmongDocuments(t *testing.T) {
	t.Parallel()
	b := newBook("Vendor")
	for i := range 4 {
		b.order([]string{names[i]}, at(1, names[i], label("Vendor"))...)
		page := &b.pages[i]
		page.Controls = []scrape.Control{{Text: "Terms.pdf", Href: "https://h.example/f/terms.pdf", Listed: true}}
		page.Groups = []scrape.Group{{Locator: selector(scrape.ByClass, ".files a"), Of: []int{0}}}
		if i > 0 {
			page.Controls = append(page.Controls, scrape.Control{Text: "Order.pdf", Href: fmt.Sprintf("https://h.example/f/%d", i), Listed: true})
			page.Groups[0].Of = []int{0, 1}
		}
	}
	docs := Learn(b.Sheet, b.pages).Documents
	if docs == nil || docs.Item != ".files a" || len(docs.Exclude) != 1 || docs.Exclude[0] != `a[href$="terms.pdf"]` || docs.Found != 3 {
		t.Errorf("the documents are %+v", docs)
	}
}

// TestMenusOfDocuments: the menu of each document has "Download", and something besides, which is left out only where
// its text says that it does something.
func TestMenusOfDocuments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, refused, want string }{{"Delete", "Delete", `exclude: [{text: "Delete"}]`}, {"Original", "", ""}, {"Download", "Download", ""}} {
		b := newBook("Vendor")
		for i := range 4 {
			b.order([]string{names[i]}, at(1, names[i], label("Vendor"))...)
			href := fmt.Sprintf("https://h.example/f/%d", i)
			b.pages[i].Controls = []scrape.Control{{Text: "Download", Href: href, Listed: true}, {Text: c.text, Href: href + "/x", Refused: c.refused}}
			b.pages[i].Groups = []scrape.Group{{Locator: selector(scrape.ByClass, "a.item"), Of: []int{0, 1}}}
		}
		d := Learn(b.Sheet, b.pages)
		if docs := d.Documents; (docs != nil) != (c.want != "") || !strings.Contains(d.YAML(), c.want) {
			t.Errorf("%s: the documents are %+v in\n%s", c.text, docs, d.YAML())
		}
	}
}

// TestTwoLinksToEachDocument: a list of dates and the history both link each document, by one address.
func TestTwoLinksToEachDocument(t *testing.T) {
	t.Parallel()
	b := newBook("Vendor")
	for i := range 4 {
		b.order([]string{names[i]}, at(1, names[i], label("Vendor"))...)
		page, href := &b.pages[i], fmt.Sprintf("https://h.example/Attachment/%d/%d.pdf", 30+i, i)
		page.Controls = []scrape.Control{{Text: "Tue 24 Nov by System", Href: href, Listed: true}, {Text: fmt.Sprintf("Quote-%d.pdf", i), Href: href, Listed: true}}
		page.Groups = []scrape.Group{
			{Locator: selector(scrape.ByClass, ".list a"), Of: []int{0}}, {Locator: selector(scrape.ByHref, `a[href*="/Attachment/"]`), Of: []int{0}},
			{Locator: selector(scrape.ByClass, "a.f"), Of: []int{0, 1}}, {Locator: selector(scrape.ByAttr, "a[data-placement]"), Of: []int{1}},
		}
	}
	if docs := Learn(b.Sheet, b.pages).Documents; docs == nil || docs.Item != "a[data-placement]" {
		t.Errorf("the documents are %+v", docs)
	}
}

func TestDocumentsAreDeliveredAsFiles(t *testing.T) {
	t.Parallel()
	var pages []Page
	for _, po := range []string{"1001", "1002", "1003"} {
		at := "https://portal.example/issues/" + po
		d := &scrape.Description{URL: at, Controls: []scrape.Control{
			{Text: "Quote.pdf", Name: "Quote.pdf", Href: at + "/view", Listed: true, Seen: true, Delivers: scrape.DeliveryPage},
			{Text: "Quote.pdf", Name: "Quote.pdf", Href: at + "/file", Listed: true, Seen: true, Delivers: scrape.DeliveryFile},
			{Text: "PDF", Name: "PDF", Href: at + ".pdf", Listed: true, Seen: true, Delivers: scrape.DeliveryFile},
			{Text: "Quote", Name: "Quote", Href: at + "/file", Listed: true, Seen: true, Delivers: scrape.DeliveryFile},
		}, Groups: []scrape.Group{
			{Locator: scrape.Locator{Kind: scrape.ByClass, Selector: "a.file"}, Of: []int{0, 1}},
			{Locator: scrape.Locator{Kind: scrape.ByClass, Selector: "a.download"}, Of: []int{1}},
		}}
		pages = append(pages, Page{Order: Order{PO: po, Digits: po}, Description: d})
	}
	in := &induction{}
	for _, p := range pages {
		in.pages = append(in.pages, newSeen(p, nil))
	}
	got := in.documents()
	if got == nil || got.Item != "a.download" || got.Found != 3 || got.On != 3 {
		t.Errorf("documents are %+v, want those that a.download finds: one on each page", got)
	}
}

// TestDocumentsBehindATab has documents that came only when a tab was opened, which a machine has named.
func TestDocumentsBehindATab(t *testing.T) {
	t.Parallel()
	b := newBook("Vendor")
	for i, name := range names[:4] {
		b.order([]string{name}, at(1, name, label("Vendor"))...)
		page := b.pages[i].Description
		if i == 3 {
			continue // its tab says that there are none
		}
		page.Opened = &scrape.Opener{Text: fmt.Sprintf("Documents (%d)", i+1), Selectors: []string{fmt.Sprintf("#tab-%d", i), "#t1"}}
		page.Controls = []scrape.Control{{Text: "Quote", Href: fmt.Sprintf("https://h.example/f/%d", i), Listed: true, Seen: true}}
		page.Groups = []scrape.Group{{Locator: selector(scrape.ByClass, "a.doc"), Of: []int{0}}}
	}
	d := Learn(b.Sheet, b.pages)
	if d.Documents == nil || d.Documents.Expand != "#t1" {
		t.Fatalf("the documents are %+v", d.Documents)
	}
	recipe, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(d.YAML()))
	if err != nil || len(recipe.Attachments.Expand) != 1 || recipe.Attachments.Expand[0] != "#t1" {
		t.Errorf("%v\n%s", err, d.YAML())
	}
}

// TestDocumentsThatAreNotFoundAreNotDenied: where the pages speak of documents, the draft does not say that there are none.
func TestDocumentsThatAreNotFoundAreNotDenied(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*scrape.Description)
		want   string
	}{
		"a tab":    {func(d *scrape.Description) { d.Closed = []string{"Documents (3)"} }, `"Documents (3)"`},
		"opened":   {func(d *scrape.Description) { d.Opened = &scrape.Opener{Text: "Documents (3)"} }, "what it opened"},
		"a button": {func(d *scrape.Description) { besideAFile(d) }, `{item: "button.icon"}`},
		"no name":  {func(d *scrape.Description) { listedFiles(d) }, `"Order.pdf"`},
		"links":    {func(d *scrape.Description) { unknownLinks(d) }, `{item: "a.smlouva"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBook("Vendor")
			for i, name := range names[:3] {
				b.order([]string{name}, at(1, name, label("Vendor"))...)
				c.change(b.pages[i].Description)
			}
			d := Learn(b.Sheet, b.pages)
			plain := strings.ReplaceAll(d.YAML(), "\n# ", " ")
			if d.Documents != nil || !strings.Contains(d.Lacks(), c.want) || !strings.Contains(plain, c.want) || strings.Contains(d.Lacks(), "has documents") {
				t.Errorf("it lacks %q\n%s", d.Lacks(), plain)
			}
			if _, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(d.YAML())); err != nil {
				t.Error(err)
			}
		})
	}
}
