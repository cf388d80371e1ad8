package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// TidyUp makes the browser ready for the next order: it closes what the page has
// opened, and discards what it has downloaded without being asked. What cannot
// be tidied up makes the browser unfit. It takes a few seconds at the most, also
// when ctx has ended.
func (b *Browser) TidyUp(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recoverTimeout)
	defer cancel()
	for _, d := range b.downloads.takeUnclaimed() {
		b.Discard(ctx, d)
	}
	if err := b.CloseStrays(ctx); err != nil {
		b.taint(err)
	}
}

// CloseStrays closes the tabs and windows that pages have opened. It is called
// between orders: the headless shell leaves the tabs of downloads open.
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
	joined, cancel := b.tab.join(ctx)
	defer cancel()
	for _, id := range ids {
		if _, err := chromedp.CallBrowser(joined, target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(id)}); err != nil {
			b.mu.Lock()
			_, open := b.strays[id]
			b.mu.Unlock()
			if open {
				err = b.classify(joined, nil, err)
				b.taint(fmt.Errorf("a window that a page opened does not close: %w", err))
				return err
			}
		}
		b.mu.Lock()
		delete(b.strays, id)
		b.mu.Unlock()
	}
	return nil
}
