package browser

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// Happening is something that became of a page.
type Happening struct {
	At   time.Time `json:"at"`
	Text string    `json:"text"`
}

// The bounds of what is kept of a page's doings.
const (
	maxHappenings = 40
	maxRequests   = 500
)

// trace is what a person needs to understand how far a page came.
type trace struct {
	happenings []Happening
	// requests are those under way.
	requests map[network.RequestID]request
	// shown is how many documents the tab has shown, own how many of these it was
	// told to show.
	shown, own int
}

type request struct {
	address string
	kind    network.ResourceType
}

// wandered reports whether the page has led on to another by itself.
func (t *Tab) wandered() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.trace.shown > t.trace.own
}

// settled forgets that the page has wandered.
func (t *Tab) settled() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.trace.shown, t.trace.own = 0, 0
}

// Happenings returns what became of the page since its navigation, the last 40
// steps of it.
func (t *Tab) Happenings() []Happening {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.trace.happenings)
}

// Waiting returns the addresses that the page has asked for without an end of
// their answers, sorted.
func (t *Tab) Waiting() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var waiting []string
	for _, r := range t.trace.requests {
		waiting = append(waiting, Redact(r.address))
	}
	slices.Sort(waiting)
	return waiting
}

// Growing reports whether scripts or style sheets of the page are under way.
func (t *Tab) Growing() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.trace.requests {
		if r.kind == network.ResourceTypeScript || r.kind == network.ResourceTypeStylesheet {
			return true
		}
	}
	return false
}

// happened notes a step. Its texts may be a page's.
func (t *Tab) happened(format string, args ...any) {
	text := RedactText(fmt.Sprintf(format, args...))
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.trace.happenings) == maxHappenings {
		t.trace.happenings = slices.Delete(t.trace.happenings, 0, 1)
	}
	t.trace.happenings = append(t.trace.happenings, Happening{time.Now(), shorten(text)})
}

func (t *Tab) asked(e *network.EventRequestWillBeSent) {
	if strings.HasPrefix(e.Request.URL, "data:") {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.trace.requests == nil {
		t.trace.requests = map[network.RequestID]request{}
	}
	if e.Type == network.ResourceTypeDocument && string(e.FrameID) == t.id {
		t.awaited = e.LoaderID
	}
	if len(t.trace.requests) < maxRequests {
		t.trace.requests[e.RequestID] = request{e.Request.URL, e.Type}
	}
}

// answered notes that a request has ended; failure is Chrome's name of the reason
// why it did not end well, or empty.
func (t *Tab) answered(id network.RequestID, failure string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.trace.requests, id)
	if string(t.awaited) == string(id) {
		t.awaited = ""
	}
	if t.document == nil || string(t.document.loader) != string(id) {
		return
	}
	whole := *t.document // whoever has asked for it keeps what he got
	whole.Whole, whole.Cut = failure == "", failure
	t.document = &whole
}

// await notes which document was asked for, or that none is due any more.
func (t *Tab) await(document cdp.LoaderID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.awaited = document
}

// awaits reports whether the tab waits for a server's document. Until that is
// there Chrome keeps back what the page is asked, so its silence says nothing.
func (t *Tab) awaits() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.awaited != ""
}

func shorten(text string) string {
	if len(text) <= maxProblemText {
		return text
	}
	return strings.ToValidUTF8(text[:maxProblemText], "") + "..."
}
