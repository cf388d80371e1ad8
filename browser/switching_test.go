package browser

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// While Chrome does not answer whoever tells it what to intercept, the next one gives up in
// time, and the browser is not used for another page.
func TestInterceptDoesNotWaitForEver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &Browser{gate: gate{switching: make(chan struct{}, 1), allowed: func(string) bool { return false }}}
		stuck := make(chan struct{})
		go func() { _ = b.gate.switched(t.Context(), func() error { <-stuck; return nil }) }()
		synctest.Wait()
		if err := b.intercept(t.Context()); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(b.tainted, err) {
			t.Errorf("got %v, and the browser is tainted by %v", err, b.tainted)
		}
		close(stuck)
	})
}
