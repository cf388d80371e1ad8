package browser

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// account has Chrome tell of the page's requests, and keep back those that are blocked.
func (t *Tab) account(ctx context.Context) error {
	return t.alter(ctx, true, func() error {
		var one, all, some int64 = 0, 0, maxBody
		if t.browser.cfg.KeepReplies {
			one, all = MaxReply, maxAllReplies
		}
		_, err := call(ctx, t, network.Enable, network.EnableParams{
			MaxTotalBufferSize: &all, MaxResourceBufferSize: &one, MaxPostDataSize: &some})
		if err == nil {
			// A service worker that an earlier page has left may answer in the server's place.
			// Pages get on without: each is as it is when it is visited for the first time.
			_, err = call(ctx, t, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true})
		}
		if err == nil && t.uncached.Load() {
			_, err = call(ctx, t, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
		}
		if err != nil || len(t.browser.cfg.BlockURLs) == 0 {
			return err
		}
		return t.Block(ctx)
	})
}

// Block has the tab's next page not load these addresses, whatever their queries, nor what
// Config.BlockURLs names, and anything else again.
func (t *Tab) Block(ctx context.Context, addresses ...*url.URL) error {
	blocks := []*network.BlockPattern{}
	for _, p := range t.browser.cfg.BlockURLs {
		blocks = append(blocks, &network.BlockPattern{URLPattern: p, Block: true})
	}
	for _, u := range addresses {
		path := special.ReplaceAllString(u.EscapedPath(), `\$0`)
		blocks = append(blocks, &network.BlockPattern{URLPattern: u.Scheme + "://" + u.Host + path + `\?*`, Block: true},
			&network.BlockPattern{URLPattern: u.Scheme + "://" + u.Host + path, Block: true})
	}
	_, err := call(ctx, t, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: blocks})
	return err
}

// special are the characters that mean something in URL patterns.
var special = regexp.MustCompile(`[\\*+?(){}:]`)

// Unaccounted ends the account of the page's requests, until the next Navigate: to
// keep it takes nearly as long as to fetch a small page (measured with Chromium 156:
// 0.9 of 1.9 ms of all its processes). What BlockURLs names is not kept back either.
// Where Config.OnAnswer is told of the page's address, it goes on.
// It may be called by several goroutines at once.
func (t *Tab) Unaccounted(ctx context.Context) error {
	if doc := t.Document(); doc != nil && t.browser.cfg.tellsOf(doc.URL) {
		return nil
	}
	return t.alter(ctx, false, func() error {
		if err := t.unslow(ctx); err != nil {
			return err
		}
		_, err := call(ctx, t, network.Disable, cdp.Empty{})
		return err
	})
}

// Uncached has nothing that the tab, or a window of its page, asks for answered by Chrome's cache, until it is called with false:
// what that has may be another order's.
func (t *Tab) Uncached(ctx context.Context, on bool) error {
	return t.within(ctx, func() error {
		if t.uncached.Swap(on) == on || !t.accounts { // Chrome forgets it then, see account
			return nil
		}
		if _, err := call(ctx, t, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: on}); err != nil {
			t.givenUp.Store(true)
			return fmt.Errorf("telling Chrome whether to use its cache: %w", err)
		}
		return nil
	})
}

// Kept reports whether pages of the tab have got data out of Chrome's cache since it was last asked. Their
// scripts, styles and pictures do not count, whatever asks for them, nor does what their server says will never change.
func (t *Tab) Kept() bool { return t.kept.Swap(false) }

// noteKept notes that a page's data came out of Chrome's cache.
func (t *Tab) noteKept(e *network.EventResponseReceived) {
	switch e.Type {
	case network.ResourceTypeDocument, network.ResourceTypeXHR, network.ResourceTypeFetch:
	default:
		return
	}
	if !e.Response.FromDiskCache || !strings.HasPrefix(e.Response.URL, "http") {
		return
	}
	if kind, _, _ := strings.Cut(e.Response.MimeType, "/"); kind == "image" || kind == "font" || e.Response.MimeType == "text/css" {
		return
	}
	for name, value := range e.Response.Headers {
		if text, _ := value.(string); strings.EqualFold(name, "Cache-Control") && strings.Contains(strings.ToLower(text), "immutable") {
			return
		}
	}
	t.kept.Store(true)
}

// alter changes whether Chrome tells of the page's requests, where that is needed.
func (t *Tab) alter(ctx context.Context, accounts bool, change func() error) error {
	return t.within(ctx, func() error {
		if t.accounts == accounts {
			return nil
		}
		if err := change(); err != nil {
			return fmt.Errorf("changing what is told of the page's requests: %w", err)
		}
		t.accounts = accounts
		return nil
	})
}

// within calls do while nobody else changes that.
func (t *Tab) within(ctx context.Context, do func() error) error {
	select {
	case t.entering <- struct{}{}:
		defer func() { <-t.entering }()
		return do()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
