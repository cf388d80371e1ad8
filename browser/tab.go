package browser

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Tab is one page of a browser. Its methods are for one goroutine at a time, but for
// EvaluateApart.
type Tab struct {
	browser *Browser
	// ctx is chromedp's context of the tab; live ends with it, or with a crash.
	ctx  context.Context
	live context.Context
	die  context.CancelCauseFunc
	free func()
	id   string
	// process ends when the process that renders the page is known to have died.
	process     context.Context
	processDied context.CancelFunc
	// opener is the tab whose page has opened this one's window, or nil. It is guarded by Browser.mu.
	opener *Tab
	// losing: the tab is lost once. gone is closed when Chrome has closed it.
	losing sync.Once
	gone   chan struct{}
	// heard is when the tab was last heard of; asking: it is being asked.
	heard  pulse
	asking atomic.Bool
	// givenUp: what a call has begun may still go on, or a navigation of the page's own.
	givenUp atomic.Bool
	// drawing: a picture of the page was asked for, and is not there yet.
	drawing atomic.Bool
	// undrawn: one did not come in time, and there may never be another.
	undrawn atomic.Bool
	// uncached: nothing that it asks for is answered by Chrome's cache. kept: a page's data was.
	uncached, kept atomic.Bool
	// spinning: a script of its page runs without end in virtual time.
	spinning atomic.Bool
	// litter is how much garbage was left in it: see collectEvery.
	litter atomic.Int64

	mu       sync.Mutex
	document *Response
	wanted   wanted // how the latest document was asked for
	problems []Problem
	trace    trace
	parts    parts
	replies  replies
	sent     sentLog
	heads    heads
	// committed is the document that the main frame shows, moved is closed and
	// replaced when that changes.
	committed cdp.LoaderID
	// awaited is the document of the main frame that was asked for and is not
	// there yet, or empty.
	awaited cdp.LoaderID
	moved   chan struct{}
	// loaded is closed when that document is loaded, and replaced for the next one.
	loaded chan struct{}

	// inspects is where Config.Inspector has run in the document that the tab shows.
	inspects inspection

	dialogs chan *page.EventJavascriptDialogOpening
	window  window
	clock   clock
	// frames are those of the page; followed are the documents that it asks for.
	frames   frames
	followed followed

	// entering holds a token while what follows is read or changed.
	entering chan struct{}
	apart    world
	accounts bool // Chrome tells of the page's requests
	slowed   bool // the page began while requests were intercepted, see gate
}

// Response is the server's answer to the navigation of a page.
type Response struct {
	// URL of the page, redirects followed.
	URL string
	// Asked is the address that was asked for before redirects, and Form what was sent with it, or empty.
	Asked, Form string
	// Cached: the browser had it from before.
	Cached bool
	// Status is the HTTP status, 0 where there is none.
	Status int
	// Header by lower-case name.
	Header map[string]string
	// MIME type as announced.
	MIME string
	// Download: the address is a document and not a page, so the tab stays where it was.
	Download bool
	// Whole: all of it was received. Cut is Chrome's name of the reason why it
	// never will be, or empty.
	Whole  bool
	Cut    string
	loader cdp.LoaderID
	at     time.Time // when it began
}

// Tab returns the browser's page. After TidyUp it may be another one.
func (b *Browser) Tab() *Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tab
}

// adopt sets up a tab that chromedp has attached to: it listens to what is
// needed, turns off what is not, and answers dialogs.
func (b *Browser) adopt(ctx context.Context, free func()) (*Tab, error) {
	t := &Tab{browser: b, ctx: ctx, free: free, moved: make(chan struct{}), loaded: make(chan struct{}), gone: make(chan struct{}),
		dialogs: make(chan *page.EventJavascriptDialogOpening, 16), entering: make(chan struct{}, 1),
		clock: clock{expired: make(chan struct{}, 1)}}
	t.live, t.die = context.WithCancelCause(ctx)
	t.process, t.processDied = context.WithCancel(ctx)
	t.id = string(chromedp.FromContext(ctx).Target.TargetID)
	b.mu.Lock()
	b.ours[t.id] = t
	delete(b.strays, t.id)
	b.mu.Unlock()
	if err := chromedp.Listen(ctx, t.onEvent); err != nil {
		return nil, err
	}
	if b.cfg.Attended {
		return t, t.setUpAttended()
	}
	b.background(t.answerDialogs)
	return t, t.setUp()
}

func (t *Tab) setUp() error {
	// With DOM and CSS on, some 6,000 console messages while a page loads
	// deadlock chromedp's loop for the whole browser; without them, none do.
	for _, step := range []func() error{
		func() error { _, err := chromedp.Call(t.live, css.Disable, cdp.Empty{}); return err },
		func() error { _, err := chromedp.Call(t.live, dom.Disable, cdp.Empty{}); return err },
		func() error { // a dozen messages for each page that nobody here reads
			_, err := chromedp.Call(t.live, page.SetLifecycleEventsEnabled, page.SetLifecycleEventsEnabledParams{})
			return err
		},
		func() error { return t.account(t.live) },
		func() error { return t.identify(t.live) },
		func() error {
			_, err := chromedp.Call(t.live, runtime.AddBinding, runtime.AddBindingParams{Name: PartBinding})
			return err
		},
		func() error {
			if !t.browser.cfg.Chrome.HeadlessShell { // its window has a frame, which the page could miss
				return nil
			}
			return t.drawLittle(t.live)
		},
	} {
		if err := step(); err != nil {
			return fmt.Errorf("setting up a tab: %w", err)
		}
	}
	for _, params := range []page.AddScriptToEvaluateOnNewDocumentParams{
		{Source: dialogScript(t.browser.cfg.AcceptDialogs) + t.browser.cfg.OnNewDocument},
		{Source: t.browser.cfg.Inspector, WorldName: inspectorName},
	} {
		if _, err := chromedp.Call(t.live, page.AddScriptToEvaluateOnNewDocument, params); err != nil {
			return fmt.Errorf("setting up a tab: %w", err)
		}
	}
	return nil
}

// Document returns the answer to the tab's latest navigation, which may be one
// that the page made itself, or nil.
func (t *Tab) Document() *Response {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.document
}

// Evaluate runs a script in the page's own world, where the page's scripts may have put
// their own in the place of whatever it uses, waits for the promise that it may return,
// and decodes its value into out, which may be nil. It returns a *ScriptError
// when the script throws, and ErrNavigated when the page goes away meanwhile.
// When ctx ends first, what the script does is given up, and the page with it.
func (t *Tab) Evaluate(ctx context.Context, script string, out any) error {
	return t.evaluate(ctx, runtime.EvaluateParams{Expression: script}, out)
}

// Screenshot returns a PNG of the visible part of the page. It blocks until the page is
// drawn, see KeepPace.
func (t *Tab) Screenshot(ctx context.Context) ([]byte, error) {
	res, err := call(ctx, t, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	if err != nil {
		return nil, fmt.Errorf("taking a screenshot: %w", err)
	}
	return res.Data, nil
}

// host returns the host part of an address, without its port.
func host(address string) string {
	u, err := ParseURL(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
