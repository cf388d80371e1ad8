package browser

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/emulation"
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
	step = picture
	// loadingAhead is how far it may be ahead while a page is loaded, which takes less of
	// a page's own time, for the most part; and breath is how long it then stands still
	// for what goes on beside it, such as drawing.
	loadingAhead, breath = time.Second, 5 * time.Millisecond
	// minLead is what a clock that has run ahead must at least be ahead by when a page is
	// asked for, and maxLead how far it is put forward otherwise: servers take their time.
	minLead, maxLead = time.Second, 10 * time.Second
	// leadTimeout bounds that. It takes some 5 ms.
	leadTimeout = 2 * time.Second
	// starvation is how many tasks of a page may run without its clock going on,
	// before it is made to.
	starvation = 1000
)

// ErrClockHeld: a page's clock does not run ahead, although the page itself waits for
// nothing else. Something that never ends holds it: a stream of its server's, or a web
// worker that was starting when an earlier page of the tab was left (Chromium 156).
var ErrClockHeld = errors.New("the page's clock is held")

// clock is a tab's own time. It is real until it was first let run ahead, and
// cannot be made real again.
type clock struct {
	expired chan struct{}
	virtual bool
	// earliest and latest are what it says at least and at the most: as a page has told,
	// and all that was granted since.
	earliest, latest time.Time
	// running: the page may not have used up what it was granted.
	running atomic.Bool
	// muted: the page's scripts are kept from running, while its clock is put forward.
	muted bool
}

// Ahead is a script that is to be run while the page's clock runs ahead.
type Ahead struct {
	Script string
	// WaitsFor is an expression, in the same world, for what the page waits for: WaitsForTime when that is
	// nothing but its clock, or empty.
	WaitsFor string
	// Limit is how long, in real time, the page's clock stands still for its
	// requests. Then it goes on without their answers.
	Limit time.Duration
}

// WaitsForTime says that a page waits for timers of its own only.
const WaitsForTime = "time"

// heldAfter is how long a clock may stand still before the page is asked what for; if it
// is for nothing, it is asked once more.
const heldAfter = 2 * time.Second

