package browser

import (
	"context"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// fetchWith fetches a document, with the headers of its request if it has any. Chrome then pauses
// each request for it before it is sent, also after a redirect.
func (l *lane) fetchWith(ctx context.Context, req Request) (*File, error) {
	if len(req.Headers.values) == 0 {
		return l.fetch(ctx, req)
	}
	pausing := append(slices.Clone(lanePatterns), &fetch.RequestPattern{ResourceType: network.ResourceTypeDocument, RequestStage: fetch.RequestStageRequest})
	if _, err := call(ctx, l.tab, fetch.Enable, fetch.EnableParams{Patterns: pausing}); err != nil {
		return nil, err
	}
	file, err := l.fetch(ctx, req)
	if l.tab != nil {
		if _, reset := call(ctx, l.tab, fetch.Enable, fetch.EnableParams{Patterns: lanePatterns}); reset != nil {
			l.drop(ctx)
		}
	}
	return file, err
}

// send lets a paused request go on: to the origin that the document was asked for at with the
// headers of that, to any other without.
func (l *lane) send(ctx context.Context, req Request, e *fetch.EventRequestPaused) error {
	params := fetch.ContinueRequestParams{RequestID: e.RequestID}
	if origin := originOf(req.URL); origin != "" && origin == originOf(e.Request.URL) {
		for name, value := range e.Request.Headers {
			if text, is := value.(string); is && req.Headers.Value(name) == "" {
				params.Headers = append(params.Headers, &fetch.HeaderEntry{Name: name, Value: text})
			}
		}
		for _, name := range req.Headers.Names() {
			params.Headers = append(params.Headers, &fetch.HeaderEntry{Name: name, Value: strings.TrimSpace(req.Headers.Value(name))})
		}
	}
	_, err := call(ctx, l.tab, fetch.ContinueRequest, params)
	return err
}
