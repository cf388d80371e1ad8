package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	cdpio "github.com/chromedp/cdproto/io"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
)

// anteroom is the path of the page that a lane loads documents from. No server is asked
// for it: the lane answers it with an empty page, which may connect to its own origin
// and to nothing else, and whose requests are not redirected.
const (
	anteroom       = "/.well-known/poscrape-anteroom"
	allowlist      = "Connection-Allowlist"
	allowOwnOrigin = "(response-origin)"
)

// allowlistFeature is Chrome's name of what heeds that header.
const allowlistFeature = "ConnectionAllowlists"

// nowhere is an address that no server has (RFC 2606), and beyondList how Chrome says
// that a page's allowlist kept it from asking.
const (
	nowhere    = "http://poscrape.invalid/"
	beyondList = "net::ERR_NETWORK_ACCESS_REVOKED"
)

// load brings a document as DevTools load a source map, which takes less than a
// navigation (docs/decisions/0007). It returns neither a file nor an error where
// only a navigation can tell: after a redirect, of a page, or of a body that is large, that
// takes long, or whose length was not announced.
func (l *lane) load(ctx context.Context, req Request) (*File, error) {
	fit, err := l.enter(ctx, req.URL)
	if err != nil || !fit {
		return nil, err
	}
	r, err := l.ask(ctx, req.URL, loadWithin)
	if slow := (*DownloadError)(nil); errors.As(err, &slow) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	h := loadedHead(req.URL, r)
	disposition, size := h.get("Content-Disposition"), h.announced()
	switch {
	case h.status >= 500 || slices.Contains([]int{http.StatusNotFound, http.StatusGone, http.StatusTooManyRequests}, h.status):
		return nil, errors.Join(&DownloadError{Kind: KindStatus, URL: req.URL, Status: h.status, Announced: size, RetryAfter: h.get("Retry-After")}, l.shut(ctx, r.Stream))
	case !r.Success || h.status != http.StatusOK || h.partial() || size < 0 || size > min(req.MaxSize, streamAtMost),
		isPage(h.get("Content-Type")) && !req.WantsPage && !isAttachment(disposition):
		return nil, l.shut(ctx, r.Stream)
	}
	if valid := h.validators(); valid != "" && valid == req.Known {
		return &File{URL: req.URL, Validators: valid, Unchanged: true, Loaded: true}, l.shut(ctx, r.Stream)
	}
	file, err := l.receive(ctx, r.Stream, h, req.Dir)
	if err != nil && ctx.Err() != nil {
		l.drop(ctx)
	}
	if file != nil {
		file.Suggested, file.Unnamed, file.Loaded = SuggestName(disposition, req.URL, req.Charset), dispositionName(disposition, req.Charset) == "", true
	}
	return file, err
}

// enter brings the lane's tab to the anteroom of an address's origin. It reports whether
// this Chrome keeps to what an anteroom may ask.
func (l *lane) enter(ctx context.Context, address string) (fit bool, err error) {
	u, err := ParseURL(address)
	if err != nil {
		return false, nil //nolint:nilerr // the navigation says so
	}
	at := u.Scheme + "://" + u.Host + anteroom
	if l.anteroom == at || l.browser.unlisted.Load() {
		return l.anteroom == at, nil
	}
	l.anteroom = ""
	shown, err := l.furnish(ctx, at)
	if err != nil {
		return false, fmt.Errorf("making a page to load documents from: %w", err)
	}
	if !strings.HasSuffix(shown, anteroom) {
		return false, nil
	}
	probe, err := l.ask(ctx, nowhere, headStalls*l.browser.cfg.StallTimeout)
	if unanswered := (*DownloadError)(nil); errors.As(err, &unanswered) || err == nil && probe.NetErrorName != beyondList {
		l.browser.unlisted.Store(true)
		return false, err
	}
	if err != nil {
		return false, err
	}
	l.anteroom = at
	return true, nil
}

// furnish navigates to an anteroom and answers for it, past the portal's service worker.
// It returns what the tab shows then.
func (l *lane) furnish(ctx context.Context, at string) (shown string, err error) {
	if err := l.tab.account(ctx); err != nil { // without it no service worker is passed by
		return "", err
	}
	if _, err := call(ctx, l.tab, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true}); err != nil {
		return "", err
	}
	l.forget()
	answering, cancel := context.WithCancel(ctx)
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		select {
		case e := <-l.paused:
			_, _ = call(ctx, l.tab, fetch.FulfillRequest, fetch.FulfillRequestParams{RequestID: e.RequestID, ResponseCode: http.StatusOK,
				ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html"}, {Name: allowlist, Value: allowOwnOrigin}}})
		case <-answering.Done():
		}
	}()
	_, err = l.tab.commit(ctx, page.NavigateParams{URL: at})
	cancel()
	<-answered
	if err == nil {
		err = l.tab.Evaluate(ctx, "location.href", &shown)
	}
	if err == nil {
		err = l.tab.Unaccounted(ctx)
	}
	return shown, err
}

// loadWithin is how long a document that is loaded may take. Chrome answers when all of it
// is there, which it keeps in memory however large it is, and tells nothing before: what
// takes longer may have no end, and is navigated to.
const loadWithin = time.Second

// ask asks for an address, and returns when the answer is there.
func (l *lane) ask(ctx context.Context, address string, limit time.Duration) (*network.LoadNetworkResourcePageResult, error) {
	waiting, cancel := context.WithTimeoutCause(ctx, limit, errStalled)
	defer cancel()
	res, err := call(waiting, l.tab, network.LoadNetworkResource, network.LoadNetworkResourceParams{
		FrameID: cdp.FrameID(l.tab.id), URL: address,
		Options: &network.LoadNetworkResourceOptions{DisableCache: true, IncludeCredentials: true},
	})
	if err == nil {
		return res.Resource, nil
	}
	if errors.Is(err, errStalled) {
		if err := l.browser.confirm(ctx); err != nil {
			return nil, err
		}
		err = &DownloadError{Kind: KindStalled, URL: address, Announced: -1, After: limit}
	}
	if waiting.Err() != nil { // nothing else ends the request
		l.drop(ctx)
	}
	return nil, err
}

// shut lets go of a body that is not wanted.
func (l *lane) shut(ctx context.Context, body cdpio.StreamHandle) error {
	if body == "" {
		return nil
	}
	_, err := call(ctx, l.tab, cdpio.Close, cdpio.CloseParams{Handle: body})
	return err
}
