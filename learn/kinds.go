package learn

import "github.com/poscrape/poscrape/scrape"

// alike is how much of their names two pages must share to be of one kind.
const alike = 0.35

// keepOneKind leaves out the pages that are of another kind than most: one recipe is for one kind.
func (in *induction) keepOneKind() {
	var groups [][]*seen
	for _, page := range in.pages {
		at := -1
		for i, group := range groups {
			if similarity(group[0], page) >= alike {
				at = i
				break
			}
		}
		if at < 0 {
			groups = append(groups, nil)
			at = len(groups) - 1
		}
		groups[at] = append(groups[at], page)
	}
	in.draft.Kinds = len(groups)
	if len(groups) < 2 {
		return
	}
	most := groups[0]
	for _, group := range groups[1:] {
		if len(group) > len(most) {
			most = group
		}
	}
	for _, group := range groups {
		if &group[0] != &most[0] {
			for _, page := range group {
				in.draft.find(page.Order, "its page is of another kind than the others; it needs a recipe of its own")
			}
		}
	}
	in.pages = most
}

// similarity is the share of names in the markup, and of labels, that two pages have in common.
func similarity(a, b *seen) float64 {
	common, all := 0, 0
	for l := range a.finds {
		if l.Kind == scrape.ByPath {
			continue
		}
		all++
		if b.finds[l] != nil {
			common++
		}
	}
	for l := range b.finds {
		if l.Kind != scrape.ByPath && a.finds[l] == nil {
			all++
		}
	}
	if all == 0 {
		return 1
	}
	return float64(common) / float64(all)
}
