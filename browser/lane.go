package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// beginAfterAnswer is how long a download may take to begin once its answer's
// head is there. It normally takes some milliseconds.
const beginAfterAnswer = 10 * time.Second

// headStalls is how many stall timeouts a document's answer may take to begin:
// portals that make a document on demand are slower to begin than to send.
const headStalls = 3

// Request asks for a document by its address.
type Request struct {
	URL string
	// Referrer is the page that lists it.
	Referrer string
	// Charset is the character set of that page, or empty. A name that an answer gives in none is read by it.
	Charset string
	// Dir is where it is written if it is streamed, or empty for the download directory.
	Dir string
	// MaxSize in bytes.
	MaxSize int64
	// Allowed says whether a document may come from an address. It is asked
	// for each redirect, before that is followed.
	Allowed func(address string) bool
	// Headers are sent along, to the origin of URL alone. With any, it is not loaded.
	Headers Headers
	// WantsPage: the document is itself an HTML page.
	WantsPage bool
	// Load: it may be asked for without what a navigation tells a server, such as the
	// referrer, and once more by a navigation where that does not bring it.
	Load bool
	// Known are the validators of what is there already, or empty. Where the answer's are
	// the same, its body is not brought.
	Known string
}

// lane is a tab in which documents are fetched, one at a time. One that may be loaded is
// asked for from an empty page, and taken if it is there as a whole. Any other address is
// navigated to, and the answer is checked before any of its body. Errors,
// pages and foreign hosts are refused there. A body whose length was announced
// is streamed to disk; any other is turned into a download, because only that
// tells its end from a cut connection, and then whether its end was announced at all. Either way the tab stays as it was: no
// page of the portal runs in it, and none goes away.
type lane struct {
	browser *Browser
	tab     *Tab
	paused  chan *fetch.EventRequestPaused
	// anteroom is the page that the tab shows, if documents can be loaded from it.
	anteroom string
}

