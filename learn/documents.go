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
	if strings.Contains(d.Expand, ":nth-child") {
		d.Doubts = append(d.Doubts, "only its place finds what opens them")
	}
	d.Next = in.shownMore(docs)
	d.None, d.NoneText = in.none(docs)
	d.Count = in.theirNumber(docs)
	return d
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

// formatRank is that of a format alone, which other links may have, too.
const formatRank = 5

// itemRank orders the selectors of documents: a name of theirs, one of their list, an address.
func itemRank(l scrape.Locator) int {
	switch l.Kind {
	case scrape.ByPath:
		if strings.HasPrefix(l.Selector, "a[href") {
			return formatRank
		}
		return 2
	case scrape.ByHref:
		if documentPath.MatchString(l.Selector) {
			return 3
		}
		return 4
	}
	if strings.Contains(l.Selector, " ") {
		return 1
	}
	return 0
}

// documentPath is an address that says that documents are there.
var documentPath = regexp.MustCompile(`(?i)attach|document|file|download|dokument|anhang|anhaeng|piece|adjunt|allegat|anexo`)

// fileName is a text that names a file.
var fileName = regexp.MustCompile(`(?i)[^\s.]\.(pdf|docx?|xlsx?|xlsm|pptx?|csv|txt|rtf|od[tsp]|zip|7z|rar|msg|eml|xml|png|jpe?g|tiff?|dwg|dxf|step|stp)$`)

// item finds the selectors that meet all documents and nothing else, the best of each kind; or one, if
// what else it meets has a selector of its own, or texts that say that it does something.
func (in *induction) item(docs []map[string]bool) (items, exclude, texts []string) {
	met, locators := in.groups()
	var exact []scrape.Locator
	for _, l := range locators {
		if covers(met[l], docs) && len(extras(met[l], docs)) == 0 {
			exact = append(exact, l)
		}
	}
	if len(exact) > 0 {
		links := in.linksOf()
		slices.SortStableFunc(exact, func(a, b scrape.Locator) int {
			return cmp.Or(cmp.Compare(links[a].twice, links[b].twice), cmp.Compare(links[a].nameless, links[b].nameless))
		})
		best := exact[0]
		items = append(items, best.Selector)
		// An address says the same in another way, where it meets the same links, not others that lead there, too.
		i := slices.IndexFunc(exact, func(l scrape.Locator) bool {
			return (l.Kind == scrape.ByHref) != (best.Kind == scrape.ByHref) && itemRank(l) != formatRank && slices.EqualFunc(links[l].of, links[best].of, slices.Equal)
		})
		if i >= 0 {
			items = append(items, exact[i].Selector)
		}
		return items, nil, nil
	}
	for _, l := range locators {
		if !covers(met[l], docs) {
			continue
		}
		extra := extras(met[l], docs)
		if addresses := in.commonAmong(extra, docs); len(addresses) > 0 && l.Kind != scrape.ByHref {
			return []string{l.Selector}, addresses, nil
		}
		if texts := in.forbiddenAmong(extra, docs); len(texts) > 0 {
			return []string{l.Selector}, nil, texts
		}
		for _, e := range locators {
			if itemRank(e) < 3 && within(extra, met[e]) && !touches(met[e], docs) {
				return []string{l.Selector}, []string{e.Selector}, nil
			}
		}
	}
	return nil, nil, nil
}

// forbiddenAmong returns what these controls say, if they are few texts, each says that it does something, such as
// "Delete" in the menu of a document, and no document has such a text.
func (in *induction) forbiddenAmong(extra map[onPage]bool, docs []map[string]bool) (texts []string) {
	said := map[string]bool{}
	for i, page := range in.pages {
		for n, c := range page.Controls {
			k, text := key(c, n), strings.TrimSpace(c.Text)
			switch {
			case extra[onPage{i, k}] && (c.Refused == "" || text == ""):
				return nil
			case extra[onPage{i, k}]:
				said[text] = true
			}
		}
	}
	for i, page := range in.pages {
		for n, c := range page.Controls {
			if docs[i][key(c, n)] && said[strings.TrimSpace(c.Text)] {
				return nil
			}
		}
	}
	if len(said) > mostExcluded {
		return nil
	}
	return slices.Sorted(maps.Keys(said))
}

