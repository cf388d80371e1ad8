package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/chromedp/cdproto/domdebugger"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
)

// Keys go to whatever has the focus, and any frame of a page can take that. So a secret is set in the
// document of its field, and goes as keys only where the page goes by these. While keys are sent, frames
// that do not lead to the element are inert, and after each key it is asked whether that arrived.

// KeyError says that a key which was meant for an element did not arrive there. Something else may
// have it, so nothing more was sent, and nothing should be sent again.
type KeyError struct {
	Target
	// Host is that of the frame which has the focus in place of the element, or empty where that is not known.
	Host string
}

func (e *KeyError) Error() string {
	text := (&ElementError{Target: e.Target, Why: "a key did not arrive in it"}).Error()
	if e.Host != "" {
		text += ": a frame of " + e.Host + " takes the keys"
	}
	return text + "; nothing more was typed"
}

const (
	// longestTyped is how many characters are typed; what is longer is set as a whole.
	longestTyped = 100
	// steady is how long frames may not take the focus from a field before a secret is typed, and
	// steadyLook how often that is looked at.
	steady     = 50 * time.Millisecond
	steadyLook = 5 * time.Millisecond
)

// keyed is what act.js tells of a key.
type keyed struct {
	Heard, Astray bool
	Value         string
	way
}

// way tells whether the element takes keys, and how many frames are there that do not lead to it.
type way struct {
	Takes  bool
	Frames int
}

// write writes a text into the field and looks whether it is there.
func (a *actor) write(ctx context.Context, text string) (why string, err error) {
	ways := []func(context.Context, string) (string, error){a.typeText}
	switch {
	case a.target.Origins != nil:
		ways = append(ways, a.set)
		byKeys, err := a.goesByKeys(ctx, text)
		if err != nil {
			return "", err
		}
		if !byKeys {
			slices.Reverse(ways)
		}
	case len(text) > longestTyped:
		ways = []func(context.Context, string) (string, error){a.set, a.typeText}
	}
	for _, way := range ways {
		if why, err = way(ctx, text); why == "" && err == nil {
			why, err = a.written(ctx, text)
		}
		if why == "" || err != nil || a.at == nil {
			return why, err
		}
	}
	return why, nil
}

// keepSecret keeps a text that is a secret, and about to be written into the element, to its origins, or returns why
// the element's form would not.
func (a *actor) keepSecret(ctx context.Context, text string) (string, error) {
	if a.target.Origins == nil {
		return "", nil
	}
	var away string
	if err := a.run(ctx, &away, "sentAway()"); err != nil {
		return "", err
	}
	if away != "" {
		return fmt.Sprintf(whyAway, away), nil
	}
	return "", a.tab.keepSecret(ctx, text, a.target.Origins)
}

// set writes a text into the field without keys.
func (a *actor) set(ctx context.Context, text string) (string, error) {
	var done bool
	if err := a.run(ctx, &done, "set(%s)", text); err != nil || done {
		return "", err
	}
	return whyFocus, nil
}

// goesByKeys reports whether the page may need the keys that a text is typed with: it listens to them at
// the field, or around it in its document, or the field is too short, as where each digit of a code has one.
func (a *actor) goesByKeys(ctx context.Context, text string) (bool, error) {
	res, err := in(ctx, a.at.site, runtime.Evaluate, runtime.EvaluateParams{
		ContextID: a.at.world, Expression: "poscrapeActs.around(" + quoted(text) + ")"})
	if err != nil {
		return false, err
	}
	if res.Result == nil || res.Result.ObjectID == "" {
		return true, nil
	}
	yes, alone := true, int64(1)
	nodes, err := in(ctx, a.at.site, runtime.GetProperties, runtime.GetPropertiesParams{ObjectID: res.Result.ObjectID, OwnProperties: &yes})
	if err != nil {
		return false, err
	}
	for _, node := range nodes.Result {
		if _, err := strconv.Atoi(node.Name); err != nil || node.Value == nil {
			continue
		}
		heard, err := in(ctx, a.at.site, domdebugger.GetEventListeners, domdebugger.GetEventListenersParams{
			ObjectID: node.Value.ObjectID, Depth: &alone, Pierce: &yes})
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(heard.Listeners, func(l *domdebugger.EventListener) bool {
			return l.Type == "keydown" || l.Type == "keypress" || l.Type == "keyup"
		}) {
			return true, nil
		}
	}
	return false, nil
}

