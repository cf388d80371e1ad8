package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

//go:embed storage.js
var storageScript string

// vestibule is the path of the empty page that an origin's storage is read and written on.
// No server is asked for it.
const vestibule = "/.well-known/poscrape-storage"

// storage runs a script with the functions of storage.js on an empty page of the origin.
// The tab must be fresh, and stays on that page.
func (t *Tab) storage(ctx context.Context, origin, script string, out any) error {
	at, err := url.Parse(origin)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" || at.Scheme+"://"+at.Host != origin {
		return fmt.Errorf("%q is no origin, such as https://portal.example", origin)
	}
	if err := t.visitEmpty(ctx, origin+vestibule); err != nil {
		return err
	}
	return t.EvaluateApart(ctx, storageScript, script, out)
}

// visitEmpty navigates to an address, and answers it with an empty page.
func (t *Tab) visitEmpty(ctx context.Context, address string) error {
	if err := t.account(ctx); err != nil { // without it no service worker is passed by
		return err
	}
	listening, stop := context.WithCancel(t.live)
	defer stop()
	err := chromedp.Listen(listening, func(event any) {
		if e, ok := event.(*fetch.EventRequestPaused); ok {
			t.browser.background(func() { t.answerEmpty(e) })
		}
	})
	if err != nil {
		return err
	}
	// Nothing at all is asked for, whatever the page's headers or Chrome itself would want.
	if _, err := call(ctx, t, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*", RequestStage: fetch.RequestStageRequest}}}); err != nil {
		return err
	}
	_, err = t.commit(ctx, page.NavigateParams{URL: address})
	if _, off := call(ctx, t, fetch.Disable, cdp.Empty{}); err == nil {
		err = off
	}
	if err != nil {
		return err
	}
	var shown string
	if err := t.Evaluate(ctx, "location.href", &shown); err != nil {
		return err
	}
	if shown != address {
		return fmt.Errorf("Chrome shows %s in place of %s", Redact(shown), address)
	}
	return nil
}

// answerEmpty answers a request that is paused. An error means that it is gone.
func (t *Tab) answerEmpty(e *fetch.EventRequestPaused) {
	_, _ = call(t.live, t, fetch.FulfillRequest, fetch.FulfillRequestParams{RequestID: e.RequestID, ResponseCode: http.StatusOK,
		ResponseHeaders: []*fetch.HeaderEntry{
			{Name: "Content-Type", Value: "text/html"}, {Name: "Content-Security-Policy", Value: "default-src 'none'"}}})
}

// sessionTimeout bounds the reading of a page's session storage. It takes a millisecond.
const sessionTimeout = 2 * time.Second

// setSessions notes what the next tab of the browser has in its session storage.
func (b *Browser) setSessions(s *State) {
	sessions := map[string][]Item{}
	for _, o := range s.Origins {
		if len(o.SessionStorage) > 0 {
			sessions[o.Origin] = o.SessionStorage
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sessions = sessions
}

// sessionOrigins returns the origins of which a session storage is known.
func (b *Browser) sessionOrigins() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Collect(maps.Keys(b.sessions))
}

// keepSession notes what the page of the browser's tab has in its session storage, if it is
// of one of the origins. What other pages of the tab have there is as it was when it was noted last.
func (b *Browser) keepSession(ctx context.Context, origins []string) {
	t := b.Tab()
	if len(origins) == 0 || t.dead() != nil || t.spinning.Load() || t.givenUp.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, sessionTimeout)
	defer cancel()
	var shown struct {
		Origin string
		Items  []Item
	}
	err := t.peek(ctx, `({origin: location.origin, items: Object.keys(sessionStorage).map(name => ({name, value: sessionStorage.getItem(name)}))})`, &shown)
	if err != nil || !slices.Contains(origins, shown.Origin) {
		return // a page without a storage, or that does not answer, leaves what was noted
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sessions == nil {
		b.sessions = map[string][]Item{}
	}
	b.sessions[shown.Origin] = shown.Items
	if len(shown.Items) == 0 {
		delete(b.sessions, shown.Origin)
	}
}

// takeOver has a tab go on with the session storage of the one that it is to replace.
func (b *Browser) takeOver(ctx context.Context, fresh *Tab) error {
	b.mu.Lock()
	sessions := maps.Clone(b.sessions)
	b.mu.Unlock()
	for origin, items := range sessions {
		text, err := json.Marshal(items)
		if err == nil {
			err = fresh.storage(ctx, origin, "writeSession("+string(text)+")", nil)
		}
		if err != nil {
			return fmt.Errorf("giving a tab the session storage of %s: %w", origin, err)
		}
	}
	if len(sessions) == 0 {
		return nil
	}
	return fresh.blank(ctx)
}
