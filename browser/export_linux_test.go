package browser

import "context"

// Widen lets pipes hold more.
var Widen = widen

// How much garbage is collected, and how much of it a page that was shown leaves.
const (
	CollectEvery = collectEvery
	Shown        = shown
)

// Collect has the tab's garbage collected.
func (t *Tab) Collect(ctx context.Context) { t.collect(ctx) }
