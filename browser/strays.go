package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

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
