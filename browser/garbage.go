package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
)

// A tab's garbage is collected after every tenth page that it has shown, or every two
// hundredth script that was run beside one: those fetch pages, which leaves less behind.
// What else was measured is in docs/decisions/0019.
const (
	collectEvery = 200
	shown        = collectEvery / 10
)

// litters notes that something leaves so much garbage in the tab, and reports whether it
// is time to collect it. Where pages are drawn on demand, Chrome has no idle time for
// that, and takes 30 MB more for each tab.
func (t *Tab) litters(n int64) bool {
	all := t.litter.Add(n)
	return t.browser.cfg.drawsOnDemand() && all/collectEvery != (all-n)/collectEvery
}

// collect has the tab's garbage collected.
func (t *Tab) collect(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, leaveTimeout)
	defer cancel()
	_, _ = call(ctx, t, heapprofiler.CollectGarbage, cdp.Empty{}) // a tab that is lost is seen to be so
}
