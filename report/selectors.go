package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/tasks"
)

// Selector says what one selector of the recipe has met. Counted are the orders' own
// pages, each order by the last reading of its page.
type Selector struct {
	// Recipe is what people call the recipe, or empty where the session has only one.
	Recipe string `json:"recipe,omitempty"`
	// Where is its place in the recipe, Selector what stands there.
	Where    string `json:"where"`
	Selector string `json:"selector"`
	// Pages is on how many pages it was looked for, Met on how many of them it met
	// something, Unreadable on how many it did and the value could not be read.
	Pages      int `json:"pages"`
	Met        int `json:"met"`
	Unreadable int `json:"unreadable"`
}

// The places in a recipe that mean more than others here.
const (
	whereItem = "attachments.item"
	// whereItems is what finds documents in the portal's data.
	whereItems = "attachments.json.items"
	whereNone  = "attachments.none"
	whereRow   = "lines.row"
	// whereSuccess is what is there once somebody is signed in.
	whereSuccess = "login.success"
)

// isItem reports whether a place is that of what finds documents.
func isItem(where string) bool { return where == whereItem || where == whereItems }

// withinOf returns what has to be met before what stands at a place is looked for
// inside it, or "".
func withinOf(where string) string {
	switch where {
	case "attachments.link", "attachments.link.url", "attachments.name", "attachments.where", "attachments.names":
		return whereItem
	case "attachments.json.link", "attachments.json.content", "attachments.json.name", "attachments.json.where", "attachments.json.pending":
		return whereItems
	}
	if strings.HasPrefix(where, "lines.columns.") {
		return whereRow
	}
	return ""
}

// refuses reports whether a failure of the class says that the page was no order's own.
func refuses(class tasks.Class) bool {
	switch class {
	case tasks.ClassNotFound, tasks.ClassAccessDenied, tasks.ClassThrottled, tasks.ClassLogin:
		return true
	}
	return false
}

// CountSelectors returns what the selectors of recipes have met on the pages of tasks, and what
// a person should know of that, as Report.Warnings and Report.Notes do.
func CountSelectors(selectors []tasks.Selector, of []*tasks.ProcessingTask) (list []Selector, warnings, notes []string) {
	all := newSelectorTallies(selectors)
	for _, t := range of {
		all.add(t)
	}
	warnings, notes = all.texts()
	return all.list(), warnings, notes
}

// selectorTallies are those of each recipe, in the order of the session's.
type selectorTallies []*selectorTally

func newSelectorTallies(selectors []tasks.Selector) selectorTallies {
	var all selectorTallies
	for len(selectors) > 0 {
		first := selectors[0]
		n := slices.IndexFunc(selectors, func(s tasks.Selector) bool { return s.Portal != first.Portal })
		if n < 0 {
			n = len(selectors)
		}
		all, selectors = append(all, newSelectorTally(selectors[:n])), selectors[n:]
	}
	return all
}

func (all selectorTallies) add(t *tasks.ProcessingTask) {
	for _, c := range all {
		if c.portal == t.Portal {
			c.add(t)
		}
	}
}

// warned reports whether a person is warned of the selector at a place of a portal's recipe.
func (all selectorTallies) warned(portal, where string) bool {
	for _, c := range all {
		if i, known := c.at[where]; known && c.portal == portal {
			return c.warns(i)
		}
	}
	return false
}

// list returns what each selector has met.
func (all selectorTallies) list() []Selector {
	list := []Selector{}
	for _, c := range all {
		list = append(list, c.list...)
	}
	return list
}

// texts says of all selectors what a person should know, see selectorTally.texts; where there
// are several recipes, each text begins with the name of its own.
func (all selectorTallies) texts() (warnings, notes []string) {
	for _, c := range all {
		w, n := c.texts()
		for _, list := range [][]string{w, n} {
			for i := range list {
				if c.recipe != "" {
					list[i] = c.recipe + ": " + list[i]
				}
			}
		}
		warnings, notes = append(warnings, w...), append(notes, n...)
	}
	return slices.Clip(warnings), slices.Clip(notes)
}

