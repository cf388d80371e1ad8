package scrape

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/browser"
)

// got is what fetch.js returns of data.
type got struct {
	Text   string `json:"text"`
	Status int    `json:"status"`
	// Why says why there is no text, or is empty.
	Why        string `json:"why"`
	RetryAfter string `json:"retryAfter"`
}

// get asks for data beside the order's page, with its cookies and out of its scripts' reach.
func (a *attempt) get(ctx context.Context, address string) (*got, error) {
	text, err := json.Marshal(address)
	if err != nil {
		return nil, fmt.Errorf("preparing a request for data: %w", err)
	}
	tab, id, answer := a.browser.Tab(), uuid.NewString(), &got{}
	err = tab.EvaluateApart(ctx, fetchLibrary, fmt.Sprintf("poscrape.get(%q, %s, %d)", id, text, browser.MaxReply), answer)
	switch {
	case err == nil:
		return answer, nil
	case ctx.Err() != nil:
		a.abort(ctx, id)
		return nil, err
	case errors.Is(err, browser.ErrLost), pageLost(err):
		return nil, err
	}
	return &got{Why: "was given up, as the page went away meanwhile"}, nil
}

// abort ends a request of fetch.js that is not wanted any more.
func (a *attempt) abort(ctx context.Context, id string) {
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortTimeout)
	defer cancel()
	_ = a.browser.Tab().EvaluateApart(late, fetchLibrary, fmt.Sprintf("poscrape.abort(%q)", id), nil) // it ends with its page at the latest
}
