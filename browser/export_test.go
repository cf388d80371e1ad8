package browser

import (
	"bytes"
	"context"
	"image/png"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// CloseBehindItsBack closes a tab as Chrome does by itself.
func (t *Tab) CloseBehindItsBack(ctx context.Context) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for t.live.Err() == nil {
		_ = t.askToClose(ctx) // an error means that it is closed
		select {
		case <-tick.C:
		case <-t.live.Done():
		}
	}
}

// DrawnSize returns the size of what Chrome draws, in pixels, when the page is drawn.
func (t *Tab) DrawnSize(ctx context.Context) ([2]int, error) {
	frames := chromedp.Events(t.live, page.ScreencastFrame)
	if _, err := call(ctx, t, page.StartScreencast, page.StartScreencastParams{Format: page.StartScreencastFormatPng}); err != nil {
		return [2]int{}, err
	}
	for e, err := range frames {
		if err != nil {
			return [2]int{}, err
		}
		picture, err := png.DecodeConfig(bytes.NewReader(e.Data))
		if err != nil {
			return [2]int{}, err
		}
		_, err = call(ctx, t, page.StopScreencast, cdp.Empty{})
		return [2]int{picture.Width, picture.Height}, err
	}
	return [2]int{}, t.dead()
}

// SetStallTimeout changes Config.StallTimeout. No document may be on its way.
func (b *Browser) SetStallTimeout(d time.Duration) { b.cfg.StallTimeout = d }

// HeardSince reports whether a message of Chrome's has come after that moment.
func (b *Browser) HeardSince(moment time.Time) bool { return b.vigil.heard.heardSince(moment) }

// IgnoreAllowlists has the browsers that a test launches not heed what a page may connect
// to. The test must not run beside others.
func IgnoreAllowlists(t *testing.T) {
	t.Helper()
	was := disabledFeatures
	disabledFeatures = slices.Concat(was, []string{allowlistFeature})
	t.Cleanup(func() { disabledFeatures = was })
}
