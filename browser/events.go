package browser

import (
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// Problem is something that a page complained about.
type Problem struct {
	// Kind is console, exception, network or dialog.
	Kind string `json:"kind"`
	Text string `json:"text"`
	URL  string `json:"url,omitempty"`
}

// maxProblems and maxProblemText bound what a page's complaints may take.
const (
	maxProblems    = 200
	maxProblemText = 2000
)

// Problems returns what the page has complained about since its navigation, the
// first 200 of it.
func (t *Tab) Problems() []Problem {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]Problem{}, t.problems...)
}

// note keeps a complaint. Those beyond the bound are not even looked at: a page
// can complain faster than they are.
func (t *Tab) note(complaint func() Problem) {
	t.mu.Lock()
	full := len(t.problems) == maxProblems
	t.mu.Unlock()
	if full {
		return
	}
	p := complaint()
	p.Text = RedactText(shorten(p.Text))
	if p.URL != "" {
		p.URL = Redact(p.URL)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.problems) < maxProblems {
		t.problems = append(t.problems, p)
	}
}

// onEvent runs on chromedp's read loop: it must not block, nor send a command.
func (t *Tab) onEvent(event any) {
	t.heard.beat()
	if failed, ok := event.(*network.EventLoadingFailed); ok {
		failed.ErrorText = t.reason(failed.ErrorText, failed.RequestID, "")
	}
	t.onRequest(event)
	t.onContext(event)
	t.onWindow(event)
	t.onAnswer(event)
	t.onFrame(event)
	switch e := event.(type) {
	case *emulation.EventVirtualTimeBudgetExpired:
		t.ranOut()
	case *fetch.EventRequestPaused:
		t.followed.paused(t, e)
	case *page.EventDomContentEventFired:
		t.happened("its text was there")
	case *page.EventLoadEventFired:
		t.load()
		t.happened("it was loaded")
	case *page.EventJavascriptDialogOpening:
		t.happened("it opened a dialog: %s", e.Message)
		select {
		case t.dialogs <- e:
		default: // sixteen dialogs wait already; a page cannot open more than one
		}
	case *inspector.EventTargetCrashed:
		t.crashed(ErrPageCrashed)
	default:
		t.onComplaint(event)
	}
}

// onAnswer follows what the page asks the network for, until it is answered.
func (t *Tab) onAnswer(event any) {
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if e.RedirectResponse != nil {
			t.browser.came(e.RedirectResponse)
		}
		t.asked(e)
	case *network.EventLoadingFinished:
		t.followed.ended(e.RequestID, "")
		t.answered(e.RequestID, "")
	case *network.EventLoadingFailed:
		t.followed.ended(e.RequestID, e.ErrorText)
		failure := e.ErrorText
		if e.Canceled { // by the page itself, or by us
			failure = ""
		}
		t.frameFailed(e)
		t.answered(e.RequestID, failure)
	case *network.EventResponseReceived:
		t.browser.came(e.Response)
		t.noteKept(e)
		switch {
		case e.Type != network.ResourceTypeDocument:
		case string(e.FrameID) == t.id:
			t.received(e)
		default:
			t.begun(e.RequestID)
		}
	}
}

// came tells of the server that an answer came from. What Chrome has itself comes from none.
func (b *Browser) came(answer *network.Response) {
	from := answer.RemoteIPAddress
	if b.cfg.OnAnswer == nil || from == "" {
		return
	}
	if b.cfg.Egress != nil {
		from = b.cfg.Egress.From(answer.URL)
	}
	b.cfg.OnAnswer(answer.URL, from)
}

// frameFailed notes that a frame's page did not come, of which Chrome does not complain.
func (t *Tab) frameFailed(e *network.EventLoadingFailed) {
	t.mu.Lock()
	r := t.trace.requests[e.RequestID]
	t.mu.Unlock()
	if r.frame && (!e.Canceled || e.BlockedReason != "") {
		t.note(func() Problem {
			return Problem{Kind: "network", Text: "a frame was not loaded: " + e.ErrorText, URL: r.address}
		})
	}
}

// onFrame follows which frames the page has, and which document it shows.
func (t *Tab) onFrame(event any) {
	switch e := event.(type) {
	case *page.EventFrameNavigated:
		if string(e.Frame.ID) == t.id {
			t.shows(e.Frame)
		} else {
			t.mu.Lock()
			t.sent.frame(e.Frame.LoaderID)
			t.mu.Unlock()
		}
	case *page.EventFrameAttached:
		t.frames.add(string(e.FrameID))
	case *page.EventFrameDetached:
		if e.Reason == page.FrameDetachedReasonRemove { // else it goes on in another process
			t.frames.remove(string(e.FrameID))
		}
	}
}

