package browser

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// ErrClockSpins: a script of a page runs on and on while the page's clock runs ahead, as
// one does that waits in a loop for a time that never comes: the clock stands still for as
// long as a script runs.
var ErrClockSpins = errors.New("a script of the page runs without end while the page's clock stands still for it")

// spinsAfter is how long a page may give no sign of life while its clock runs ahead,
// before it is asked for one, and how long it then has to give it. A page that merely
// takes so long for its work is read again all the same, in real time.
const spinsAfter = 2 * time.Second

// refuseSpinning returns a context that also ends, with ErrClockSpins, when a script of
// a page whose clock has run ahead is found to run without end. What it returns is to be
// called in the end.
func (t *Tab) refuseSpinning(ctx context.Context) (context.Context, func()) {
	if !t.clock.virtual {
		return ctx, func() {}
	}
	since := time.Now()
	return t.refuse(ctx, ErrClockSpins, func(ctx context.Context) bool {
		return t.heard.silence(since) >= spinsAfter && !t.awaits() && t.spins(ctx)
	})
}

// staysAfter is how long a document that has been answered may take to be shown. It takes
// some milliseconds, and as long as the scripts run by which the page before it takes its
// leave.
const staysAfter = 3 * time.Second

// refuseStaying does the same, with ErrNotLeft, when the page that the tab shows keeps
// the next one from being shown.
func (t *Tab) refuseStaying(ctx context.Context) (context.Context, func()) {
	return t.refuse(ctx, ErrNotLeft, func(context.Context) bool { return t.stuck(staysAfter) })
}

// refuse returns a context that also ends, with the reason, when the page is found to spin.
func (t *Tab) refuse(ctx context.Context, reason error, spins func(context.Context) bool) (context.Context, func()) {
	guarded, cancel := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		tick := time.NewTicker(spinsAfter / 2)
		defer tick.Stop()
		for {
			select {
			case <-guarded.Done():
				return
			case <-tick.C:
			}
			if spins(guarded) {
				t.spinning.Store(true)
				cancel(reason)
				return
			}
		}
	})
	return guarded, func() { cancel(nil); watching.Wait() }
}

// spins reports whether the page gives no sign of life.
func (t *Tab) spins(ctx context.Context) bool {
	asked := time.Now()
	joined, cancel := join(t.live, ctx)
	defer cancel()
	joined, late := context.WithTimeout(joined, spinsAfter)
	defer late()
	_, err := chromedp.Call(joined, runtime.Evaluate, runtime.EvaluateParams{Expression: "0"})
	return errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil && t.live.Err() == nil &&
		!t.heard.heardSince(asked) && !t.awaits() && t.browser.confirm(ctx) == nil
}

// stop ends a page that was found to spin, and its tab with it.
func (t *Tab) stop(ctx context.Context) {
	if t.spinning.Load() {
		t.losing.Do(func() { t.die(errClosing) })
		t.crash(ctx)
	}
}

// crash has the process that renders the page crash: nothing else ends a script in an
// endless loop at once, and its messages would delay those of the tab that comes instead.
func (t *Tab) crash(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, endTimeout)
	defer cancel()
	joined, stop := join(t.process, ctx)
	defer stop()
	// Its answer is the crash. Where it has no effect, the tab is closed all the same.
	_, _ = chromedp.Call(joined, page.Crash, cdp.Empty{})
}
