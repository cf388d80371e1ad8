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
	// requests are those under way, grew is when one that the page grew by has ended.
	requests map[network.RequestID]request
	grew     time.Time
	// shown is how many documents the tab has shown, own how many of these it was
	// told to show.
	shown, own int
}

type request struct {
	address string
	at      time.Time
	// part: a script or style sheet of the page. frame: a page in a frame of it, of which
	// there is no answer yet.
	part, frame bool
}

// maxFrameWait is how long a frame's answer is waited for at the most: its end may be told
// elsewhere, where it is another process's.
const maxFrameWait = 10 * time.Second

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

// Growing reports whether scripts, style sheets or frames of the page are under way, or
// have been a moment ago.
func (t *Tab) Growing(moment time.Duration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.trace.requests {
		if r.part || r.frame && time.Since(r.at) < maxFrameWait {
			return true
		}
	}
	return time.Since(t.trace.grew) < moment
}

// begun notes that a request has an answer: a frame then shows by itself that it is loading.
func (t *Tab) begun(id network.RequestID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r, ok := t.trace.requests[id]; ok && r.frame {
		r.frame = false
		t.trace.requests[id], t.trace.grew = r, time.Now()
	}
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
		t.trace.requests[e.RequestID] = request{e.Request.URL, time.Now(),
			e.Type == network.ResourceTypeScript || e.Type == network.ResourceTypeStylesheet,
			e.Type == network.ResourceTypeDocument && string(e.FrameID) != t.id}
	}
}

// answered notes that a request has ended; failure is Chrome's name of the reason
// why it did not end well, or empty.
func (t *Tab) answered(id network.RequestID, failure string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.trace.requests[id]; r.part || r.frame {
		t.trace.grew = time.Now()
	}
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
