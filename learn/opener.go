package learn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/scrape"
)

// opener returns what has to be clicked before the documents are there, by a selector that meets nothing else on all
// pages on which they came only then, and what it says on one of them. Both are empty where nothing has to be.
func (in *induction) opener(docs []map[string]bool) (selector, says string) {
	var fit []string
	for i, page := range in.pages {
		switch {
		case page.Opened == nil || len(docs[i]) == 0:
		case says == "":
			fit, says = page.Opened.Selectors, page.Opened.Text
		default:
			fit = slices.DeleteFunc(slices.Clone(fit), func(one string) bool { return !slices.Contains(page.Opened.Selectors, one) })
		}
	}
	if len(fit) == 0 {
		return "", ""
	}
	return fit[0], says
}

// shownMore returns the text of the control that would show more documents, where there is only one such text.
func (in *induction) shownMore(docs []map[string]bool) (text string) {
	for i, page := range in.pages {
		for _, one := range page.Further {
			if len(docs[i]) == 0 || text != "" && one != text {
				return ""
			}
			text = one
		}
	}
	return text
}

// lacking says what on the pages speaks of documents where none were found, or is empty where nothing does.
func (in *induction) lacking() string {
	common := in.commonLinks()
	for _, page := range in.pages {
		for _, c := range page.Controls {
			if c.Listed && c.Refused == "" && !c.Outside && !common[c.Href] && c.Delivers != scrape.DeliveryPage && !exportsPage(c, page.Description.URL) {
				return fmt.Sprintf("order %s has %q, and no selector is known that meets all such documents and nothing else: name one under attachments: as item:", page.PO, cmp.Or(c.Name, c.Text))
			}
		}
	}
	for _, page := range in.pages {
		if o := page.Opened; o != nil {
			return fmt.Sprintf("order %s has %q, and what it opened shows no link or button that is known to be a document's: open it in a browser, and name it under attachments: as expand:, and what a document is as item:", page.PO, o.Text)
		}
		if len(page.Closed) > 0 {
			return fmt.Sprintf("order %s has %q, which would show documents and was not opened: name it under attachments: as expand:, and what a document is then as item:", page.PO, page.Closed[0])
		}
	}
	for _, page := range in.pages {
		for n, c := range page.Controls {
			if c.Beside != "" && c.Seen && c.Refused == "" {
				how := "name it under attachments: as item:"
				if one := in.besides(); one != "" {
					how = "if so, put attachments: {item: " + quote(one) + "} into the recipe"
				}
				return fmt.Sprintf("order %s has a button %q beside %q, which may bring that; it was not clicked, since no word on it is known to say so: try it in a browser; %s", page.PO, cmp.Or(c.Text, fmt.Sprint("number ", n+1)), c.Beside, how)
			}
		}
	}
	return cmp.Or(in.unknownLinks(), in.fileAlone(), in.closedPart())
}

// fileAlone names a file that a page names, and that no link or button is known to bring.
func (in *induction) fileAlone() string {
	for _, page := range in.pages {
		for _, f := range page.Finds {
			for _, text := range append(slices.Clone(f.Values), f.Value) {
				if f.Seen && fileName.MatchString(text) {
					return fmt.Sprintf("order %s shows %q, and no link or button is known to bring that file: try in a browser what does, and name it under attachments: as item:", page.PO, text)
				}
			}
		}
	}
	return ""
}

// closedPart names a part of a page that is closed and may hold documents; one that says how many, if there is one.
func (in *induction) closedPart() (says string) {
	for _, page := range in.pages {
		for _, c := range page.Controls {
			counts := strings.ContainsAny(c.Text, "123456789")
			if !c.Closed || !c.Seen || c.Outside || c.Refused != "" || c.Text == "" || says != "" && !counts {
				continue
			}
			says = fmt.Sprintf("order %s has %q, which is closed and was not opened, since no word on it is known to say that it holds documents: open it in a browser; if it does, name it under attachments: as expand:, and what a document is then as item:", page.PO, c.Text)
			if counts {
				return says
			}
		}
	}
	return says
}

// unknownLinks names links that may lead to documents: they differ from order to order, and so does their number.
func (in *induction) unknownLinks() string {
	common := in.commonLinks()
	met, locators := in.groups()
	var best scrape.Locator
	most := 0
	for _, l := range locators {
		if l.Kind == scrape.ByPath || itemRank(l) > 3 {
			continue
		}
		counts, all, own := map[int]bool{}, 0, true
		for _, page := range met[l] {
			counts[len(page)] = true
			all += len(page)
			for key := range page {
				own = own && !common[key] && strings.Contains(key, "://")
			}
		}
		if own && len(counts) > 1 && all > most {
			best, most = l, all
		}
	}
	for i, page := range in.pages {
		for n, c := range page.Controls {
			if most > 0 && met[best][i][key(c, n)] && c.Seen && !c.Outside && c.Refused == "" {
				return fmt.Sprintf("order %s has a link %q, and others have other links in its place, more or fewer; they were not followed, since no word on them is known to say that they bring documents: try one in a browser; if so, put attachments: {item: %s} into the recipe", page.PO, c.Text, quote(best.Selector))
			}
		}
	}
	return ""
}

// besides returns the best selector that meets all buttons which stand beside the name of a file, and nothing else.
func (in *induction) besides() string {
	files := make([]map[string]bool, len(in.pages))
	for i, page := range in.pages {
		files[i] = map[string]bool{}
		for n, c := range page.Controls {
			if c.Beside != "" && c.Seen && c.Refused == "" {
				files[i][key(c, n)] = true
			}
		}
	}
	met, locators := in.groups()
	i := slices.IndexFunc(locators, func(l scrape.Locator) bool {
		return covers(met[l], files) && len(extras(met[l], files)) == 0 && !strings.Contains(l.Selector, "nth-child")
	})
	if i < 0 {
		return ""
	}
	return locators[i].Selector
}
