// Command chromedp is what a Go programmer writes with chromedp alone: no
// queue, no retries, no record. Its variants go from the one that comes first to
// mind to the leanest:
//
//	tabs      one Chrome, and a new tab for each order
//	browsers  a Chrome for each worker, and a new tab for each order
//	reuse     a Chrome and a tab for each worker
package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/poscrape/poscrape/bench/protocol"
)

func main() {
	var mu sync.Mutex
	var shared *chrome
	protocol.Main(func(_ context.Context, o protocol.Options, _ int) (protocol.Worker, error) {
		w := &worker{options: o, extraction: protocol.Extraction(o.Patience)}
		var err error
		switch o.Variant {
		case "tabs":
			mu.Lock()
			defer mu.Unlock()
			if shared == nil {
				shared, err = launch(o)
			}
			if err == nil {
				shared.users++
				w.chrome = shared
			}
		case "browsers", "reuse":
			if w.chrome, err = launch(o); err == nil {
				w.chrome.users++
			}
		default:
			err = fmt.Errorf("there is no variant %q", o.Variant)
		}
		return w, err
	})
}

// chrome is a running browser. It lives until its last user has closed it.
type chrome struct {
	ctx  context.Context
	free context.CancelFunc

	mu    sync.Mutex
	users int
}

// launch starts a Chrome, and switches off in its first tab what nobody uses.
func launch(o protocol.Options) (*chrome, error) {
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(o.Chrome), chromedp.Flag("blink-settings", "imagesEnabled=false"))
	alloc, free := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, _ := chromedp.NewContext(alloc)
	err := chromedp.Do(ctx)
	if err == nil {
		_, err = chromedp.Call(ctx, css.Disable, cdp.Empty{})
	}
	if err == nil {
		_, err = chromedp.Call(ctx, dom.Disable, cdp.Empty{})
	}
	if err != nil {
		free()
		return nil, fmt.Errorf("starting %s: %w", o.Chrome, err)
	}
	return &chrome{ctx: ctx, free: free}, nil
}

func (c *chrome) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users--; c.users > 0 {
		return nil
	}
	defer c.free()
	return chromedp.Cancel(c.ctx)
}

type worker struct {
	options    protocol.Options
	extraction string
	chrome     *chrome
}

// Do reads an order.
func (w *worker) Do(_ context.Context, order protocol.Order) (protocol.Result, error) {
	ctx := w.chrome.ctx
	if w.options.Variant != "reuse" {
		tab, closeTab := chromedp.NewContext(ctx)
		defer closeTab()
		ctx = tab
	}
	navigate := func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		res, err := cdp.Call(ctx, t, page.Navigate, page.NavigateParams{URL: order.URL})
		if err == nil && res.ErrorText != "" {
			err = errors.New(res.ErrorText)
		}
		return chromedp.Void{}, err
	}
	if _, err := chromedp.Run(ctx, chromedp.WaitEvent(page.DomContentEventFired, nil, navigate)); err != nil {
		return protocol.Result{}, fmt.Errorf("opening the page: %w", err)
	}
	result, err := chromedp.Run(ctx, chromedp.Evaluate[protocol.Result](w.extraction, chromedp.EvalAwaitPromise))
	if err != nil {
		return protocol.Result{}, fmt.Errorf("reading the page: %w", err)
	}
	if w.options.Mode == protocol.ModeDocuments && len(result.Documents) > 0 {
		cookies, err := chromedp.Call(ctx, network.GetCookies, network.GetCookiesParams{})
		if err != nil {
			return protocol.Result{}, fmt.Errorf("reading the cookies: %w", err)
		}
		if err := save(w.options.Out, result, cookies.Cookies); err != nil {
			return protocol.Result{}, err
		}
	}
	return result, nil
}

func (w *worker) Close() error { return w.chrome.close() }
