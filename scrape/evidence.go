package scrape

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/tasks"
)

// evidenceTimeout bounds the collecting of evidence, which comes on top of the
// attempt's own time, and lateEvidenceTimeout where that time was up: whoever
// waits for the attempt's end does not wait for long.
const (
	evidenceTimeout     = 10 * time.Second
	lateEvidenceTimeout = 1500 * time.Millisecond
)

// maxEvidenceHTML bounds the HTML of a page that is kept.
const maxEvidenceHTML = 5 << 20

// pageSource returns the page without its scripts, and without the values that
// may be secrets: those of password and hidden inputs, and of tokens in meta tags.
const pageSource = `(() => {
	if (!document.documentElement) return "";
	const copy = document.documentElement.cloneNode(true);
	for (const el of copy.querySelectorAll("script, noscript, link[rel=preload]")) el.remove();
	for (const el of copy.querySelectorAll("input[type=password], input[type=hidden]")) el.setAttribute("value", "redacted");
	for (const el of copy.querySelectorAll("meta")) if (/token|csrf|nonce/i.test(el.name || el.getAttribute("property") || "")) el.setAttribute("content", "redacted");
	for (const el of copy.querySelectorAll("*")) for (const at of [...el.attributes]) if (/^on/i.test(at.name)) el.removeAttribute(at.name);
	return copy.outerHTML;
})()`

// complaints is what is kept of the page's console and network, and of how far
// it came.
type complaints struct {
	// Phase in which the attempt ended, and why.
	Phase string `json:"phase"`
	Error string `json:"error"`
	// Asked is the address that was opened, URL where that led, or empty.
	Asked    string            `json:"asked"`
	URL      string            `json:"url"`
	Status   int               `json:"status,omitempty"`
	Problems []browser.Problem `json:"problems"`
	// Happened is what became of the page, Waiting what it has asked for without
	// an end of the answer.
	Happened []browser.Happening `json:"happened,omitempty"`
	Waiting  []string            `json:"waiting,omitempty"`
}

// evidence keeps what a person needs to understand a failed attempt, and returns
// the files' paths below the session folder. What cannot be had is left out: a
// page that has crashed shows nothing, but how far it came is known.
func (a *attempt) evidence(ctx context.Context, f *tasks.Failure) []string {
	if f.Advice == tasks.AdviceRelease && f.Class != tasks.ClassBrowserLost {
		return nil
	}
	tab := a.browser.Tab()
	limit := evidenceTimeout
	if ctx.Err() != nil {
		limit = lateEvidenceTimeout
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	began := time.Now()
	defer func() { a.phaseMS["evidence"] += float64(time.Since(began)) / float64(time.Millisecond) }()

	if _, err := os.Stat(a.places.Staging); err != nil {
		return nil // the session folder is gone: what stands in its place is not ours
	}
	// Attempts that were not charged have had a number too.
	number := max(a.task.Attempts, len(a.task.History)) + 1
	prefix := path.Join("evidence", a.task.Dir, fmt.Sprintf("attempt-%d-", number))
	if err := os.MkdirAll(filepath.Join(a.places.Session, "evidence", a.task.Dir), 0o755); err != nil {
		return nil
	}
	var kept []string
	keep := func(name string, content []byte, err error) {
		if err != nil || len(content) == 0 {
			return
		}
		file := filepath.Join(a.places.Session, filepath.FromSlash(prefix+name))
		if os.WriteFile(file, content, 0o644) != nil {
			_ = os.Remove(file) // half a file is no evidence
			return
		}
		kept = append(kept, prefix+name)
	}
	// A page that was refused by its status has often only begun.
	shows := a.owns() && tab.Document() != nil && tab.AwaitLoad(ctx, limit/5, 0) == nil
	stop := tab.KeepPace(ctx)
	defer stop()
	if shows {
		var source string
		err := tab.Evaluate(ctx, pageSource, &source)
		keep("page.html", []byte(browser.RedactText(source[:min(len(source), maxEvidenceHTML)])), err)
		if err != nil || source != "" { // of a page without an element, none would ever come
			picture, err := tab.Screenshot(ctx)
			keep("screenshot.png", picture, err)
		}
	}
	content, err := json.MarshalIndent(a.complaints(f), "", "  ")
	keep("console.json", content, err)
	return kept
}

func (a *attempt) complaints(f *tasks.Failure) complaints {
	c := complaints{Phase: f.Phase, Error: f.Message, URL: browser.Redact(a.page), Status: a.status, Problems: []browser.Problem{}}
	if a.owns() {
		tab := a.browser.Tab()
		c.Problems, c.Happened, c.Waiting = tab.Problems(), tab.Happenings(), tab.Waiting()
	}
	if a.address != nil {
		c.Asked = browser.Redact(a.address.String())
	}
	return c
}
