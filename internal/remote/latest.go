package remote

import (
	"context"
	"sync"
)

// latest is a value of which only the newest counts.
type latest[T any] struct {
	mu      sync.Mutex
	n       int
	value   T
	changed chan struct{}
}

// set changes the value.
func (l *latest[T]) set(change func(*T)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(&l.value)
	l.n++
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
}

// get returns the value and its number.
func (l *latest[T]) get() (T, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.value, l.n
}

// after waits until the value is another than number n, or ctx ends, and returns it.
func (l *latest[T]) after(ctx context.Context, n int) (T, int) {
	for {
		l.mu.Lock()
		value, now := l.value, l.n
		if l.changed == nil {
			l.changed = make(chan struct{})
		}
		changed := l.changed
		l.mu.Unlock()
		if now != n {
			return value, now
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return value, now
		}
	}
}
