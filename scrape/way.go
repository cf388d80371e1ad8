package scrape

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape/verdict"
	"github.com/poscrape/poscrape/tasks"
)

// readPage reads the order's page in the lightest way that can be trusted.
func (a *attempt) readPage(ctx context.Context) (*page, error) {
	way, mark := wayRender, 0
	kind := kindOf(a.address)
	switch a.portal.Mode() {
	case ModeAuto:
		way, mark = a.portal.trust.way(kind, a.task.ID, a.first())
	case ModeFetch:
		way = wayFetch
	}
	if way == wayFetch && a.portal.shares.keptBy(kind) {
		way, a.fellBack = wayRender, readApart
	}
	b := &both{kind: kind, mark: mark}
	var err error
	switch {
	case way == wayFetch && a.tab.standing() == originOf(a.address):
		var enough bool
		if b.fetched, enough, err = a.lighter(ctx, b); err != nil || enough {
			return &b.fetched.page, err
		}
	case way == wayCompare:
		if b.fetched, b.sums, err = a.fetchBefore(ctx); err != nil {
			return nil, err
		}
		if b.fetched.asksToWait(a.portal.recipe) {
			return nil, a.checkStatus(b.fetched.answer(a.address.String()), a.address.String())
		}
	}
	p, err := a.render(ctx)
	if err != nil {
		return nil, a.namingBoth(ctx, err)
	}
	if a.portal.Mode() == ModeRender || len(p.frames) > 0 {
		return p, nil
	}
	a.portal.trust.rendered(a.task.ID)
	switch also := a.alsoFetched(way, b, p); {
	case also:
		if b.fetched, err = a.fetchAsWell(ctx); err != nil {
			return nil, err
		}
	case way == wayCompare && p.Unsettled != "":
		b.fetched = nil
	}
	b.page, a.both = p, b
	return p, nil
}

// namingBoth has the error of a page that could not be rendered say too why fetching it was
// not enough, if it was tried. An answer that is final, such as that there is no such order,
// stays as it is, for rendering has found it; and so does what was not the order's fault.
func (a *attempt) namingBoth(ctx context.Context, err error) error {
	if a.fellBack == "" {
		return err
	}
	f := *a.failure(ctx, err)
	final := f.Advice == tasks.AdvicePermanent && f.Outcome != "" && f.Outcome != tasks.OutcomeFailed
	if final || f.Advice == tasks.AdviceRelease || f.Facts.Disk != nil || f.Message == a.fellBack {
		return err
	}
	f.Message += "; it was rendered because fetching it was not enough: " + a.fellBack
	return &f
}

// alsoFetched reports whether a page that was rendered is to be fetched now, to compare the
// two: also where it was only rendered to get the tab there, as it may vouch for others.
func (a *attempt) alsoFetched(way way, b *both, p *page) bool {
	if a.portal.Mode() == ModeFetch {
		return way == wayFetch && (b.fetched == nil || b.fetched.Why != "")
	}
	return way == wayCompare && p.Unsettled == "" && b.fetched == nil
}

// first reports whether nothing speaks against reading the order in the lightest
// way: no attempt at it failed, nor lost its browser.
func (a *attempt) first() bool {
	return a.task.Attempts == 0 && a.task.Result == nil && !slices.ContainsFunc(a.task.History, func(earlier tasks.Attempt) bool {
		return earlier.Error != nil && earlier.Error.Class == tasks.ClassBrowserLost
	})
}

// fetchAsWell fetches a page that was rendered, to compare the two. It returns nil
// where that would take more than a quarter of the attempt's time.
func (a *attempt) fetchAsWell(ctx context.Context) (*fetched, error) {
	defer a.enter(tasks.PhaseSettle)
	bounded, cancel := aQuarter(ctx)
	defer cancel()
	f, err := a.fetchPage(bounded)
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		return nil, nil
	}
	return f, err
}

// aQuarter returns a context with a quarter of the time that an attempt still has, for what the attempt can do
// without.
func aQuarter(ctx context.Context) (context.Context, context.CancelFunc) {
	if deadline, is := ctx.Deadline(); is {
		return context.WithTimeout(ctx, time.Until(deadline)/4)
	}
	return context.WithCancel(ctx)
}

