package scrape

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/scrub"
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

// complaints is what is kept of the page's console and network, and of how far
// it came.
type complaints struct {
	// Phase in which the attempt failed, and why; empty where it ended well.
	Phase string `json:"phase,omitempty"`
	Error string `json:"error,omitempty"`
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

// evidence keeps what a person needs to understand an attempt that did not end well, or
// any, and returns the files' paths below the session folder; f is nil where nothing is
// wrong. What cannot be collected is left out: a page that has crashed shows nothing, but
// how far it came is known.
func (a *attempt) evidence(ctx context.Context, f *tasks.Failure) []string {
	if f != nil && (f.Facts.Disk != nil || f.Advice == tasks.AdviceRelease && f.Class != tasks.ClassBrowserLost) {
		return nil
	}
	if f != nil && !a.places.Evidence.ofFailed() || f == nil && !a.places.Evidence.ofAll() {
		return nil
	}
	return a.collect(ctx, func(ctx context.Context, keep keeper) {
		a.keepPage(ctx, keep, true)
		content, err := json.MarshalIndent(a.complaints(f), "", "  ")
		keep("console.json", []byte(a.veil().all.Replace(string(content))), err)
	})
}

// picture keeps what a rendered page without documents shows.
func (a *attempt) picture(ctx context.Context, kind string) []string {
	if !a.owns() || !a.places.Evidence.takeEmpty(kind) {
		return nil
	}
	return a.collect(ctx, func(ctx context.Context, keep keeper) { a.keepPage(ctx, keep, false) })
}

// keeper keeps one file of an attempt, unless there was an error.
type keeper func(name string, content []byte, err error)

// collect has files kept for the attempt, within the time that there is for it.
func (a *attempt) collect(ctx context.Context, what func(context.Context, keeper)) []string {
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
	var kept []string
	what(ctx, func(name string, content []byte, err error) {
		if err != nil || len(content) == 0 {
			return
		}
		if file := a.places.Evidence.write(a.task.Dir, fmt.Sprintf("attempt-%d-%s", a.seq(), name), content); file != "" {
			kept = append(kept, file)
		}
	})
	return kept
}

// seq numbers the attempts at the order from 1; those that were not charged count too.
func (a *attempt) seq() int { return max(a.task.Attempts, len(a.task.History)) + 1 }

// keepPage keeps a picture of the page that the tab shows, and with source its text.
func (a *attempt) keepPage(ctx context.Context, keep keeper, withSource bool) {
	tab := a.browser.Tab()
	deadline, _ := ctx.Deadline()
	// A page that was refused by its status has often only begun.
	if !a.owns() || tab.Document() == nil || a.portal.servers.refused(tab.Document().URL) != nil || tab.AwaitLoad(ctx, time.Until(deadline)/5, 0) != nil {
		return
	}
	a.concealShown(ctx) // the page may have others by now
	if a.revealed {
		return
	}
	stop := tab.KeepPace(ctx)
	defer stop()
	source, picture, _ := a.pictured(ctx, tab.Screenshot)
	if withSource && source != "" {
		keep("page.html", []byte(a.veil().all.Replace(string(scrub.Page(source, maxEvidenceHTML)))), nil)
	}
	keep("screenshot.png", picture, nil)
}

func (a *attempt) complaints(f *tasks.Failure) complaints {
	c := complaints{URL: browser.Redact(a.page), Status: a.status, Problems: []browser.Problem{}}
	if f != nil {
		c.Phase, c.Error = f.Phase, browser.RedactText(f.Message)
	}
	if tab := a.browser.Tab(); a.owns() && a.portal.servers.refused(a.page) == nil {
		c.Problems, c.Happened, c.Waiting = tab.Problems(), tab.Happenings(), tab.Waiting()
	}
	if a.address != nil {
		c.Asked = browser.Redact(a.address.String())
	}
	return c
}
