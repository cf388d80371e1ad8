package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
)

const (
	// budget is how far a page's clock is let run ahead at a time. What pages
	// mount late, they mount within eight seconds (measured at suppliers' portals).
	budget = 12 * time.Second
	// maxAhead is how far a tab's clock may be ahead in all, before the tab is
	// replaced: pages that are told a time later than the server's may take their
	// session for expired.
	maxAhead = 5 * time.Minute
	// step is how far the clock of a page goes at a time, at least, where it is to keep pace
	// with real time.
	step = 5 * time.Millisecond
	// starvation is how many tasks of a page may run without its clock going on,
	// before it is made to.
	starvation = 1000
)

// ErrClockHeld: a page's clock does not run ahead, although the page itself waits
// for nothing: something that never ends, a stream of its server's, holds it.
var ErrClockHeld = errors.New("the page's clock is held")

// clock is a tab's own time. It is real until it was first let run ahead, and
// cannot be made real again.
type clock struct {
	expired chan struct{}
	virtual bool
	// ahead is how far it is ahead of the real one, at the most: as a page has told,
	// and all that was granted since.
	ahead time.Duration
}

// Ahead is a script that is to be run while the page's clock runs ahead.
type Ahead struct {
	Script string
	// Idle is an expression: the page waits neither for a timer nor for an answer.
	Idle string
	// Limit is how long, in real time, the page's clock stands still for its
	// requests. Then it goes on without their answers.
	Limit time.Duration
}

// heldAfter is how long a clock may stand still before the page is asked what for;
// if it is for nothing, it is asked once more.
const heldAfter = 2 * time.Second

// RunAhead runs a script as Evaluate does, in virtual time: the page's clock jumps
// from one timer to the next, as fast as the page gets its work done, and stands
// still while requests are under way. Afterwards it stands still, and with it what the
// page has not finished, the loading of its next document among it, until it is let
// run again. It returns ErrClockHeld when the clock cannot run ahead on this page.
func (t *Tab) RunAhead(ctx context.Context, run Ahead, out any) error {
	if err := t.grant(ctx, emulation.VirtualTimePolicyPauseIfNetworkFetchesPending, budget); err != nil {
		return err
	}
	evaluating, cancel := context.WithCancelCause(ctx)
	keeping, stop := context.WithCancel(ctx)
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		if err := t.keepAhead(keeping, run); err != nil {
			cancel(err)
		}
	}()
	err := t.Evaluate(evaluating, run.Script, out)
	stop()
	<-kept
	if cause := context.Cause(evaluating); ctx.Err() == nil && cause != nil {
		err = cause
	}
	cancel(nil)
	if err == nil {
		err = t.halt(ctx)
	}
	return err
}

// keepAhead grants the page more time whenever it has used up what it had, until
// ctx ends.
func (t *Tab) keepAhead(ctx context.Context, run Ahead) error {
	policy := emulation.VirtualTimePolicyPauseIfNetworkFetchesPending
	limit := time.NewTimer(run.Limit)
	defer limit.Stop()
	held := time.NewTicker(heldAfter)
	defer held.Stop()
	idle := 0 // looks in a row
	for {
		select {
		case <-t.clock.expired:
			idle = 0
			held.Reset(heldAfter)
		case <-held.C:
			nothing, err := t.idle(ctx, run.Idle)
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				return err
			}
			if idle++; !nothing {
				idle = 0
			}
			if idle == 2 {
				return ErrClockHeld
			}
			continue
		case <-limit.C:
			policy = emulation.VirtualTimePolicyAdvance
		case <-ctx.Done():
			return nil
		}
		if err := t.grant(ctx, policy, budget); err != nil {
			return err
		}
	}
}

func (t *Tab) idle(ctx context.Context, expression string) (bool, error) {
	yes := true
	res, err := call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{Expression: expression, ReturnByValue: &yes})
	if err != nil || res.Result == nil {
		return false, err
	}
	return string(res.Result.Value) == "true", nil
}

// NoteClock notes what the page's clock says, as Date.now does.
func (t *Tab) NoteClock(at time.Time) {
	if t.clock.virtual {
		t.clock.ahead = max(0, time.Until(at))
	}
}

// KeepPace lets the page's clock go on, where it has run ahead, as fast as real
// time, until what it returns is called: for clicks and whatever else waits for
// the page and the world at once.
func (t *Tab) KeepPace(ctx context.Context) (stop func()) {
	if !t.clock.virtual {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(step)
		defer tick.Stop()
		for due := step; ; {
			granted := time.Now()
			if err := t.grant(ctx, emulation.VirtualTimePolicyAdvance, due); err != nil {
				return
			}
			select {
			case <-tick.C:
				due = max(step, time.Since(granted)) // more where the machine is slow
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}

// grant gives the page time by a policy.
func (t *Tab) grant(ctx context.Context, policy emulation.VirtualTimePolicy, time time.Duration) error {
	select {
	case <-t.clock.expired:
	default:
	}
	ms := float64(time.Milliseconds())
	t.clock.virtual = true
	t.clock.ahead += time
	_, err := call(ctx, t, emulation.SetVirtualTimePolicy, emulation.SetVirtualTimePolicyParams{
		Policy: policy, Budget: &ms, MaxVirtualTimeTaskStarvationCount: starvation})
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("letting a page's clock run: %w", err)
	}
	return nil
}

// halt stops the page's clock, so that what it does again and again costs nothing.
func (t *Tab) halt(ctx context.Context) error {
	_, err := call(ctx, t, emulation.SetVirtualTimePolicy, emulation.SetVirtualTimePolicyParams{Policy: emulation.VirtualTimePolicyPause})
	if err != nil {
		return fmt.Errorf("stopping a page's clock: %w", err)
	}
	return nil
}
