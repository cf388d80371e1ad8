package worker

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// blankTimeout bounds how long a tired browser may take to leave its page: long, as it has a low priority.
const blankTimeout = 30 * time.Second

var _ pool.Pacer = (*Worker)(nil)

// enforce compares what a worker was last seen to use with its limits.
func (o *Opener) enforce(w *Worker, u use) {
	if full := o.outgrown(u); full != nil && w.strain.end(full, true) {
		o.tellOver(w, full, "its browser is ended, and its order put back")
		o.endBrowser(w)
		return
	}
	over := o.over(u)
	confirmed, fresh := w.strain.count(slices.Concat(over, o.unusual(u)))
	for _, limit := range fresh {
		done := ""
		if !limit.Unset {
			done = map[LimitAction]string{
				LimitThrottle: "it gets no other order until it is below, and a lower priority",
				LimitKill:     "its browser is ended",
			}[o.Action]
		}
		o.tellOver(w, limit, done)
	}
	confirmed = slices.DeleteFunc(confirmed, func(limit *LimitError) bool { return limit.Unset })
	switch {
	case o.Action == LimitKill && len(confirmed) > 0:
		if w.strain.end(confirmed[0], false) {
			o.endBrowser(w)
		}
	case o.Action != LimitThrottle:
	case len(confirmed) > 0:
		o.throttle(w, confirmed[0])
	case len(over) == 0:
		w.strain.ease()
	}
}

// tellOver tells that a worker is over a limit, and what is done about it.
func (o *Opener) tellOver(w *Worker, limit error, done string) {
	slot := w.strain.slotNow()
	text := limit.Error()
	if done != "" {
		text += "; " + done
	}
	o.Tell(tasks.Event{Type: tasks.EventLimitExceeded, Worker: slot, BrowserID: w.id, Detail: text})
	o.Warn("%s: %s", slot, text)
}

// throttle gives the worker no next order, and its processes a lower priority,
// which they keep.
func (o *Opener) throttle(w *Worker, why error) {
	if !w.strain.throttle(why) {
		return
	}
	if err := lowerPriority(w.browser.PID()); err != nil {
		o.Failed("lowering the priority of a browser", fmt.Errorf("process %d: %w", w.browser.PID(), err))
	}
}

// endBrowser kills a browser. Whoever works with it notices at once; its slot
// clears up after it.
func (o *Opener) endBrowser(w *Worker) {
	if err := w.browser.Close(); err != nil {
		o.Failed("ending a browser that is over a limit", fmt.Errorf("process %d: %w", w.browser.PID(), err))
	}
}

// Tired reports whether the worker is throttled.
func (w *Worker) Tired() bool { return w.strain.throttled() }

// Rest waits until a throttled worker is below its limits. It leaves the page of
// the last order, which may be what uses so much.
func (w *Worker) Rest(ctx context.Context) error {
	leaving, cancel := context.WithTimeout(ctx, blankTimeout)
	defer cancel()
	// A page whose clock stands still frees nothing: its tab is replaced. Where the
	// page cannot be left, the browser is.
	if w.browser.RealTime(leaving) == nil {
		_, _ = w.browser.Tab().Navigate(leaving, "about:blank", "")
	}
	return w.strain.rest(ctx, w.opener.RestAtMost)
}
