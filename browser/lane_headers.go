package browser

import (
	"context"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// send lets a paused request for a document go on, past Chrome's cache: what that has may be another
// order's. own: it goes to the origin that the document was asked for at, and has not been led to any
// other; then the headers of req go along.
func (l *lane) send(ctx context.Context, req Request, e *fetch.EventRequestPaused, own bool) error {
	headers := uncached(e.Request.Headers, req.Headers.Names())
	if own {
		for _, name := range req.Headers.Names() {
			headers = append(headers, &fetch.HeaderEntry{Name: name, Value: strings.TrimSpace(req.Headers.Value(name))})
		}
	}
	_, err := call(ctx, l.tab, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID, Headers: headers})
	return err
}

// uncached returns the headers of a request that no cache is to answer, without those of some names
// (in lower case) and without its referrer: Chrome cuts that where it is led to another origin, unless it
// is told which to send.
func uncached(headers network.Headers, without []string) []*fetch.HeaderEntry {
	var entries []*fetch.HeaderEntry
	for name, value := range headers {
		lower := strings.ToLower(name)
		if text, is := value.(string); is && !slices.Contains(without, lower) && !slices.Contains([]string{"referer", "cache-control", "pragma"}, lower) {
			entries = append(entries, &fetch.HeaderEntry{Name: name, Value: text})
		}
	}
	if !slices.Contains(without, "cache-control") {
		entries = append(entries, &fetch.HeaderEntry{Name: "Cache-Control", Value: "no-cache"})
	}
	return append(entries, &fetch.HeaderEntry{Name: "Pragma", Value: "no-cache"})
}
