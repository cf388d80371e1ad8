package browser

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/chromedp/cdproto/headlessexperimental"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

const (
	// picture is how long a picture of a page stays, about, while it is drawn as for a
	// screen.
	picture = 20 * time.Millisecond
	// slowLoad is how long a page may take to load before it is drawn, in case it waits
	// for that.
	slowLoad = 100 * time.Millisecond
	// pictureTimeout is how long Chrome may take to draw a page. It takes some milliseconds,
	// or as long as the page's scripts run.
	pictureTimeout = 5 * time.Second
)

// drawsOnDemand reports whether pages are drawn when poscrape says so, and not as often as
// a screen shows them: see docs/decisions/0019.
func (c Config) drawsOnDemand() bool {
	return runtime.GOOS == "linux" && c.Chrome.HeadlessShell && !c.Attended
}

// newTarget returns the context of a new tab, in a window of its own.
func (b *Browser) newTarget(ctx context.Context) (context.Context, func(), error) {
	if !b.cfg.drawsOnDemand() {
		life, free := chromedp.NewContext(b.root, chromedp.WithNewWindow(true))
		return life, free, nil
	}
	yes := true
	res, err := callBrowser(ctx, b, target.CreateTarget, target.CreateTargetParams{
		URL: "about:blank", NewWindow: &yes, EnableBeginFrameControl: &yes})
	if err != nil {
		return nil, nil, err
	}
	life, free := chromedp.NewContext(b.root, chromedp.WithTargetID(res.TargetID))
	return life, free, nil
}

// draw has the page drawn, unless that is under way. Without a picture, only what the page
// does when it is drawn is done, which takes half as much; but screenshots do not end. It
// does not block.
func (t *Tab) draw(picture bool) {
	if !t.browser.cfg.drawsOnDemand() || !t.drawing.CompareAndSwap(false, true) {
		return
	}
	t.browser.background(func() {
		defer t.drawing.Store(false)
		ctx, cancel := context.WithTimeout(t.live, pictureTimeout)
		defer cancel()
		without := !picture
		_, err := chromedp.Call(ctx, headlessexperimental.BeginFrame, headlessexperimental.BeginFrameParams{NoDisplayUpdates: &without})
		if errors.Is(err, context.DeadlineExceeded) {
			t.undrawn.Store(true)
		}
	})
}
