package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// windowList are the windows of an attended browser, and its tabs: Chrome does not tell them apart.
type windowList struct {
	mu     sync.Mutex
	opened int    // how many there were so far
	open   []*Tab // oldest first
	// addresses are what targets show, by their ids.
	addresses map[string]string
	// changed is closed and replaced when something changes that WindowsChanged names.
	changed chan struct{}
}

// window is what a person sees of a tab. It is guarded by windowList.mu.
type window struct {
	number int
	dialog *Dialog
}

// Dialog is a question of a page that it waits for the answer to.
type Dialog struct {
	// Type is alert, confirm, prompt or beforeunload.
	Type    string
	Message string
	// Suggested is what a prompt suggests for an answer.
	Suggested string
}

// Windows returns the windows and tabs of an attended browser that are open, oldest first.
func (b *Browser) Windows() []*Tab {
	b.windows.mu.Lock()
	defer b.windows.mu.Unlock()
	return slices.Clone(b.windows.open)
}

// WindowsChanged returns a channel that is closed when a window opens or closes, shows
// another address, or opens or closes a dialog.
func (b *Browser) WindowsChanged() <-chan struct{} {
	b.windows.mu.Lock()
	defer b.windows.mu.Unlock()
	return b.windows.change()
}

func (w *windowList) change() chan struct{} {
	if w.changed == nil {
		w.changed = make(chan struct{})
	}
	return w.changed
}

// alter changes something, and says so.
func (w *windowList) alter(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
	close(w.change())
	w.changed = nil
}

// add lists a tab, unless it is gone.
func (w *windowList) add(t *Tab, number int) {
	w.alter(func() {
		select {
		case <-t.gone:
			return
		default:
		}
		t.window.number = number
		at, _ := slices.BinarySearchFunc(w.open, number, func(t *Tab, n int) int { return t.window.number - n })
		w.open = slices.Insert(w.open, at, t)
	})
}

// unlist takes a window from the list that has closed. The oldest one that is left becomes the
// browser's tab where that was it.
func (b *Browser) unlist(t *Tab) {
	w := &b.windows
	var oldest *Tab
	w.alter(func() {
		w.open = slices.DeleteFunc(w.open, func(other *Tab) bool { return other == t })
		delete(w.addresses, t.id)
		if len(w.open) > 0 {
			oldest = w.open[0]
		}
	})
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tab == t && oldest != nil {
		b.tab = oldest
	}
}

// lead notes the address that a window shows.
func (w *windowList) lead(info *target.Info) {
	w.alter(func() {
		if w.addresses == nil {
			w.addresses = map[string]string{}
		}
		w.addresses[string(info.TargetID)] = info.URL
	})
}

func (w *windowList) next() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.opened++
	return w.opened
}

// attendAll lists the windows with which an attended browser begins.
func (b *Browser) attendAll() error {
	if !b.cfg.Attended {
		return nil
	}
	res, err := callBrowser(b.root, b, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return fmt.Errorf("listing the windows: %w", err)
	}
	for _, info := range res.TargetInfos {
		if string(info.TargetID) == b.tab.id {
			b.windows.lead(info)
			b.windows.add(b.tab, b.windows.next())
			continue
		}
		b.attend(info)
	}
	return nil
}

// attend lists a window that has been opened, and not by this program. It runs on
// chromedp's read loop: it must not block.
func (b *Browser) attend(info *target.Info) {
	b.mu.Lock()
	ours := b.tab == nil || b.ours[string(info.TargetID)] != nil || len(b.openings) > 0 && info.OpenerID == ""
	b.mu.Unlock()
	if !b.cfg.Attended || ours || info.Type != "page" || info.Subtype != "" { // the latter: one that is prepared and not shown
		return
	}
	number := b.windows.next()
	b.windows.lead(info)
	b.background(func() {
		life, free := chromedp.NewContext(b.root, chromedp.WithTargetID(info.TargetID))
		t, err := (*Tab)(nil), chromedp.Do(life)
		if err == nil {
			t, err = b.adopt(life, free)
		}
		if err != nil { // it is closed already
			free()
			return
		}
		b.windows.add(t, number)
		select {
		case <-t.gone:
			free()
		case <-b.root.Done():
		}
	})
}

