package scrape

import (
	"context"
	"errors"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape/verdict"
)

const (
	// unbarredWithin bounds how long a page is examined before something is done there.
	// Whatever comes later is seen when that could not be done.
	unbarredWithin = 5 * time.Second
	// unbarredLook is how long the first step's element is waited for between two looks.
	unbarredLook = 250 * time.Millisecond
)

// act does steps. It says so where they lead to a host that is not allowed, and where one of
// them could not be done since a sign-in page or another wall is shown. What the recipe has to say first
// is said of a wall, too: its step may be for that.
func (a *attempt) act(ctx context.Context, steps []Step) error {
	err := a.portal.runSteps(ctx, a.browser.Tab(), steps, a.orderValues(), a.leadBy)
	if stopped := a.stopped(a.browser.Stopped()); stopped != nil {
		return stopped
	}
	var failed *StepError
	if errors.As(err, &failed) && !errors.As(err, new(*browser.KeyError)) && !errors.As(err, new(*UnsaidError)) && ctx.Err() == nil {
		if barred, late := a.barred(ctx); late == nil && barred != nil {
			return barred
		}
		failed.Besides = a.windowBefore(ctx, failed.Step, steps)
	}
	return err
}

// leadBy does a step that leads to another page, and returns the tab that shows that.
func (a *attempt) leadBy(ctx context.Context, step Step) (*browser.Tab, error) {
	if step.Kind == StepGo {
		return a.goStep(ctx, step)
	}
	err := a.clickWindow(ctx, step)
	return a.browser.Tab(), err
}

// unbarred waits until the page has what the first step needs, and returns why it shows that to
// nobody, if it does. Nothing is typed into a sign-in page: with always, one that has such an
// element is refused, too, as it is no page that an order is searched for on.
func (a *attempt) unbarred(ctx context.Context, first Step, always bool) error {
	target := first.Target
	if text, err := fillIn(first.template(), a.orderValues()); err == nil && first.Kind == StepClick {
		target.Text = text
	}
	deadline := time.Now().Add(min(unbarredWithin, a.portal.recipe.Ready.Timeout))
	for {
		look, cancel := context.WithTimeout(ctx, unbarredLook)
		there := a.browser.Tab().Wait(look, target) == nil
		cancel()
		if there && !always {
			return nil
		}
		barred, err := a.barred(ctx)
		if barred != nil && err == nil && !always { // on a slow machine a look may end before it has seen anything
			there, err = a.browser.Tab().Shown(ctx, target)
			if there {
				return nil
			}
		}
		switch {
		case errors.Is(err, browser.ErrNavigated) && ctx.Err() == nil && time.Now().Before(deadline):
			continue
		case err != nil:
			return err
		case barred != nil || there || time.Now().After(deadline):
			return barred
		}
	}
}

// barred returns why the page, as it is now, shows no order to anybody, or nil.
func (a *attempt) barred(ctx context.Context) (barred, err error) {
	words := a.onTheWay()
	words.Late = true
	p, err := a.evaluate(ctx, words, 0)
	if err == nil && p.BadSelector != "" {
		err = a.badSelector(p.BadSelector)
	}
	if err != nil || !a.bars(p) {
		return nil, err
	}
	return a.refused(p), nil
}

// bars reports whether a page that an order is looked for on is none, but a refusal or a wall.
func (a *attempt) bars(p *page) bool {
	switch p.Refusal.Kind {
	case "", verdict.RefusalNotFound, verdict.RefusalList:
		return a.signedOutAt(p.URL) != "" || a.signedOutPart() != ""
	}
	return true
}

// onTheWay says what is read of a page that is not the order's yet: what kind of page it is.
func (a *attempt) onTheWay() rule {
	words := readerRule(a.portal.recipe, a.task.PO, a.task.Digits)
	words.Ready.Selector, words.Ready.Gone, words.Identity = "", "", ""
	words.List = nil
	words.Fields, words.Lines, words.Attachments = []fieldRule{}, nil, nil
	return words
}
