package scrape

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// look notes how much was met by what stands at a place in the recipe.
func (p *page) look(where string, met int) {
	p.Looks = append(p.Looks, tasks.Look{Where: where, Met: met})
}

// lookAt notes how many answers a source had. The keys differ by where it stands.
func (s *dataset) lookAt(p *page, source DataSource, at, key string) {
	switch {
	case source.none():
		return // the order's element has been looked at
	case source.Get != "":
		key = "get"
	case source.Post != "":
		key = "post"
	case source.Script != "":
		key = "script"
	case source.Cookie != "":
		key = "cookie"
	case source.Storage != "":
		key = "storage"
	}
	p.look(at+"."+key, len(s.list))
}

// fieldOf takes a field from data. Where values differ, the first is taken and the field is
// ambiguous.
func (p *page) fieldOf(f FieldRule, set *dataset) {
	at := "fields." + f.Name
	set.lookAt(p, f.Data, at, "json")
	found := map[int]taken{}
	from := set.pick(func(d datum) (bool, string) {
		t := set.take(f.Path, d)
		found[d.at] = t
		return len(t.values) > 0, cmp.Or(d.says(), t.why)
	})
	why := from.why
	var texts []string
	number, met, origin := false, 0, ""
	for _, d := range from.picked {
		for _, value := range found[d.at].values {
			met++
			text, single := scalar(value)
			switch {
			case !single:
				why = "is a list or an object and no single value; check its path"
			case value != nil && !slices.Contains(texts, text):
				texts, origin = append(texts, text), d.from
				_, number = value.(json.Number)
			}
		}
	}
	if len(set.list) > 0 {
		p.look(at+".path", met)
	}
	switch {
	case len(texts) == 0:
		if why = cmp.Or(why, set.fault(), from.lacks); why != "" {
			p.noteData(f.Name, dataNote{why: why})
		}
	case f.Match != nil:
		if p.Texts == nil {
			p.Texts = map[string][]string{}
		}
		p.Texts[f.Name] = texts
		p.noteData(f.Name, dataNote{number: number, from: origin}) // what match finds in a number is one
	default:
		p.Fields[f.Name] = texts[0]
		if len(texts) > 1 {
			p.Ambiguous = append(p.Ambiguous, f.Name)
		}
		p.noteData(f.Name, dataNote{number: number, from: origin})
	}
}

// taken is what a path has found in an answer, or why that counts for nothing.
type taken struct {
	values []any
	why    string
}

// take returns the values of a field in an answer: none if it says that it failed, nor any that is
// another order's. Where the order's number stands several times, they are those of all.
func (s *dataset) take(path *Path, d datum) (t taken) {
	if d.fault != "" {
		return t
	}
	for _, at := range path.locate(d.value) {
		if t.why = s.of.strange(path, d, at, false); t.why != "" {
			continue
		}
		t.values = append(t.values, at.value)
		for _, twin := range s.of.twins(path, d.value, at.path, 0) {
			values := chain(d.value, twin)
			t.values = append(t.values, values[len(values)-1])
		}
	}
	return t
}

// strange says why what is at a place of an answer is not the order's, or is empty. document: it is a
// document.
func (n orderNumber) strange(path *Path, d datum, at place, document bool) string {
	if n.PO == "" {
		return ""
	}
	own, other := n.owner(d.value, at.path, document)
	depth := 0
	if document {
		depth = 1
	}
	why := ""
	switch {
	case other != "":
		why = "is another order's, " + quoted(other) + takeOwn
	case !own:
		why = n.mistaken(path, d.value, at.path, depth, d.search)
	}
	if why == "" {
		return ""
	}
	return "what is at " + path.text + " " + why
}

// dataNote is what is known besides of a field from data.
type dataNote struct {
	// number: it is a number of JSON. why says why it has no value.
	number bool
	why    string
	// from is the address that it comes from, or empty for that of the page.
	from string
}

func (p *page) noteData(name string, note dataNote) {
	if p.notes == nil {
		p.notes = map[string]dataNote{}
	}
	p.notes[name] = note
}

