package scrape

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/poscrape/poscrape/browser"
)

// Listing is what a page says of its documents.
type Listing struct {
	Names, Refused, Controls []string
	URLs                     []string
	Declared                 int
	Text, Zero               string
	Counted                  string
	Met, LeftOut             int
	// Vague: what is left out is too much to prove anything.
	Vague bool
}

// listingEyes look at a page that is shown, as those of read.js do.
const listingEyes = `{
	visible: (el) => el.checkVisibility({ visibilityProperty: true }), shown: (el) => el?.innerText, target: (a) => a,
	resolve: (el, href) => new URL(href, el.baseURI), address: (doc) => doc.location.href, flat: false }`

// ReadListing returns what the page that the tab shows says of its documents, read as
// it is shown, and as one that was only fetched.
func ReadListing(ctx context.Context, b *browser.Browser, r *Recipe, po, digits string) (shown, fetched Listing, err error) {
	words, err := json.Marshal(readerRule(r, po, digits))
	if err != nil {
		return shown, fetched, err
	}
	library := "const extract = " + extractScript() + ", inert = " + withDOM(asExpression(inertScript))
	script := fmt.Sprintf(`(async () => {
		const rule = %s, list = (on) => on.still(() => on.read(on.items()));
		const doc = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
		return [list(extract(rule, document, %s)), list(extract(rule, doc, inert(doc, location.href, true, true)))];
	})()`, words, listingEyes)
	var pages []page
	if err := b.Tab().EvaluateApart(ctx, library, script, &pages); err != nil {
		return shown, fetched, err
	}
	return listingOf(pages[0]), listingOf(pages[1]), nil
}

func listingOf(p page) Listing {
	l := Listing{Controls: p.Controls, Zero: p.Zero, Met: p.Met, LeftOut: p.LeftOut, Vague: p.LeftOutVague}
	if c := p.Counted; c != nil {
		l.Counted = c.Text
	}
	if d := p.Declared; d != nil {
		l.Declared, l.Text = d.Count, d.Text
	}
	for _, it := range p.Items {
		l.Names, l.URLs = append(l.Names, it.Name), append(l.URLs, it.URL)
		if it.Refused != "" {
			l.Refused = append(l.Refused, it.Refused)
		}
	}
	return l
}
