package browser

import (
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/browser"
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

func (t *Tab) note(p Problem) {
	if len(p.Text) > maxProblemText {
		p.Text = strings.ToValidUTF8(p.Text[:maxProblemText], "") + "..."
	}
	p.Text = RedactText(p.Text)
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
	switch e := event.(type) {
	case *network.EventResponseReceived:
		if e.Type == network.ResourceTypeDocument && string(e.FrameID) == t.id {
			t.received(e)
		}
	case *page.EventFrameNavigated:
		if string(e.Frame.ID) == t.id {
			t.mu.Lock()
			t.committed = e.Frame.LoaderID
			close(t.moved)
			t.moved = make(chan struct{})
			t.mu.Unlock()
		}
	case *page.EventJavascriptDialogOpening:
		select {
		case t.dialogs <- e:
		default: // sixteen dialogs wait already; a page cannot open more than one
		}
	case *inspector.EventTargetCrashed:
		t.die(ErrPageCrashed)
		t.browser.taint(ErrPageCrashed)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeAssert {
			t.note(Problem{Kind: "console", Text: consoleText(e.Args)})
		}
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if ex := e.ExceptionDetails.Exception; ex != nil {
			text += " " + ex.Description
		}
		t.note(Problem{Kind: "exception", Text: text, URL: e.ExceptionDetails.URL})
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			t.note(Problem{Kind: "network", Text: e.Entry.Text, URL: e.Entry.URL})
		}
	}
}

func (t *Tab) received(e *network.EventResponseReceived) {
	header := map[string]string{}
	for name, value := range e.Response.Headers {
		header[strings.ToLower(name)] = fmt.Sprint(value)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.document = &Response{URL: e.Response.URL, Status: int(e.Response.Status), Header: header,
		MIME: e.Response.MimeType, loader: e.LoaderID}
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
		b.downloads.begin(e)
	case *browser.EventDownloadProgress:
		b.downloads.progress(e)
	case *target.EventTargetCreated:
		if e.TargetInfo.Type == "page" {
			b.mu.Lock()
			if id := string(e.TargetInfo.TargetID); !b.ours[id] {
				b.strays[id] = true
			}
			b.mu.Unlock()
		}
	case *target.EventTargetDestroyed:
		b.mu.Lock()
		delete(b.strays, string(e.TargetID))
		b.mu.Unlock()
	case *target.EventTargetCrashed:
		b.mu.Lock()
		ours := b.ours[string(e.TargetID)]
		tab := b.tab
		b.mu.Unlock()
		if ours {
			b.taint(ErrPageCrashed)
		}
		if tab != nil && tab.id == string(e.TargetID) {
			tab.die(ErrPageCrashed)
		}
	}
}
