package main

import (
	"sync"
	"time"

	"github.com/poscrape/poscrape/session"
)

// tickEvery is how often a view may look at the clock and at its terminal.
const tickEvery = 250 * time.Millisecond

// display brings to a view, from one goroutine of its own, what many goroutines
// tell it. None of them ever waits for the view: a terminal that is stopped
// does not hold up the work. Figures of progress may be passed over, notices
// and details never.
type display struct {
	wake    chan struct{}
	closing chan struct{}
	closed  chan struct{}
	close   sync.Once

	mu sync.Mutex
	// waiting are calls of the view, oldest first; progress is the newest figure.
	waiting  []func(view)
	progress *session.Progress
}

// newDisplay starts to show. Close ends it.
func newDisplay(v view) *display {
	d := &display{
		wake: make(chan struct{}, 1), closing: make(chan struct{}), closed: make(chan struct{}),
	}
	go d.show(v)
	return d
}

// Progress shows how the session stands.
func (d *display) Progress(p session.Progress) {
	d.mu.Lock()
	d.progress = &p
	d.mu.Unlock()
	d.nudge()
}

// Notice shows something that a person should know.
func (d *display) Notice(n session.Notice) {
	d.add(func(v view) { v.Notice(n) })
}

// Detail shows a line of the log.
func (d *display) Detail(line string) {
	d.add(func(v view) { v.Detail(line) })
}

// Close shows what still waits, ends the view's progress, and returns then. It
// may be called twice.
func (d *display) Close() {
	d.close.Do(func() { close(d.closing) })
	<-d.closed
}

// Leave is Close for those who cannot wait: it returns after the given time
// even if the view is stuck.
func (d *display) Leave(patience time.Duration) {
	d.close.Do(func() { close(d.closing) })
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-d.closed:
	case <-timer.C:
	}
}

func (d *display) add(call func(view)) {
	d.mu.Lock()
	d.waiting = append(d.waiting, call)
	d.mu.Unlock()
	d.nudge()
}

func (d *display) nudge() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

func (d *display) show(v view) {
	defer close(d.closed)
	ticker := time.NewTicker(tickEvery)
	defer ticker.Stop()
	for {
		select {
		case <-d.wake:
			d.flush(v)
		case now := <-ticker.C:
			v.Tick(now)
		case <-d.closing:
			d.flush(v)
			v.End()
			return
		}
	}
}

func (d *display) flush(v view) {
	d.mu.Lock()
	waiting, progress := d.waiting, d.progress
	d.waiting, d.progress = nil, nil
	d.mu.Unlock()
	for _, call := range waiting {
		call(v)
	}
	if progress != nil {
		v.Progress(time.Now(), *progress)
	}
}
