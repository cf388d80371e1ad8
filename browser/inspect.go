package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// inspectorName names the world in which Config.Inspector runs. It is not the one of
// EvaluateApart, whose scripts may ask for more than the page's.
const inspectorName = "poscrape reader"

// inspection is the place where Config.Inspector has run. Its unique name tells it from
// those of other processes, which count from one again.
type inspection struct {
	id     runtime.ExecutionContextID
	unique string
}

// Inspect runs a script in the world that Config.Inspector has set up beside the page:
// it shares the page's document and origin, and no script of the page can reach into
// it. Otherwise it is like Evaluate. Where the page's clock has run ahead, it also
// returns ErrClockSpins.
func (t *Tab) Inspect(ctx context.Context, script string, out any) error {
	return t.inspect(ctx, script, false, out)
}

// InspectAndClick is Inspect for a script that clicks. The page takes it for an act of a person, after which
// it may open windows and reach the clipboard for some seconds; no look at it gives it that.
func (t *Tab) InspectAndClick(ctx context.Context, script string, out any) error {
	return t.inspect(ctx, script, true, out)
}

func (t *Tab) inspect(ctx context.Context, script string, gesture bool, out any) error {
	ctx, stop := t.refuseSpinning(ctx)
	defer stop()
	unique, err := t.inspector(ctx)
	if err != nil {
		return err
	}
	return t.evaluate(ctx, runtime.EvaluateParams{Expression: script, UniqueContextID: unique, UserGesture: &gesture}, out)
}

// inspector returns the inspector's context in the document that the tab shows.
func (t *Tab) inspector(ctx context.Context) (string, error) {
	t.mu.Lock()
	known := t.inspects.unique
	t.mu.Unlock()
	if known != "" {
		return known, nil
	}
	// Chrome runs no scripts for new documents where the page may run none itself.
	made, err := call(ctx, t, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: cdp.FrameID(t.id), WorldName: inspectorName})
	if err != nil {
		return "", fmt.Errorf("making a place for scripts beside the page's: %w", err)
	}
	t.mu.Lock()
	told := t.inspects
	t.mu.Unlock()
	if told.id != made.ExecutionContextID {
		return "", ErrNavigated
	}
	return told.unique, t.evaluate(ctx, runtime.EvaluateParams{Expression: t.browser.cfg.Inspector, UniqueContextID: told.unique}, nil)
}

// peek runs a script as Inspect does, which takes no time: it is no loss if it is given up.
func (t *Tab) peek(ctx context.Context, script string, out any) error {
	unique, err := t.inspector(ctx)
	if err != nil {
		return err
	}
	yes := true
	res, err := call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{Expression: script, UniqueContextID: unique, ReturnByValue: &yes})
	if err != nil {
		return err
	}
	return decode(res, out)
}

// evaluate runs a script as Evaluate and Inspect do.
func (t *Tab) evaluate(ctx context.Context, params runtime.EvaluateParams, out any) error {
	yes := true
	params.AwaitPromise, params.ReturnByValue = &yes, &yes
	res, err := call(ctx, t, runtime.Evaluate, params)
	if err != nil {
		if ctx.Err() != nil || errors.Is(err, ErrNavigated) {
			t.givenUp.Store(true)
		}
		return err
	}
	return decode(res, out)
}

// onContext notes the inspector's context. It runs on chromedp's read loop.
func (t *Tab) onContext(event any) {
	switch e := event.(type) {
	case *runtime.EventExecutionContextCreated:
		var of struct{ FrameID, Type string }
		if e.Context.Name != inspectorName || json.Unmarshal(e.Context.AuxData, &of) != nil || of.FrameID != t.id || of.Type != "isolated" {
			return
		}
		t.mu.Lock()
		t.inspects = inspection{e.Context.ID, e.Context.UniqueID}
		t.mu.Unlock()
	case *runtime.EventExecutionContextDestroyed:
		t.mu.Lock()
		if t.inspects.unique == e.ExecutionContextUniqueID {
			t.inspects = inspection{}
		}
		t.mu.Unlock()
	case *runtime.EventExecutionContextsCleared:
		t.mu.Lock()
		t.inspects = inspection{}
		t.mu.Unlock()
	}
}
