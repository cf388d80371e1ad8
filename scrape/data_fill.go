package scrape

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/tasks"
)

// look notes how much was met by what stands at a place in the recipe.
func (p *page) look(where string, met int) {
	p.Looks = append(p.Looks, tasks.Look{Where: where, Met: met})
}

// lookAt notes how many answers a source had. The keys differ by where it stands.
func (s *dataset) lookAt(p *page, source DataSource, at, key string) {
	switch {
	case source.Get != "":
		key = "get"
	case source.Script != "":
		key = "script"
	}
	p.look(at+"."+key, len(s.list))
}

// fieldOf takes a field from data. Where values differ, the first is taken and the field is
// ambiguous.
func (p *page) fieldOf(f FieldRule, set *dataset) {
	at := "fields." + f.Name
	set.lookAt(p, f.Data, at, "json")
	picked, _, why := set.pick(func(d datum) bool { return len(f.Path.find(d.value)) > 0 })
	var texts []string
	number, met := false, 0
	for _, d := range picked {
		for _, value := range f.Path.find(d.value) {
			met++
			text, single := scalar(value)
			switch {
			case !single:
				why = "is a list or an object and no single value; check its path"
			case value != nil && !slices.Contains(texts, text):
				texts = append(texts, text)
				_, number = value.(json.Number)
			}
		}
	}
	if len(set.list) > 0 {
		p.look(at+".path", met)
	}
	switch {
	case len(texts) == 0:
		if why != "" {
			p.noteData(f.Name, dataNote{why: why})
		}
	case f.Match != nil:
		if p.Texts == nil {
			p.Texts = map[string][]string{}
		}
		p.Texts[f.Name] = texts
	default:
		p.Fields[f.Name] = texts[0]
		if len(texts) > 1 {
			p.Ambiguous = append(p.Ambiguous, f.Name)
		}
		p.noteData(f.Name, dataNote{number: number})
	}
}

// dataNote is what is known besides of a field from data.
type dataNote struct {
	// number: it is a number of JSON. why says why it has no value.
	number bool
	why    string
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
	picked, several, why := set.pick(func(d datum) bool {
		_, listed := rule.Items.elements(d.value)
		return listed
	})
	p.Asked, p.Data, p.Items, p.Met, p.LeftOut = set.asked, why, nil, 0, 0
	if len(picked) == 0 && why == "" {
		p.NoList = "the answer has no list at " + rule.Items.text
	}
	counts := map[string]int{}
	var first []item
	for i, d := range picked {
		items, met, leftOut := rule.read(p, d, counts, fill)
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
	p.Items = first
	for i := range p.Items {
		p.Items[i].Index = i
	}
	if len(set.list) > 0 {
		p.look(placeItems, p.Met)
	}
	for _, s := range rule.selectors(at) {
		_, key, _ := strings.Cut(s.field, at+".")
		within := key == "where" && p.Met > 0 || (key == "link" || key == "name" || key == "pending") && len(p.Items) > 0
		if within && s.selector != "" {
			p.look(s.field, counts[key])
		}
	}
	if p.Declared != nil && p.Declared.Count <= p.Met {
		p.Declared = nil
	}
}

// placeItems is the place in the recipe of what finds documents in data.
const placeItems = "attachments.json.items"

func (it item) same(other item) bool { return it.URL == other.URL && it.Name == other.Name }

// read returns the documents of one answer, and how many there are and are left out. It adds to
// counts what each key of the rule has met.
func (rule *DataItems) read(p *page, d datum, counts map[string]int, fill func(string) (text, why string)) (items []item, met, leftOut int) {
	elements, _ := rule.Items.elements(d.value)
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
		link := count(rule.Link.address(element, fill), "link")
		it.Unlinked = link == ""
		if base, err := url.Parse(d.from); err == nil && link != "" {
			address, err := base.Parse(link)
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
	return items, len(elements), leftOut
}
