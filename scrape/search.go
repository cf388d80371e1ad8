package scrape

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/template"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

// whereResult is the place of the selector of a search's results.
const whereResult = "open.search.result"

// searchPatience is how long a search that was typed may take to show the order, after
// the page has come to rest: applications ask their server a moment later, and show what an
// earlier search has found meanwhile.
const searchPatience = 3 * time.Second

// found is what a search has found.
type found struct {
	// Met is how many results there are, Says what the first of them say, and Hits how many
	// show the order's number.
	Met, Hits int
	Says      []string
	// To is the address of the one that does, where it would be shown in another window.
	To string
	// Shows is the page's address and text, by which it is told from the next one.
	Shows string
}

// search finds the order in the search page that the tab shows, and goes to it. A row that has an
// address of its own needs no search.
func (a *attempt) search(ctx context.Context) error {
	rule := a.portal.recipe.Open.Search
	if rule == nil || !a.atSearch(rule) {
		return nil
	}
	patience := time.Now()
	if rule.Input != "" {
		if err := a.submit(ctx, rule); err != nil {
			return err
		}
		patience = time.Now().Add(searchPatience)
	}
	res, p, err := a.results(ctx, rule, patience)
	if err != nil {
		return err
	}
	a.searched = &tasks.Look{Where: whereResult, Met: res.Met, Mark: a.portal.marks[whereResult]}
	switch {
	case res.Hits == 1:
		return a.follow(ctx, rule, res)
	case res.Hits > 1:
		return tasks.Permanent(tasks.OutcomeFailed, tasks.ClassSearch, "the search shows %s in %d results of %s, and it is unclear which is the order; have it meet only one", a.task.PO, res.Hits, quoted(rule.Result))
	case p.Refusal.Kind == verdict.RefusalNotFound && p.Refusal.Ruled:
		return tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "the portal has no such order: its search says %s", quoted(p.Refusal.Text))
	}
	f := tasks.Retry(tasks.ClassSearch, "the search found no result that shows %s: %s; if the page says that there is none, name that under not_found", a.task.PO, res.describe(rule.Result))
	f.Looks = []tasks.Look{*a.searched}
	return f
}

// describe says what a search without a hit has met.
func (f found) describe(selector string) string {
	if f.Met == 0 {
		return fmt.Sprintf("%s met nothing", quoted(selector))
	}
	return fmt.Sprintf("%s met %s: %s", quoted(selector), count(f.Met, "other result"), quoted(strings.Join(f.Says, " | ")))
}

// atSearch reports whether the order's address is that of the search.
func (a *attempt) atSearch(rule *SearchRule) bool {
	u, err := template.ParseURL(rule.URL, a.portal.recipe.BaseURL)
	if err != nil {
		return false
	}
	address, err := u.Expand(a.orderValues())
	return err == nil && address == a.task.URL
}

// submit types the number and sends it.
func (a *attempt) submit(ctx context.Context, rule *SearchRule) error {
	steps := []Step{
		{Where: "open.search.input", Kind: StepFill, Target: browser.Target{Selector: rule.Input}, Value: "{po}"},
		{Where: "open.search.submit", Kind: StepClick, Target: browser.Target{Selector: rule.Submit}},
	}
	if rule.Submit == "" {
		steps[1] = Step{Where: "open.search.input", Kind: StepPress, Target: browser.Target{Selector: rule.Input}, Value: "Enter"}
	}
	if err := a.portal.wait(ctx, a.page); err != nil {
		return err
	}
	if err := a.unbarred(ctx, steps[0], true); err != nil {
		return err
	}
	return a.act(ctx, steps)
}

// results waits until the page is settled and shows the order among its results, or has
// been settled without it for as long as patience.
func (a *attempt) results(ctx context.Context, rule *SearchRule, patience time.Time) (found, *page, error) {
	words := a.onTheWay()
	words.Attachments = &attachmentRule{Item: rule.Result, Exclude: []Pick{}}
	for {
		p, err := a.settled(ctx, words)
		if err == nil && p.BadSelector != "" {
			return found{}, nil, a.badSelector(p.BadSelector)
		}
		if err == nil {
			err = a.moved()
		}
		var res found
		if err == nil {
			res, err = a.found(ctx, words, rule, false)
		}
		switch {
		case errors.Is(err, browser.ErrNavigated) && ctx.Err() == nil:
			continue
		case err != nil:
			return found{}, nil, err
		case res.Hits > 0:
			return res, p, nil
		case a.bars(p):
			if err := a.refused(p); err != nil {
				return found{}, nil, err
			}
		}
		if time.Now().After(patience) {
			return res, p, nil
		}
		if err := a.browser.Tab().Calm(ctx, calm, settleAfterStep); err != nil {
			return found{}, nil, err
		}
	}
}

// found asks what the page shows of a search, and may follow the one result.
func (a *attempt) found(ctx context.Context, words rule, rule *SearchRule, follow bool) (found, error) {
	var res found
	look := a.browser.Tab().Inspect
	if follow {
		look = a.browser.Tab().InspectAndClick
	}
	err := look(ctx, call("found", words, rule.Result, follow), &res)
	return res, err
}

// follow goes to the one result. It is an error when that changes nothing: the results show
// the number too, and would be taken for the order's page.
func (a *attempt) follow(ctx context.Context, rule *SearchRule, was found) error {
	if err := a.portal.wait(ctx, a.page); err != nil {
		return err
	}
	tab := a.browser.Tab()
	words := readerRule(a.portal.recipe, a.task.PO, a.task.Digits)
	if was.To != "" {
		_, err := tab.Navigate(ctx, was.To, a.page)
		if kept := (*browser.StoppedError)(nil); errors.As(err, &kept) {
			return a.stopped(kept.URL)
		}
		return err
	}
	stop := tab.KeepPace(ctx)
	clicked, err := a.found(ctx, words, rule, true)
	stop()
	switch {
	case errors.Is(err, browser.ErrNavigated):
	case err != nil:
		return err
	case clicked.Hits != 1:
		return tasks.Retry(tasks.ClassSearch, "the results of the search changed before the one of %s could be opened", a.task.PO)
	}
	deadline := time.Now().Add(a.portal.recipe.Ready.Timeout)
	for {
		if err := tab.Calm(ctx, calm, settleAfterStep); err != nil {
			return err
		}
		if stopped := a.stopped(a.browser.Stopped()); stopped != nil {
			return stopped
		}
		now, err := a.found(ctx, words, rule, false)
		switch {
		case errors.Is(err, browser.ErrNavigated) && ctx.Err() == nil:
		case err != nil:
			return err
		case now.Shows != was.Shows:
			return nil
		case time.Now().After(deadline):
			return tasks.Retry(tasks.ClassSearch, "the result that shows %s was clicked, and the page did not change; check %s %s", a.task.PO, whereResult, quoted(rule.Result))
		}
	}
}
