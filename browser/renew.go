package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// leaveTimeout bounds the attempt to leave a page whose call was given up, and
// endTimeout that to end one that could not be left, which takes some 50 ms.
const (
	leaveTimeout = 2 * time.Second
	endTimeout   = 2 * time.Second
)

// errClosing is why a tab ends that this program closes.
var errClosing = errors.New("the tab was closed")

// openTab opens a tab, in a window of its own: where Chrome has windows, only the
// front tab of each is visible, and no other is drawn. It is given up when ctx ends,
// or after the start timeout.
func (b *Browser) openTab(ctx context.Context) (*Tab, error) {
	answered := b.watch(nil)
	defer answered()
	ctx, cancel := context.WithTimeout(ctx, b.cfg.StartTimeout)
	defer cancel()
	t, err := b.tryTab(ctx)
	if errors.Is(err, ErrPageCrashed) { // before there was a page to blame
		t, err = b.tryTab(ctx)
	}
	return t, err
}

// tryTab opens a tab, or fails at once when a process crashes that may be its own:
// Chrome answers nothing about it then.
func (b *Browser) tryTab(ctx context.Context) (*Tab, error) {
	ctx, crash := context.WithCancelCause(ctx)
	defer crash(nil)
	opening := &crash
	b.mu.Lock()
	b.openings[opening] = struct{}{}
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		delete(b.openings, opening)
		b.mu.Unlock()
	}()
	// The context of a tab's first call is that of its whole life, so it has no
	// time-out; what ends it in time also closes the tab.
	life, free, err := b.newTarget(ctx)
	if err != nil {
		return nil, fmt.Errorf("opening a tab: %w", err)
	}
	stop := context.AfterFunc(ctx, free)
	err = chromedp.Do(life)
	var t *Tab
	if err == nil {
		t, err = b.adopt(life, free)
	}
	if inTime := stop(); err == nil && inTime {
		return t, nil
	}
	b.background(free) // it waits until the tab is closed
	return nil, fmt.Errorf("opening a tab: %w", b.classify(ctx, nil, errors.Join(err, context.Cause(ctx))))
}

// renew makes sure that the browser's tab can be used: a page that was given up
// is left, and a tab that is lost is replaced.
func (b *Browser) renew(ctx context.Context) {
	t := b.Tab()
	if !t.spinning.Load() && !t.wasOpened() && t.leave(ctx) == nil && t.unfollow(ctx) && time.Until(t.clock.latest) < maxAhead && !t.undrawn.Load() || b.lost() {
		if t.litters(shown) {
			t.collect(ctx)
		}
		return
	}
	t.end(ctx)
	if err := b.Replace(ctx); err != nil {
		b.taint(fmt.Errorf("its tab could not be replaced: %w", err))
	}
}

// Replace opens another tab instead of the browser's own. It blocks until that one can
// be used, some 50 ms. What a State had in its session storage is there too.
func (b *Browser) Replace(ctx context.Context) error {
	b.keepSession(ctx, b.sessionOrigins())
	return b.replace(ctx)
}

func (b *Browser) replace(ctx context.Context) error {
	t := b.Tab()
	t.stop(ctx)
	fresh, err := b.openTab(ctx)
	if err == nil {
		err = b.takeOver(ctx, fresh)
	}
	if err != nil {
		if fresh != nil {
			fresh.close(ctx)
		}
		return err
	}
	b.mu.Lock()
	b.tab = fresh
	before := []*Tab{t}
	for opener := t.opener; opener != nil; opener = opener.opener { // whose page may have been a window, too
		before = append(before, opener)
	}
	b.mu.Unlock()
	for _, t := range before {
		t.close(ctx)
	}
	return nil
}

// RealTime makes sure that the clock of the browser's tab is real. One that has
// run ahead cannot be put back, so the tab is then replaced.
func (b *Browser) RealTime(ctx context.Context) error {
	if b.Tab().clock.virtual {
		return b.Replace(ctx)
	}
	return nil
}

// end ends the page of a lost tab.
func (t *Tab) end(ctx context.Context) {
	if errors.Is(t.dead(), ErrPageHung) {
		t.crash(ctx)
	}
}

// leave stops what a call that was given up has begun, and a page that has led on
// by itself and may do so again: a navigation that meets one of the page's own is
// now and then never answered. A page that cannot be left loses its tab.
func (t *Tab) leave(ctx context.Context) error {
	if err := t.dead(); err != nil || !t.givenUp.Load() && !t.wandered() {
		return err
	}
	limit := leaveTimeout
	if deadline, ok := ctx.Deadline(); ok { // the rest is for another tab
		limit = min(limit, time.Until(deadline)/2)
	}
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := t.StopLoading(ctx)
	if changing(err) {
		// A page that does not answer is not navigated away from either: while
		// that is under way, nothing can end it any more.
		err = t.answers(ctx)
	}
	if changing(err) {
		err = t.blank(ctx)
	}
	if err == nil {
		t.givenUp.Store(false)
		return nil
	}
	if outer.Err() != nil || t.browser.lost() {
		return err
	}
	t.lose(fmt.Errorf("%w: it could not be left within %v", ErrPageHung, limit.Round(time.Millisecond)))
	return t.dead()
}

// blank empties the tab. A page that leads on by itself may come in between, and
// then it is tried again.
func (t *Tab) blank(ctx context.Context) error {
	for {
		res, err := t.commit(ctx, page.NavigateParams{URL: "about:blank"})
		switch {
		case !changing(err):
			return err
		case err == nil && !t.showsOther(res.LoaderID):
			t.settled()
			return nil
		}
	}
}

// changing reports whether an answer, or the refusal of one, is that of a tab
// that may be about to show another document: it is not hung.
func changing(err error) bool {
	var refused *cdproto.Error
	return err == nil || errors.Is(err, ErrNavigated) || errors.As(err, &refused)
}

// close closes the tab. Until Chrome has closed it, which may take as long as its
// page is waited for, its messages must go on being read: they would block those
// of all other tabs.
func (t *Tab) close(ctx context.Context) {
	b := t.browser
	t.losing.Do(func() { t.die(errClosing) })
	select {
	case <-t.gone: // Chrome has closed it already
		b.background(t.free)
		return
	default:
	}
	limit := b.cfg.HangTimeout
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	if err := t.askToClose(ctx); err != nil {
		b.taint(fmt.Errorf("a tab does not close: %w", err))
		cancel()
		return
	}
	b.background(func() {
		defer cancel()
		again := time.NewTicker(closeAgain)
		defer again.Stop()
		for {
			select {
			case <-t.gone:
				t.free()
				return
			case <-again.C:
				_ = t.askToClose(ctx) // whether it worked is seen above and below
			case <-b.root.Done():
				return
			case <-ctx.Done():
				b.taint(fmt.Errorf("a tab did not close within %v", limit))
				return
			}
		}
	})
}

// closeAgain is how long a tab may take to close before it is asked again: Chrome
// forgets what it was asked while a page has just begun to load, though it said
// that it would (measured with Chrome 156).
const closeAgain = time.Second

func (t *Tab) askToClose(ctx context.Context) error {
	_, err := callBrowser(ctx, t.browser, target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(t.id)})
	return err
}
