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
)

// evidenceTimeout bounds the collecting of evidence, which comes on top of the
// attempt's own time.
const evidenceTimeout = 10 * time.Second

// maxEvidenceHTML bounds the HTML of a page that is kept.
const maxEvidenceHTML = 5 << 20

// pageSource returns the page without its scripts, and without the values that
// may be secrets: those of password and hidden inputs, and of tokens in meta tags.
const pageSource = `(() => {
	const copy = document.documentElement.cloneNode(true);
	for (const el of copy.querySelectorAll("script, noscript, link[rel=preload]")) el.remove();
	for (const el of copy.querySelectorAll("input[type=password], input[type=hidden]")) el.setAttribute("value", "redacted");
	for (const el of copy.querySelectorAll("meta")) if (/token|csrf|nonce/i.test(el.name || el.getAttribute("property") || "")) el.setAttribute("content", "redacted");
	for (const el of copy.querySelectorAll("*")) for (const at of [...el.attributes]) if (/^on/i.test(at.name)) el.removeAttribute(at.name);
	return copy.outerHTML;
})()`

// pageLoaded waits until the page is there as a whole, for two seconds at most.
const pageLoaded = `document.readyState === "complete" ? true : new Promise((over) => {
	addEventListener("load", () => over(true)); setTimeout(() => over(false), 2000) })`

// complaints is what is kept of the page's console and network.
type complaints struct {
	// Asked is the address that was opened, URL where that led, or empty.
	Asked    string            `json:"asked"`
	URL      string            `json:"url"`
	Status   int               `json:"status,omitempty"`
	Problems []browser.Problem `json:"problems"`
}

// evidence keeps what a person needs to understand a failed attempt, and returns
// the files' paths below the session folder. What cannot be had is left out: a
// page that has crashed shows nothing.
func (a *attempt) evidence(ctx context.Context, wanted bool) []string {
	tab := a.browser.Tab()
	if !wanted || a.browser.Fit() != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), evidenceTimeout)
	defer cancel()
	began := time.Now()
	defer func() { a.phaseMS["evidence"] += float64(time.Since(began)) / float64(time.Millisecond) }()

	prefix := path.Join("evidence", a.task.Dir, fmt.Sprintf("attempt-%d-", a.task.Attempts+1))
	if _, err := os.Stat(a.places.Staging); err != nil {
		return nil // the session folder is gone: what stands in its place is not ours
	}
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
	if tab.Document() != nil {
		// A page that was refused by its status has often only begun.
		err := tab.Evaluate(ctx, pageLoaded, nil)
		if err == nil {
			var source string
			err = tab.Evaluate(ctx, pageSource, &source)
			keep("page.html", []byte(browser.RedactText(source[:min(len(source), maxEvidenceHTML)])), err)
		}
		picture, err := tab.Screenshot(ctx)
		keep("screenshot.png", picture, err)
	}
	if problems := tab.Problems(); len(problems) > 0 || len(kept) == 0 {
		asked := ""
		if a.address != nil {
			asked = browser.Redact(a.address.String())
		}
		content, err := json.MarshalIndent(complaints{asked, browser.Redact(a.page), a.status, problems}, "", "  ")
		keep("console.json", content, err)
	}
	return kept
}
