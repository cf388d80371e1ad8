package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// join returns a context that ends with life, whose values it has, and with the
// caller's.
func join(life, ctx context.Context) (context.Context, context.CancelFunc) {
	joined, cancel := context.WithCancelCause(life)
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	return joined, func() { stop(); cancel(nil) }
}

// call sends a command to the tab.
func call[P, R any](ctx context.Context, t *Tab, command cdp.Command[P, R], params P) (R, error) {
	joined, cancel := join(t.live, ctx)
	defer cancel()
	answered := t.browser.watch(t)
	defer answered()
	res, err := chromedp.Call(joined, command, params)
	if err == nil {
		t.heard.beat()
	}
	return res, t.browser.classify(joined, t, err)
}

// callBrowser sends a command to the browser.
func callBrowser[P, R any](ctx context.Context, b *Browser, command cdp.Command[P, R], params P) (R, error) {
	joined, cancel := join(b.root, ctx)
	defer cancel()
	answered := b.watch(nil)
	defer answered()
	res, err := chromedp.CallBrowser(joined, command, params)
	return res, b.classify(joined, nil, err)
}

// Answers returns nil when the page has answered a question that takes it no time, and an
// error when it does not before ctx ends, as one whose scripts are in an endless loop.
func (t *Tab) Answers(ctx context.Context) error { return t.answers(ctx) }

// answers returns nil when the page has answered, and an error when it will not
// any more. It blocks until either is known, or ctx ends.
func (t *Tab) answers(ctx context.Context) error {
	_, err := call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{Expression: "0"})
	return err
}
