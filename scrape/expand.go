package scrape

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// maxExpanded bounds how many elements are clicked for one selector.
const maxExpanded = 100

// expands returns the selectors of what is clicked before documents are looked for.
func (r *Recipe) expands() []string {
	if r.Attachments == nil {
		return nil
	}
	return r.Attachments.Expand
}

// expand clicks what opens the place of documents, each element once, and reports whether
// there was any. What is clicked may show the next selector's elements.
func (a *attempt) expand(ctx context.Context) (clicked bool, err error) {
	return a.expandAll(ctx, a.recipe().expands())
}

// expandAll is expand for these selectors.
func (a *attempt) expandAll(ctx context.Context, selectors []string) (clicked bool, err error) {
	a.expanded, a.unopened = nil, ""
	tab := a.browser.Tab()
	for i, selector := range selectors {
		where := fmt.Sprintf("attachments.expand[%d]", i)
		look := tasks.Look{Where: where, Mark: a.portal.marks[where]}
		for n := 0; n < max(look.Met, 1) && n < maxExpanded; n++ {
			var done struct {
				Met     int
				Clicked bool
				Refused string
			}
			err := tab.InspectAndClick(ctx, call("expand", a.words(), selector), &done)
			if err == nil && n == 0 {
				look.Met = done.Met
			}
			if err == nil && done.Met == 0 && done.Refused != "" {
				a.unopened = fmt.Sprintf("%s %q was not clicked: %s says that it does more than show documents", where, selector, quoted(done.Refused))
			}
			if err == nil && !done.Clicked {
				break
			}
			if err == nil || errors.Is(err, browser.ErrNavigated) {
				clicked, err = true, tab.Calm(ctx, calm, settleAfterStep)
			}
			if err == nil {
				err = a.stopped(a.browser.Stopped())
			}
			if err != nil {
				return clicked, err
			}
		}
		a.expanded = append(a.expanded, look)
	}
	return clicked, nil
}

// retain takes over the fields and lines that the page showed before something was clicked, and shows no more: one tab
// is in the place of another.
func (p *page) retain(before *page, r *Recipe) {
	for _, f := range r.Fields {
		if _, shown := p.Fields[f.Name]; shown || f.Path != nil || len(p.Differ[f.Name]) > 0 {
			continue
		}
		value, shown := before.Fields[f.Name]
		if shown {
			p.setField(f.Name, value)
		}
		if differ := before.Differ[f.Name]; len(differ) > 0 {
			p.Differ = with(p.Differ, f.Name, differ)
		} else if !shown {
			continue
		}
		if slices.Contains(before.Ambiguous, f.Name) {
			p.Ambiguous = append(p.Ambiguous, f.Name)
		}
		p.retainLooks(before, "fields."+f.Name+".")
	}
	if len(p.Lines) == 0 && len(before.Lines) > 0 {
		p.Lines = before.Lines
		p.retainLooks(before, "lines.")
	}
}

func (p *page) setField(name, value string) {
	if p.Fields == nil {
		p.Fields = map[string]string{}
	}
	p.Fields[name] = value
}

// retainLooks takes over what the selectors of a place of the recipe met before.
func (p *page) retainLooks(before *page, place string) {
	other := func(l tasks.Look) bool { return !strings.HasPrefix(l.Where, place) }
	p.Looks = slices.Concat(slices.DeleteFunc(p.Looks, func(l tasks.Look) bool { return !other(l) }), slices.DeleteFunc(slices.Clone(before.Looks), other))
}
