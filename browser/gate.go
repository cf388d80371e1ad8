package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
)

// gate stops the browser's tab, and the windows that its page opens, from requesting pages
// that are not allowed (docs/decisions/0020). Chrome pauses each request for a document,
// also after a redirect, until it is continued or failed.
type gate struct {
	// switching holds a token while Chrome is told to intercept requests, or not to;
	// intercepts is what it was told, and the token's.
	switching  chan struct{}
	intercepts bool

	mu sync.Mutex // guards what follows
	// allowed is nil where all is. It is called without the lock.
	allowed func(address string) bool
	// leaving is the document that the tab showed when our latest navigation began. While
	// that is under way, own is true; passes: Chrome is to intercept nothing while it commits.
	leaving     cdp.LoaderID
	own, passes bool
	// stopped are the tab's own navigations that were stopped since then. led is called when
	// there is one that the page itself began; nil is fine.
	stopped []stop
	led     func()
	// again is what our latest navigation stands for, or nil.
	again *again
}

// stop is a navigation of the tab that was stopped.
type stop struct {
	id      network.RequestID
	address string
	from    cdp.LoaderID
}

// maxStops bounds how many are kept of one page.
const maxStops = 20

// StoppedError says that a page was not asked for: its address, or one that a server has
// redirected to, is not allowed.
type StoppedError struct{ URL string }

func (e *StoppedError) Error() string {
	return "the page's address is not allowed, and was not asked for: " + Redact(e.URL)
}

// documentRequests are those of frames and downloads as well as of pages.
var documentRequests = []*fetch.RequestPattern{{ResourceType: network.ResourceTypeDocument, RequestStage: fetch.RequestStageRequest}}

// interceptTimeout bounds how long Chrome may take to intercept requests, also when nobody waits for
// that any more. It takes less than a millisecond.
const interceptTimeout = 10 * time.Second

// Allow says which addresses the page of the browser's tab may be at, from now on: what
// leads it, or a window that it opens, to any other is stopped before a server is asked.
// Frames within a page may be of any host. Documents that Fetch brings are judged by their
// Request alone.
func (b *Browser) Allow(ctx context.Context, allowed func(address string) bool) error {
	b.gate.mu.Lock()
	b.gate.allowed = allowed
	b.gate.mu.Unlock()
	return b.intercept(ctx)
}

// intercept has Chrome pause requests for documents, where anything is to be stopped, and
// ask for passwords, where one is known.
func (b *Browser) intercept(ctx context.Context) error {
	g := &b.gate
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), interceptTimeout)
	defer cancel()
	err := g.switched(ctx, func() error {
		g.mu.Lock()
		needed := (g.allowed != nil || b.cfg.authenticates() || b.secrets.any()) && !g.intercepts
		g.mu.Unlock()
		if !needed {
			return nil
		}
		answers := b.cfg.authenticates()
		_, err := callBrowser(ctx, b, fetch.Enable, fetch.EnableParams{Patterns: documentRequests, HandleAuthRequests: &answers})
		g.intercepts = err == nil
		return err
	})
	if err != nil {
		err = fmt.Errorf("looking at what pages ask for: %w", err)
		b.taint(err)
	}
	return err
}