// setUpAttended sets up a tab that a person uses.
func (t *Tab) setUpAttended() error {
	steps := []func() error{ // for the reasons, see setUp
		func() error { _, err := chromedp.Call(t.live, css.Disable, cdp.Empty{}); return err },
		func() error { _, err := chromedp.Call(t.live, dom.Disable, cdp.Empty{}); return err },
		func() error { _, err := chromedp.Call(t.live, network.Disable, cdp.Empty{}); return err },
		func() error { return t.identify(t.live) },
	}
	if !t.browser.cfg.Headful { // nobody could answer it
		steps = append(steps, func() error {
			cancel := true
			_, err := chromedp.Call(t.live, page.SetInterceptFileChooserDialog,
				page.SetInterceptFileChooserDialogParams{Enabled: true, Cancel: &cancel})
			return err
		})
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return fmt.Errorf("setting up a window: %w", err)
		}
	}
	return nil
}

// onWindow notes the dialogs of an attended tab. It runs on chromedp's read loop.
func (t *Tab) onWindow(event any) {
	if !t.browser.cfg.Attended {
		return
	}
	switch e := event.(type) {
	case *page.EventJavascriptDialogOpening:
		t.browser.windows.alter(func() {
			t.window.dialog = &Dialog{Type: string(e.Type), Message: e.Message, Suggested: e.DefaultPrompt}
		})
	case *page.EventJavascriptDialogClosed:
		t.browser.windows.alter(func() { t.window.dialog = nil })
	}
}

// Number tells the window from all others that the browser has opened.
func (t *Tab) Number() int {
	t.browser.windows.mu.Lock()
	defer t.browser.windows.mu.Unlock()
	return t.window.number
}

// Address returns that of the page that an attended tab shows.
func (t *Tab) Address() string {
	t.browser.windows.mu.Lock()
	defer t.browser.windows.mu.Unlock()
	return t.browser.windows.addresses[t.id]
}

// Dialog returns the dialog of an attended tab that waits for its answer, or nil.
func (t *Tab) Dialog() *Dialog {
	t.browser.windows.mu.Lock()
	defer t.browser.windows.mu.Unlock()
	return t.window.dialog
}

// AnswerDialog answers the dialog that waits: with OK, and a prompt with text, or with Cancel.
func (t *Tab) AnswerDialog(ctx context.Context, accept bool, text string) error {
	params := page.HandleJavaScriptDialogParams{Accept: accept}
	if accept {
		params.PromptText = text
	}
	_, err := attended(ctx, t, page.HandleJavaScriptDialog, params)
	if errors.Is(err, ErrPageClosed) { // as the page wanted
		return nil
	}
	return err
}

// Visit leads an attended tab to an address, and returns when it is shown, or Chrome's page
// that says why not; that is a *NavigationError as well.
func (t *Tab) Visit(ctx context.Context, address string) error {
	res, err := attended(ctx, t, page.Navigate, page.NavigateParams{URL: address})
	if err == nil && res.ErrorText != "" && !res.IsDownload {
		err = &NavigationError{URL: address, Text: t.reason(res.ErrorText, network.RequestID(res.LoaderID), address)}
	}
	return err
}

// Dismiss closes an attended window, as a person does.
func (t *Tab) Dismiss(ctx context.Context) error {
	_, err := callBrowser(ctx, t.browser, target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(t.id)})
	return err
}

// attended sends a command to an attended tab. How long the answer takes says nothing of
// the tab, which may wait for the person.
func attended[P, R any](ctx context.Context, t *Tab, command cdp.Command[P, R], params P) (R, error) {
	joined, cancel := join(t.live, ctx)
	defer cancel()
	res, err := chromedp.Call(joined, command, params)
	return res, t.browser.classify(joined, t, err)
}
