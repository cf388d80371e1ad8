package scrape

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

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
	a.expanded = nil
	words, err := json.Marshal(readerRule(a.portal.recipe, a.task.PO, a.task.Digits))
	if err != nil {
		return false, fmt.Errorf("preparing to open the place of documents: %w", err)
	}
	tab := a.browser.Tab()
	for i, selector := range a.portal.recipe.expands() {
		text, err := json.Marshal(selector)
		if err != nil {
			return clicked, fmt.Errorf("preparing to open the place of documents: %w", err)
		}
		where := fmt.Sprintf("attachments.expand[%d]", i)
		look := tasks.Look{Where: where, Mark: a.portal.marks[where]}
		for n := 0; n < max(look.Met, 1) && n < maxExpanded; n++ {
			var done struct {
				Met     int
				Clicked bool
			}
			err := tab.Inspect(ctx, fmt.Sprintf("poscrape.expand(%s, %s)", words, text), &done)
			if err == nil && n == 0 {
				look.Met = done.Met
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
