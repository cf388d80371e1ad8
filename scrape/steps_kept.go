package scrape

import (
	"context"
	"time"

	"github.com/poscrape/poscrape/browser"
)

// A page can show a form before its scripts are there. When they come, they put fields of their own in the
// place of those that were written into, and what was written is gone: a sign-in without its user. So,
// before a step sends anything, poscrape looks whether the fields still hold what it has written.

// written is a field that a step has written into.
type written struct {
	target browser.Target
	text   string
	// was is what stood in it before.
	was string
	// again counts how often it was written into once more.
	again int
}

const (
	// mostAgain is how often a field is written into once more: a page that keeps taking a text away means it.
	mostAgain = 2
	// lookAtFields is how often the fields are looked at while what sends them cannot be clicked.
	lookAtFields = 500 * time.Millisecond
)

// write writes a text into a field, and notes that.
func (w *written) write(ctx context.Context, tab *browser.Tab) error {
	var err error
	if w.was, _, err = tab.Holds(ctx, w.target); err != nil {
		return err
	}
	return tab.Fill(ctx, w.target, w.text)
}

// keepWritten writes once more into the fields that have lost what was written. Where a click comes next,
// it returns when that is possible: a page that is being built covers it, or has it disabled.
func keepWritten(ctx context.Context, tab *browser.Tab, fields []*written, next Step) error {
	var why error // the last one why it was not possible
	for len(fields) > 0 {
		err := writeAgain(ctx, tab, fields)
		switch {
		case err != nil && why != nil && ctx.Err() != nil:
			return why
		case err != nil || next.Kind != StepClick:
			return err
		}
		brief, cancel := context.WithTimeout(ctx, lookAtFields)
		err = tab.Fit(brief, next.Target)
		over := brief.Err() != nil && ctx.Err() == nil
		cancel()
		switch {
		case err == nil:
			return writeAgain(ctx, tab, fields)
		case ctx.Err() != nil && why != nil:
			return why
		case !over:
			return err
		}
		why = err
	}
	return nil
}

// writeAgain writes into those fields in which stands again what was there at first.
func writeAgain(ctx context.Context, tab *browser.Tab, fields []*written) error {
	for _, w := range fields {
		value, there, err := tab.Holds(ctx, w.target)
		if err != nil {
			return err
		}
		if !there || value == w.text || value != w.was || w.again == mostAgain {
			continue
		}
		w.again++
		if err := tab.Fill(ctx, w.target, w.text); err != nil {
			return err
		}
	}
	return nil
}