// selectorTally counts what the selectors of one recipe met, as the tasks pass by.
type selectorTally struct {
	// portal is that of the recipe's tasks, and recipe what people call it, as in tasks.Selector.
	portal, recipe string

	list  []Selector
	kinds []tasks.SelectorKind
	// at are the places in the list by those in the recipe.
	at    map[string]int
	marks []string
	// provenEmpty counts the pages where the item was looked for and that prove by
	// marker or count that there is none.
	provenEmpty int
	// met are the places whose selectors met something on a page that is no order's own.
	met map[string]bool
	// unasked are the orders that have ended, by the fields for which an earlier recipe did not look
	// on their pages, or elsewhere.
	unasked map[string]int
}

func newSelectorTally(selectors []tasks.Selector) *selectorTally {
	c := &selectorTally{list: make([]Selector, len(selectors)), at: map[string]int{}, met: map[string]bool{}, unasked: map[string]int{}}
	for i, s := range selectors {
		c.portal, c.recipe = s.Portal, s.Recipe
		c.list[i] = Selector{Recipe: s.Recipe, Where: s.Where, Selector: s.Selector}
		c.kinds = append(c.kinds, s.Kind)
		c.marks = append(c.marks, tasks.MarkOf(s.Selector))
		c.at[whereOf(s.Where)] = i
	}
	return c
}

// whereOf returns a place without the key that only says that it is a selector.
func whereOf(where string) string { return strings.TrimSuffix(where, ".selector") }

func (c *selectorTally) add(t *tasks.ProcessingTask) {
	if len(c.list) == 0 {
		return
	}
	var last *tasks.Attempt
	for i := range t.History {
		a := &t.History[i]
		switch {
		case len(a.Looks) == 0:
		case a.Error != nil && refuses(a.Error.Class):
			c.addRefusal(a.Looks)
		default:
			last = a
		}
	}
	if last != nil {
		c.addPage(t, last)
	}
}

// addRefusal counts what selectors met on a page that is no order's own, and where somebody
// signed in because of it.
func (c *selectorTally) addRefusal(looks []tasks.Look) {
	for _, look := range looks {
		switch {
		case !c.current(look):
		case whereOf(look.Where) == whereSuccess:
			c.list[c.at[whereSuccess]].add(look)
		case look.Met > 0:
			c.met[whereOf(look.Where)] = true
		}
	}
}

// addPage counts the page that an attempt at the task has read.
func (c *selectorTally) addPage(t *tasks.ProcessingTask, a *tasks.Attempt) {
	met := map[string]int{whereItem: -1, whereItems: -1, whereRow: -1}
	sameItem := false
	for _, look := range a.Looks {
		if _, wanted := met[look.Where]; wanted {
			met[look.Where] = look.Met
		}
		sameItem = sameItem || isItem(look.Where) && c.current(look)
	}
	var proof tasks.ProofKind
	if t.Result != nil && t.Result.Proof != nil {
		proof = t.Result.Proof.By
	}
	if sameItem && (proof == tasks.ProofMarker || proof == tasks.ProofCount) {
		c.provenEmpty++
	}
	for _, look := range a.Looks {
		where := whereOf(look.Where)
		if within := withinOf(where); within != "" && met[within] == 0 {
			continue
		}
		if where == whereNone && !withoutDocuments(t, a, max(met[whereItem], met[whereItems])) {
			continue
		}
		if c.current(look) {
			c.list[c.at[where]].add(look)
		}
	}
	if t.State == tasks.StateCompleted {
		c.addUnasked(a)
	}
}

// addUnasked counts the fields for which an attempt that has looked for others has not looked as the
// recipe does now.
func (c *selectorTally) addUnasked(a *tasks.Attempt) {
	asked, looked := map[string]bool{}, false
	for _, look := range a.Looks {
		asked[whereOf(look.Where)] = asked[whereOf(look.Where)] || c.current(look)
		looked = looked || strings.HasPrefix(look.Where, "fields.")
	}
	if !looked {
		return
	}
	for _, s := range c.list {
		where := whereOf(s.Where)
		if name, is := strings.CutPrefix(where, "fields."); is && !strings.Contains(name, ".") && !asked[where] {
			c.unasked[name]++
		}
	}
}

