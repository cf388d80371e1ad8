package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"
)

// A window that a page opens cannot be looked into before its page's scripts have begun. So what it
// asks for first is not sent, but asked for, in the same words, by a tab of ours.

// Opening waits for a window that the page of the browser's tab is about to open, and keeps what that
// asks for until Show.
type Opening struct {
	browser *Browser
	opener  *Tab

	mu sync.Mutex
	// held is that request, the latest of the window, which is frame; or nil, and empty. asks counts
	// them. others: another window has asked for a page as well.
	held   *fetch.EventRequestPaused
	frame  string
	asks   int
	others bool
}

// ExpectWindow returns an expectation of the window that the page of the browser's tab opens next. It
// is made before the click that has it opened, and ended by Close. There is one at a time.
func (b *Browser) ExpectWindow() *Opening {
	o := &Opening{browser: b, opener: b.Tab()}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.opening = o
	return o
}

// Close ends the expectation. What is kept is never sent.
func (o *Opening) Close() {
	b := o.browser
	b.mu.Lock()
	if b.opening == o {
		b.opening = nil
	}
	b.mu.Unlock()
	if e := o.take(); e != nil {
		b.background(func() { b.leaveOut(e) })
	}
}

func (o *Opening) take() *fetch.EventRequestPaused {
	o.mu.Lock()
	defer o.mu.Unlock()
	e := o.held
	o.held = nil
	return e
}

// leaveOut answers a request as if there were nothing to show, without sending it: the window stays
// as it is.
func (b *Browser) leaveOut(e *fetch.EventRequestPaused) {
	_, _ = callBrowser(b.life, b, fetch.FulfillRequest, fetch.FulfillRequestParams{RequestID: e.RequestID, ResponseCode: http.StatusNoContent})
}

// Asked reports whether a window was opened that has asked for a page, and waits to be shown.
func (o *Opening) Asked() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.held != nil
}

// Asks returns how often the window has asked for a page.
func (o *Opening) Asks() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.asks
}

// Others returns how many further windows of the page are open, or have asked for a page.
func (o *Opening) Others() int {
	o.mu.Lock()
	others, frame := 0, o.frame
	if o.others {
		others++
	}
	o.mu.Unlock()
	b := o.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	open := 0
	for id, t := range b.strays {
		if t == o.opener && id != frame {
			open++
		}
	}
	return max(open, others)
}

// WindowsOpened returns the addresses of the windows that the page of the browser's tab has opened, as far
// as they have shown a page of a server.
func (b *Browser) WindowsOpened(ctx context.Context) (addresses []string) {
	res, err := callBrowser(ctx, b, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return nil
	}
	t := b.Tab()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, info := range res.TargetInfos {
		if b.strays[string(info.TargetID)] == t && strings.HasPrefix(info.URL, "http") {
			addresses = append(addresses, info.URL)
		}
	}
	return addresses
}

// holds keeps a request back that a new window of the page has made, and reports whether it did. It
// runs on chromedp's read loop.
func (b *Browser) holds(e *fetch.EventRequestPaused) bool {
	b.mu.Lock()
	o := b.opening
	mine := o != nil && b.strays[string(e.FrameID)] == o.opener && strings.HasPrefix(e.Request.URL, "http")
	b.mu.Unlock()
	if !mine {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.frame != "" && o.frame != string(e.FrameID) {
		o.others = true
		return false
	}
	o.held, o.frame, o.asks = e, string(e.FrameID), o.asks+1
	return true
}

// Show opens what the window has asked for, in a tab that becomes the browser's. The one whose page
// has opened the window stays as it is, until that tab is replaced. Its errors are those of Navigate.
func (o *Opening) Show(ctx context.Context) (*Response, error) {
	b, e := o.browser, o.take()
	if e == nil {
		return nil, errors.New("no window waits to be shown")
	}
	b.leaveOut(e)
	again, err := sentAgain(e)
	if err != nil {
		return nil, err
	}
	b.keepSession(ctx, b.sessionOrigins())
	t, err := b.openTab(ctx)
	if err == nil {
		err = t.Uncached(ctx, o.opener.uncached.Load())
	}
	if err == nil {
		err = b.takeOver(ctx, t)
	}
	if err != nil {
		if t != nil {
			t.close(ctx)
		}
		return nil, err
	}
	b.mu.Lock()
	t.opener, b.tab = o.opener, t
	b.mu.Unlock()
	b.gate.resend(again)
	defer b.gate.resend(nil)
	referrer, _ := e.Request.Headers["Referer"].(string)
	res, err := t.Navigate(ctx, e.Request.URL, referrer)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.document != nil && again != nil { // Chrome tells of the navigation that it stands for
		sent := *t.document
		sent.Form = formOf(e.Request)
		t.document = &sent
	}
	return res, err
}

// again is a request that is sent once, in place of a navigation of ours to its address.
type again struct {
	address string
	params  fetch.ContinueRequestParams
	sent    bool
}

// sentAgain returns a request's method, headers and body, or nil where a plain navigation sends the
// same.
func sentAgain(e *fetch.EventRequestPaused) (*again, error) {
	if e.Request.Method == http.MethodGet {
		return nil, nil
	}
	a := &again{address: e.Request.URL, params: fetch.ContinueRequestParams{Method: e.Request.Method}}
	for name, value := range e.Request.Headers {
		if name != "Referer" { // Chrome cuts it where it is led to another origin, unless it is told which to send
			a.params.Headers = append(a.params.Headers, &fetch.HeaderEntry{Name: name, Value: fmt.Sprint(value)})
		}
	}
	known := !e.Request.HasPostData || len(e.Request.PostDataEntries) > 0
	for _, entry := range e.Request.PostDataEntries {
		known = known && len(entry.Bytes) > 0
		a.params.PostData = append(a.params.PostData, entry.Bytes...)
	}
	if !known {
		return nil, fmt.Errorf("a window was opened by a form whose data Chrome does not show, and was not asked for: %s", Redact(e.Request.URL))
	}
	return a, nil
}

func (g *gate) resend(a *again) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.again = a
}

// asAgain returns what continues a navigation of ours as the request that it stands for, or stops it
// where that was sent before; or nil. The caller holds g.mu.
func (g *gate) asAgain(b *Browser, e *fetch.EventRequestPaused) func() {
	a := g.again
	answered := e.ResponseStatusCode != 0 || e.ResponseErrorReason != ""
	if a == nil || answered || e.RedirectedRequestID != "" || plain(e.Request.URL) != plain(a.address) {
		return nil
	}
	if a.sent {
		return func() { b.stop(e, network.ErrorReasonAborted) }
	}
	a.sent = true
	params := a.params
	params.RequestID = e.RequestID
	return func() { _, _ = callBrowser(b.life, b, fetch.ContinueRequest, params) }
}

// Showing names the document that the tab shows, or is empty before its first.
func (t *Tab) Showing() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.committed)
}

// wasOpened reports whether the tab stands for a window that a page has opened.
func (t *Tab) wasOpened() bool {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	return t.opener != nil
}
