package scrape

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

// whereItem is the place in the recipe of what finds documents.
const whereItem = "attachments.item"

// itemAt is the place in the recipe of what finds documents.
func (p *Portal) itemAt() string { return p.recipe.itemAt() }

func (r *Recipe) itemAt() string {
	if r.Attachments != nil && r.Attachments.Data != nil {
		return placeItems
	}
	if r.Attachments != nil && len(r.Attachments.URLs) > 0 {
		return placeMade + "[0]"
	}
	if r.onlyRelated() {
		return placeRelated
	}
	return whereItem
}

// placeRelated is the place in the recipe of the first link to other pages of an order.
const placeRelated = "related[0].link"

// onlyRelated reports whether documents are looked for on other pages of an order alone.
func (r *Recipe) onlyRelated() bool { return !r.Auto && r.Attachments == nil && len(r.Related) > 0 }

// Auto reports whether no recipe says what the orders' documents are.
func (p *Portal) Auto() bool { return p.recipe.Auto }

// finds reports whether a place in the recipe is that of what finds documents.
func (r *Recipe) finds(where string) bool {
	return where == r.itemAt() || r.onlyRelated() && strings.HasPrefix(where, "related[") && strings.HasSuffix(where, "].link")
}

// sightings are the kinds of addresses on whose pages the recipe's item has met
// something. All workers share them.
type sightings struct {
	mu    sync.Mutex
	kinds map[string]bool
}

// ItemMet reports whether attachments.item has met something on a page of this kind:
// only then can a page on which it meets nothing prove that there is nothing.
func (p *Portal) ItemMet(kind string) bool {
	p.sightings.mu.Lock()
	defer p.sightings.mu.Unlock()
	return p.sightings.kinds[kind]
}

// NoteItemMet has the portal know that attachments.item has met something on a page
// of this kind, as in an earlier run of the session.
func (p *Portal) NoteItemMet(kind string) {
	if kind == "" {
		return
	}
	p.sightings.mu.Lock()
	defer p.sightings.mu.Unlock()
	if p.sightings.kinds == nil {
		p.sightings.kinds = map[string]bool{}
	}
	p.sightings.kinds[kind] = true
}

// KindsWithItems returns the kinds of which ItemMet is true.
func (p *Portal) KindsWithItems() []string {
	p.sightings.mu.Lock()
	defer p.sightings.mu.Unlock()
	return slices.Sorted(maps.Keys(p.sightings.kinds))
}

// ItemSeen reports whether the recipe's attachments.item, and no earlier one, met something
// on the page that was looked at. Every item counts, those too that the recipe leaves out
// afterwards.
func (p *Portal) ItemSeen(looks []tasks.Look) bool {
	for _, look := range looks {
		if p.recipe.finds(look.Where) && look.Met > 0 && look.Mark == p.marks[look.Where] {
			return true
		}
	}
	return false
}

// Kind returns what an order's address has in common with those of other orders, with the
// mark of the recipe's item, as in Result.Kind, or "" for what is no address.
func (p *Portal) Kind(address string) string {
	u, err := browser.ParseURL(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return p.kindOf(u)
}

// kindOf has orders read with another item be of another kind: what that met, or did not,
// says nothing of this one.
func (p *Portal) kindOf(u *url.URL) string {
	return strings.TrimSuffix(kindOf(u)+" "+p.marks[p.itemAt()], " ")
}

// marksOf returns the marks of the recipe's selectors by their places.
func marksOf(r *Recipe) map[string]string {
	marks := map[string]string{}
	for _, s := range r.selectors() {
		marks[s.field] = tasks.MarkOf(s.String())
	}
	return marks
}

// SettledProof is what proves that a settled page without items has none, once the
// recipe's item has met something on another page of its kind.
func (p *Portal) SettledProof() tasks.Proof {
	return tasks.Proof{By: tasks.ProofSettled, Text: verdict.SettledText(p.itemAt())}
}

// LooksForDocuments reports whether the recipe says where documents are, or finds
// that out itself.
func (p *Portal) LooksForDocuments() bool {
	return p.recipe.Auto || p.recipe.Attachments != nil || p.recipe.onlyRelated()
}

// DeclinesDocuments reports whether the recipe says that documents are not asked for.
func (p *Portal) DeclinesDocuments() bool { return p.recipe.FieldsAlone }

// mayMeetNothing are the sections and the keys of a recipe whose selectors may rightly
// meet nothing on any page.
var mayMeetNothing = map[string]bool{
	"related": true, "not_found": true, "access_denied": true, "throttled": true, "walls": true, "login": true,
	"ready.gone": true, "attachments.expand": true, "attachments.then": true, "attachments.next": true,
	"attachments.exclude": true, "attachments.pending": true,
	"attachments.json.pending": true,
}

// Selectors returns the recipe's selectors, in its order, with their places in it: of
// a field, the place is the field's own.
func (p *Portal) Selectors() []tasks.Selector {
	var list []tasks.Selector
	for _, s := range p.recipe.selectors() {
		where := s.field
		if strings.HasPrefix(where, "open.") && where != whereResult { // without it the order fails
			continue
		}
		if strings.HasPrefix(where, "fields.") {
			where = strings.TrimSuffix(where, ".selector")
		}
		at := where
		if _, of, is := strings.Cut(where, "].attachments."); is { // an item there is looked for as here
			at = "attachments." + of
		}
		key, _, _ := strings.Cut(at, "[") // where a list stands
		section, _, _ := strings.Cut(key, ".")
		kind := tasks.SelectorWarning
		if mayMeetNothing[section] && !p.recipe.finds(where) || mayMeetNothing[key] {
			kind = tasks.SelectorNote
		}
		list = append(list, tasks.Selector{Where: where, Selector: s.String(), Kind: kind})
	}
	return list
}
