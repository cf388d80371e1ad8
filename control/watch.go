package control

import (
	"context"
	"iter"
	"reflect"
	"time"
)

const (
	// lookEvery is how often a watched session is looked at.
	lookEvery = 250 * time.Millisecond
	// tellAtLeast is how often a watcher is told even if nothing has changed.
	tellAtLeast = 2 * time.Second
)

// Watch yields how a session stands: at once, then whenever that has changed, at most four
// times a second and at least every 2 s, and at last when it has ended. It stops when ctx ends.
func Watch(ctx context.Context, s Session) iter.Seq[Snapshot] {
	return func(yield func(Snapshot) bool) {
		ticker := time.NewTicker(lookEvery)
		defer ticker.Stop()
		var told Snapshot
		for {
			over := false
			select {
			case <-s.Ended():
				over = true
			default:
			}
			now := s.Snapshot()
			if over || now.Status.At.Sub(told.Status.At) >= tellAtLeast || changed(told, now) {
				if !yield(now) || over {
					return
				}
				told = now
			}
			select {
			case <-ctx.Done():
				return
			case <-s.Ended():
			case <-ticker.C:
			}
		}
	}
}

// changed reports whether more than the time has changed.
func changed(a, b Snapshot) bool {
	a.Status.At, a.Status.ETAMS, a.Status.RatePerMinute = b.Status.At, b.Status.ETAMS, b.Status.RatePerMinute
	return !reflect.DeepEqual(a, b)
}
