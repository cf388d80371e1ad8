package scrape

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// clockError: a page does not bear that its clock runs ahead.
type clockError struct{ why string }

func (e *clockError) Error() string { return "the page settles in real time only: " + e.why }

// clockTrouble returns why a page has to be read in real time, or "".
func clockTrouble(err error) string {
	var e *clockError
	switch {
	case errors.As(err, &e):
		return e.why
	case errors.Is(err, browser.ErrClockSpins):
		return "a script of it runs without end while its clock stands still, as one does that waits in a loop"
	case errors.Is(err, browser.ErrClockHeld):
		return "its clock is held, as by an answer of its server that never ends"
	}
	return ""
}

// kindClock counts the orders of a kind of pages whose clock ran ahead, and those
// of them whose page did not bear it.
type kindClock struct{ orders, unbearable int }

// real reports whether all pages of the kind are to settle in real time: a quarter of
// those that were met, and three at least, would not bear anything else.
func (k *kindClock) real() bool { return k.unbearable >= 3 && 4*k.unbearable >= k.orders }

// chooseClock decides whether the clock of the order's page may run ahead.
func (a *attempt) chooseClock() {
	p := a.portal
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.clocks[kindOf(a.address)]
	if k == nil {
		k = &kindClock{}
		p.clocks[kindOf(a.address)] = k
	}
	a.ahead = p.recipe.Ready.Clock == ClockVirtual && !p.recipe.Acts() && !p.recipe.opensPages() && !k.real()
	if a.ahead {
		k.orders++
	}
}

// readInRealTime opens the order once more, in a tab whose clock is real.
func (a *attempt) readInRealTime(ctx context.Context, why string) (*page, error) {
	a.ahead = false
	// What the page has begun, such as a web worker, would hold the clock of the next ones.
	if err := a.browser.Replace(ctx); err != nil {
		return nil, err
	}
	p := a.portal
	p.mu.Lock()
	k := p.clocks[kindOf(a.address)]
	was := *k
	k.unbearable++
	turned := k.real() && !was.real()
	p.mu.Unlock()
	switch example := browser.Redact(a.address.String()); {
	case turned:
		p.tell(tasks.Event{Type: tasks.EventRealTime, Detail: fmt.Sprintf("all pages like %s settle in real time from now on, as %s", example, why)})
	case was.unbearable == 0:
		p.tell(tasks.Event{Type: tasks.EventRealTime, Detail: fmt.Sprintf("%s settled in real time, as %s", example, why)})
	}
	return a.openAndRead(ctx)
}

// eventWait is how long something may take before read.js reads on without it.
const eventWait = 2 * time.Second

// partsLoading: scripts, style sheets or frames are under way.
const partsLoading = "parts of the page are loading"

// settled runs read.js until it has read the settled page.
func (a *attempt) settled(ctx context.Context, words rule) (*page, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// A page that was kept from leading on is not waited for.
	off := a.browser.OnStopped(cancel)
	defer off()
	words.Ahead = a.ahead
	deadline := time.Now().Add(a.portal.recipe.Ready.Timeout)
	if words.Ahead {
		if err := a.browser.Tab().AwaitLoad(ctx, eventWait, a.portal.recipe.Ready.Quiet); err != nil {
			return nil, err
		}
		words.Glance = true
	}
	// That a page imports a module, or loads a frame, is not seen from within. In real time,
	// what came of that may take a moment, too.
	moment := a.portal.recipe.Ready.Quiet
	if words.Ahead {
		moment = 0
	}
	for {
		left := max(time.Until(deadline), 0)
		words.Late = left == 0
		if !words.Ahead {
			words.Ready.TimeoutMS = left.Milliseconds()
		}
		p, err := a.evaluate(ctx, words, left)
		growing := err == nil && p.Clock > 0 && p.Again == "" && (a.browser.Tab().Growing(moment) || a.pending())
		switch {
		case err != nil:
			return nil, err
		case p.RealTime != "":
			return nil, &clockError{p.RealTime}
		case p.Again == "" && growing && !words.Late:
			p.Again = "grown"
		case p.Again == "":
			if growing {
				p.Unsettled = cmp.Or(p.Unsettled, partsLoading)
			}
			if p.Clock > 0 {
				a.browser.Tab().NoteClock(time.UnixMilli(int64(p.Clock)))
			}
			return p, nil
		case p.Again == "time":
			words.Glance = false
			continue
		}
		if err := a.await(ctx, p); err != nil {
			return nil, err
		}
	}
}

// mouseMoved is the event that the mouse has moved over the page, as a person's does, and it was drawn then.
const mouseMoved = "moved"

// await waits for the event that a reading goes on with.
func (a *attempt) await(ctx context.Context, p *page) error {
	tab, event := a.browser.Tab(), p.Again
	stop := tab.KeepPace(ctx)
	defer stop()
	if event == mouseMoved {
		moving, cancel := context.WithTimeout(ctx, eventWait)
		err := tab.SendMouse(moving, browser.MouseEvent{Action: browser.MouseMove, X: p.X, Y: p.Y})
		cancel()
		if err != nil && moving.Err() == nil {
			return err
		}
		event = "drawn"
	}
	return tab.Inspect(ctx, call("wait", event, eventWait.Milliseconds()), nil)
}

// evaluate runs read.js once.
func (a *attempt) evaluate(ctx context.Context, words rule, limit time.Duration) (*page, error) {
	tab, p := a.browser.Tab(), &page{}
	script := call("read", words)
	switch {
	case words.Glance:
		return p, tab.Inspect(ctx, script, p)
	case !a.ahead:
		stop := tab.KeepPace(ctx)
		defer stop()
		return p, tab.Inspect(ctx, script, p)
	}
	return p, tab.RunAhead(ctx, browser.Ahead{Script: script, WaitsFor: "poscrape.waitsFor()", Limit: limit}, p)
}
