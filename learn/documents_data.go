package learn

import (
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// DataDocuments say where the page's data lists the order's documents, in a recipe's words.
type DataDocuments struct {
	Answer, Items, Name string
	// Link is empty where nothing shows at which addresses they are.
	Link string
}

// dataList is a list in answers of one address.
type dataList struct {
	answer, narrow, items string
	// elements by page; nil where the page has no such list. Twice: some page has it in several answers.
	elements [][]any
	twice    bool
}

// allDocuments finds documents on the pages; where these have none, or none with an address, in their data.
func (in *induction) allDocuments() *Documents {
	d := in.documents()
	if d != nil && in.linked() {
		return d
	}
	if d != nil {
		d.Clicked = true
	}
	var best *Documents
	for _, list := range in.dataLists() {
		if one := in.listed(list); one != nil && (best == nil || one.Data.Link != "" && best.Data.Link == "" || (one.Data.Link == "") == (best.Data.Link == "") && one.Found > best.Found) {
			best = one
		}
	}
	switch {
	case best == nil:
		return d
	case best.Data.Link != "":
		best.Expand, best.ExpandText = in.besideData()
		return best
	case d == nil:
		return nil
	}
	d.Unlinked = best.Data
	return d
}

// besideData returns what would show documents on the pages that their data lists, as opener does: a person who sees it
// cannot know that it shows no others. What says how many there are can be compared with the list, and stays closed.
func (in *induction) besideData() (selector, says string) {
	opened := make([]map[string]bool, len(in.pages))
	for i, page := range in.pages {
		if page.Opened != nil && strings.ContainsFunc(page.Opened.Text, unicode.IsDigit) {
			return "", ""
		}
		opened[i] = map[string]bool{"": true}
	}
	return in.opener(opened)
}

// linked reports whether a document on the pages has an address.
func (in *induction) linked() bool {
	return slices.ContainsFunc(in.pages, func(p *seen) bool {
		for _, c := range p.Controls {
			if c.Listed && c.Href != "" && c.Refused == "" {
				return true
			}
		}
		return false
	})
}

// dataLists are the lists of objects in the pages' data.
func (in *induction) dataLists() []*dataList {
	known := map[string]*dataList{}
	for i, page := range in.pages {
		for _, answer := range page.Answers {
			u, err := url.Parse(answer.URL)
			wide, ok := page.patternOf(answer.URL)
			if err != nil || !ok {
				continue
			}
			walkLists(answer.Value, "$", deepest, func(path string, elements []any) {
				key := wide + " " + path
				if known[key] == nil {
					known[key] = &dataList{answer: wide, narrow: page.path(u), items: path, elements: make([][]any, len(in.pages))}
				}
				list := known[key]
				if list.narrow != page.path(u) {
					list.twice = true
					key = page.path(u) + " " + path
					if known[key] == nil {
						known[key] = &dataList{answer: page.path(u), narrow: page.path(u), items: path, elements: make([][]any, len(in.pages))}
					}
					list = known[key]
				}
				list.elements[i] = elements
			})
		}
	}
	var lists []*dataList
	for _, key := range slices.Sorted(maps.Keys(known)) {
		list := known[key]
		if list.twice {
			list.answer = list.narrow
		}
		lists = append(lists, list)
	}
	return lists
}

// walkLists calls found for each list of objects, also for an empty one.
func walkLists(value any, path string, deep int, found func(path string, elements []any)) {
	switch v := value.(type) {
	case map[string]any:
		if deep == 0 {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			walkLists(v[name], path+member(name), deep-1, found)
		}
	case []any:
		if !slices.ContainsFunc(v, func(one any) bool { _, is := one.(map[string]any); return !is }) {
			found(path+"[*]", v)
		}
	}
}

// leaves are the texts and numbers within an element, by their paths.
func leaves(element any, path string, deep int, into map[string]string) {
	switch v := element.(type) {
	case map[string]any:
		if deep == 0 {
			return
		}
		for name, inner := range v {
			leaves(inner, path+member(name), deep-1, into)
		}
	case string:
		into[path] = strings.TrimSpace(v)
	case json.Number:
		into[path] = v.String()
	}
}

// elementValues are the values of a list's elements by their paths, and those that two pages have.
type elementValues struct {
	of     map[string][]string
	pages  map[string]map[string]int
	shared map[string]bool
}

func (v *elementValues) add(page int, element any) {
	at := map[string]string{}
	leaves(element, "$", 3, at)
	for path, value := range at {
		v.of[path] = append(v.of[path], value)
		if v.pages[path] == nil {
			v.pages[path] = map[string]int{}
		}
		if before, is := v.pages[path][value]; is && before != page {
			v.shared[path] = true
		}
		v.pages[path][value] = page
	}
}

// listed returns the documents of a list, or nil where it is none of documents: its elements are called like
// files, and no page has those of another.
func (in *induction) listed(list *dataList) *Documents {
	d := &Documents{Data: &DataDocuments{Answer: list.answer, Items: list.items}}
	values := &elementValues{of: map[string][]string{}, pages: map[string]map[string]int{}, shared: map[string]bool{}}
	for i, elements := range list.elements {
		switch {
		case elements == nil:
			return nil
		case len(elements) == 0:
			d.Without++
		default:
			d.On++
			d.Found += len(elements)
		}
		for _, element := range elements {
			values.add(i, element)
		}
	}
	var own []string // paths of what every element has, and no other page's
	for _, path := range slices.Sorted(maps.Keys(values.of)) {
		all := values.of[path]
		if len(all) < d.Found {
			continue
		}
		if !values.shared[path] {
			own = append(own, path)
		}
		named := !slices.ContainsFunc(all, func(v string) bool { return !fileName.MatchString(v) || strings.Contains(v, "/") })
		if named && d.Data.Name == "" {
			d.Data.Name, d.Example = path, all[0]
		}
	}
	d.Data.Link = in.linkOf(list, own, values.of)
	if len(own) == 0 || d.Data.Name == "" && !strings.HasPrefix(d.Data.Link, "$") {
		return nil
	}
	if d.Example == "" {
		d.Example = values.of[d.Data.Link][0]
	}
	if d.On < 2 {
		d.Doubts = append(d.Doubts, "only one order that was looked at has any")
	}
	return d
}

// address is a text that is one.
var address = regexp.MustCompile(`^(?:https?://|/)[^\s]+$`)

// linkOf says which value of an element is its document's address, or which address on the page has it in it.
func (in *induction) linkOf(list *dataList, own []string, values map[string][]string) string {
	for _, path := range own {
		all := func(is func(string) bool) bool {
			return !slices.ContainsFunc(values[path], func(v string) bool { return !is(v) })
		}
		if all(address.MatchString) && all(func(v string) bool { return documentPath.MatchString(v) || fileName.MatchString(v) }) {
			return path
		}
	}
	for _, path := range own {
		if template := in.templateOf(list, path); template != "" {
			return template
		}
	}
	return ""
}

// templateOf returns the addresses of the pages' links with the elements' values in them, if they are alike.
func (in *induction) templateOf(list *dataList, path string) string {
	template := ""
	for i, elements := range list.elements {
		for _, element := range elements {
			at := map[string]string{}
			leaves(element, "$", 3, at)
			one := in.pages[i].linkWith(at[path], path)
			if one == "" || template != "" && one != template {
				return ""
			}
			template = one
		}
	}
	return template
}

// linkWith returns the address of a link of the page's host with a value as one of its segments, as a template.
func (s *seen) linkWith(value, path string) string {
	page, err := url.Parse(s.Description.URL)
	if err != nil || value == "" {
		return ""
	}
	for _, c := range s.Controls {
		u, err := url.Parse(c.Href)
		if err != nil || c.Href == "" || u.Host != page.Host || c.Refused != "" {
			continue
		}
		segments := strings.Split(u.Path, "/")
		at := slices.Index(segments, value)
		if at < 0 || strings.ContainsAny(c.Href, "{}") {
			continue
		}
		segments[at] = "{" + path + "}"
		link := strings.Join(segments, "/")
		if u.RawQuery != "" {
			link += "?" + u.RawQuery
		}
		return link
	}
	return ""
}
