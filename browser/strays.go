package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/target"
)

// TidyUp makes the browser ready for the next order: it closes what the page has
// opened, ends what it still loads, leaves a page that a call was given up for, and
// replaces a tab that is lost, or whose page may still begin a download. What cannot be tidied
// up makes the browser unfit. It takes Config.HangTimeout at the most, and 2.5
// seconds when ctx has ended.
func (b *Browser) TidyUp(ctx context.Context) {
	limit := b.cfg.HangTimeout
	if ctx.Err() != nil {
		limit = min(limit, hurriedTimeout)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	if err := b.CloseStrays(ctx); err != nil {
		b.taint(err)
	}
	b.renew(ctx)
	b.downloads.tidyUp()
}

// hurriedTimeout bounds TidyUp where somebody waits for the browser's end.
const hurriedTimeout = 2500 * time.Millisecond

// CloseStrays closes the tabs and windows that pages have opened: the headless shell
// leaves the tabs of downloads open. What still comes of them belongs to nobody. One that
// is not closed yet the next time is asked again.
func (b *Browser) CloseStrays(ctx context.Context) error {
	b.disown()
	b.mu.Lock()
	var ids []string
	for id := range b.strays {
		ids = append(ids, id)
	}
	b.mu.Unlock()
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