// Fetch downloads a document. It blocks until a lane is free and the document
// is complete. What keeps a document from being had is a *DownloadError.
func (b *Browser) Fetch(ctx context.Context, req Request) (*File, error) {
	if !req.Allowed(req.URL) {
		return nil, &DownloadError{Kind: KindHost, URL: req.URL}
	}
	select {
	case l := <-b.lanes:
		defer func() { b.lanes <- l }()
		return l.fetchOrReopen(ctx, req)
	case <-b.Lost():
		return nil, b.loss()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// fetchOrReopen fetches a document. When the lane's tab is lost meanwhile, which
// says nothing about the document, it is fetched once more in another one.
func (l *lane) fetchOrReopen(ctx context.Context, req Request) (*File, error) {
	var lost error
	for range 2 {
		if err := l.open(ctx); err != nil {
			return nil, err
		}
		tab := l.tab
		file, err := l.bring(ctx, req)
		letGo := l.tab != tab // by the lane itself, of a request that does not end
		if lost = tab.dead(); err == nil || lost == nil || letGo || l.browser.lost() {
			return file, err
		}
		l.drop(ctx)
	}
	return nil, &DownloadError{Kind: KindTab, URL: req.URL, Announced: -1, Text: lost.Error()}
}

func (l *lane) bring(ctx context.Context, req Request) (file *File, err error) {
	if req.Load && len(req.Headers.values) == 0 && !l.browser.cfg.tellsOf(req.URL) {
		file, err = l.load(ctx, req)
	}
	if err == nil && l.tab == nil {
		err = l.open(ctx)
	}
	if file == nil && err == nil {
		file, err = l.fetch(ctx, req)
	}
	if file != nil {
		l.cached(ctx, file.Size)
	}
	return file, err
}

// open opens the lane's tab if it has none.
func (l *lane) open(ctx context.Context) error {
	if l.tab != nil {
		return nil
	}
	tab, err := l.browser.openTab(ctx)
	if err != nil {
		return err
	}
	if err := tab.Unaccounted(ctx); err != nil {
		l.browser.background(func() { tab.close(ctx) })
		return fmt.Errorf("setting up a tab for documents: %w", err)
	}
	l.tab, l.paused, l.anteroom = tab, make(chan *fetch.EventRequestPaused, 16), ""
	paused := l.paused
	err = chromedp.Listen(tab.ctx, func(event any) {
		if e, ok := event.(*fetch.EventRequestPaused); ok {
			select {
			case paused <- e:
			default: // a lane has one request at a time; more than sixteen redirects wait for nobody
			}
		}
	})
	if err == nil {
		_, err = call(ctx, tab, fetch.Enable, fetch.EnableParams{Patterns: lanePatterns})
	}
	if err != nil {
		l.drop(ctx)
		return fmt.Errorf("setting up a tab for documents: %w", err)
	}
	return nil
}

// drop closes the lane's tab, with what goes on in it. The next document gets
// another one.
func (l *lane) drop(ctx context.Context) {
	if tab := l.tab; tab != nil {
		l.tab = nil
		l.browser.background(func() { tab.close(ctx) })
	}
}

// lanePatterns are the requests of a lane that Chrome pauses: before they are sent, also after a
// redirect, and with their answers.
var lanePatterns = []*fetch.RequestPattern{
	{ResourceType: network.ResourceTypeDocument, RequestStage: fetch.RequestStageResponse},
	{ResourceType: network.ResourceTypeDocument, RequestStage: fetch.RequestStageRequest},
}

// documentAsked stands for the document of a lane that was asked for: without an
// account of requests, nobody tells which it is.
const documentAsked cdp.LoaderID = "document"

// answer is the answer to a request for a document, and what was decided about it.
type answer struct {
	// file is the document, if its body was streamed.
	file *File
	// download: its body is on its way into the download directory.
	download  bool
	refusal   error
	announced int64
	head      head
	// leads is where a redirect leads, and via where those before the answer led.
	leads string
	via   []string
}

func (l *lane) fetch(ctx context.Context, req Request) (*File, error) {
	frame := l.tab.id
	expected := l.browser.expect(&Expectation{wants: func(d *Download) bool { return d.frame == frame }})
	defer expected.Cancel()
	l.forget()
	if l.browser.cfg.OnAnswer != nil { // a redirect may lead from https to http
		var none int64
		if _, err := call(ctx, l.tab, network.Enable, network.EnableParams{MaxTotalBufferSize: &none, MaxResourceBufferSize: &none}); err != nil {
			return nil, fmt.Errorf("having Chrome tell where a document comes from: %w", err)
		}
	}
	outer := ctx
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// Until the answer's head is there, nothing else bounds the waiting.
	head := time.AfterFunc(headStalls*l.browser.cfg.StallTimeout, func() { cancel(errStalled) })
	defer head.Stop()
	navigated := make(chan struct{})
	answers := make(chan answer, 1)
	go func() { answers <- l.awaitAnswer(ctx, req, head, navigated) }()
	l.tab.await(documentAsked)
	res, err := l.tab.commit(ctx, page.NavigateParams{URL: req.URL, Referrer: req.Referrer})
	l.tab.await("")
	close(navigated)
	v := <-answers
	switch {
	case errors.Is(context.Cause(ctx), errStalled) && outer.Err() == nil:
		if err := l.browser.confirm(outer); err != nil {
			return nil, err
		}
		l.drop(ctx)
		return nil, &DownloadError{Kind: KindStalled, URL: req.URL, Announced: -1, After: headStalls * l.browser.cfg.StallTimeout}
	case ctx.Err() != nil:
		l.drop(ctx)
		return nil, context.Cause(ctx)
	case v.refusal != nil:
		return nil, v.refusal
	case err != nil:
		return nil, err
	case v.file != nil:
		v.file.Via = v.via
		return v.file, nil
	case !v.download:
		// A request that ends without an answer may be one whose tab is lost,
		// which is known only a moment later.
		if err := l.tab.answers(ctx); !changing(err) {
			return nil, err
		}
		return nil, &DownloadError{Kind: KindUnreachable, URL: req.URL, Text: l.browser.reason(res.ErrorText, req.URL), Announced: -1}
	}
	download, err := expected.Begun(ctx, beginAfterAnswer)
	if err != nil {
		l.drop(ctx)
		return nil, err
	}
	file, err := l.downloaded(ctx, download, v.head, req.MaxSize)
	if err == nil && l.browser.cfg.tellsOf(file.URL) {
		if err := l.tab.answers(ctx); err != nil { // what it was told before its answer has been heard then
			return nil, errors.Join(err, file.Remove())
		}
	}
	if file != nil {
		file.Via = v.via
	}
	return file, err
}

// forget drops what an earlier request has left behind.
func (l *lane) forget() {
	for {
		select {
		case <-l.paused:
		default:
			return
		}
	}
}

// awaitAnswer follows the answers to one request until one is accepted or refused, or
// until the navigation has ended without one.
func (l *lane) awaitAnswer(ctx context.Context, req Request, head *time.Timer, navigated <-chan struct{}) answer {
	var via []string
	for own := true; ; {
		var e *fetch.EventRequestPaused
		select {
		case e = <-l.paused:
		case <-navigated:
			// Events arrive in order, so what was paused is here already.
			select {
			case e = <-l.paused:
			default:
				return answer{}
			}
		}
		head.Stop()
		if asks := e.ResponseStatusCode == 0 && e.ResponseErrorReason == ""; asks {
			own = own && originOf(e.Request.URL) == originOf(req.URL)
			if err := l.send(ctx, req, e, own); err != nil {
				return answer{refusal: err}
			}
		} else if v, final := l.decide(ctx, req, e); final {
			v.via = via[:max(0, len(via)-1)]
			return v
		} else {
			via = append(via, v.leads)
		}
		head.Reset(headStalls * l.browser.cfg.StallTimeout)
	}
}
