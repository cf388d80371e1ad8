package scrape

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

// A list of orders that is in a frame of another host is the order's page once it is opened alone in the
// tab: the steps in that frame, the pages of the list and its documents are then those of a page like
// any other, and so is what proves that there are none.

const (
	// frameLook is how long a frame is left alone before it is looked at again.
	frameLook = 250 * time.Millisecond
	// frameRest is how long a frame that shows no rows has to stay the same, so that it is not about
	// to be replaced.
	frameRest = 5 * time.Second
)

// stepsOfList returns the steps before the first one in the frame of the list of orders, and the rest.
func (r *Recipe) stepsOfList() (before, within []Step) {
	steps := r.Open.Steps
	if r.List == nil || r.List.Frame == "" {
		return steps, nil
	}
	at := slices.IndexFunc(steps, func(s Step) bool { return s.Frame == r.List.Frame })
	if at < 0 {
		return steps, nil
	}
	return steps[:at], steps[at:]
}

// unframed returns the recipe for the page that the frame of the list of orders shows.
func (r *Recipe) unframed() *Recipe {
	one, list := *r, *r.List
	leave := func(frame *string) {
		if *frame == r.List.Frame {
			*frame = ""
		}
	}
	leave(&one.Ready.Frame)
	leave(&list.Frame)
	one.List, one.Fields = &list, slices.Clone(r.Fields)
	for i := range one.Fields {
		leave(&one.Fields[i].Frame)
	}
	if r.Lines != nil {
		lines := *r.Lines
		leave(&lines.Frame)
		one.Lines = &lines
	}
	if r.Attachments != nil {
		docs := *r.Attachments
		leave(&docs.Frame)
		one.Attachments = &docs
	}
	one.Open.Steps = slices.Clone(r.Open.Steps)
	for i := range one.Open.Steps {
		leave(&one.Open.Steps[i].Frame)
	}
	return &one
}

// enterList opens the frame of the list of orders alone in the tab, where it is one of another host.
func (a *attempt) enterList(ctx context.Context) error {
	rule := a.portal.recipe.List
	if rule == nil || rule.Frame == "" {
		return nil
	}
	f, err := a.frameOfList(ctx)
	if err != nil || f == nil {
		return err
	}
	if err := a.portal.wait(ctx, f.URL); err != nil {
		return err
	}
	if err := a.goTo(ctx, f.URL, fmt.Sprintf("%s %q", whereListFrame, rule.Frame)); err != nil {
		return err
	}
	a.unframed = a.portal.recipe.unframed()
	alone, err := a.settledList(ctx)
	if err == nil && alone.Rows < f.Met {
		return tasks.Retry(tasks.ClassPageIncomplete, "list.row meets %s in the frame %s, and %d where that is opened alone, so it is not known which orders it lists",
			count(f.Met, "element"), browser.Redact(f.URL), alone.Rows)
	}
	return err
}

// frameOfList returns the frame of another host that the list of orders is in, or nil where it is in
// one that can be looked into. It waits until that shows rows, or what the first step in it needs.
func (a *attempt) frameOfList(ctx context.Context) (*browser.ForeignFrame, error) {
	last, since, deadline := "", time.Now(), time.Now().Add(a.portal.recipe.Ready.Timeout)
	tick := time.NewTicker(frameLook)
	defer tick.Stop()
	for {
		p, err := a.settledPage(ctx)
		if err != nil {
			return nil, err
		}
		met, err := a.framesOfList(ctx)
		if errors.Is(err, browser.ErrNavigated) && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return nil, err
		}
		f, shows, err := a.frameShows(ctx, met)
		late, now := time.Now().After(deadline), fmt.Sprint(f, err)
		if now != last {
			since = time.Now()
		}
		switch {
		case err == nil && f == nil:
			return nil, nil
		case late, now == last && (shows || lasts(err) || f != nil && time.Since(since) > frameRest):
			return f, err
		case p.Refusal.Kind == verdict.RefusalNotFound && err != nil:
			if refused := a.refused(p); refused != nil {
				return nil, refused
			}
		}
		last = now
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// lasts reports whether it is of no use to wait until a frame can be read.
func lasts(err error) bool {
	f := (*tasks.Failure)(nil)
	return errors.As(err, &f) && (f.Advice == tasks.AdvicePermanent || f.Class == tasks.ClassIdentity)
}

// listFrame is a frame that list.frame meets: one that can be looked into, or of another origin. Early:
// it has yet to be loaded.
type listFrame struct {
	Visible, Early bool
	apart          *browser.ForeignFrame
}

// framesOfList returns the frames that list.frame meets; the visible ones, if there are any.
func (a *attempt) framesOfList(ctx context.Context) (met []listFrame, err error) {
	rule := a.portal.recipe.List
	if err := a.browser.Tab().Inspect(ctx, call("listFrames", readerRule(a.portal.recipe, a.task.PO, a.task.Digits)), &met); err != nil {
		return nil, err
	}
	foreign, err := a.browser.Tab().ForeignFrames(ctx, browser.Target{Selector: rule.Row, Frame: rule.Frame})
	for _, f := range foreign {
		if f.Meant {
			met = append(met, listFrame{Visible: f.Visible, apart: &f})
		}
	}
	if slices.ContainsFunc(met, func(f listFrame) bool { return f.Visible }) {
		met = slices.DeleteFunc(met, func(f listFrame) bool { return !f.Visible })
	}
	return met, err
}

// frameShows returns the one of the frames that is of another host, nil where all can be looked into,
// or why none can be read; and whether it shows rows, or what the first step in it needs.
func (a *attempt) frameShows(ctx context.Context, met []listFrame) (*browser.ForeignFrame, bool, error) {
	selector := a.portal.recipe.List.Frame
	at := slices.IndexFunc(met, func(f listFrame) bool { return f.Early || f.apart != nil })
	switch {
	case len(met) == 0:
		return nil, false, tasks.Retry(tasks.ClassPage, "%s %q meets no frame; check it", whereListFrame, selector)
	case at < 0:
		return nil, false, nil
	case len(met) > 1:
		several := tasks.Retry(tasks.ClassIdentity, "%s %q meets %d frames, and it is unclear which of them has the list; have it meet one", whereListFrame, selector, len(met))
		several.Outcome = tasks.OutcomeIdentityMismatch
		return nil, false, several
	case met[0].Early:
		return nil, false, tasks.Retry(tasks.ClassPageIncomplete, "the frame that %s %q meets has not been loaded", whereListFrame, selector)
	}
	f := met[0].apart
	u, err := browser.ParseURL(f.URL)
	switch {
	case err != nil || f.URL == "" || u.Scheme == "chrome-error":
		return nil, false, tasks.Retry(tasks.ClassPageIncomplete, "the frame that %s %q meets could not be loaded", whereListFrame, selector)
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, false, tasks.Permanent(tasks.OutcomeFailed, tasks.ClassPageIncomplete, "the frame that %s %q meets has no address of its own, so it cannot be opened alone to read it", whereListFrame, selector)
	case !a.allowed(f.URL):
		return nil, false, tasks.Permanent(tasks.OutcomeFailed, tasks.ClassHost, "%s %q meets a frame of a host that the recipe's allowed_hosts do not name; allow it to have the list read: %s", whereListFrame, selector, u.Host)
	}
	if _, within := a.portal.recipe.stepsOfList(); f.Met == 0 && len(within) > 0 {
		shown, err := a.browser.Tab().Shown(ctx, within[0].Target)
		return f, shown && err == nil, nil
	}
	return f, f.Met > 0, nil
}
