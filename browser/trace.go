package browser

import (
	"cmp"
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
	method, address string
	at              time.Time
	// part: a script or style sheet of the page. frame: a page in a frame of it, of which
	// there is no answer yet.
	part, frame bool
	// sheet: a style sheet of the page's own document.
	sheet bool
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
	var waiting []string
	for _, part := range t.Open() {
		waiting = append(waiting, part.URL)
	}
	slices.Sort(waiting)
	return waiting
}

// Open returns the requests of the page, of any kind, whose answers have not ended, the
// earliest first.
func (t *Tab) Open() []Part {
	t.mu.Lock()
	defer t.mu.Unlock()
	var waiting []Part
	for _, r := range t.trace.requests {
		waiting = append(waiting, Part{Method: r.method, URL: Redact(r.address), Since: r.at})
	}
	slices.SortFunc(waiting, func(a, b Part) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.URL, b.URL)) })
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
	// A web worker's own script belongs to no loader, and its end is told to the worker alone
	// (Chromium 156): what a worker has still to do, the page's own account knows.
	if strings.HasPrefix(e.Request.URL, "data:") || e.LoaderID == "" {
		return
	}
	if e.Type == network.ResourceTypeDocument {
		t.followed.asked(string(e.RequestID), "", e.Request.URL)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.trace.requests == nil {
		t.trace.requests = map[network.RequestID]request{}
	}
	if e.Type == network.ResourceTypeDocument && string(e.FrameID) == t.id {
		t.awaited = e.LoaderID
		if e.RedirectResponse == nil {
			t.wanted = wanted{e.LoaderID, e.Request.URL, formOf(e.Request)}
		}
	}
	if len(t.trace.requests) < maxRequests { // the end of a worker's script, which has no loader, is told to the worker
		t.trace.requests[e.RequestID] = request{e.Request.Method, e.Request.URL, time.Now(),
			e.Type == network.ResourceTypeScript && e.LoaderID != "" || e.Type == network.ResourceTypeStylesheet,
			e.Type == network.ResourceTypeDocument && string(e.FrameID) != t.id,
			e.Type == network.ResourceTypeStylesheet && string(e.FrameID) == t.id}
	}
}

// wanted is how a document was asked for.
type wanted struct {
	loader        cdp.LoaderID
	address, form string
}

// formOf returns what is sent with a request, as far as Chrome shows it.
func formOf(r *network.Request) string {
	var form strings.Builder
	for _, entry := range r.PostDataEntries {
		form.Write(entry.Bytes)
	}
	return form.String()
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

// stuck reports whether the document that was asked for has been answered so long ago
// without being shown.
func (t *Tab) stuck(limit time.Duration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.awaited != "" && t.document != nil && t.document.loader == t.awaited && time.Since(t.document.at) >= limit
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
