package scrape

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// A click may show the order in a window of its own. Where the recipe says so, what that asks for is shown
// in the browser's tab, as with a document that an item opens (see opened.go); else the step after it fails,
// and the window is named there.

// clickWindow clicks what opens a window, and has the browser's tab show its page.
func (a *attempt) clickWindow(ctx context.Context, step Step) error {
	from := ""
	err := a.browser.Tab().Inspect(ctx, "document.location.href", &from)
	if err != nil && !errors.Is(err, browser.ErrNavigated) {
		return err
	}
	if err := a.portal.wait(ctx, from); err != nil {
		return err
	}
	limit := a.portal.recipe.Ready.Timeout
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err = a.enterWindow(bounded, step, from)
	f, failed := &tasks.Failure{}, &StepError{}
	switch {
	case err == nil, errors.As(err, &failed):
		return err
	case !errors.As(err, &f):
		failed = &StepError{Step: step, Err: err}
	case f.Class == tasks.ClassAttachment, f.Class == tasks.ClassUnsettled:
		failed = &StepError{Step: step, Err: errors.New(f.Message)}
	default:
		return err
	}
	if ctx.Err() == nil && bounded.Err() != nil {
		failed.Limit = limit
	}
	return failed
}

func (a *attempt) enterWindow(ctx context.Context, step Step, from string) error {
	expected := a.browser.ExpectDownload()
	defer expected.Cancel()
	opening := a.browser.ExpectWindow()
	defer opening.Close()
	defer func() {
		if download := begun(ctx, expected); download != nil {
			a.browser.Discard(ctx, download)
		}
	}()
	c := &clicked{attempt: a, expected: expected, opening: opening, tab: a.browser.Tab()}
	c.was = c.tab.Showing()
	if err := a.portal.clickStep(ctx, c.tab, step); err != nil {
		return err
	}
	if err := c.awaitWindow(ctx); err != nil {
		return err
	}
	res, err := c.showWindow(ctx)
	if err == nil {
		err = a.ledBy(step, res, from)
	}
	if err == nil {
		err = c.alone(ctx)
	}
	return err
}

// awaitWindow waits until the window has asked for its page.
func (c *clicked) awaitWindow(ctx context.Context) error {
	stop := c.tab.KeepPace(ctx)
	defer stop()
	var kept *browser.DownloadError
	for !c.opening.Asked() {
		download, err := c.expected.Begun(ctx, lookAfterClick)
		switch {
		case download != nil:
			c.browser.Discard(ctx, download)
			return errors.New("it began a download, and opened no window")
		case errors.As(err, &kept), errors.Is(err, browser.ErrNotBegun), ctx.Err() != nil:
		case err != nil:
			return err
		}
		if err := c.stopped(c.browser.Stopped()); err != nil {
			return err
		}
		switch {
		case ctx.Err() == nil:
		case kept != nil:
			return c.stopped(kept.URL)
		case c.opening.Others() > 0:
			return errors.New("the window that it opened is empty, or scripts fill it in")
		default:
			return errors.New("it opened no window")
		}
	}
	return nil
}

// windowBefore says that a click before the step that failed has opened a window, or is empty.
func (a *attempt) windowBefore(ctx context.Context, failed Step, steps []Step) string {
	at := slices.IndexFunc(steps, func(s Step) bool { return s.Where == failed.Where })
	for i := at - 1; i >= 0; i-- {
		if steps[i].Kind != StepClick && steps[i].Kind != StepPress {
			continue
		}
		windows := a.browser.WindowsOpened(ctx)
		if len(windows) == 0 || steps[i].Window {
			return ""
		}
		with := ""
		if steps[i].Kind == StepClick {
			with = "; with window: true there, the next steps are done in it"
		}
		return fmt.Sprintf("; %s before it has opened a window, at %s%s", steps[i].Where, browser.Redact(windows[0]), with)
	}
	return ""
}
