package browser

import (
	"context"
	"errors"
	"fmt"
)

// maxStrikes is how many tabs a browser may lose before it is replaced itself.
const maxStrikes = 2

// taint marks the browser as one to be replaced.
func (b *Browser) taint(reason error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tainted == nil {
		b.tainted = reason
	}
}

// strike counts a lost tab.
func (b *Browser) strike(reason error) {
	b.mu.Lock()
	b.strikes++
	b.struck = reason
	strikes := b.strikes
	b.mu.Unlock()
	if strikes >= maxStrikes {
		b.taint(fmt.Errorf("it has lost %d tabs, the last one with: %w", strikes, reason))
	}
}

// LostTabs returns how many tabs the browser has lost so far, and why the last
// one was lost; nil while none was.
func (b *Browser) LostTabs() (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.strikes, b.struck
}

// condemn kills a browser that hangs. All calls return at once.
func (b *Browser) condemn(reason error) {
	b.mu.Lock()
	if b.hung == nil {
		b.hung = reason
	}
	b.mu.Unlock()
	b.group.Kill()
	b.endLife()
}

func (b *Browser) lost() bool {
	select {
	case <-b.connection:
		return true
	default:
		return b.root.Err() != nil
	}
}

// loss says why the browser is lost.
func (b *Browser) loss() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.hung != nil:
		return b.hung
	case b.life.Err() != nil:
		return fmt.Errorf("%w: it was closed", ErrLost)
	}
	return fmt.Errorf("%w: its process %d ended or its pipe broke", ErrLost, b.PID())
}

// lose marks the tab as of no more use. Calls to it return the reason.
func (t *Tab) lose(reason error) {
	t.losing.Do(func() {
		t.happened("the tab was lost: %v", reason)
		t.browser.strike(reason)
		t.die(reason)
	})
}

// crashed: the process that renders the page died.
func (t *Tab) crashed(reason error) {
	t.processDied()
	t.lose(reason)
}

// Lost returns why the tab cannot be used any more, or nil. TidyUp replaces it.
func (t *Tab) Lost() error { return t.dead() }

// Gone returns a channel that is closed when the tab cannot be used any more, as when a person
// has closed it.
func (t *Tab) Gone() <-chan struct{} { return t.live.Done() }

// dead returns why the tab cannot be used any more, or nil.
func (t *Tab) dead() error {
	cause := context.Cause(t.live)
	if cause == nil || errors.Is(cause, context.Canceled) { // the latter: the browser is lost
		return nil
	}
	return cause
}
