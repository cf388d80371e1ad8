package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

const worldName = "poscrape"

// worldSource is the name of the scripts of a world, by which Chrome tells their requests from
// those of the page.
const worldSource = "poscrape-world:library"

// ofWorld reports whether a script of a world has made a request.
func ofWorld(by *network.Initiator) bool {
	return by != nil && by.Stack != nil && slices.ContainsFunc(by.Stack.CallFrames, func(f *runtime.CallFrame) bool { return f.URL == worldSource })
}

// worldPolicy is what a world may ask for. Without one of its own it would be
// bound by the page's, which often forbids requests.
const worldPolicy = "default-src * data: blob: 'unsafe-inline'"

// world is a place for scripts beside the page's own: it shares the page's
// document, origin and cookies, but none of the page's scripts can reach into it.
type world struct {
	id     runtime.ExecutionContextID
	loader cdp.LoaderID
}

// EvaluateApart runs a script in a world that the page's own scripts cannot touch,
// and decodes the value of the promise that it returns into out. library is run
// once in each world, before the first script. Unlike the tab's other methods it
// may be called by several goroutines at once, as long as the tab stays on its
// page. It returns a *ScriptError when the script throws, and ErrNavigated when the
// page goes away meanwhile, or has no room for a world. The page stays fit for use
// when ctx ends first; what the script does then goes on.
func (t *Tab) EvaluateApart(ctx context.Context, library, script string, out any) error {
	id, err := t.enter(ctx, library)
	if err != nil {
		return err
	}
	yes := true
	res, err := call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{
		Expression: script, ContextID: id, AwaitPromise: &yes, ReturnByValue: &yes,
	})
	if t.litters(1) {
		t.browser.background(func() { t.collect(t.live) })
	}
	if err != nil {
		return err
	}
	return decode(res, out)
}

// enter returns the world of the page that the tab shows, and makes it if need be.
func (t *Tab) enter(ctx context.Context, library string) (runtime.ExecutionContextID, error) {
	select {
	case t.entering <- struct{}{}:
		defer func() { <-t.entering }()
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
	t.mu.Lock()
	shows := t.committed
	t.mu.Unlock()
	if t.apart.id != 0 && t.apart.loader == shows {
		return t.apart.id, nil
	}
	made, err := call(ctx, t, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{
		FrameID: cdp.FrameID(t.id), WorldName: worldName, ContentSecurityPolicy: worldPolicy,
	})
	if err != nil {
		return 0, fmt.Errorf("making a place for scripts beside the page's: %w", err)
	}
	res, err := call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{Expression: library + "\n//# sourceURL=" + worldSource, ContextID: made.ExecutionContextID})
	if err == nil {
		err = decode(res, nil)
	}
	if err != nil {
		return 0, err
	}
	t.apart = world{made.ExecutionContextID, shows}
	return t.apart.id, nil
}

// decode turns the answer to an evaluation into its value, or into a *ScriptError.
func decode(res runtime.EvaluateResult, out any) error {
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
