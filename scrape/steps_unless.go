package scrape

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/template"
)

// needless reports whether a click is left out, since what its Unless meets is visible. A page may show
// that late: it is waited for until the element of the click could be clicked, and the page has no server
// to wait for.
func (p *Portal) needless(ctx context.Context, tab *browser.Tab, step Step, values template.Values) (bool, error) {
	if step.Unless == "" {
		return false, nil
	}
	text, err := p.stepText(ctx, step, values)
	if err != nil {
		return false, &StepError{Step: step, Err: err}
	}
	step.Text = text
	limit := p.recipe.Ready.Timeout
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := tab.Calm(bounded, calm, min(settleAfterStep, limit/2)); err != nil {
		return false, &StepError{Step: step, Err: err}
	}
	unless := browser.Target{Selector: step.Unless, Frame: step.Frame}
	for last := error(nil); ; {
		shown, err := tab.Shown(bounded, unless)
		if shown && err == nil {
			return true, nil
		}
		if err == nil {
			look, stop := context.WithTimeout(bounded, lookForUnless)
			err = tab.Wait(look, step.Target)
			stop()
			if err == nil {
				shown, err = tab.Shown(bounded, unless)
				return shown, ignoringNavigation(err)
			}
		}
		met := errors.As(err, new(*browser.ElementError))
		if met {
			last = err
		}
		switch {
		case ctx.Err() == nil && bounded.Err() != nil:
			return false, &StepError{Step: step, Err: cmp.Or(last, err), Limit: limit}
		case ctx.Err() != nil, !met && !errors.Is(err, browser.ErrNavigated):
			return false, &StepError{Step: step, Err: err}
		}
	}
}

// lookForUnless is how often it is looked at what makes a click needless.
const lookForUnless = 250 * time.Millisecond

func ignoringNavigation(err error) error {
	if errors.Is(err, browser.ErrNavigated) {
		return nil
	}
	return err
}
