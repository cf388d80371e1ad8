package scrape

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// whereThen is the place in the recipe of what a click on an item shows.
const whereThen = "attachments.then"

// twoSteps reports whether a click on an item only shows what is to be clicked for its
// document.
func (r *Recipe) twoSteps() bool { return r.Attachments != nil && r.Attachments.Then != "" }

// lookAfterClick is how often a page is looked at while what a click shows is waited for.
const lookAfterClick = 20 * time.Millisecond

// shown is what attachments.then meets that can be clicked.
type shown struct {
	// Met is how many there are, and Refused the label of one that must not be clicked.
	Met     int
	Refused string
	// Rests: the page has nothing under way. Clicked: the only one was clicked. Asked: the
	// item's own click has asked for a download, or another page.
	Rests, Clicked, Asked bool
	// Left: no item was clicked on the page, which is another one than that.
	Left bool
}

// then looks for what a click on an item shows, and may click it, once the page is at rest,
// or at once where that is hurried.
func (a *attempt) then(ctx context.Context, click, hurried bool) (s shown, err error) {
	look := a.browser.Tab().Inspect
	if click {
		look = a.browser.Tab().InspectAndClick
	}
	err = look(ctx, call("then", a.words(), click, hurried), &s)
	return s, err
}

// stillShown reports whether what an earlier click has shown is still there: nobody could
// tell it from what the next one shows.
func (a *attempt) stillShown(ctx context.Context) bool {
	if !a.recipe().twoSteps() {
		return false
	}
	s, err := a.then(ctx, false, false)
	return err != nil || s.Met > 0
}

// notShown returns an error where what a click on an item is to show is there before it.
func (a *attempt) notShown(ctx context.Context) error {
	if !a.recipe().twoSteps() {
		return nil
	}
	s, err := a.then(ctx, false, false)
	if err == nil && s.Met > 0 {
		err = tasks.Permanent("", tasks.ClassAttachment, "%s %q met something before the item was clicked, so it is unclear which document that brings; have it meet only what the click shows", whereThen, a.recipe().Attachments.Then)
	}
	return err
}

// clickShown waits until an item that was clicked has shown what brings its document, and
// clicks that; or until the item's own click has begun the download. What is shown may be an
// earlier item's until the page is at rest, unless the item is the first that was clicked there.
func (a *attempt) clickShown(ctx context.Context, expected *browser.Expectation, first bool) error {
	if !a.recipe().twoSteps() {
		return nil
	}
	deadline := time.Now().Add(a.portal.clickTimeout)
	var since time.Time // when it was there
	met, calmed := 0, false
	defer func() { a.noteShown(met) }()
	for {
		restless := !since.IsZero() && time.Since(since) > idleTimeout
		s, err := a.caused(ctx, expected, calmed, first && restless)
		met = max(met, s.Met)
		if s.Met > 0 && since.IsZero() {
			since = time.Now()
		}
		late, stopped := time.Now().After(deadline), a.browser.Stopped() != ""
		if err == nil && !stopped {
			err = a.unclear(s, late)
		}
		switch {
		case err != nil:
			return err
		case stopped, late, s.done():
			return nil
		case s.Met > 0 && !calmed && (s.Rests || restless): // Chrome tells of a download a moment later
			calmed, err = true, a.browser.Tab().Calm(ctx, calm, settleAfterStep)
		case !pause(ctx, lookAfterClick):
			err = context.Cause(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// caused lets the page do what a click on an item has caused, says what that has shown, and
// may click it where the item's own click has begun no download.
func (a *attempt) caused(ctx context.Context, expected *browser.Expectation, click, hurried bool) (shown, error) {
	err := a.rest(ctx)
	var s shown
	if err == nil {
		begun, growing := expected.Has() || a.browser.Pending(), a.browser.Tab().Growing(0)
		s, err = a.then(ctx, click && !begun && !growing, hurried)
		s.Asked, s.Rests = s.Asked || begun, s.Rests && !growing
	}
	if errors.Is(err, browser.ErrNavigated) {
		err = a.leftPage()
	}
	return s, err
}

// done reports whether there is nothing left but to wait for the download.
func (s shown) done() bool { return s.Clicked || s.Asked && s.Rests && s.Met == 0 }

// unclear returns why nothing of what a click on an item has shown is clicked, or nil. late:
// it is not waited for any longer.
func (a *attempt) unclear(s shown, late bool) error {
	selector := a.recipe().Attachments.Then
	switch {
	case s.Clicked:
		return nil
	case s.Left && !s.Asked:
		return a.leftPage()
	case s.Asked && s.Met > 0:
		return tasks.Permanent("", tasks.ClassAttachment, "a click on it began a download, and showed %s %q; it is unclear which is the document", whereThen, selector)
	case s.Refused != "" && s.Rests:
		return tasks.Permanent("", tasks.ClassNotClicked, "what a click on it showed was not clicked: %q says that it does more than show a document", s.Refused)
	case s.Met > 1 && s.Rests:
		return tasks.Permanent("", tasks.ClassAttachment, "a click on it showed %d elements that %s %q meets; have it meet one of them", s.Met, whereThen, selector)
	case !late || s.Asked:
		return nil
	case s.Met > 0:
		return tasks.Retry(tasks.ClassAttachment, "the page did not come to rest within %v of a click on it, so what it shows may be another document's", a.portal.clickTimeout)
	}
	return tasks.Retry(tasks.ClassAttachment, "a click on it showed nothing that %s %q meets within %v, and began no download; check the selector", whereThen, selector, a.portal.clickTimeout)
}

func (a *attempt) leftPage() error {
	return tasks.Retry(tasks.ClassAttachment, "a click on it left the page, and %s %q is looked for there", whereThen, a.recipe().Attachments.Then)
}

// rest lets the page do what a click has caused: where its clock runs ahead, until it is at
// rest, as nobody knows by how much it would lag behind real time otherwise.
func (a *attempt) rest(ctx context.Context) error {
	quiet, tab := a.portal.recipe.Ready.Quiet.Milliseconds(), a.browser.Tab()
	if a.ahead {
		return tab.RunAhead(ctx, browser.Ahead{Script: call("rest", quiet, idleAhead.Milliseconds()), WaitsFor: "poscrape.waitsFor()", Limit: a.portal.clickTimeout}, nil)
	}
	stop := tab.KeepPace(ctx)
	defer stop()
	return tab.Inspect(ctx, call("rest", quiet, lookAfterClick.Milliseconds()), nil)
}

// noteShown notes how much attachments.then has met after a click.
func (a *attempt) noteShown(met int) {
	if a.thens == nil {
		a.thens = &tasks.Look{Where: whereThen}
		if i := slices.IndexFunc(a.portal.recipe.Related, func(r RelatedRule) bool { return r.Attachments == a.recipe().Attachments }); i >= 0 {
			a.thens.Where = fmt.Sprintf("related[%d].%s", i, whereThen)
		}
	}
	a.thens.Met += met
}
