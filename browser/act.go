package browser

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

//go:embed act.js
var actScript string

// Target says which element of a page is meant.
type Target struct {
	// Selector is a CSS selector. It is looked up in the page, in its frames and in open
	// shadow roots; the first visible element that meets it is meant.
	Selector string
	// Frame is the CSS selector of the iframe element that Selector is looked up in, or
	// empty.
	Frame string
	// Text is what people read on the element, all of it, in any case; or empty. Several visible
	// elements that have it are none. Without a Selector it is searched for on links, buttons, tabs and
	// other controls.
	Text string
	// Part: Text is only a part of that, which no letter or digit goes on.
	Part bool
	// Origins are those ("https://portal.example") of the documents that the element may be in, and that
	// may be around it; nil is any. Others are not looked into, nor is one whose origin is opaque. They are
	// for a secret, which Fill then writes without keys, unless the page goes by these.
	Origins []string
	// Check is asked right before the element is clicked, or gets a key of Press, and may refuse that by
	// an error; or is nil.
	Check func(context.Context, Deed) error
}

// ElementError says why an element could not be acted on in time.
type ElementError struct {
	Target
	// Why is what was seen of it last.
	Why string
	// Refused are the origins of documents that Target.Origins kept from being looked into.
	Refused []string
	// Cause is why there was no time left.
	Cause error
}

func (e *ElementError) Error() string {
	in := ""
	if e.Text != "" {
		in = fmt.Sprintf("the text %q", e.Text)
		if e.Part {
			in = fmt.Sprintf("a text with %q in it", e.Text)
		}
		if e.Selector != "" {
			in += " on "
		}
	}
	if e.Selector != "" {
		in += strconv.Quote(e.Selector)
	}
	if e.Frame != "" {
		in += fmt.Sprintf(" in the frame %q", e.Frame)
	}
	return in + ": " + e.Why
}

func (e *ElementError) Unwrap() error { return e.Cause }

// retryAfter is how long a page is left alone before an element is looked for again. One
// that is drawn at other places in two such looks is moving.
const retryAfter = 50 * time.Millisecond

// The whys that Go knows itself.
const (
	whyNothing = "nothing met it"
	whyHidden  = "it is hidden"
	whySeveral = "several elements show it (%s); name the one that is meant by its selector too"
	whyMoving  = "it keeps moving"
	whyFocus   = "it does not take the keys"
	whyKept    = "it did not keep what was written into it"
	whyMissed  = "the click met something else"
	whyAway    = "its form is sent to %s, which is not to have this secret"
)

// Click clicks an element with the mouse, in its middle, as soon as it is visible,
// enabled, at rest and covered by nothing. It returns when the click was delivered; what
// that causes goes on, see Calm. It returns an *ElementError when ctx ends before.
func (t *Tab) Click(ctx context.Context, target Target) error {
	return t.act(ctx, target, func(a *actor) (string, error) { return a.click(ctx) })
}

// Fill writes a text into a field, in place of what is there, as soon as the field is
// visible and can be written to. A rich text is a field too. It returns an *ElementError
// when ctx ends before, which never has the text, and a *KeyError at once.
func (t *Tab) Fill(ctx context.Context, target Target, text string) error {
	return t.act(ctx, target, func(a *actor) (string, error) { return a.fill(ctx, text) })
}

// Select chooses the option of a select element that has the value, or else that text, as
// soon as it is there. It chooses none where these are two. It returns an *ElementError when ctx ends before.
func (t *Tab) Select(ctx context.Context, target Target, value string) error {
	return t.act(ctx, target, func(a *actor) (string, error) {
		why, err := a.ready(ctx, "select")
		if why != "" || err != nil {
			return why, err
		}
		if why, err = a.keepSecret(ctx, value); why != "" || err != nil {
			return why, err
		}
		err = a.run(ctx, &why, "select(%s)", value)
		return why, err
	})
}

