package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Tab is one page of a browser. Its methods are for one goroutine at a time.
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
	// losing: the tab is lost once. gone is closed when Chrome has closed it.
	losing sync.Once
	gone   chan struct{}
	// heard is when the tab was last heard of; asking: it is being asked.
	heard  pulse
	asking atomic.Bool
	// givenUp: what a call has begun may still go on.
	givenUp atomic.Bool

	mu       sync.Mutex
	document *Response
	problems []Problem
	trace    trace
	cutOffs  cutOffs
	// committed is the document that the main frame shows, moved is closed and
	// replaced when that changes.
	committed cdp.LoaderID
	moved     chan struct{}

	dialogs chan *page.EventJavascriptDialogOpening
}

// Response is the server's answer to the navigation of a page.
type Response struct {
	// URL of the page, redirects followed.
	URL string
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
	t := &Tab{browser: b, ctx: ctx, free: free, moved: make(chan struct{}), gone: make(chan struct{}),
		dialogs: make(chan *page.EventJavascriptDialogOpening, 16)}
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
	b.jobs.Go(t.answerDialogs)
	return t, t.setUp()
}

func (t *Tab) setUp() error {
	// With DOM and CSS on, some 6,000 console messages while a page loads
	// deadlock chromedp's loop for the whole browser; without them, none do.
	for _, disable := range []func() error{
		func() error { _, err := chromedp.Call(t.ctx, css.Disable, cdp.Empty{}); return err },
		func() error { _, err := chromedp.Call(t.ctx, dom.Disable, cdp.Empty{}); return err },
		func() error {
			var none int64
			_, err := chromedp.Call(t.ctx, network.Enable, network.EnableParams{
				MaxTotalBufferSize: &none, MaxResourceBufferSize: &none, MaxPostDataSize: &none})
			return err
		},
	} {
		if err := disable(); err != nil {
			return fmt.Errorf("setting up a tab: %w", err)
		}
	}
	script := dialogScript(t.browser.cfg.AcceptDialogs) + t.browser.cfg.OnNewDocument
	if _, err := chromedp.Call(t.ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		return fmt.Errorf("setting up a tab: %w", err)
	}
	if patterns := t.browser.cfg.BlockURLs; len(patterns) > 0 {
		var blocks []*network.BlockPattern
		for _, p := range patterns {
			blocks = append(blocks, &network.BlockPattern{URLPattern: p, Block: true})
		}
		if _, err := chromedp.Call(t.ctx, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: blocks}); err != nil {
			return fmt.Errorf("blocking addresses: %w", err)
		}
	}
	return nil
}

// Navigate opens an address as a new document and returns when the answer's
// head is there and the page has begun to load. An error status is no error.
// It returns a *NavigationError when there was no answer. When ctx ends first,
// the navigation is given up.
func (t *Tab) Navigate(ctx context.Context, address, referrer string) (*Response, error) {
	if err := t.leave(ctx); err != nil {
		return nil, err
	}
	t.mu.Lock()
	last := t.document
	t.document, t.problems, t.trace, t.cutOffs = nil, nil, trace{}, cutOffs{}
	t.mu.Unlock()
	t.happened("asked for %s", Redact(address))
	if last != nil && sameDocument(last.URL, address) {
		if _, err := t.navigate(ctx, page.NavigateParams{URL: "about:blank"}); err != nil {
			return nil, err
		}
	}
	res, err := t.navigate(ctx, page.NavigateParams{URL: address, Referrer: referrer})
	if err != nil {
		return nil, err
	}
	doc := t.Document()
	switch {
	case res.IsDownload:
		return &Response{URL: address, Download: true}, nil
	case doc != nil && (res.ErrorText == "" || doc.loader == res.LoaderID && doc.Status >= 400):
		return doc, nil
	case res.ErrorText != "":
		return nil, &NavigationError{URL: address, Text: res.ErrorText}
	}
	return &Response{URL: address}, nil
}

func (t *Tab) navigate(ctx context.Context, params page.NavigateParams) (page.NavigateResult, error) {
	res, err := t.commit(ctx, params)
	if err != nil && ctx.Err() != nil {
		t.givenUp.Store(true)
	}
	return res, err
}

// commit navigates and returns when the tab shows what the navigation led to.
func (t *Tab) commit(ctx context.Context, params page.NavigateParams) (page.NavigateResult, error) {
	res, err := call(ctx, t, page.Navigate, params)
	if err == nil && commits(res) {
		t.mu.Lock()
		t.trace.own++
		t.mu.Unlock()
		err = t.awaitCommit(ctx, res.LoaderID)
	}
	return res, err
}

// commits reports whether a navigation that was answered leads to a document,
// the page that Chrome shows for an error among them.
func commits(res page.NavigateResult) bool {
	return res.LoaderID != "" && !res.IsDownload && res.ErrorText != "net::ERR_ABORTED"
}

// awaitCommit returns when the tab shows the document. Chrome answers a
// navigation before that, and a further one that comes in between is now and
// then never answered.
func (t *Tab) awaitCommit(ctx context.Context, loader cdp.LoaderID) error {
	joined, cancel := join(t.live, ctx)
	defer cancel()
	answered := t.browser.watch(t)
	defer answered()
	for {
		t.mu.Lock()
		committed, moved := t.committed == loader, t.moved
		t.mu.Unlock()
		if committed {
			return nil
		}
		select {
		case <-moved:
			// It may have been committed and left again in the meantime.
			if t.showsOther(loader) {
				return nil
			}
		case <-joined.Done():
			return t.browser.classify(joined, t, context.Cause(joined))
		}
	}
}

// showsOther reports whether the tab shows a document other than this one.
func (t *Tab) showsOther(loader cdp.LoaderID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.committed != "" && t.committed != loader
}

func sameDocument(a, b string) bool {
	a, _, _ = strings.Cut(a, "#")
	b, fragment, _ := strings.Cut(b, "#")
	return a == b && fragment != ""
}

// Document returns the answer to the tab's latest navigation, which may be one
// that the page made itself, or nil.
func (t *Tab) Document() *Response {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.document
}

// Evaluate runs a script in the page, waits for the promise that it may return,
// and decodes its value into out, which may be nil. It returns a *ScriptError
// when the script throws, and ErrNavigated when the page goes away meanwhile.
// When ctx ends first, what the script does is given up, and the page with it.
func (t *Tab) Evaluate(ctx context.Context, script string, out any) error {
	yes := true
	res, err := call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{
		Expression: script, AwaitPromise: &yes, ReturnByValue: &yes, UserGesture: &yes,
	})
	if err != nil {
		if ctx.Err() != nil {
			t.givenUp.Store(true)
		}
		return err
	}
	if res.ExceptionDetails != nil {
		return &ScriptError{Text: exceptionText(&chromedp.ExceptionError{ExceptionDetails: res.ExceptionDetails})}
	}
	if out == nil || res.Result == nil {
		return nil
	}
	value := []byte(res.Result.Value)
	if len(value) == 0 {
		value = []byte("null")
	}
	if err := json.Unmarshal(value, out); err != nil {
		return fmt.Errorf("decoding what the page's script returned: %w", err)
	}
	return nil
}

// Screenshot returns a PNG of the visible part of the page.
func (t *Tab) Screenshot(ctx context.Context) ([]byte, error) {
	res, err := call(ctx, t, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	if err != nil {
		return nil, fmt.Errorf("taking a screenshot: %w", err)
	}
	return res.Data, nil
}

// host returns the host part of an address, without its port.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