// listOf takes the list of documents from data. fill fills in the order's values in the
// template of an address.
func (p *page) listOf(rule *DataItems, set *dataset, fill func(string) (text, why string)) {
	const at = "attachments.json"
	set.lookAt(p, rule.DataSource, at, "url")
	from := set.pick(func(d datum) (bool, string) {
		_, listed := rule.Items.elements(d.value)
		return listed, cmp.Or(d.says(), rule.Items.instead(d.value))
	})
	picked, several := from.picked, from.several
	p.Asked, p.Data, p.Items, p.Met, p.LeftOut = set.asked, from.why, nil, 0, 0
	if len(picked) == 0 && from.why == "" {
		p.Data, p.NoList = set.fault(), cmp.Or(from.lacks, "the answer has no list at "+rule.Items.text)
	}
	counts := map[string]int{}
	var first []item
	for i, d := range picked {
		p.Data = cmp.Or(p.Data, d.says())
		items, met, leftOut, strange := rule.read(p, d, set.of, counts, fill)
		p.Data = cmp.Or(p.Data, strange)
		same := slices.EqualFunc(first, items, item.same)
		switch {
		case i == 0:
			first, p.Met, p.LeftOut = items, met, leftOut
		case several:
			items = slices.DeleteFunc(items, func(it item) bool { return slices.ContainsFunc(first, it.same) })
			first, p.Met, p.LeftOut = append(first, items...), p.Met+met, p.LeftOut+leftOut
		case !same:
			p.Data = cmp.Or(p.Data, "several answers list different documents"+nameIt)
		}
	}
	p.Data = cmp.Or(p.Data, further(rule.Items, picked), set.doubts(rule.Items, picked, p.Met))
	p.countOf(rule.Items, picked)
	p.Items = first
	for i := range p.Items {
		p.Items[i].Index = i
	}
	if len(set.list) > 0 {
		p.look(placeItems, p.Met)
	}
	for _, s := range rule.selectors(at) {
		_, key, _ := strings.Cut(s.field, at+".")
		within := key == "where" && p.Met > 0 || (key == "link" || key == "content" || key == "name" || key == "pending") && len(p.Items) > 0
		if within && s.selector != "" {
			p.look(s.field, counts[key])
		}
	}
	p.complete()
}

// complete forgets what the page says of documents that the data has: how many there are, and what would show them.
func (p *page) complete() {
	if p.Declared != nil && p.Declared.Count <= p.Met {
		p.Declared = nil
	}
	p.Controls = slices.DeleteFunc(p.Controls, func(text string) bool {
		promised, says := p.Promised[text]
		return says && promised <= p.Met
	})
}

// placeItems is the place in the recipe of what finds documents in data.
const placeItems = "attachments.json.items"

func (it item) same(other item) bool { return it.URL == other.URL && it.Name == other.Name }

// read returns the documents of one answer, and how many there are and are left out; strange says
// which of them are not the order's, or not all of it. It adds to counts what each key of the rule has
// met.
func (rule *DataItems) read(p *page, d datum, of orderNumber, counts map[string]int, fill func(string) (text, why string)) (items []item, met, leftOut int, strange string) {
	elements, strange := rule.own(d, of)
	count := func(text, key string) string {
		if text != "" {
			counts[key]++
		}
		return text
	}
	seen := rule.Where == nil || len(elements) == 0
	defer func() { p.WhereUnmet = p.WhereUnmet || !seen }()
	for _, element := range elements {
		if rule.Where != nil {
			seen = seen || len(rule.Where.Path.find(element)) > 0
			if !rule.Where.holds(element) {
				leftOut++
				continue
			}
			counts["where"]++
		}
		it := item{Source: p.URL}
		if rule.Name != nil {
			it.Name = count(firstText(rule.Name, element), "name")
		}
		if rule.Pending != nil && rule.Pending.holds(element) {
			counts["pending"]++
			it.Pending = true
		}
		if rule.Content != nil {
			it.URL = inlined(count(firstText(rule.Content, element), "content"))
			it.Unlinked, it.Inline = it.URL == "", true
			items = append(items, it)
			continue
		}
		link := count(rule.Link.address(element, fill), "link")
		it.Unlinked, it.from = link == "", d.from
		if base, err := browser.ParseURL(d.from); err == nil && link != "" {
			address, err := browser.Resolve(base, link)
			switch {
			case err != nil:
				it.Unlinked = true
			case address.Scheme == "http" || address.Scheme == "https" || address.Scheme == "data":
				it.URL = address.String()
			default:
				it.Scheme = address.Scheme
			}
		}
		items = append(items, it)
	}
	return items, len(elements), leftOut, strange
}

// own returns the documents of an answer that are not shown to be another order's, and why there may be
// more or fewer of the order.
func (rule *DataItems) own(d datum, of orderNumber) (elements []any, strange string) {
	for _, at := range rule.Items.places(d.value) {
		if why := of.strange(rule.Items, d, at, true); why != "" {
			strange = why
			continue
		}
		if twins := of.twins(rule.Items, d.value, at.path, 1); len(twins) > 0 {
			strange = fmt.Sprintf("the order's number stands in %d elements of the list of which %s takes one", len(twins)+1, rule.Items.text)
		}
		elements = append(elements, at.value)
	}
	return elements, strange
}
