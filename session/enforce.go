package session

import (
	"context"
	"errors"
	"time"

	"github.com/poscrape/poscrape/pool"
	"github.com/poscrape/poscrape/tasks"
)

// blankTimeout bounds how long a tired browser may take to leave its page.
const blankTimeout = 5 * time.Second

var _ pool.Pacer = (*worker)(nil)

// enforce holds a worker against its limits, as it was found at a look.
func (s *ProcessingSession) enforce(ctx context.Context, w *worker, u use) {
	if full := s.cfg.outgrown(u); full != nil && w.strain.end(full, true) {
		s.tellOver(ctx, w, full, "its browser is ended, and its order put back")
		s.endBrowser(w)
		return
	}
	over := s.cfg.over(u)
	confirmed, fresh := w.strain.judge(over)
	for _, limit := range fresh {
		s.tellOver(ctx, w, limit, map[LimitAction]string{
			LimitThrottle: "it gets no other order until it is below, and a lower priority",
			LimitKill:     "its browser is ended",
		}[s.cfg.LimitAction])
	}
	switch {
	case s.cfg.LimitAction == LimitKill && len(confirmed) > 0:
		if w.strain.end(confirmed[0], false) {
			s.endBrowser(w)
		}
	case s.cfg.LimitAction != LimitThrottle:
	case len(confirmed) > 0:
		s.throttle(w, confirmed[0])
	case len(over) == 0:
		w.strain.ease()
	}
}

// tellOver tells that a worker is over a limit, and what is done about it.
func (s *ProcessingSession) tellOver(ctx context.Context, w *worker, limit error, done string) {
	slot := w.strain.place()
	text := limit.Error()
	if done != "" {
		text += "; " + done
	}
	s.event(ctx, tasks.Event{Type: tasks.EventLimitExceeded, Worker: slot, Detail: text})
	s.warn("%s: %s", slot, text)
}

// throttle gives the worker no next order, and its processes a lower priority,
// which they keep.
func (s *ProcessingSession) throttle(w *worker, why error) {
	if !w.strain.hold(why) {
		return
	}
	if err := lowerPriority(w.browser.PID()); err != nil {
		s.log.Error("lowering the priority of a browser", "pid", w.browser.PID(), "error", err)
	}
}

// endBrowser kills a browser. Whoever works with it notices at once; its slot
// clears up after it.
func (s *ProcessingSession) endBrowser(w *worker) {
	if err := w.browser.Close(); err != nil {
		s.log.Error("ending a browser that is over a limit", "pid", w.browser.PID(), "error", err)
	}
}

// Tired reports whether the worker is throttled.
func (w *worker) Tired() bool { return w.strain.held() }

// Rest waits until a throttled worker is below its limits. It leaves the page of
// the last order, which may be what uses so much.
func (w *worker) Rest(ctx context.Context) error {
	leaving, cancel := context.WithTimeout(ctx, blankTimeout)
	defer cancel()
	// A page whose clock stands still frees nothing: its tab is replaced. Where the
	// page cannot be left, the browser is.
	if w.browser.RealTime(leaving) == nil {
		_, _ = w.browser.Tab().Navigate(leaving, "about:blank", "")
	}
	return w.strain.rest(ctx, w.opener.restAtMost)
}

// blame turns what an attempt came to whose browser was ended into what that
// means for its order: it was not all the order's fault.
func blame(res *tasks.Result, err error, ended error) (*tasks.Result, error) {
	if res != nil && err == nil && res.Outcome.Well() {
		return res, nil
	}
	lost := tasks.Release(tasks.ClassBrowserLost, "the browser was ended while the order was worked on: %w", ended)
	var f *tasks.Failure
	switch {
	case errors.As(err, &f) && f.Advice == tasks.AdvicePermanent:
		return res, err
	case f != nil:
		lost.Phase, lost.PhaseMS, lost.Evidence, lost.Executor, lost.Looks = f.Phase, f.PhaseMS, f.Evidence, f.Executor, f.Looks
		lost.Bystander = f.Bystander
	case res != nil:
		lost.PhaseMS, lost.Evidence, lost.Executor, lost.Looks = res.PhaseMS, res.Evidence, res.Executor, res.Looks
		discard(res)
	}
	return nil, lost
}