// earlier says which fields were not read of all orders as the recipe says now, or is empty.
func (c *selectorTally) earlier() string {
	if len(c.unasked) == 0 {
		return ""
	}
	read := " were read"
	most := slices.Max(slices.Collect(maps.Values(c.unasked)))
	if most == 1 {
		read = " was read"
	}
	return plural(most, "order") + read + " by an earlier recipe, which looked elsewhere or not at all for " +
		strings.Join(slices.Sorted(maps.Keys(c.unasked)), ", ") + "; 'run --update' with this recipe reads every order anew"
}

// current reports whether what was looked for is what stands at its place in the recipe
// now, and not what an earlier one had there.
func (c *selectorTally) current(look tasks.Look) bool {
	at, known := c.at[whereOf(look.Where)]
	return known && (look.Mark == "" || look.Mark == c.marks[at])
}

func (s *Selector) add(look tasks.Look) {
	s.Pages++
	if look.Met > 0 {
		s.Met++
	}
	if look.Unreadable {
		s.Unreadable++
	}
}

// withoutDocuments reports whether the page that the attempt has read is that of an
// order which has no documents, or seems to: one that lacks a part says nothing of it.
func withoutDocuments(t *tasks.ProcessingTask, a *tasks.Attempt, items int) bool {
	if found, _, _, _ := t.Result.Count(); found > 0 || items > 0 {
		return false
	}
	return a.Outcome == tasks.OutcomeNoAttachments || a.Error != nil && a.Error.Class == tasks.ClassUnproven
}

// texts says of the selectors what a person should know: what may have to be mended,
// and what may be right.
func (c *selectorTally) texts() (warnings, notes []string) {
	for i, s := range c.list {
		switch text := s.text(); {
		case text == "" || c.explained(i):
		case c.warns(i):
			warnings = append(warnings, text)
		default:
			notes = append(notes, text)
		}
	}
	if text := c.earlier(); text != "" {
		warnings = append(warnings, text)
	}
	return warnings, notes
}

// explained reports whether a selector that met nothing may be right: it has on a page that is no order's own, or all
// pages say themselves that they have no documents.
func (c *selectorTally) explained(i int) bool {
	s := c.list[i]
	return s.Met <= s.Unreadable && (c.met[whereOf(s.Where)] || isItem(s.Where) && c.provenEmpty == s.Pages)
}

// warns reports whether a selector met nothing that could be read, and should have.
func (c *selectorTally) warns(i int) bool {
	s := c.list[i]
	return s.text() != "" && s.Met <= s.Unreadable && !c.explained(i) && c.kinds[i] == tasks.SelectorWarning
}

// text says what is remarkable about what the selector met, or nothing.
func (s *Selector) text() string {
	switch {
	case s.Pages > 0 && s.Met == 0:
		return fmt.Sprintf("%s %q met nothing on %d of %d pages", s.Where, s.Selector, s.Pages, s.Pages)
	case s.Unreadable > 0:
		return fmt.Sprintf("%s %q could not be read on %d of %d pages", s.Where, s.Selector, s.Unreadable, s.Pages)
	}
	return ""
}

// changes says how the portal has changed, as far as the session's recipe still has the
// selectors that it was seen by.
func (r *Report) changes(events []tasks.Event) (texts []string) {
	for _, e := range events {
		if e.Type == tasks.EventPortalChanged && slices.ContainsFunc(r.Selectors, func(s Selector) bool {
			return strings.Contains(e.Detail, fmt.Sprintf("%s %q ", whereOf(s.Where), s.Selector))
		}) {
			texts = append(texts, e.Detail)
		}
	}
	return texts
}

// Warnings names the selectors of the recipe that met nothing, or nothing that could be read,
// wherever they were looked for, and should have, and says how the portal has changed: a run with one has not
// proven what it says.
func (r *Report) Warnings() []string { return r.warnings }

// Notes names those that met nothing and may be right, and those whose values could
// not be read on some pages.
func (r *Report) Notes() []string { return r.notes }
