package scrape

import (
	"net/url"
	"sync"

	"github.com/poscrape/poscrape/scrape/verdict"
)

// recognise takes a page for the order's own where it shows the order's number and a further value of its row,
// whatever else stands there. Where the sheet has no such values, all fields that pages of its kind usually show
// say as much. What the recipe says of refusals is believed all the same.
func (a *attempt) recognise(p *page) {
	if values := a.portal.values; values.Any() {
		sent := a.task.URL
		if plain, err := url.QueryUnescape(sent); err == nil {
			sent += " " + plain
		}
		p.countable, p.row, p.others = values.Match(a.task.Spec, sent, p.Shown.Texts)
	}
	if a.related != nil || !p.Named || p.Refusal.Ruled || p.Wide {
		return
	}
	if len(p.row) > 0 || p.countable == 0 && a.fieldsShown(p) {
		p.Refusal, p.Hollow = verdict.Refusal{}, ""
		p.Identity, p.Doubt = verdict.IdentitySure, false
	}
}

// fieldsShown reports whether the page shows the number where the recipe says, and every field that most pages of
// its kind show.
func (a *attempt) fieldsShown(p *page) bool {
	r := a.recipe()
	if r.Identity == "" {
		return false
	}
	shown, wanted := p.fieldsShown(), 0
	for _, f := range r.Fields {
		if f.Path != nil || !a.portal.usual.has(a.portal.kindOf(a.address), f.Name) {
			continue
		}
		if wanted++; !shown[f.Name] {
			return false
		}
	}
	return wanted > 0
}

// fieldsShown returns the names of the recipe's fields that have a text on the page.
func (p *page) fieldsShown() map[string]bool {
	shown := map[string]bool{}
	for name, value := range p.Fields {
		shown[name] = value != ""
	}
	for name, texts := range p.Texts {
		shown[name] = shown[name] || len(texts) > 0
	}
	return shown
}

// usualFields knows of each kind of pages how many orders' own showed each of the recipe's fields. The zero value
// knows of none.
type usualFields struct {
	mu    sync.Mutex
	pages map[string]int
	shown map[[2]string]int // by kind and field
}

func (u *usualFields) note(kind string, fields map[string]bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.pages == nil {
		u.pages, u.shown = map[string]int{}, map[[2]string]int{}
	}
	u.pages[kind]++
	for name, shows := range fields {
		if shows {
			u.shown[[2]string{kind, name}]++
		}
	}
}

// has reports whether most pages of a kind show a field; before there are any, each has.
func (u *usualFields) has(kind, field string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return 2*u.shown[[2]string{kind, field}] >= u.pages[kind]
}