// Press presses a key that KnownKey knows. Without a Selector it goes to whatever has the
// focus; else the element gets that first, as soon as it is visible and enabled. It
// returns an *ElementError when ctx ends before, and a *KeyError at once.
func (t *Tab) Press(ctx context.Context, target Target, key string) error {
	if target.Selector == "" {
		stop := t.KeepPace(ctx)
		defer stop()
		if err := t.permittedKey(ctx, target, key); err != nil {
			return err
		}
		return t.press(ctx, keyOf(key))
	}
	return t.act(ctx, target, func(a *actor) (string, error) {
		why, err := a.focus(ctx, "press", false)
		if why != "" || err != nil {
			return why, err
		}
		if err := a.permitted(ctx, key); err != nil {
			return "", err
		}
		return a.keys(ctx, []rune{keyOf(key)}, false)
	})
}

// Wait returns when an element is visible. It returns an *ElementError when ctx ends before.
func (t *Tab) Wait(ctx context.Context, target Target) error {
	return t.act(ctx, target, func(*actor) (string, error) { return "", nil })
}

// Label waits until an element with the target's text is visible, the only one, and returns what
// people read on it, and all that it says besides (a title, a picture of a font), in lower case. It
// returns an *ElementError when ctx ends before.
func (t *Tab) Label(ctx context.Context, target Target) (label, said string, err error) {
	err = t.act(ctx, target, func(a *actor) (string, error) { label, said = a.label, a.said; return "", nil })
	return label, said, err
}

// Shown reports whether an element is visible now.
func (t *Tab) Shown(ctx context.Context, target Target) (bool, error) {
	a := newActor(t, target)
	defer a.free()
	why, err := a.find(ctx)
	return why == "" && err == nil, err
}