// lighter fetches the page, and reports whether that is enough. Where it is rendered as
// well, to see that it still would be, its documents are fetched as they would be too.
func (a *attempt) lighter(ctx context.Context, b *both) (*fetched, bool, error) {
	if err := a.share(ctx); err != nil {
		return &fetched{}, false, err
	}
	a.executor = tasks.ExecutorFetch
	f, err := a.fetchPage(ctx)
	if err != nil {
		return &fetched{}, false, err
	}
	switch {
	case f.Elsewhere: // no fall-back: the tab has to get there first
		a.tab.stand("")
		return f, false, nil
	case f.Why == "" && a.portal.shares.list(a.task.ID, itemKeys(f.Items)):
		a.fallBack(b.kind, readApart)
		return f, false, nil
	case a.portal.Mode() == ModeFetch && f.Led: // only the tab can see where to
		return f, false, nil
	case a.portal.Mode() == ModeFetch:
		return f, true, a.onlyFetched(f)
	case f.asksToWait(a.portal.recipe):
		return f, false, a.checkStatus(f.answer(a.address.String()), a.address.String())
	case f.Status != 0: // which says nothing of pages of this kind
		a.fellBack = f.Why
		return f, false, nil
	case f.Why != "":
		a.fallBack(b.kind, f.Why)
		return f, false, nil
	}
	if lacking := a.lack(f); lacking != "" {
		a.fallBack(b.kind, lacking)
		return f, false, nil
	}
	switch a.portal.trust.treat(b.kind, f.Print, a.task, len(f.Items) > 0) {
	case treatUse:
		a.tab.opened(a.address)
		a.page, a.status = f.URL, http.StatusOK
		return f, true, nil
	case treatUnknown:
		a.fellBack = "its scripts, or the shape of what they have to work on, are not known from orders that were read both ways"
	case treatAudit: // no fall-back: nothing is wrong with it
		b.sums = a.sample(ctx, f.Items)
	}
	return f, false, nil
}

// fallBack notes why the order, which was fetched, is rendered after all.
func (a *attempt) fallBack(kind, why string) {
	a.fellBack = why
	if a.portal.Mode() == ModeAuto {
		a.portal.trust.fellBack(kind)
	}
}

// onlyFetched says what a page that will not be rendered is worth.
func (a *attempt) onlyFetched(f *fetched) error {
	if f.Why != "" {
		if err := a.checkStatus(f.answer(a.address.String()), a.address.String()); err != nil {
			return err
		}
		return tasks.Retry(tasks.ClassUnproven, "the page was only fetched (--mode fetch), and %s", f.Why)
	}
	a.page, a.status = f.URL, http.StatusOK
	switch {
	case a.portal.trust.vouched(kindOf(a.address), f.Print):
		f.Styled = false
	case f.Scripted && f.Unfit == "":
		f.Unfit = "its scripts may show something else than its text (--mode auto finds out)"
	}
	return a.refused(&f.page)
}

