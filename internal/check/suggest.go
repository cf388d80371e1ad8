package check

import (
	"fmt"
	"strings"

	"github.com/poscrape/poscrape/learn"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// lostOf says what a selector was to find that met nothing, or false where nothing could be
// suggested in its place.
func (p *prober) lostOf(recipe *scrape.Recipe, where, selector string) (lost learn.Lost, is bool) {
	lost = learn.Lost{Locator: scrape.Locator{Selector: selector}, Kind: learn.LostPart}
	where = plainWhere(where)
	switch {
	case where == "identity":
		lost.Kind = learn.LostNumber
	case where == "attachments.item":
		lost.Kind = learn.LostDocuments
	case where == "lines.row":
		lost.Kind = learn.LostRows
	case where == "ready":
	case strings.HasPrefix(where, "fields."):
		field, known := fieldAt(recipe, where)
		if !known || field.Path != nil {
			return lost, false
		}
		lost.Kind, lost.Name = learn.LostValue, field.Name
		if field.Label != "" && where == "fields."+field.Name {
			lost.Locator = scrape.Locator{Label: field.Label, Under: field.Under}
		}
	default:
		return lost, false
	}
	return lost, true
}

// fieldAt returns the field that a place belongs to which is looked up for its value, or false.
func fieldAt(recipe *scrape.Recipe, where string) (scrape.FieldRule, bool) {
	name, is := strings.CutPrefix(plainWhere(where), "fields.")
	if at := strings.LastIndex(name, ".also["); at >= 0 {
		name = name[:at]
	}
	if !is {
		return scrape.FieldRule{}, false
	}
	return recipe.Field(name)
}

// lostOn returns the pages of a portal on which a selector was looked for, if it met nothing on
// any of them.
func (p *prober) lostOn(recipe *scrape.Recipe, portal, where string) (pages []learn.LostOn) {
	for _, seen := range p.seen {
		if seen.portal != portal || seen.refused() {
			continue
		}
		for _, look := range seen.looks {
			if plainWhere(look.Where) != plainWhere(where) {
				continue
			}
			if look.Met > 0 {
				return nil
			}
			pages = append(pages, learn.LostOn{Description: seen.page, Holds: p.holds(recipe, where, seen)})
		}
	}
	return pages
}

// holds returns what the sheet says of a text in a field's place on an order's page, or nil. In
// the number's place, one that is nothing but the number is the better one.
func (p *prober) holds(recipe *scrape.Recipe, where string, seen seenOrder) func(string) (bool, bool) {
	if plainWhere(where) == "identity" {
		return func(text string) (same, compared bool) {
			same = strings.EqualFold(text, seen.task.PO) || text == seen.task.Digits
			return same, same
		}
	}
	field, known := fieldAt(recipe, where)
	if !known || field.Attr != "" && field.Attr != "value" {
		return nil
	}
	return func(text string) (same, compared bool) {
		value, matched := field.Take(text)
		fields := map[string]tasks.Field{}
		for other := range p.fieldNames(recipe) {
			fields[other] = tasks.Field{}
		}
		fields[field.Name] = value
		found := held(p.comparison, seen.rows, p.sheet.Input.Columns, field.Name, fields)
		if found.Sheet == "" {
			return false, false
		}
		return matched && value.Error == "" && found.Equal != nil && *found.Equal, true
	}
}

func (p *prober) fieldNames(recipe *scrape.Recipe) map[string]bool {
	names := map[string]bool{}
	for _, f := range recipe.Fields {
		names[f.Name] = true
	}
	return names
}

// ask has the pages to come say of what could be in place of what is lost so far.
func (v *visitor) ask() {
	v.asked = nil
	for _, s := range v.portal.Selectors() {
		lost, is := v.lostOf(v.recipe.Recipe, s.Where, s.Selector)
		pages := v.lostOn(v.recipe.Recipe, v.recipe.Portal, s.Where)
		if !is || len(pages) == 0 {
			continue
		}
		best, _ := learn.Candidates(lost, pages)
		for _, c := range best {
			v.asked = append(v.asked, c.Locator)
		}
	}
}

// suggest says what the selectors that met nothing could be.
func (p *prober) suggest() {
	for _, s := range p.report.Probe.Selectors {
		if s.Pages == 0 || s.Met > 0 || s.Kind != tasks.SelectorWarning {
			continue
		}
		for _, r := range p.recipes {
			lost, is := p.lostOf(r.Recipe, s.Where, s.Selector.Selector)
			if r.Portal != s.portal || !is {
				continue
			}
			pages := p.lostOn(r.Recipe, r.Portal, s.Where)
			best, tie := learn.Candidates(lost, pages)
			one := Suggestion{Recipe: s.Recipe, Where: s.Where, Selector: s.Selector.Selector, Line: s.Line, Pages: len(pages), Tie: tie, Candidates: []Candidate{}}
			for _, page := range pages {
				if page.Description == nil {
					one.Unsearched++
				}
			}
			for _, c := range best {
				one.Candidates = append(one.Candidates, p.candidate(r.Recipe, lost.Name, c))
			}
			p.report.Probe.Suggestions = append(p.report.Probe.Suggestions, one)
		}
	}
}

func (p *prober) candidate(recipe *scrape.Recipe, field string, c learn.Candidate) Candidate {
	one := Candidate{Selector: c.Selector, Label: c.Label, Under: c.Under, Met: c.Met, Elements: c.Elements, Equal: c.Equal, Compared: c.Known, Reads: append([]string{}, c.Reads...)}
	fields := map[string]tasks.Field{}
	for name := range p.fieldNames(recipe) {
		fields[name] = tasks.Field{}
	}
	if at, is := p.sheet.Input.Roles["po"]; is && field == "" && c.Known > 0 {
		one.Column = p.sheet.Input.Columns[at]
	}
	if field != "" {
		one.Column, _ = p.comparison.Against(field, fields)
	}
	return one
}

// String is a candidate as a recipe writes it.
func (c Candidate) String() string {
	if c.Under != "" {
		return fmt.Sprintf("label: %q, under: %q", c.Label, c.Under)
	}
	if c.Label != "" {
		return fmt.Sprintf("label: %q", c.Label)
	}
	return fmt.Sprintf("%q", c.Selector)
}
