package browser

import (
	"context"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
)

// Modifiers are keys that are held down.
type Modifiers int64

// The bits of Modifiers.
const (
	Alt Modifiers = 1 << iota
	Ctrl
	Meta
	Shift
)

// MouseAction is what a mouse does.
type MouseAction string

// The actions of a mouse.
const (
	MouseMove  MouseAction = "mouseMoved"
	MousePress MouseAction = "mousePressed"
	MouseFree  MouseAction = "mouseReleased"
	MouseWheel MouseAction = "mouseWheel"
)

// MouseEvent is a move or a click at a place of a window.
type MouseEvent struct {
	Action MouseAction
	// X, Y are the place, in CSS pixels; DX, DY how far the wheel turns.
	X, Y, DX, DY float64
	// Button is none, left, middle or right; Held are the buttons that are down (the bits of
	// MouseEvent.buttons in the DOM); Clicks counts those in a row.
	Button string
	Held   int64
	Clicks int64
	Modifiers
}

// KeyEvent is a key that is pressed, or let go.
type KeyEvent struct {
	Down bool
	// Key, Code and WindowsCode are key, code and keyCode of the DOM. Text is what the key
	// writes, or empty.
	Key, Code, Text string
	WindowsCode     int64
	Modifiers
	// Commands are what the key does to a text, "selectAll".
	Commands []string
}

// SendMouse acts as a person does with a mouse. It blocks until the page has seen that, or has
// opened a dialog.
func (t *Tab) SendMouse(ctx context.Context, m MouseEvent) error {
	return t.untilDialog(ctx, func(ctx context.Context) error {
		_, err := attended(ctx, t, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventType(m.Action), X: m.X, Y: m.Y, DeltaX: m.DX, DeltaY: m.DY,
			Button: input.MouseButton(m.Button), Buttons: m.Held, ClickCount: m.Clicks, Modifiers: int64(m.Modifiers)})
		return err
	})
}

// SendKey acts as a person does with a keyboard. It blocks as SendMouse does.
func (t *Tab) SendKey(ctx context.Context, k KeyEvent) error {
	kind := input.DispatchKeyEventTypeKeyUp
	switch {
	case k.Down && k.Text != "":
		kind = input.DispatchKeyEventTypeKeyDown
	case k.Down:
		kind = input.DispatchKeyEventTypeRawKeyDown
	}
	return t.untilDialog(ctx, func(ctx context.Context) error {
		_, err := attended(ctx, t, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: k.Key, Code: k.Code, Text: k.Text,
			UnmodifiedText: k.Text, WindowsVirtualKeyCode: k.WindowsCode, NativeVirtualKeyCode: k.WindowsCode,
			Modifiers: int64(k.Modifiers), Commands: k.Commands})
		return err
	})
}

// SendText writes text where the cursor is, as a paste does. It blocks as SendMouse does.
func (t *Tab) SendText(ctx context.Context, text string) error {
	return t.untilDialog(ctx, func(ctx context.Context) error {
		_, err := attended(ctx, t, input.InsertText, input.InsertTextParams{Text: text})
		return err
	})
}

// Reload loads the page anew.
func (t *Tab) Reload(ctx context.Context) error {
	_, err := attended(ctx, t, page.Reload, page.ReloadParams{})
	return err
}

// Back shows the page before this one, if there is one.
func (t *Tab) Back(ctx context.Context) error {
	pages, err := attended(ctx, t, page.GetNavigationHistory, cdp.Empty{})
	if err != nil || pages.CurrentIndex < 1 {
		return err
	}
	_, err = attended(ctx, t, page.NavigateToHistoryEntry,
		page.NavigateToHistoryEntryParams{EntryID: pages.Entries[pages.CurrentIndex-1].ID})
	return err
}

// untilDialog does what may make the page open a dialog: Chrome answers only when that is closed.
func (t *Tab) untilDialog(ctx context.Context, do func(context.Context) error) error {
	asked, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	var asking sync.WaitGroup
	asking.Go(func() { done <- do(asked) })
	for {
		changed := t.browser.WindowsChanged()
		if t.Dialog() != nil {
			cancel()
			asking.Wait()
			return nil
		}
		select {
		case err := <-done:
			return err
		case <-changed:
		}
	}
}
