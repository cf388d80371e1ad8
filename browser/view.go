package browser

import (
	"context"
	"errors"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
)

// Pages are laid out in a window of this size, in CSS pixels.
const (
	viewWidth  = 1280
	viewHeight = 1000
)

// drawn is how much of a page is drawn, in CSS pixels each way.
const drawn = 100

// visibleSize are the parameters of a command that the package emulation leaves out,
// as the protocol calls it deprecated.
type visibleSize struct {
	Width  int64 `json:"width"`
	Height int64 `json:"height"`
}

var setVisibleSize = cdp.Command[visibleSize, cdp.Empty]{Method: "Emulation.setVisibleSize"}

// drawLittle has Chrome draw a corner of the page only, as nobody looks at it: what is
// laid out, and what the page learns of its window and of what is in view, stays as it is.
// A screenshot shows all of it. See docs/decisions/0016. A Chrome that does not know of
// this draws on.
func (t *Tab) drawLittle(ctx context.Context) error {
	yes := true
	_, err := call(ctx, t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(t.browser.cfg.Identity.width()), Height: int64(t.browser.cfg.Identity.height()), DontSetVisibleSize: &yes})
	if err != nil {
		return err
	}
	_, err = call(ctx, t, setVisibleSize, visibleSize{Width: drawn, Height: drawn})
	var unknown *cdproto.Error
	if errors.As(err, &unknown) {
		_, err = call(ctx, t, emulation.ClearDeviceMetricsOverride, cdp.Empty{})
	}
	return err
}
