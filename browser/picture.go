package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// PagePicture returns a PNG of the whole page, from its top left corner and no larger than so
// many pixels, one for each CSS pixel. It blocks until the page is drawn, see KeepPace.
func (t *Tab) PagePicture(ctx context.Context, width, height int) ([]byte, error) {
	size, err := call(ctx, t, page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		return nil, fmt.Errorf("measuring the page: %w", err)
	}
	yes := true
	clip := page.Viewport{Width: float64(width), Height: float64(height), Scale: 1}
	if whole := size.CSSContentSize; whole != nil {
		clip.Width, clip.Height = max(1, min(clip.Width, whole.Width)), max(1, min(clip.Height, whole.Height))
	}
	res, err := call(ctx, t, page.CaptureScreenshot, page.CaptureScreenshotParams{Clip: &clip, CaptureBeyondViewport: &yes})
	if err != nil {
		return nil, fmt.Errorf("taking a picture of the page: %w", err)
	}
	return res.Data, nil
}
