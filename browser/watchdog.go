package browser

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/poscrape/poscrape/internal/proc"
)

// vigil is what is known of the browser's life without asking it.
type vigil struct {
	heard pulse

	mu    sync.Mutex
	waits map[*wait]struct{}
}

// wait is an answer that is due: the browser's, or the tab's.
type wait struct {
	since time.Time
	tab   *Tab
}

// pulse is when something was last heard.
type pulse struct{ at atomic.Pointer[time.Time] }

func (p *pulse) beat() {
	now := time.Now()
	p.at.Store(&now)
}

// silence returns for how long nothing was heard, counted from since at the earliest.
func (p *pulse) silence(since time.Time) time.Duration {
	if at := p.at.Load(); at != nil && at.After(since) {
		since = *at
	}
	return time.Since(since)
}

// heardSince reports whether something was heard after that moment.
func (p *pulse) heardSince(moment time.Time) bool {
	at := p.at.Load()
	return at != nil && at.After(moment)
}

// onMessage is called by chromedp with each message: with the format "<- %s" for those that
// it has read (v0.22.1). TestHeartbeat fails where that is so no more.
func (v *vigil) onMessage(format string, _ ...any) {
	if strings.HasPrefix(format, "<-") {
		v.heard.beat()
	}
}

// watch says that an answer is due, the tab's if t is not nil, until what it
// returns is called.
func (b *Browser) watch(t *Tab) func() {
	v, w := &b.vigil, &wait{since: time.Now(), tab: t}
	v.mu.Lock()
	if v.waits == nil {
		v.waits = map[*wait]struct{}{}
	}
	v.waits[w] = struct{}{}
	v.mu.Unlock()
	return func() {
		v.mu.Lock()
		delete(v.waits, w)
		v.mu.Unlock()
	}
}

// overdue returns whether an answer is due for so long without a sign of life
// of the browser, and the tabs of which that is true.
func (v *vigil) overdue(limit time.Duration) (silent bool, tabs []*Tab) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for w := range v.waits {
		silent = silent || v.heard.silence(w.since) >= limit
		if w.tab != nil && !w.tab.awaits() && w.tab.heard.silence(w.since) >= limit {
			tabs = append(tabs, w.tab)
		}
	}
	return silent, tabs
}

// guard watches over the browser until it is lost or closed.
func (b *Browser) guard() {
	tick := time.NewTicker(b.cfg.HangCheck / 4)
	defer tick.Stop()
	for {
		select {
		case <-b.root.Done():
			return
		case <-tick.C:
		}
		silent, tabs := b.vigil.overdue(b.cfg.HangCheck)
		if silent && b.ask(b.root) != nil {
			return
		}
		for _, t := range tabs {
			if t.asking.CompareAndSwap(false, true) {
				b.background(t.ask)
			}
		}
	}
}

// confirm returns nil if the browser lives, so that something else is to blame.
// It asks even one that was heard a moment ago, as it may have hung since.
func (b *Browser) confirm(ctx context.Context) error {
	if b.lost() {
		return b.loss()
	}
	return b.ask(ctx)
}

// patience is how many times HangTimeout a browser has to answer that does get
// processor time: on a machine under load it may only be slow.
const patience = 3

// used returns how much processor time the browser's main process has had. Where the
// system does not say, a browser that does not answer in time gets no more of it.
func (b *Browser) used() time.Duration {
	p, _ := proc.Read(b.PID())
	return p.Own
}

// ask asks the browser for a sign of life. When there is none, the browser is
// killed, and ask returns why. It returns nil as well when ctx ends before that
// is known.
func (b *Browser) ask(ctx context.Context) error {
	joined, cancel := join(b.root, ctx)
	done := make(chan struct{})
	began, used := time.Now(), b.used()
	go func() {
		defer close(done)
		// Any message is a sign of life, so the answer itself is not looked at.
		_, _ = chromedp.CallBrowser(joined, browser.GetVersion, struct{}{})
	}()
	defer func() { cancel(); <-done }()
	timer := time.NewTimer(b.cfg.HangTimeout)
	defer timer.Stop()
	for n := 1; ; n++ {
		select {
		case <-done:
			if b.lost() {
				return b.loss()
			}
			return nil
		case <-timer.C:
		}
		now := b.used()
		switch {
		case b.lost():
			return b.loss()
		case b.vigil.heard.heardSince(began):
			return nil
		case now == used || n == patience:
			b.condemn(fmt.Errorf("%w: its process %d did not answer within %v, and was killed", ErrHung, b.PID(), time.Since(began).Round(time.Millisecond)))
			return b.loss()
		}
		used = now
		timer.Reset(b.cfg.HangTimeout)
	}
}

// ask asks the page for a sign of life. A page that gives none loses its tab.
func (t *Tab) ask() {
	defer t.asking.Store(false)
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.live, max(t.browser.cfg.PageTimeout-t.browser.cfg.HangCheck, time.Second))
	defer cancel()
	_, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: "0"})
	switch {
	case changing(err):
		t.heard.beat()
	case t.live.Err() == nil && !t.awaits() && !t.heard.heardSince(began) && t.browser.confirm(t.live) == nil:
		t.lose(fmt.Errorf("%w for %v, as if a script of it never ended", ErrPageHung, t.heard.silence(began.Add(-t.browser.cfg.HangCheck)).Round(time.Second)))
	}
}
