package scrape

import (
	"slices"
	"strings"

	"github.com/poscrape/poscrape/tasks"
)

// leaf is one page of documents.
type leaf struct {
	*page
	number int
}

// ended reports whether no further page is visited.
func (g *paging) ended() bool { return g.repeated || g.why != nil }

func (g *paging) last() leaf { return g.leaves[len(g.leaves)-1] }

// add notes a page that was read.
func (g *paging) add(q *page) {
	last := &g.leaves[len(g.leaves)-1]
	switch {
	case grown(last.page, q):
		q.usedBefore(last.page)
		*last = leaf{q, g.shown}
	case g.knows(q):
		g.repeated = true
	default:
		g.leaves = append(g.leaves, leaf{q, g.shown})
	}
}

// usedBefore takes over what attachments.next met before: a button that shows more in the same list may be gone
// once it has.
func (p *page) usedBefore(before *page) {
	of := func(p *page) int {
		return slices.IndexFunc(p.Looks, func(l tasks.Look) bool { return l.Where == whereNext })
	}
	if at, was := of(p), of(before); at >= 0 && was >= 0 {
		p.Looks[at].Met = max(p.Looks[at].Met, before.Looks[was].Met)
	}
}

// grown reports whether a page lists what an earlier one does, and more. Items that say nothing by
// which they are told apart have to be the same elements.
func grown(before, p *page) bool {
	if len(before.Prints) == 0 || len(p.Prints) <= len(before.Prints) {
		return false
	}
	if slices.ContainsFunc(before.Prints, nameless) {
		return p.Kept > 0 && p.Kept >= len(before.Items)
	}
	left := counts(p.Prints)
	for _, print := range before.Prints {
		if left[print]--; left[print] < 0 {
			return false
		}
	}
	return true
}

// nameless reports whether a print says nothing by which its item is told from others.
func nameless(print string) bool { return strings.HasPrefix(print, "?") }

func counts(prints []string) map[string]int {
	all := map[string]int{}
	for _, print := range prints {
		all[print]++
	}
	return all
}

// knows reports whether a page lists nothing but what earlier ones do.
func (g *paging) knows(q *page) bool {
	known := map[string]bool{}
	for _, l := range g.leaves {
		if slices.Equal(l.Prints, q.Prints) {
			return true
		}
		for _, print := range l.Prints {
			known[print] = true
		}
	}
	return len(q.Prints) > 0 && !slices.ContainsFunc(q.Prints, func(print string) bool { return nameless(print) || !known[print] })
}

// items returns the documents of all pages. One that is listed on a further page too, by the same
// name at the same address, is the same.
func (g *paging) items() []item {
	type listed struct{ name, url string }
	var all []item
	known := map[listed]bool{}
	for _, l := range g.leaves {
		here := len(all)
		for _, it := range l.Items {
			if it.URL == "" || !known[listed{it.Name, it.URL}] {
				it.Page = l.number
				all = append(all, it)
			}
		}
		for _, it := range all[here:] {
			known[listed{it.Name, it.URL}] = true
		}
	}
	return all
}

// met returns how many documents the recipe's item has met, those on several pages once.
func (g *paging) met() int {
	most, all := map[string]int{}, 0
	for _, l := range g.leaves {
		for print, n := range counts(l.Prints) {
			if nameless(print) {
				all += n
			} else {
				most[print] = max(most[print], n)
			}
		}
	}
	for _, n := range most {
		all += n
	}
	return all
}

// printData has the items that stand in data tell this page of documents from others.
func (p *page) printData(r *Recipe) {
	if !r.turns() || r.Attachments.Data == nil {
		return
	}
	p.Prints = nil
	for _, it := range p.Items {
		p.Prints = append(p.Prints, strings.Join([]string{it.URL, it.Name}, "\n"))
	}
	for range p.Met - len(p.Items) { // what the recipe leaves out
		p.Prints = append(p.Prints, "?")
	}
}

// whole returns the first page with what all pages of documents list, and what is known of there
// being more.
func (g *paging) whole() *page {
	p := *g.leaves[0].page
	p.Items, p.Met, p.Controls, p.Looks = g.items(), g.met(), nil, nil
	p.LeftOut, p.Declared, p.Pages, p.Numbers, p.Counted = 0, nil, nil, nil, nil
	for i, l := range g.leaves {
		p.LeftOut += l.LeftOut
		p.WhereUnmet = p.WhereUnmet && l.WhereUnmet
		p.LeftOutVague, p.NoneVague = p.LeftOutVague || l.LeftOutVague, p.NoneVague || l.NoneVague
		if l.Told != nil && (p.Told == nil || l.Told.Count > p.Told.Count) {
			p.Told = l.Told
		}
		if d := l.Declared; d != nil && d.Count > p.Met && (p.Declared == nil || d.Count > p.Declared.Count) {
			p.Declared = d
		}
		if l.Pages != nil && (p.Pages == nil || l.Pages.Count > p.Pages.Count) {
			p.Pages = l.Pages
		}
		for _, text := range l.Controls {
			if !slices.Contains(p.Controls, text) {
				p.Controls = append(p.Controls, text)
			}
		}
		p.Looks = addLooks(p.Looks, l.Looks)
		if i > 0 {
			p.troubles(l.page)
		}
	}
	if p.Met > 0 {
		p.Zero = ""
	}
	if len(g.leaves) > 1 {
		p.Beside, p.Around = nil, 0
	}
	p.Counted = g.counted(&p)
	p.Unturned = g.unturned(&p)
	return &p
}

// counted returns what the pages of documents say of as many as all of them list, or nil.
func (g *paging) counted(p *page) *tasks.Counted {
	switch first := g.leaves[0].page; {
	case p.Declared != nil:
	case len(g.leaves) == 1 && first.Counted != nil:
		return first.Counted
	case p.Told != nil && p.Told.Count == p.Met:
		return &tasks.Counted{N: p.Met, Text: p.Told.Text}
	case p.Pages != nil && p.Pages.Count == g.last().number:
		return &tasks.Counted{N: p.Met, Text: p.Pages.Text}
	}
	return nil
}

// troubles takes over what kept a further page of documents from being read whole.
func (p *page) troubles(q *page) {
	first := func(mine *string, others string) {
		if *mine == "" {
			*mine = others
		}
	}
	if p.Unsettled == "" {
		p.Unsettled, p.Open, p.Parsed = q.Unsettled, q.Open, q.Parsed
	}
	first(&p.NotReady, q.NotReady)
	first(&p.Loading, q.Loading)
	first(&p.Broken, q.Broken)
	first(&p.Unseen, q.Unseen)
	first(&p.Theirs, q.Theirs)
	first(&p.CutShort, q.CutShort)
	first(&p.Unloaded, q.Unloaded)
	first(&p.Barred, q.Barred)
	p.BarredData = p.BarredData || q.BarredData
	first(&p.Data, q.Data)
	first(&p.InParts, q.InParts)
	p.Asked = p.Asked || q.Asked
}

// addLooks adds what the selectors have met on a further page.
func addLooks(all, more []tasks.Look) []tasks.Look {
	for _, look := range more {
		if i := slices.IndexFunc(all, func(l tasks.Look) bool { return l.Where == look.Where }); i >= 0 {
			all[i].Met += look.Met
			continue
		}
		all = append(all, look)
	}
	return all
}