// shows is told of the document that the tab shows from now on.
func (t *Tab) shows(frame *cdp.Frame) {
	t.mu.Lock()
	t.trace.shown++
	t.awaited = ""
	t.committed = frame.LoaderID
	t.parts.shows(t.committed)
	t.replies.shows(t.committed)
	t.sent.shows()
	close(t.moved)
	t.moved, t.loaded = make(chan struct{}), make(chan struct{})
	t.mu.Unlock()
	t.happened("showed %s", Redact(frame.URL))
}

func (t *Tab) onComplaint(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeAssert {
			t.note(func() Problem { return Problem{Kind: "console", Text: consoleText(e.Args)} })
		}
	case *runtime.EventExceptionThrown:
		t.note(func() Problem { return exception(e.ExceptionDetails) })
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			t.note(func() Problem { return Problem{Kind: "network", Text: e.Entry.Text, URL: e.Entry.URL} })
		}
	}
}

// headersOf returns headers by their names in lower case.
func headersOf(headers network.Headers) map[string]string {
	all := map[string]string{}
	for name, value := range headers {
		all[strings.ToLower(name)] = fmt.Sprint(value)
	}
	return all
}

func (t *Tab) received(e *network.EventResponseReceived) {
	header := headersOf(e.Response.Headers)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.document = &Response{URL: e.Response.URL, Status: int(e.Response.Status), Header: header,
		MIME: e.Response.MimeType, loader: e.LoaderID, at: time.Now(), Asked: e.Response.URL, Cached: e.Response.FromDiskCache}
	if t.wanted.loader == e.LoaderID {
		t.document.Asked, t.document.Form = t.wanted.address, t.wanted.form
	}
}

func exception(e *runtime.ExceptionDetails) Problem {
	text := e.Text
	if e.Exception != nil {
		text += " " + e.Exception.Description
	}
	return Problem{Kind: "exception", Text: text, URL: e.URL}
}

func consoleText(args []*runtime.RemoteObject) string {
	var parts []string
	for _, arg := range args {
		switch {
		case arg.Description != "":
			parts = append(parts, arg.Description)
		default:
			parts = append(parts, strings.Trim(string(arg.Value), `"`))
		}
	}
	return strings.Join(parts, " ")
}

// onBrowserEvent runs on chromedp's read loop: it must not block, nor send a command.
func (b *Browser) onBrowserEvent(event any) {
	switch e := event.(type) {
	case *browser.EventDownloadWillBegin:
		b.begin(e)
	case *fetch.EventRequestPaused:
		b.onPaused(e)
	case *fetch.EventAuthRequired:
		b.onAuthRequired(e)
	case *browser.EventDownloadProgress:
		b.downloads.progress(e)
	case *target.EventTargetCreated:
		if e.TargetInfo.Type == "page" {
			b.mu.Lock()
			if id := string(e.TargetInfo.TargetID); b.ours[id] == nil {
				b.strays[id] = b.opened(string(e.TargetInfo.OpenerID))
			}
			b.mu.Unlock()
			b.attend(e.TargetInfo)
		}
	case *target.EventTargetInfoChanged:
		if b.cfg.Attended && e.TargetInfo.Type == "page" {
			b.windows.lead(e.TargetInfo)
		}
	case *target.EventTargetDestroyed:
		if t := b.forget(string(e.TargetID)); t != nil {
			t.lose(ErrPageClosed) // has no effect where it was lost or closed by us
			close(t.gone)
			b.unlist(t)
		}
	case *target.EventTargetCrashed:
		b.mu.Lock()
		t, reason := b.ours[string(e.TargetID)], fmt.Errorf("%w (%s, %d)", ErrPageCrashed, e.Status, e.ErrorCode)
		for opening := range b.openings {
			if t == nil {
				(*opening)(reason)
			}
		}
		b.mu.Unlock()
		if t != nil {
			t.crashed(reason)
		}
	}
}

// forget drops a target that is gone, and returns its tab if it was one of ours.
func (b *Browser) forget(id string) *Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.ours[id]
	delete(b.ours, id)
	delete(b.strays, id)
	return t
}
