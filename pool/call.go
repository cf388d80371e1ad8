package pool

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// calls keeps account of the calls into code that is not the pool's, so that
// none is forgotten that was left behind.
type calls struct {
	mu      sync.Mutex
	next    int
	open    map[int]string // what runs, by number
	stuck   int            // how many of them were left behind
	emptied chan struct{}  // closed and replaced whenever open becomes empty
}

func newCalls() *calls {
	return &calls{open: map[int]string{}, emptied: make(chan struct{})}
}

func (c *calls) begin(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	c.open[c.next] = name
	return c.next
}

func (c *calls) end(number int, wasStuck bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, number)
	if wasStuck {
		c.stuck--
	}
	if len(c.open) == 0 {
		close(c.emptied)
		c.emptied = make(chan struct{})
	}
}

func (c *calls) leaveBehind() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stuck++
}

// leftBehind returns how many calls were left behind and have not returned yet.
func (c *calls) leftBehind() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stuck
}

// wait waits until no call runs, at most so long, and returns what still runs.
func (c *calls) wait(atMost time.Duration) []string {
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	for {
		c.mu.Lock()
		emptied := c.emptied
		names := make([]string, 0, len(c.open))
		for _, name := range c.open {
			names = append(names, name)
		}
		c.mu.Unlock()
		if len(names) == 0 {
			return nil
		}
		select {
		case <-emptied:
		case <-timer.C:
			slices.Sort(names)
			return names
		}
	}
}

// maxStack is how many bytes of a panic's stack are kept: the task's record
// holds them.
const maxStack = 4096

type answer[T any] struct {
	value T
	err   error
}

// bounded calls fn and returns its answer; a panic or a runtime.Goexit becomes a
// *PanicError. When ctx ends, fn has grace to return; then it is left behind,
// with a *StuckError. What it returns later without an error is handed to late,
// if that is not nil.
func bounded[T any](ctx context.Context, c *calls, grace time.Duration, name string, fn func() (T, error), late func(T)) (T, error) {
	answers := make(chan answer[T])
	gone := make(chan struct{})
	number := c.begin(name)
	go func() {
		var a answer[T]
		returned, wasStuck := false, false
		defer func() { c.end(number, wasStuck) }()
		defer func() {
			if !returned {
				a.err = panicked(recover())
			}
			select {
			case answers <- a:
			case <-gone:
				wasStuck = true
				if late != nil && a.err == nil {
					late(a.value)
				}
			}
		}()
		a.value, a.err = fn()
		returned = true
	}()
	select {
	case a := <-answers:
		return a.value, a.err
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case a := <-answers:
		return a.value, a.err
	case <-timer.C:
		c.leaveBehind()
		close(gone)
		var none T
		return none, &StuckError{Call: name, Grace: grace, Cause: context.Cause(ctx)}
	}
}

func panicked(value any) error {
	if value == nil {
		value = errors.New("the goroutine was ended by runtime.Goexit")
	}
	stack := debug.Stack()
	return &PanicError{Value: value, Stack: stack[:min(len(stack), maxStack)]}
}