// RunAhead runs a script as Inspect does, in virtual time: the page's clock jumps
// from one timer to the next, as fast as the page gets its work done, and stands
// still while requests are under way. Afterwards it stands still, and with it what the
// page has not finished, the loading of its next document among it, until it is let
// run again. It returns ErrClockHeld when the clock cannot run ahead on this page.
func (t *Tab) RunAhead(ctx context.Context, run Ahead, out any) error {
	ctx, free := t.refuseSpinning(ctx)
	defer free()
	if !t.clock.running.Load() {
		if err := t.grant(ctx, emulation.VirtualTimePolicyPauseIfNetworkFetchesPending, budget); err != nil {
			return err
		}
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
	err := t.Inspect(evaluating, run.Script, out)
	stop()
	<-kept
	if cause := context.Cause(evaluating); ctx.Err() == nil && cause != nil {
		err = cause
	}
	cancel(nil)
	if err == nil && t.clock.running.Load() {
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
	slow := time.NewTicker(slowLoad)
	defer slow.Stop()
	var idleAt float64
	for {
		select {
		case <-t.clock.expired:
			goruntime.Gosched() // the script's end is often told in the same breath
			if ctx.Err() != nil {
				return nil
			}
			t.draw(false)
			held.Reset(heldAfter)
		case <-held.C:
			at, err := t.idleAt(ctx, run.WaitsFor)
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				return err
			}
			if at != 0 && at == idleAt {
				return ErrClockHeld
			}
			idleAt = at
			continue
		case <-slow.C:
			t.draw(false)
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

// idleAt returns what the clock of a page says that waits for nothing, or for nothing but
// its clock while no request is under way; and 0 of any other page.
func (t *Tab) idleAt(ctx context.Context, waitsFor string) (float64, error) {
	var page struct {
		At       float64
		WaitsFor string
	}
	err := t.peek(ctx, `({ at: Date.now(), waitsFor: `+waitsFor+` })`, &page)
	if err != nil || t.Growing(0) || page.WaitsFor != "" && (page.WaitsFor != WaitsForTime || len(t.Waiting()) > 0) {
		return 0, err
	}
	return page.At, nil
}

// NoteClock notes what the page's clock says, as Date.now does.
func (t *Tab) NoteClock(at time.Time) {
	if t.clock.virtual {
		t.clock.earliest, t.clock.latest = at, at
	}
}

// KeepPace has the page drawn as for a screen, and its clock go on, where it has run
// ahead, as fast as real time, until what it returns is called: for clicks and whatever
// else waits for the page and the world at once.
func (t *Tab) KeepPace(ctx context.Context) (stop func()) {
	if !t.clock.virtual && !t.browser.cfg.drawsOnDemand() {
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
			t.draw(true)
			if t.clock.virtual { // where it fails, the page is about to go, or the tab is lost
				_ = t.grant(ctx, emulation.VirtualTimePolicyAdvance, due)
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

// AwaitLoad returns when the page that the tab shows is loaded, and at the latest when
// the limit has passed. Where the page's clock has run ahead, it goes on meanwhile, but
// for the page's requests, as fast as real time, of which it is at most a second ahead;
// and if it can, for as long as quiet after that. It returns an error when the tab is
// lost, its page spins, or ctx ends.
func (t *Tab) AwaitLoad(ctx context.Context, limit, quiet time.Duration) error {
	ctx, stop := t.refuseSpinning(ctx)
	defer stop()
	joined, cancel := join(t.live, ctx)
	defer cancel()
	late := time.NewTimer(limit)
	defer late.Stop()
	slow := time.NewTicker(slowLoad)
	defer slow.Stop()
	due := time.NewTimer(0)
	defer due.Stop()
	if !t.clock.virtual {
		due.Stop()
	}
	began, granted := time.Now(), time.Duration(0)
	for {
		t.mu.Lock()
		loaded, moved := t.loaded, t.moved
		t.mu.Unlock()
		select {
		case <-due.C:
			by := quiet + step
			if granted+by > time.Since(began)+loadingAhead {
				by = step
			}
			if err := t.grant(joined, emulation.VirtualTimePolicyPauseIfNetworkFetchesPending, by); err != nil {
				return err
			}
			granted += by
		case <-t.clock.expired: // the page waits for nothing of its server's
			t.draw(false)
			due.Reset(max(breath, granted-time.Since(began)-loadingAhead))
		case <-loaded:
			if t.clock.running.Load() {
				due.Reset(breath)
				select {
				case <-t.clock.expired:
				case <-due.C:
				case <-joined.Done():
				}
			}
			return nil
		case <-moved: // to another page
		case <-slow.C:
			t.draw(false)
		case <-late.C:
			return nil
		case <-joined.Done():
			return t.browser.classify(joined, t, context.Cause(joined))
		}
	}
}

// grant gives the page time by a policy.
func (t *Tab) grant(ctx context.Context, policy emulation.VirtualTimePolicy, by time.Duration) error {
	select {
	case <-t.clock.expired:
	default:
	}
	t.clock.running.Store(true)
	ms := float64(by.Milliseconds())
	if !t.clock.virtual {
		t.clock.virtual = true
		t.NoteClock(time.Now())
	}
	t.clock.latest = t.clock.latest.Add(by)
	_, err := call(ctx, t, emulation.SetVirtualTimePolicy, emulation.SetVirtualTimePolicyParams{
		Policy: policy, Budget: &ms, MaxVirtualTimeTaskStarvationCount: starvation})
	if err != nil { // Chrome may not have heard of it, and then nothing expires
		t.clock.running.Store(false)
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("letting a page's clock run: %w", err)
	}
	return nil
}

// lead gives the clock of a page that is about to be left a lead over the real one, if
// it has run ahead before and has none. Chrome stamps what it hands to the next page by
// real time, and a page does not get on with its loading before its own clock is there:
// one that is 20 s behind, as after a long download, is loaded 20 s later (measured with
// Chromium 156). What the page itself had planned for the time between is left out.
func (t *Tab) lead(ctx context.Context) error {
	if t.clock.virtual && time.Until(t.clock.earliest) < minLead {
		if t.mute(ctx, true) == nil {
			_ = t.putForward(ctx) // without it the next page is loaded later, and as well
		}
	}
	if t.clock.muted { // by this call, or by one that was given up
		return t.mute(ctx, false)
	}
	return nil
}

// putForward grants the page time until its clock has a lead. A grant ends early where
// an earlier one, which was not used up, would have ended.
func (t *Tab) putForward(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, leadTimeout)
	defer cancel()
	// A refresh that the page has announced would come before its time, too.
	if err := t.StopLoading(ctx); err != nil {
		return fmt.Errorf("stopping a page: %w", err)
	}
	for time.Until(t.clock.earliest) < minLead {
		if err := t.grant(ctx, emulation.VirtualTimePolicyAdvance, maxLead-time.Until(t.clock.earliest)); err != nil {
			return err
		}
		select {
		case <-t.clock.expired:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		var says float64
		if err := t.peek(ctx, "Date.now()", &says); err != nil {
			return fmt.Errorf("looking at a page's clock: %w", err)
		}
		t.NoteClock(time.UnixMilli(int64(says)))
	}
	return nil
}

func (t *Tab) mute(ctx context.Context, muted bool) error {
	t.clock.muted = true
	_, err := call(ctx, t, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: muted})
	if err != nil {
		return fmt.Errorf("putting a page's clock forward: %w", err)
	}
	t.clock.muted = muted
	return nil
}

// ranOut notes that the page has used up what it was granted. It does not block.
func (t *Tab) ranOut() {
	t.clock.running.Store(false)
	select {
	case t.clock.expired <- struct{}{}:
	default: // one that has not been seen yet will do
	}
}

// halt stops the page's clock, so that what it does again and again costs nothing.
func (t *Tab) halt(ctx context.Context) error {
	_, err := call(ctx, t, emulation.SetVirtualTimePolicy, emulation.SetVirtualTimePolicyParams{Policy: emulation.VirtualTimePolicyPause})
	if err != nil {
		return fmt.Errorf("stopping a page's clock: %w", err)
	}
	t.clock.running.Store(false)
	return nil
}