// typeText types a text into the field.
func (a *actor) typeText(ctx context.Context, text string) (string, error) {
	if text == "" {
		text = "\u007f"
	}
	return a.keys(ctx, []rune(text), true)
}

// keys sends keys to the element, in place of what is selected. Nothing is sent unless it has the focus, nor any
// more once it has not. It returns a *KeyError where a key went elsewhere.
func (a *actor) keys(ctx context.Context, keys []rune, selecting bool) (string, error) {
	defer a.letGo(ctx, "letKeysGo()")
	if err := a.keepKeys(ctx); err != nil {
		return "", err
	}
	before, why, err := a.settle(ctx, selecting)
	frames, secret := before.Frames, a.target.Origins != nil
	for i, key := range keys {
		if i > 0 {
			before, why, err = a.keyed(ctx)
		}
		if why == "" && secret && before.Frames != frames {
			why = "a frame appeared while it was written into"
		}
		if why != "" || err != nil {
			return why, err
		}
		down, up := strokes(key)
		if _, err := call(ctx, a.tab, input.DispatchKeyEvent, down); err != nil {
			return "", err
		}
		is, gone, err := a.keyed(ctx)
		switch {
		case errors.Is(err, ErrNavigated) && i == len(keys)-1: // because of it
			return "", nil
		case err != nil:
			return "", err
		case is.Heard, is.Value != before.Value:
		case is.Astray: // the page itself has moved the focus, and nothing heard the key
			return whyFocus, nil
		default:
			return "", &KeyError{Target: a.target, Host: a.thief(ctx)}
		}
		if secret && gone != "" { // letting the key go tells which one it is
			continue
		}
		if _, err := call(ctx, a.tab, input.DispatchKeyEvent, up); err != nil {
			return "", err
		}
	}
	return "", nil
}

// keepKeys has keys reach nothing but the element.
func (a *actor) keepKeys(ctx context.Context) error {
	function := "keepKeys()"
	for p := a.at; p != nil; p = p.parent {
		if err := a.evaluate(ctx, p, nil, function); err != nil {
			return err
		}
		function = fmt.Sprintf("setAside(%d)", p.nth)
	}
	return nil
}

// settle gives the element the focus once more, as a frame may have taken it before that was inert. Before a
// secret it waits whether one still does.
func (a *actor) settle(ctx context.Context, selecting bool) (is keyed, why string, err error) {
	if err := a.run(ctx, nil, fmt.Sprintf("focus(%t)", selecting)); err != nil {
		return is, "", err
	}
	for began := time.Now(); ; {
		is, why, err = a.keyed(ctx)
		if why != "" || err != nil || is.Frames == 0 || a.target.Origins == nil || time.Since(began) >= steady {
			return is, why, err
		}
		select {
		case <-time.After(steadyLook):
		case <-ctx.Done():
			return is, "", context.Cause(ctx)
		}
	}
}

// keyed tells of the key that was sent last, and why the element takes no other.
func (a *actor) keyed(ctx context.Context) (is keyed, why string, err error) {
	if err := a.run(ctx, &is, "keyed()"); err != nil {
		return is, "", err
	}
	for p := a.at; p.parent != nil; p = p.parent {
		var around way
		if err := a.evaluate(ctx, p.parent, &around, "onWay()"); err != nil {
			return is, "", err
		}
		is.Takes, is.Frames = is.Takes && around.Takes, is.Frames+around.Frames
	}
	if is.Takes {
		return is, "", nil
	}
	if host := a.thief(ctx); host != "" {
		return is, "a frame of " + host + " takes the focus from it", nil
	}
	return is, whyFocus, nil
}

// thief returns the host of the frame that has the focus in place of the element, or "" where that is not known.
func (a *actor) thief(ctx context.Context) string {
	for p := a.at; p != nil; p = p.parent {
		nth := -1
		if a.evaluate(ctx, p, &nth, "thief()") != nil || nth < 0 {
			continue
		}
		var address string
		inner := &frameWorld{parent: p, nth: nth}
		if a.reach(ctx, inner) == nil && a.evaluate(ctx, inner, &address, "where()") == nil {
			if u, err := ParseURL(address); err == nil {
				return u.Host
			}
		}
		return ""
	}
	return ""
}
