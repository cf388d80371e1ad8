package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Picture is what a window shows at a moment.
type Picture struct {
	JPEG []byte
	// Width and Height of what it shows, in CSS pixels.
	Width, Height float64
	id            int64
}

// maxPicture bounds a picture each way, in pixels. jpegQuality keeps small text readable.
const (
	maxPicture  = 4096
	jpegQuality = 75
)

// Cast has show called with a picture of an attended tab, and again when it has changed. No
// picture comes before NextPicture has been called with the one before. show must not block,
// nor call the browser. Cast blocks until ctx ends, or the tab is gone.
func (t *Tab) Cast(ctx context.Context, show func(Picture)) error {
	joined, cancel := join(t.live, ctx)
	defer cancel()
	if err := chromedp.Listen(joined, func(event any) {
		if e, ok := event.(*page.EventScreencastFrame); ok && joined.Err() == nil {
			show(Picture{JPEG: e.Data, Width: e.Metadata.DeviceWidth, Height: e.Metadata.DeviceHeight, id: e.SessionID})
		}
	}); err != nil {
		return err
	}
	quality, last := int64(jpegQuality), true
	_, err := attended(joined, t, page.StartScreencast, page.StartScreencastParams{Format: page.StartScreencastFormatJpeg,
		Quality: &quality, MaxWidth: maxPicture, MaxHeight: maxPicture, EveryNthFrame: 1, MaxFramesInFlight: 1, SendLastFrame: &last})
	if err != nil {
		return fmt.Errorf("beginning to take pictures: %w", err)
	}
	<-joined.Done()
	ending, cancelEnd := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancelEnd()
	if _, err := attended(ending, t, page.StopScreencast, cdp.Empty{}); err != nil && t.live.Err() == nil {
		return fmt.Errorf("ending the pictures: %w", err)
	}
	return nil
}

// NextPicture says that the picture has been seen, so that another one may come.
func (t *Tab) NextPicture(ctx context.Context, seen Picture) error {
	_, err := attended(ctx, t, page.ScreencastFrameAck, page.ScreencastFrameAckParams{SessionID: seen.id})
	return err
}
