package browser

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
)

// maxConnections is how many connections Chrome makes to a host at once, unless both
// speak HTTP/2.
const maxConnections = 6

// Navigate opens an address as a new document and returns when the answer's
// head is there and the page has begun to load. An error status is no error.
// It returns a *NavigationError when there was no answer, and a *StoppedError when the
// address, or one that it was redirected to, is not allowed. When ctx ends first,
// the navigation is given up.
func (t *Tab) Navigate(ctx context.Context, address, referrer string) (*Response, error) {
	if err := t.leave(ctx); err != nil {
		return nil, err
	}
	if err := t.lead(ctx); err != nil {
		return nil, err
	}
	if err := t.account(ctx); err != nil {
		return nil, err
	}
	if len(t.Open()) >= maxConnections { // they may hold all connections to the host, and end only when the page is left
		if err := t.StopLoading(ctx); err != nil {
			return nil, err
		}
	}
	t.mu.Lock()
	last := t.document
	t.document, t.problems, t.trace, t.parts = nil, nil, trace{}, parts{}
	t.replies = replies{}
	t.mu.Unlock()
	t.happened("asked for %s", Redact(address))
	if last != nil && sameDocument(last.URL, address) {
		if _, err := t.navigate(ctx, page.NavigateParams{URL: "about:blank"}); err != nil {
			return nil, err
		}
	}
	res, err := t.visit(ctx, page.NavigateParams{URL: address, Referrer: referrer})
	if err != nil {
		return nil, err
	}
	t.browser.disown()
	doc := t.Document()
	switch {
	case res.IsDownload:
		return &Response{URL: address, Download: true}, nil
	case doc != nil && (res.ErrorText == "" || doc.loader == res.LoaderID && doc.Status >= 400):
		return doc, nil
	case res.ErrorText != "":
		return nil, &NavigationError{URL: address, Text: t.reason(res.ErrorText, network.RequestID(res.LoaderID), address)}
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
	ctx, stop := t.refuseStaying(ctx)
	defer stop()
	res, err := t.start(ctx, params)
	if err == nil && commits(res) {
		t.mu.Lock()
		t.trace.own++
		t.mu.Unlock()
		err = t.awaitCommit(ctx, res.LoaderID)
	}
	return res, err
}

// StopLoading gives up what the page still loads, and with it the connections that this
// takes. The page stays as it is.
func (t *Tab) StopLoading(ctx context.Context) error {
	_, err := call(ctx, t, page.StopLoading, cdp.Empty{})
	return err
}

// forgottenAfter is how long Chrome may take to turn to a server. It normally takes
// some milliseconds.
const forgottenAfter = 10 * time.Second

// errForgotten: Chrome has not answered a navigation, nor does it wait for a server.
var errForgotten = errors.New("the navigation was forgotten")

// start asks for a navigation. One that meets another, which the page has begun
// itself, is now and then never answered: it is asked for once more.
func (t *Tab) start(ctx context.Context, params page.NavigateParams) (page.NavigateResult, error) {
	for range 2 {
		watched, stop := t.notForgotten(ctx)
		res, err := call(watched, t, page.Navigate, params)
		stop()
		if !errors.Is(err, errForgotten) {
			return res, err
		}
		if err := t.browser.confirm(ctx); err != nil {
			return res, err
		}
	}
	t.lose(fmt.Errorf("%w: it could not be left, though it was tried twice", ErrPageHung))
	return page.NavigateResult{}, t.dead()
}

// notForgotten returns a context that also ends when a navigation, which is being
// started, is forgotten. What it returns is to be called in the end.
func (t *Tab) notForgotten(ctx context.Context) (context.Context, func()) {
	watched, cancel := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		tick := time.NewTicker(forgottenAfter)
		defer tick.Stop()
		for {
			select {
			case <-watched.Done():
				return
			case <-tick.C:
				if !t.awaits() {
					cancel(errForgotten)
				}
			}
		}
	})
	return watched, func() { cancel(nil); watching.Wait() }
}

// commits reports whether a navigation that was answered leads to a document,
// the page that Chrome shows for an error among them.
func commits(res page.NavigateResult) bool {
	return res.LoaderID != "" && !res.IsDownload && res.ErrorText != aborted
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

// load notes that the page is loaded, and with it its style sheets: the end of the one that makes a page
// of XML is not told. One that writes itself anew is loaded again.
func (t *Tab) load() {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.trace.requests, func(_ network.RequestID, r request) bool { return r.sheet })
	select {
	case <-t.loaded:
	default:
		close(t.loaded)
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
