package learn

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/spelling"
	"github.com/poscrape/poscrape/scrape"
)

// Lost is a selector or label of a recipe that met nothing where it should have.
type Lost struct {
	Kind LostKind
	// Locator is what stands in the recipe.
	scrape.Locator
	// Name of the field, or empty.
	Name string
}

// LostKind says what a lost selector was to find.
type LostKind int

// The kinds of what is lost.
const (
	LostValue     LostKind = iota // one value
	LostNumber                    // what shows the order's number
	LostDocuments                 // the documents' items
	LostRows                      // the rows of a table
	LostPart                      // something that is there
)

// LostOn is a page on which it met nothing.
type LostOn struct {
	*scrape.Description
	// Holds reports what the sheet says of a text that a candidate finds on this page: whether it
	// is the value, and whether the sheet says anything of it. It is nil where there is none.
	Holds func(text string) (same, known bool)
}

// Candidate is what a lost selector could be.
type Candidate struct {
	scrape.Locator
	// Met is on how many of the pages it finds something, One on how many of them it finds one
	// value, and Elements how many elements it meets on all of them.
	Met, One, Elements int
	// Known is on how many pages the sheet says what the value is, and Equal on how many of them
	// that is what the candidate finds.
	Known, Equal int
	// Reads are different texts that it finds, the first three.
	Reads []string
	// Alike is how much it is spelled like what is lost, 0 to 1.
	Alike float64
	// at are the elements that it finds first, by pages.
	at []int
}

const (
	// shownCandidates is how many there are at most.
	shownCandidates = 3
	// alikeEnough is from where on a candidate is one by its spelling alone.
	alikeEnough = 0.6
)

// Candidates returns up to three others for what is lost, the best first, and whether the
// first two find different things and nothing says which is right: then a person has to say it. What
// the sheet contradicts is none. It never says that one is right.
func Candidates(lost Lost, pages []LostOn) (best []Candidate, tie bool) {
	found := map[scrape.Locator]*Candidate{}
	var all []*Candidate
	for i, page := range pages {
		if page.Description == nil {
			continue
		}
		for _, f := range lost.finds(page.Description) {
			c := found[f.Locator]
			if c == nil {
				c = &Candidate{Locator: f.Locator, Alike: lost.alike(f.Locator), at: make([]int, len(pages))}
				found[f.Locator], all = c, append(all, c)
			}
			c.see(i, f, page.Holds)
		}
	}
	all = slices.DeleteFunc(all, func(c *Candidate) bool { return !lost.takes(c, len(pages)) })
	slices.SortStableFunc(all, func(a, b *Candidate) int { return compareCandidates(lost, a, b) })
	var kept []*Candidate
	for _, c := range all {
		same := slices.ContainsFunc(kept, func(k *Candidate) bool { return slices.Equal(k.at, c.at) })
		if len(kept) < shownCandidates && !same {
			kept = append(kept, c)
		}
	}
	for _, c := range kept {
		best = append(best, *c)
	}
	return best, len(kept) > 1 && kept[0].standing() == kept[1].standing() && kept[0].Alike-kept[1].Alike < 0.25
}

// see counts what the candidate finds on the i-th page.
func (c *Candidate) see(i int, f scrape.Find, holds func(string) (bool, bool)) {
	if c.at[i] != 0 {
		return // known of this page
	}
	c.at[i] = f.At + 1
	c.Met++
	c.Elements += f.Met
	if f.Differ {
		return
	}
	c.One++
	if f.Value != "" && len(c.Reads) < 3 && !slices.Contains(c.Reads, f.Value) {
		c.Reads = append(c.Reads, f.Value)
	}
	if holds != nil {
		same, known := holds(f.Value)
		if known {
			c.Known++
		}
		if same {
			c.Equal++
		}
	}
}

// standing is what the pages and the sheet say for a candidate.
func (c *Candidate) standing() [3]int { return [3]int{c.Equal, c.Met, c.One} }

// finds returns what on a page could be what is lost, in the form of values.
func (lost Lost) finds(d *scrape.Description) []scrape.Find {
	switch lost.Kind {
	case LostDocuments:
		return documentFinds(d)
	case LostRows:
		var rows []scrape.Find
		for i, table := range d.Tables {
			for _, l := range table.Found {
				rows = append(rows, scrape.Find{Locator: l, Met: len(table.Rows), Differ: true, At: i})
			}
		}
		return rows
	case LostNumber:
		return slices.DeleteFunc(slices.Clone(d.Finds), func(f scrape.Find) bool { return !f.Shows || f.Label != "" })
	}
	return d.Finds
}