// Calm returns when the page waits for no server, and has not for as long as quiet; and at
// the latest when the limit has passed, as pages may poll. It is for what a click or a key
// causes: the page that comes then is there, and loaded.
func (t *Tab) Calm(ctx context.Context, quiet, limit time.Duration) error {
	stop := t.KeepPace(ctx)
	defer stop()
	late := time.NewTimer(limit)
	defer late.Stop()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for since := time.Now(); time.Since(since) < quiet; {
		select {
		case <-tick.C:
			if t.awaits() || !t.isLoaded() || len(t.Open()) > 0 {
				since = time.Now()
			}
		case <-late.C:
			return nil
		case <-t.live.Done():
			return t.browser.classify(t.live, t, context.Cause(t.live))
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (t *Tab) isLoaded() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.loaded:
		return true
	default:
		return false
	}
}

// act has do called with an element that is visible, again and again until it has no
// reason left why it cannot be done, or ctx ends.
func (t *Tab) act(ctx context.Context, target Target, do func(*actor) (string, error)) error {
	stop := t.KeepPace(ctx)
	defer stop()
	a := newActor(t, target)
	defer a.free()
	tick := time.NewTicker(retryAfter)
	defer tick.Stop()
	var refused []string
	for seen := whyNothing; ; {
		why, err := a.find(ctx)
		if why == "" && err == nil {
			why, err = do(a)
		}
		switch {
		case ctx.Err() != nil:
			return &ElementError{target, seen, refused, context.Cause(ctx)}
		case errors.Is(err, ErrNavigated): // the next page may have it
		case err != nil:
			return err
		case why == "":
			return nil
		default:
			seen, refused = why, a.refused
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return &ElementError{target, seen, refused, context.Cause(ctx)}
		}
	}
}

// ready returns why the element cannot be acted on now, and notes where it is.
func (a *actor) ready(ctx context.Context, purpose string) (string, error) {
	var is struct {
		Why  string
		X, Y float64
	}
	if err := a.run(ctx, &is, "ready(%s)", purpose); err != nil || is.Why != "" {
		return is.Why, err
	}
	x, y := a.at.x+is.X, a.at.y+is.Y
	still := x == a.x && y == a.y
	if a.x, a.y = x, y; !still { // its frame does
		return whyMoving, nil
	}
	return a.covered(ctx, purpose)
}

// click clicks where ready has found the element. Nothing else in its frame and those
// around it hears of the click: the page may have changed in the meantime.
func (a *actor) click(ctx context.Context) (string, error) {
	why, err := a.ready(ctx, "click")
	if why != "" || err != nil {
		return why, err
	}
	mouse := func(kind input.DispatchMouseEventType) error {
		params := input.DispatchMouseEventParams{Type: kind, X: a.x, Y: a.y}
		if kind != input.DispatchMouseEventTypeMouseMoved {
			params.Button, params.ClickCount = input.MouseButtonLeft, 1
		}
		_, err := call(ctx, a.tab, input.DispatchMouseEvent, params)
		return err
	}
	if err := mouse(input.DispatchMouseEventTypeMouseMoved); err != nil {
		return "", err
	}
	if why, err = a.ready(ctx, "click"); why != "" || err != nil { // pages change under the mouse
		return why, err
	}
	if err := a.permitted(ctx, ""); err != nil {
		return "", err
	}
	if err := a.keep(ctx); err != nil {
		return "", err
	}
	defer a.letGo(ctx, "letGo()")
	if err := mouse(input.DispatchMouseEventTypeMousePressed); err != nil {
		return "", err
	}
	var landed bool
	missed := a.run(ctx, &landed, "landed()")
	if err := mouse(input.DispatchMouseEventTypeMouseReleased); err != nil {
		return "", err
	}
	if missed != nil || landed {
		return "", missed
	}
	return whyMissed, nil
}

// focus gives the element the focus, and may select what is in it.
func (a *actor) focus(ctx context.Context, purpose string, selecting bool) (string, error) {
	why, err := a.ready(ctx, purpose)
	if why != "" || err != nil {
		return why, err
	}
	var has bool
	if err := a.run(ctx, &has, "focus("+fmt.Sprint(selecting)+")"); err != nil || has {
		return "", err
	}
	return whyFocus, nil
}

// fill writes a text into the element and looks whether it is there.
func (a *actor) fill(ctx context.Context, text string) (string, error) {
	why, err := a.focus(ctx, "fill", true)
	if why != "" || err != nil {
		return why, err
	}
	if why, err = a.keepSecret(ctx, text); why != "" || err != nil {
		return why, err
	}
	var kind string
	if err := a.run(ctx, &kind, "kind()"); err != nil {
		return "", err
	}
	if kind == "fixed" {
		var taken bool
		if err := a.run(ctx, &taken, "put(%s)", text); err != nil || taken {
			return "", err
		}
		return whyKept, nil
	}
	return a.write(ctx, text)
}

// written looks whether a text stands in the field, or in one that the page has put in its place.
// A code may have a field for each of its digits.
func (a *actor) written(ctx context.Context, text string) (string, error) {
	var is struct {
		There, Exact  bool
		Value, Spread string
	}
	if err := a.run(ctx, &is, "written()"); err != nil {
		return "", err
	}
	if !is.There {
		if why, err := a.find(ctx); why != "" || err != nil {
			return why, err
		}
		if err := a.run(ctx, &is, "written()"); err != nil {
			return "", err
		}
	}
	same := func(value string) bool { return value == text || !is.Exact && bare(value) == bare(text) }
	if same(is.Value) || is.Spread != is.Value && strings.HasPrefix(bare(is.Spread), bare(text)) {
		return "", nil
	}
	return whyKept, nil
}

// bare returns the letters and digits of a text, in lower case: fields put in blanks and
// dashes of their own.
func bare(text string) string {
	kept := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
	if kept == "" {
		return strings.TrimSpace(text)
	}
	return kept
}

// press presses a key and lets it go.
func (t *Tab) press(ctx context.Context, key rune) error {
	down, up := strokes(key)
	_, err := call(ctx, t, input.DispatchKeyEvent, down)
	if err == nil {
		_, err = call(ctx, t, input.DispatchKeyEvent, up)
	}
	return err
}

// strokes returns the events of a key, which goes down with what it writes, and up.
func strokes(key rune) (down, up input.DispatchKeyEventParams) {
	events := kb.Encode(key)
	down, up = *events[0], *events[len(events)-1]
	if len(events) > 2 {
		down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
	}
	return down, up
}

// KnownKey reports whether Press knows a key: "Enter", "Tab", "Escape", "ArrowDown" and so
// on, or a single character.
func KnownKey(name string) bool { return keyOf(name) != 0 }

// keyOf returns what the package kb has for a key, or 0.
func keyOf(name string) rune {
	switch runes := []rune(name); {
	case name == "Space":
		return ' '
	case len(runes) == 1 && unicode.IsPrint(runes[0]):
		return runes[0]
	}
	for r, key := range kb.Keys {
		if key.Key == name && len(name) > 1 && !key.Shift {
			return r
		}
	}
	return 0
}
