package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/target"
)

// TidyUp makes the browser ready for the next order: it closes what the page has
// opened, discards what it has downloaded without being asked, leaves a page that
// a call was given up for, and replaces a tab that is lost. What cannot be tidied
// up makes the browser unfit. It takes Config.HangTimeout at the most, and 2.5
// seconds when ctx has ended.
func (b *Browser) TidyUp(ctx context.Context) {
	limit := b.cfg.HangTimeout
	if ctx.Err() != nil {
		limit = min(limit, hurriedTimeout)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	for _, d := range b.downloads.takeUnclaimed() {
		b.Discard(ctx, d)
	}
	if err := b.CloseStrays(ctx); err != nil {
		b.taint(err)
	}
	b.renew(ctx)
}

// hurriedTimeout bounds TidyUp where somebody waits for the browser's end.
const hurriedTimeout = 2500 * time.Millisecond

// CloseStrays closes the tabs and windows that pages have opened. It is called
// between orders: the headless shell leaves the tabs of downloads open. One that is
// not closed yet the next time is asked again.
func (b *Browser) CloseStrays(ctx context.Context) error {
	b.mu.Lock()
	var ids []string
	for id := range b.strays {
		ids = append(ids, id)
	}
	b.mu.Unlock()
	if len(ids) == 0 {
		return nil
	}
	for _, id := range ids {
		if _, err := callBrowser(ctx, b, target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(id)}); err != nil {
			b.mu.Lock()
			_, open := b.strays[id]
			b.mu.Unlock()
			if open {
				b.taint(fmt.Errorf("a window that a page opened does not close: %w", err))
				return err
			}
		}
	}
	return nil
}
