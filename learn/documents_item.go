package learn

import (
	"cmp"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/scrape"
)

// What meets all documents and nothing else is looked for among the groups of controls that a selector meets.

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