// documentFinds are the selectors that meet nothing but controls, among them one that looks
// like a document.
func documentFinds(d *scrape.Description) (all []scrape.Find) {
	for _, g := range d.Groups {
		documents, at := 0, 0
		for _, i := range g.Of {
			if d.Controls[i].Listed {
				documents++
			}
			at = at*31 + i + 1 // tells sets apart
		}
		if documents > 0 && 5*documents >= 4*len(g.Of) {
			all = append(all, scrape.Find{Locator: g.Locator, Met: len(g.Of), Differ: true, At: at})
		}
	}
	return all
}

// takes reports whether anything speaks for a candidate, and nothing against it.
func (lost Lost) takes(c *Candidate, pages int) bool {
	switch {
	case c.Known > 0 && 2*c.Equal < c.Known:
		return false // the sheet says otherwise
	case lost.Kind == LostDocuments, lost.Kind == LostRows:
		return c.Alike >= alikeEnough || 2*c.Met > pages
	case lost.Kind == LostNumber:
		return 2*c.One > pages
	case lost.Kind == LostPart:
		return c.Alike >= alikeEnough
	}
	return c.Equal > 0 || c.Alike >= alikeEnough
}

// compareCandidates puts the better one first: what the sheet and the pages say for it, then how
// it is spelled, then what lasts longest.
func compareCandidates(lost Lost, a, b *Candidate) int {
	sure := func(c *Candidate) int {
		switch {
		case c.Alike < alikeEnough:
			return 0
		case (c.Label == "") != (lost.Label == ""):
			return 1
		}
		return 2 // a slip of the keyboard, or a name that has changed a little
	}
	alike := func(c *Candidate) float64 { // what is hardly alike is so by chance
		if c.Alike < alikeEnough {
			return 0
		}
		return c.Alike
	}
	single := func(c *Candidate) int {
		if lost.Kind == LostValue || lost.Kind == LostNumber {
			return c.One
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(b.Equal, a.Equal),
		cmp.Compare(sure(b), sure(a)),
		cmp.Compare(b.Met, a.Met),
		cmp.Compare(single(b), single(a)),
		cmp.Compare(alike(b), alike(a)),
		cmp.Compare(lasting(a.Kind), lasting(b.Kind)),
		cmp.Compare(len(a.Selector), len(b.Selector)),
		cmp.Compare(a.Selector+a.Label, b.Selector+b.Label),
	)
}

// lasting orders the kinds of locators by how long they last.
func lasting(kind scrape.LocatorKind) int {
	return slices.Index([]scrape.LocatorKind{scrape.ByLabel, scrape.ByID, scrape.ByAttr, scrape.ByClass, scrape.ByHref, scrape.ByPath}, kind)
}

// namesIn are the names of a selector's last part: ids, classes and values of attributes.
var namesIn = regexp.MustCompile(`[.#]((?:[\w-]|\\.|[^\x00-\x7f])+)|=\s*["']?([^"'\]]+)`)

// lastPart returns the names by which a selector tells its element, the others where it has none.
func lastPart(selector string) []string {
	if at := strings.LastIndexAny(strings.TrimSpace(selector), " >+~"); at >= 0 {
		if names := allNames(selector[at:]); len(names) > 0 {
			return names
		}
	}
	return allNames(selector)
}

func allNames(selector string) (names []string) {
	for _, m := range namesIn.FindAllStringSubmatch(selector, -1) {
		names = append(names, strings.ToLower(cmp.Or(m[1], m[2])))
	}
	return names
}

// alike returns how much a locator is spelled like what is lost.
func (lost Lost) alike(l scrape.Locator) (best float64) {
	if lost.Label != "" || l.Label != "" {
		return max(likeness(plainWord(cmp.Or(lost.Label, lost.Name)), plainWord(l.Label)), likeness(plainWord(lost.Name), plainWord(l.Label)))
	}
	for _, was := range lastPart(lost.Selector) {
		for _, is := range lastPart(l.Selector) {
			best = max(best, likeness(was, is))
		}
	}
	return best
}

func plainWord(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == '_' || r == '-' || r == ' ' || r == ':' || r == '.' }), " ")
}

// likeness is 1 for equal texts, and 0 for those that have nothing in common.
func likeness(a, b string) float64 {
	const longest = 80
	if a == "" || b == "" || len(a) > longest || len(b) > longest {
		return 0
	}
	return max(0, 1-float64(spelling.Distance(a, b))/float64(max(len(a), len(b))))
}
