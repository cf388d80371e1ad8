package learn

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/scrape"
)

// Documents say where an order's documents are.
type Documents struct {
	// Given: a recipe that the draft completes says where, and nothing of this does but what came of them.
	Given   bool
	Item    string
	Exclude []string
	// ExcludeTexts are what controls say that Item meets as well, and that do something.
	ExcludeTexts []string
	// Expand is the selector of what is clicked first, and what that says; or empty.
	Expand, ExpandText string
	// None is the selector of the portal's own "there are none", and what it says; or empty.
	None, NoneText string
	// Next is the text of what shows more of them on some orders, or empty.
	Next string
	// Found is how many documents it finds on how many pages, Without how many pages list none.
	Found, On, Without int
	Example            string
	// Numbers are how many there are on the pages, each number once.
	Numbers []int
	// Count is the selector of the portal's own number of documents, or empty.
	Count string
	// Data is where they are in place of Item, if only the page's data lists them with addresses. Unlinked is
	// where that lists them without.
	Data, Unlinked *DataDocuments
	// Headers are those of the page that they are asked for with, or nil.
	Headers []string
	// Clicked: no address is known of any, so each takes a click. Refuted is why none could be had so, on several
	// orders that it was not learnt from, or empty.
	Clicked bool
	Refuted string
	Doubts  []string
	// Done and Failed are the documents of orders that it was not learnt from; Confirmed: most of these
	// could be had.
	Done, Failed int
	Confirmed    bool
	// Incomplete is how many of those orders may have more documents than it finds.
	Incomplete int
	// LeftOut are the texts of what looks like a document, and is the same on all pages.
	LeftOut []string
}

// documents finds what differs from order to order and looks like a document.
func (in *induction) documents() *Documents {
	common := in.commonLinks()
	// Where the page lists none in a way that is known, what is called as a file may be one.
	byName := !slices.ContainsFunc(in.pages, func(p *seen) bool {
		return slices.ContainsFunc(p.Controls, func(c scrape.Control) bool { return c.Listed && !common[c.Href] })
	})
	d := &Documents{}
	docs := make([]map[string]bool, len(in.pages))
	left := map[string]bool{}
	for i, page := range in.pages {
		docs[i] = map[string]bool{}
		for n, c := range page.Controls {
			switch {
			case c.Refused != "" || !c.Listed && (!byName || c.Outside || !fileName.MatchString(c.Text)):
			case c.Delivers == scrape.DeliveryPage || exportsPage(c, page.Description.URL):
			case common[c.Href]:
				left[cmp.Or(c.Name, c.Text)] = true
			default:
				docs[i][key(c, n)] = true
				d.Example = cmp.Or(d.Example, c.Name, c.Text)
			}
		}
		d.Found += len(docs[i])
		if !slices.Contains(d.Numbers, len(docs[i])) {
			d.Numbers = append(d.Numbers, len(docs[i]))
		}
		if len(docs[i]) > 0 {
			d.On++
		} else {
			d.Without++
		}
	}
	d.LeftOut = slices.Sorted(maps.Keys(left))
	if d.Found == 0 {
		return nil
	}
	item, exclude, texts := in.item(docs)
	if len(item) == 0 {
		return nil
	}
	d.Item, d.Exclude, d.ExcludeTexts = strings.Join(item, ", "), exclude, texts
	if strings.Contains(d.Item, "nth-child") || strings.HasPrefix(d.Item, "a[href") {
		d.Doubts = append(d.Doubts, "no name in the page stands for documents")
	}
	if d.On < 2 {
		d.Doubts = append(d.Doubts, "only one order that was looked at has any")
	}
	d.Expand, d.ExpandText = in.opener(docs)
	if strings.Contains(d.Expand, ":nth-") {
		d.Doubts = append(d.Doubts, "only its place finds what opens them")
	}
	d.Next = in.shownMore(docs)
	d.None, d.NoneText = in.none(docs)
	d.Count = in.theirNumber(docs)
	return d
}

// numbers says how many there were on the pages.
func (d *Documents) numbers() string {
	var all []string
	for _, n := range slices.Sorted(slices.Values(d.Numbers)) {
		all = append(all, fmt.Sprint(n))
	}
	return strings.Join(all, ", ")
}

// onPage is a link or a button, by its page and its key.
type onPage struct {
	page int
	key  string
}

// key is one for all links that lead to the same address.
func key(c scrape.Control, n int) string { return cmp.Or(c.Href, fmt.Sprintf("#%d", n)) }

// formatName is what a link to the page in another format says.
var formatName = regexp.MustCompile(`(?i)^(?:pdf|csv|excel|xlsx?|xml|json|atom|html)$`)

// exportsPage reports whether a link leads to the page itself in another format: /orders/7.pdf
// from /orders/7.
func exportsPage(c scrape.Control, page string) bool {
	link, err := url.Parse(c.Href)
	own, ownErr := url.Parse(page)
	if err != nil || ownErr != nil || !formatName.MatchString(strings.TrimSpace(c.Text)) {
		return false
	}
	return strings.TrimSuffix(link.Path, path.Ext(link.Path)) == strings.TrimSuffix(own.Path, "/") && path.Ext(link.Path) != ""
}

// commonLinks are the addresses that several orders list: help, terms, and what else is everyone's.
func (in *induction) commonLinks() map[string]bool {
	on := map[string]int{}
	for _, page := range in.pages {
		own := map[string]bool{}
		for _, c := range page.Controls {
			if c.Href != "" && !own[c.Href] {
				own[c.Href] = true
				on[c.Href]++
			}
		}
	}
	common := map[string]bool{}
	for href, n := range on {
		if n > 1 {
			common[href] = true
		}
	}
	return common
}

// none finds what only the pages without documents show, and says so.
func (in *induction) none(docs []map[string]bool) (selector, says string) {
	var best scrape.Locator
	for _, l := range in.locators {
		if l.Selector == "" || l.Frame != "" || l.Kind == scrape.ByPath {
			continue
		}
		said, fits := "", true
		for i, page := range in.pages {
			f := page.finds[l]
			switch empty := len(docs[i]) == 0; {
			case f == nil && !empty:
			case f == nil || !empty || f.Differ || !f.Seen || !f.None || said != "" && said != f.Value:
				fits = false
			default:
				said = f.Value
			}
		}
		if fits && said != "" && (best.Selector == "" || cmp.Or(cmp.Compare(rank(l), rank(best)), cmp.Compare(len(l.Selector), len(best.Selector))) < 0) {
			best, says = l, said
		}
	}
	return best.Selector, says
}

// describe says what was seen of the documents.
func (d *Documents) describe() string {
	return fmt.Sprintf("%s on %s, such as %q; none on %d", plural(d.Found, "document"), plural(d.On, "order"), d.Example, d.Without)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