// switched calls do while nobody else tells Chrome what to intercept, or returns ctx's cause.
func (g *gate) switched(ctx context.Context, do func() error) error {
	select {
	case g.switching <- struct{}{}:
		defer func() { <-g.switching }()
		return do()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// pass continues the answer to our own navigation, and has Chrome intercept nothing until it
// has arrived.
func (b *Browser) pass(e *fetch.EventRequestPaused) {
	g := &b.gate
	_ = g.switched(b.life, func() error { // an error means that the request is gone
		g.mu.Lock()
		passes := g.passes
		g.mu.Unlock()
		if !passes { // it was given up
			b.letGo(e, false)
			return nil
		}
		g.intercepts = false
		_, err := callBrowser(b.life, b, fetch.Disable, cdp.Empty{})
		return err
	})
}

// visit navigates the browser's tab. It returns a *StoppedError if the gate stopped that.
func (t *Tab) visit(ctx context.Context, params page.NavigateParams) (page.NavigateResult, error) {
	g := &t.browser.gate
	g.mu.Lock()
	open := g.allowed == nil
	g.mu.Unlock()
	if open {
		return t.navigate(ctx, params)
	}
	// Who asks for a password is answered only while requests are intercepted.
	still := t.stands(ctx) && !t.browser.cfg.authenticates()
	g.depart(t, still)
	res, err := t.navigate(ctx, params)
	address := g.arrive(res.LoaderID)
	t.slowed = !still && !t.browser.cfg.authenticates()
	if herr := t.browser.intercept(ctx); err == nil {
		err = herr
	}
	if err == nil && address != "" {
		err = &StoppedError{address}
	}
	return res, err
}

// depart notes that the tab is about to be navigated, and forgets what was stopped before.
// A page that begins while requests are intercepted loads more slowly, so nothing is
// intercepted while it begins if its clock stands still, so that it can do nothing yet.
func (g *gate) depart(t *Tab, still bool) {
	t.mu.Lock()
	leaving := t.committed
	t.mu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.leaving, g.stopped, g.own, g.passes = leaving, nil, true, still
}

// stands reports whether no page can navigate by itself: the clock of the tab's page stands
// still, and there is no other page.
func (t *Tab) stands(ctx context.Context) bool {
	t.browser.mu.Lock()
	alone := len(t.browser.strays) == 0
	t.browser.mu.Unlock()
	return alone && t.clock.virtual && (!t.clock.running.Load() || t.halt(ctx) == nil)
}

// arrive ends what depart has begun. It returns the address at which the navigation that
// led to the document was stopped, or "".
func (g *gate) arrive(document cdp.LoaderID) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.own, g.passes = false, false
	for _, s := range g.stopped {
		if string(s.id) == string(document) {
			return s.address
		}
	}
	return ""
}

// OnStopped has do called, on a goroutine of its own, when Stopped has something to tell,
// until off is called.
func (b *Browser) OnStopped(do func()) (off func()) {
	set := func(do func()) {
		b.gate.mu.Lock()
		defer b.gate.mu.Unlock()
		b.gate.led = do
	}
	var calls sync.WaitGroup
	once := sync.OnceFunc(do)
	set(func() { calls.Go(once) })
	if b.Stopped() != "" {
		once()
	}
	return func() {
		set(nil)
		calls.Wait()
	}
}

// Stopped returns the address to which the page of the browser's tab, or one before it
// since the latest Navigate, has led, and which was not asked for; or "".
func (b *Browser) Stopped() string {
	b.gate.mu.Lock()
	defer b.gate.mu.Unlock()
	for _, s := range b.gate.stopped {
		if s.from != b.gate.leaving {
			return s.address
		}
	}
	return ""
}

// onPaused continues a request, or fails it. It runs on chromedp's read loop.
func (b *Browser) onPaused(e *fetch.EventRequestPaused) {
	g, t := &b.gate, b.Tab()
	main := t != nil && string(e.FrameID) == t.id
	g.mu.Lock()
	rule := g.allowed
	g.mu.Unlock()
	allowed := rule == nil || asksNobody(e.Request.URL) || rule(e.Request.URL)
	answered := e.ResponseStatusCode != 0 || e.ResponseErrorReason != ""
	if !answered && b.withholds(e) {
		if allowed = false; !main {
			b.background(func() { b.stop(e, network.ErrorReasonBlockedByClient) })
			return
		}
	}
	if allowed && !answered && b.holds(e) {
		return
	}
	b.background(g.answerTo(b, t, e, main, allowed))
}

// answerTo notes a paused request, and returns what answers it.
func (g *gate) answerTo(b *Browser, t *Tab, e *fetch.EventRequestPaused, main, allowed bool) func() {
	g.mu.Lock()
	defer g.mu.Unlock()
	passes := main && g.passes
	if main && g.own && allowed {
		if answer := g.asAgain(b, e); answer != nil {
			return answer
		}
	}
	switch answered := e.ResponseStatusCode != 0 || e.ResponseErrorReason != ""; {
	case answered && passes && !redirects(e):
		return func() { b.pass(e) }
	case answered || allowed:
		return func() { b.letGo(e, passes) }
	case !main:
		return func() { b.decidePaused(e) }
	}
	s := stop{id: e.NetworkID, address: e.Request.URL}
	t.mu.Lock()
	s.from = t.committed
	t.mu.Unlock()
	if len(g.stopped) < maxStops {
		g.stopped = append(g.stopped, s)
	}
	if s.from != g.leaving && g.led != nil {
		g.led()
	}
	reason := network.ErrorReasonAborted // the page stays
	if g.own && s.from == g.leaving {
		reason = network.ErrorReasonBlockedByClient // no other page than the one asked for is to be seen
	}
	t.followed.stopped(e.Request.URL)
	b.downloads.stop(stopped{s.address, true})
	return func() { b.stop(e, reason) }
}

// decidePaused decides about a request for an address that is not allowed, and is not the
// tab's own: that of a frame goes on, and so does that of a lane, which judges itself.
func (b *Browser) decidePaused(e *fetch.EventRequestPaused) {
	if !b.isOurs(e) && b.isWindow(string(e.FrameID)) {
		if t := b.Tab(); t != nil {
			t.followed.stopped(e.Request.URL)
		}
		b.downloads.stop(stopped{e.Request.URL, false})
		b.stop(e, network.ErrorReasonAborted)
		return
	}
	b.letGo(e, false)
}

// isOurs reports whether a request is of a tab of ours.
func (b *Browser) isOurs(e *fetch.EventRequestPaused) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ours[string(e.FrameID)] != nil
}