// linksMet are the links that a selector meets, by page; how many of them lead where another of them does, and
// how many are not called like files.
type linksMet struct {
	of              [][]int
	twice, nameless int
}

func (in *induction) linksOf() map[scrape.Locator]*linksMet {
	met := map[scrape.Locator]*linksMet{}
	for i, page := range in.pages {
		for _, g := range page.Groups {
			if met[g.Locator] == nil {
				met[g.Locator] = &linksMet{of: make([][]int, len(in.pages))}
			}
			one, known := met[g.Locator], map[string]bool{}
			one.of[i] = slices.Sorted(slices.Values(g.Of))
			for _, n := range g.Of {
				c := page.Controls[n]
				if known[key(c, n)] {
					one.twice++
				}
				known[key(c, n)] = true
				if !fileName.MatchString(strings.TrimSpace(c.Text)) {
					one.nameless++
				}
			}
		}
	}
	return met
}

// mostExcluded is how many addresses are left out by themselves.
const mostExcluded = 3

// commonAmong returns selectors of the addresses that these links have, if they are few, several pages have
// them all, and no document's address ends alike.
func (in *induction) commonAmong(extra map[onPage]bool, docs []map[string]bool) (selectors []string) {
	common := in.commonLinks()
	for at := range extra {
		u, err := url.Parse(at.key)
		if err != nil || !common[at.key] || path.Base(u.Path) == "/" || path.Base(u.Path) == "." {
			return nil
		}
		end := path.Base(u.EscapedPath())
		if u.RawQuery != "" {
			end += "?" + u.RawQuery
		}
		for _, page := range docs {
			for key := range page {
				if strings.HasSuffix(key, end) {
					return nil
				}
			}
		}
		if one := "a[href$=" + quote(end) + "]"; !slices.Contains(selectors, one) {
			selectors = append(selectors, one)
		}
	}
	if len(selectors) > mostExcluded {
		return nil
	}
	slices.Sort(selectors)
	return selectors
}

// groups are the selectors of controls, the best first, and what they meet on each page.
func (in *induction) groups() (met map[scrape.Locator][]map[string]bool, locators []scrape.Locator) {
	met = map[scrape.Locator][]map[string]bool{}
	for i, page := range in.pages {
		for _, g := range page.Groups {
			if met[g.Locator] == nil {
				met[g.Locator] = make([]map[string]bool, len(in.pages))
			}
			met[g.Locator][i] = map[string]bool{}
			for _, n := range g.Of {
				met[g.Locator][i][key(page.Controls[n], n)] = true
			}
		}
	}
	return met, slices.SortedFunc(maps.Keys(met), func(a, b scrape.Locator) int {
		return cmp.Or(cmp.Compare(itemRank(a), itemRank(b)), cmp.Compare(len(a.Selector), len(b.Selector)), cmp.Compare(a.Selector, b.Selector))
	})
}

func covers(met, docs []map[string]bool) bool {
	for i, page := range docs {
		for n := range page {
			if !met[i][n] {
				return false
			}
		}
	}
	return true
}

// extras are what a selector meets besides documents, by page.
func extras(met, docs []map[string]bool) map[onPage]bool {
	found := map[onPage]bool{}
	for i, page := range met {
		for n := range page {
			if !docs[i][n] {
				found[onPage{i, n}] = true
			}
		}
	}
	return found
}

func within(extra map[onPage]bool, met []map[string]bool) bool {
	for at := range extra {
		if !met[at.page][at.key] {
			return false
		}
	}
	return true
}

func touches(met, docs []map[string]bool) bool {
	for i, page := range docs {
		for n := range page {
			if met[i][n] {
				return true
			}
		}
	}
	return false
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