// render opens the order's page in the tab, which is the order's own from then on, and returns
// it unless nothing of it is to be kept.
func (a *attempt) render(ctx context.Context) (*page, error) {
	p, err := a.rendered(ctx)
	if err == nil {
		err = a.admitted(ctx, p)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// rendered returns the page, whatever it is.
func (a *attempt) rendered(ctx context.Context) (*page, error) {
	if err := a.own(ctx); err != nil {
		return nil, err
	}
	a.executor = tasks.ExecutorRender
	a.tab.opened(a.address)
	a.tab.stand("")
	if a.browser.Tab().Lost() != nil {
		a.browser.TidyUp(ctx) // it was lost among orders that were only fetched
	}
	defer a.arrive()
	a.chooseClock()
	p, err := a.openAndRead(ctx)
	if why := clockTrouble(err); why != "" {
		p, err = a.readInRealTime(ctx, why)
	}
	return p, err
}

// refused returns why nothing of the page is to be kept, or nil.
func (a *attempt) refused(p *page) error {
	if a.related != nil {
		if f := verdict.NoPage(a.facts(p, nil)); f != nil {
			return f
		}
		return nil
	}
	fields := a.fields(p)
	r := verdict.Refuse(a.facts(p, fields))
	if r == nil {
		return nil
	}
	switch looks := a.looks(p, fields); {
	case !r.Foreign:
		r.Failure.Looks = looks
	case slices.Contains([]tasks.Class{tasks.ClassNotFound, tasks.ClassAccessDenied, tasks.ClassThrottled}, r.Failure.Class): // by which selector, if by one
		r.Failure.Looks = slices.DeleteFunc(looks, func(l tasks.Look) bool {
			return l.Met == 0 || !slices.Contains([]string{"not_found.selector", "access_denied.selector", "throttled.selector"}, l.Where)
		})
	}
	return r.Failure
}

// openAndRead opens the order's page and reads it, once more without what it waits for in
// vain where only that keeps it from proving that it lists nothing.
func (a *attempt) openAndRead(ctx context.Context) (*page, error) {
	p, err := a.openAndReadCurrent(ctx)
	if err != nil || a.without || !verdict.WaitsInVain(a.facts(p, a.fields(p))) {
		return p, err
	}
	if deadline, is := ctx.Deadline(); is && time.Until(deadline) < 2*a.portal.recipe.Ready.Timeout {
		return p, nil
	}
	a.without = true
	blocked, err := a.block(ctx, p)
	if err != nil || !blocked {
		return p, err
	}
	defer func() { _ = a.browser.Tab().Block(context.WithoutCancel(ctx)) }() // where it fails, the tab is lost
	return a.openAndReadCurrent(ctx)
}

// openAndReadCurrent opens the order's page and reads it, once more past Chrome's cache where data came
// out of that: it may be another order's, or older than the attempt. What pages fetch is asked for anew
// (watch.js), and so are pages and frames (browser), but for other requests there is no such way.
func (a *attempt) openAndReadCurrent(ctx context.Context) (*page, error) {
	a.stale = false
	_ = a.browser.Tab().Kept() // by an earlier page
	p, err := a.openAndReadOnce(ctx)
	tab := a.browser.Tab()
	if stale := tab.Kept() || a.stale; !stale || ctx.Err() != nil || tab.Lost() != nil || clockTrouble(err) != "" {
		return p, err
	}
	a.portal.keeps.Store(true)
	return a.openAndReadOnce(ctx)
}

func (a *attempt) openAndReadOnce(ctx context.Context) (*page, error) {
	a.enter(tasks.PhaseOpen)
	a.sent = a.sent.Past() // what an earlier page has sent may count no more
	if err := a.open(ctx); err != nil {
		return nil, err
	}
	if err := a.getThere(ctx); err != nil {
		return nil, err
	}
	a.enter(tasks.PhaseSettle)
	a.paging = nil // of an earlier reading
	p, err := a.readClosed(ctx, a.recipe().expands())
	if err != nil || len(a.recipe().expands()) == 0 && !a.recipe().turns() && !a.hasApart(p) {
		return p, err
	}
	if refused := a.refused(p); refused != nil {
		if a.mayStandApart(p, refused) {
			err = a.lookForFrames(ctx, p)
		}
		return p, err
	}
	if len(a.recipe().expands()) > 0 {
		clicked, err := a.expand(ctx)
		if err == nil && (clicked || p.Closed) { // or it went away by itself
			before := p
			if p, err = a.read(ctx); err == nil {
				p.retain(before, a.recipe())
			}
		}
		if err != nil {
			return p, err
		}
	}
	if p, err = a.turnPages(ctx, p); err == nil {
		err = a.lookForFrames(ctx, p)
	}
	return p, err
}

// getThere does what leads from the address that was opened to the order's page. Its other pages
// are at their own addresses.
func (a *attempt) getThere(ctx context.Context) error {
	if !a.portal.recipe.Acts() || a.related != nil {
		return nil
	}
	if err := a.search(ctx); err != nil {
		return err
	}
	before, within := a.portal.recipe.stepsOfList()
	if err := a.unbarredAct(ctx, before); err != nil {
		return err
	}
	if err := a.enterList(ctx); err != nil {
		return err
	}
	if n := len(within); n > 0 {
		steps := a.recipe().Open.Steps
		if err := a.unbarredAct(ctx, steps[len(steps)-n:]); err != nil {
			return err
		}
	}
	return a.turnList(ctx)
}

// unbarredAct does steps, unless the page shows no order to anybody.
func (a *attempt) unbarredAct(ctx context.Context, steps []Step) error {
	if len(steps) == 0 {
		return nil
	}
	if steps[0].Kind != StepGo { // which sees to that itself
		if err := a.unbarred(ctx, steps[0], false); err != nil {
			return err
		}
	}
	return a.act(ctx, steps)
}

// arrive notes where the tab has got to, be it the order's page or a refusal.
func (a *attempt) arrive() {
	if u, err := browser.ParseURL(a.page); err == nil && u.Host != "" {
		a.tab.stand(originOf(u))
	}
}

// originOf returns the origin of an address, as far as two of them are to be compared.
func originOf(u *url.URL) string { return u.Scheme + "://" + u.Host }