// isWindow reports whether a frame is a window's, and not one within a page. One of which
// nothing is known is.
func (b *Browser) isWindow(frame string) bool {
	res, err := callBrowser(b.life, b, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return true
	}
	for _, info := range res.TargetInfos {
		if string(info.TargetID) == frame {
			return info.Type == "page"
		}
	}
	return false
}

// letGo continues a paused request. If returns is set, it is paused again with its answer. An
// error means that it is gone.
func (b *Browser) letGo(e *fetch.EventRequestPaused, returns bool) {
	params := fetch.ContinueRequestParams{RequestID: e.RequestID}
	if returns {
		params.InterceptResponse = &returns
	}
	answered := e.ResponseStatusCode != 0 || e.ResponseErrorReason != ""
	if !answered { // what the cache has may be another order's, or older than this attempt
		params.Headers = uncached(e.Request.Headers, nil)
	}
	_, _ = callBrowser(b.life, b, fetch.ContinueRequest, params)
}

// stop fails a paused request.
func (b *Browser) stop(e *fetch.EventRequestPaused, reason network.ErrorReason) {
	_, _ = callBrowser(b.life, b, fetch.FailRequest, fetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: reason})
}

// unslow lets a page that began while requests were intercepted load at full speed from now
// on.
func (t *Tab) unslow(ctx context.Context) error {
	if !t.slowed || !t.stands(ctx) {
		return nil
	}
	b := t.browser
	err := b.gate.switched(ctx, func() error {
		_, err := callBrowser(ctx, b, fetch.Disable, cdp.Empty{})
		b.gate.intercepts = false
		if err == nil { // Chrome makes the page's loaders anew for that
			_, err = call(ctx, t, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: nowhere}}})
		}
		if err == nil {
			_, err = call(ctx, t, fetch.Disable, cdp.Empty{})
		}
		return err
	})
	t.slowed = err != nil
	return errors.Join(err, b.intercept(ctx))
}

func redirects(e *fetch.EventRequestPaused) bool {
	return e.ResponseStatusCode >= 300 && e.ResponseStatusCode < 400 && pausedHead(e).get("Location") != ""
}

// asksNobody reports whether an address needs neither a server nor a file.
func asksNobody(address string) bool {
	scheme, _, _ := strings.Cut(address, ":")
	switch strings.ToLower(scheme) {
	case "about", "blob", "data", "javascript", "chrome-error":
		return true
	}
	return false
}
