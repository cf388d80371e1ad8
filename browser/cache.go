package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// maxCached is how many bytes of documents may have come before a cache in memory is
// cleared: nobody asks for a document twice, and Chrome would keep up to 50 MB of them.
const maxCached = 8 << 20

// cached notes that so many bytes of a document have come, which Chrome may have put into
// its cache. A cache that cannot be cleared now is cleared with a later document.
func (l *lane) cached(ctx context.Context, size int64) {
	b := l.browser
	if b.inCache.Add(size) < maxCached || !b.cfg.inMemory() {
		return
	}
	if _, err := call(ctx, l.tab, network.ClearBrowserCache, cdp.Empty{}); err == nil {
		b.inCache.Store(0)
	}
}
