package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/chromedp"
)

var (
	// ErrLaunch: Chrome could not be started.
	ErrLaunch = errors.New("Chrome could not be started")
	// ErrLost: the browser is gone, or cannot be talked to any more.
	ErrLost = errors.New("the browser is lost")
	// ErrHung: the browser lives, and answers nothing. It is an ErrLost as well.
	ErrHung = fmt.Errorf("%w: it hangs", ErrLost)
	// ErrPageCrashed: the process that renders the page died.
	ErrPageCrashed = errors.New("the page's process crashed")
	// ErrPageHung: the page keeps its tab from answering, as an endless loop does.
	ErrPageHung = errors.New("the page did not answer")
	// ErrNotLeft: the page that the tab shows keeps the next one from being shown, as by a
	// script that runs without end while it is left. Another tab can show that: see Replace.
	ErrNotLeft = errors.New("the page before it could not be left")
	// ErrPageClosed: the page's tab was closed, and not by this program.
	ErrPageClosed = errors.New("the page closed its tab")
	// ErrNavigated: the page went away while it was being read.
	ErrNavigated = errors.New("the page navigated away while it was being read")
)

// NavigationError says that a page could not be reached.
type NavigationError struct {
	URL string
	// Text is Chrome's own name of the reason, "net::ERR_CONNECTION_REFUSED".
	Text string
}

func (e *NavigationError) Error() string {
	return fmt.Sprintf("the page could not be reached (%s): %s", e.Text, Redact(e.URL))
}

// ScriptError says that a script threw in the page.
type ScriptError struct{ Text string }

func (e *ScriptError) Error() string { return "the page's script failed: " + e.Text }

// classify turns the error of a protocol call into one of this package's.
func (b *Browser) classify(ctx context.Context, t *Tab, err error) error {
	if err == nil {
		return nil
	}
	if b.lost() {
		return b.loss()
	}
	if t != nil && errors.Is(err, chromedp.ErrTargetDetached) {
		t.lose(ErrPageClosed)
	}
	if t != nil && t.dead() != nil {
		return t.dead()
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	var exception *chromedp.ExceptionError
	if errors.As(err, &exception) {
		return &ScriptError{Text: exceptionText(exception)}
	}
	var protocol *cdproto.Error
	if errors.As(err, &protocol) && (strings.Contains(protocol.Message, "context was destroyed") ||
		strings.Contains(protocol.Message, "navigated or closed") || strings.Contains(protocol.Message, "Cannot find context") || strings.Contains(protocol.Message, "uniqueContextId not found") ||
		strings.Contains(protocol.Message, "Promise was collected")) {
		return ErrNavigated
	}
	return err
}

func exceptionText(e *chromedp.ExceptionError) string {
	if e.Exception != nil && e.Exception.Description != "" {
		text, _, _ := strings.Cut(e.Exception.Description, "\n    at ")
		return text
	}
	return e.Text
}
