package browser

import (
	"context"
	"time"
)

// CloseBehindItsBack closes a tab as Chrome does by itself.
func (t *Tab) CloseBehindItsBack(ctx context.Context) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for t.live.Err() == nil {
		_ = t.askToClose(ctx) // an error means that it is closed
		select {
		case <-tick.C:
		case <-t.live.Done():
		}
	}
}
