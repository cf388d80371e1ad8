package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/page"
)

// ErrDialog: a dialog stands before the page and cannot be answered.
var ErrDialog = errors.New("a dialog of the page could not be answered")

// dialogRetries and dialogPause: while a page is being exchanged for the next,
// Chrome refuses to answer its dialogs for a moment.
const (
	dialogRetries = 20
	dialogPause   = 50 * time.Millisecond
)

// dialogScript answers a page's dialogs before they are shown. Chrome now and
// then shows a dialog of a page that is just beginning without being able to
// answer it any more (1 of some 20 pages that call alert while they load), so
// that is left to the dialogs that a page opens by other means. A page that
// closes itself is kept: Chrome leaves a tab of it that answers nothing. One that
// prints itself, as invoices do, is not printed: in a window, the preview would hold
// it until somebody closes that.
func dialogScript(accept bool) string {
	return fmt.Sprintf(`(() => {
	"use strict";
	const accept = %t, { apply } = Reflect, stop = Event.prototype.stopImmediatePropagation;
	window.alert = function alert() {};
	window.confirm = function confirm() { return accept; };
	window.prompt = function prompt(_, suggested) { return accept ? "" + (suggested ?? "") : null; };
	window.close = function close() {};
	window.print = function print() {};
	window.addEventListener("beforeunload", (event) => apply(stop, event, []), true);
})();
`, accept)
}

// dialogTimeout bounds the answer to a dialog.
const dialogTimeout = 5 * time.Second

// answerDialogs answers what the script has not, until the tab ends.
func (t *Tab) answerDialogs() {
	for {
		select {
		case <-t.live.Done():
			return
		case d := <-t.dialogs:
			if err := t.answer(d); err != nil && t.live.Err() == nil {
				t.lose(fmt.Errorf("%w: %q: %w", ErrDialog, d.Message, err))
			}
		}
	}
}

func (t *Tab) answer(d *page.EventJavascriptDialogOpening) error {
	accept := t.browser.cfg.AcceptDialogs || d.Type == page.DialogTypeBeforeunload
	var err error
	for range dialogRetries {
		ctx, cancel := context.WithTimeout(context.Background(), dialogTimeout)
		_, err = call(ctx, t, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: accept})
		cancel()
		if err == nil {
			return nil
		}
		select {
		case <-time.After(dialogPause):
		case <-t.live.Done():
			return context.Cause(t.live)
		}
	}
	return err
}
