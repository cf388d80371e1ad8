package scrape

import (
	"fmt"
	"testing"

	"github.com/poscrape/poscrape/scrape/verdict"
)

// leafOf returns a page of documents with these prints, each of an item at the address of that
// name; those with "?" have none.
func leafOf(prints ...string) *page {
	p := &page{Met: len(prints), Prints: prints, Visited: true, Turn: turning{Met: 1, On: true}}
	for i, print := range prints {
		it := item{Index: i, Name: print}
		if !nameless(print) {
			it.URL = "https://p.example/" + print
		}
		p.Items = append(p.Items, it)
	}
	return p
}

// TestPaging puts pages of documents together.
func TestPaging(t *testing.T) {
	t.Parallel()
	kept := func(p *page, n int) *page { p.Kept = n; return p }
	told := func(p *page, n int) *page { p.Told = &verdict.Declared{Count: n, Text: "x"}; return p }
	pages := func(p *page, n int) *page { p.Pages = &verdict.Declared{Count: n, Text: "x"}; return p }
	for name, c := range map[string]struct {
		pages []*page
		items string // with the number of the page that each is on
		met   int
		whole bool
	}{
		"one":                       {[]*page{leafOf("a", "b")}, "[a1 b1]", 2, true},
		"two":                       {[]*page{leafOf("a", "b"), leafOf("c")}, "[a1 b1 c2]", 3, true},
		"one on both":               {[]*page{leafOf("a", "b"), leafOf("a", "c")}, "[a1 b1 c2]", 3, true},
		"twice on one":              {[]*page{leafOf("a", "a"), leafOf("c")}, "[a1 a1 c2]", 3, true},
		"added to":                  {[]*page{leafOf("a", "b"), leafOf("a", "b", "c")}, "[a2 b2 c2]", 3, true},
		"added before":              {[]*page{leafOf("a", "b"), leafOf("c", "a", "b")}, "[c2 a2 b2]", 3, true},
		"the same":                  {[]*page{leafOf("a", "b"), leafOf("a", "b")}, "[a1 b1]", 2, false},
		"the same, and all":         {[]*page{told(leafOf("a", "b"), 2), leafOf("a", "b")}, "[a1 b1]", 2, true},
		"the same, and more":        {[]*page{told(leafOf("a", "b"), 3), leafOf("a", "b")}, "[a1 b1]", 2, false},
		"the same, on the last":     {[]*page{pages(leafOf("a"), 2), leafOf("b"), leafOf("b")}, "[a1 b2]", 2, true},
		"a part of it":              {[]*page{leafOf("a", "b"), leafOf("b")}, "[a1 b1]", 2, false},
		"in a circle":               {[]*page{leafOf("a"), leafOf("b"), leafOf("a")}, "[a1 b2]", 2, false},
		"without a name":            {[]*page{leafOf("?x", "?x"), leafOf("?x")}, "[?x1 ?x1 ?x2]", 3, true},
		"without a name, added to":  {[]*page{leafOf("?x"), kept(leafOf("?x", "?x"), 1)}, "[?x2 ?x2]", 2, true},
		"without a name, and other": {[]*page{leafOf("?x"), leafOf("?x", "?x")}, "[?x1 ?x2 ?x2]", 3, true},
		"more pages are told":       {[]*page{pages(leafOf("a"), 3), leafOf("b")}, "[a1 b2]", 2, false},
		"an empty one":              {[]*page{leafOf("a"), leafOf()}, "[a1]", 1, false},
		"an empty one, and all":     {[]*page{told(leafOf("a"), 1), leafOf()}, "[a1]", 1, true},
		"two empty ones":            {[]*page{leafOf(), leafOf()}, "[]", 0, false},
	} {
		g := &paging{rule: &AttachmentsRule{Next: Pick{Selector: ".n"}}, leaves: []leaf{{c.pages[0], 1}}, shown: 1}
		for _, p := range c.pages[1:] {
			g.shown++
			g.add(p)
		}
		p := g.whole()
		got := []string{}
		for _, it := range p.Items {
			got = append(got, fmt.Sprint(it.Name, it.Page))
		}
		if fmt.Sprint(got) != c.items || p.Met != c.met || (p.Unturned == nil) != c.whole {
			t.Errorf("%s: got %v, %d met, %v, want %s, %d", name, got, p.Met, p.Unturned, c.items, c.met)
		}
	}
}
