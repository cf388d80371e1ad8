package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/bench/protocol"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// reader reads with poscrape's own scraper.
type reader struct {
	*machine
	scraper *scrape.Scraper
}

func newReader(m *machine, o protocol.Options, portal *scrape.Portal, n int) (*reader, error) {
	places := scrape.Places{Session: o.Out, Staging: filepath.Join(o.Out, fmt.Sprintf("worker-%d", n+1))}
	if err := os.Mkdir(places.Staging, 0o755); err != nil {
		return nil, err
	}
	return &reader{machine: m, scraper: portal.Scraper(m.browser, places)}, nil
}

// Do reads an order, and leaves its documents where they were staged.
func (r *reader) Do(ctx context.Context, order protocol.Order) (protocol.Result, error) {
	task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{
		PO: order.PO, Digits: strings.TrimPrefix(order.PO, "PO"), Dir: order.PO, URL: order.URL,
	}}
	found, err := r.scraper.Do(ctx, task)
	if err != nil {
		return protocol.Result{}, err
	}
	if found.Missing != nil {
		return protocol.Result{}, found.Missing
	}
	result := protocol.Result{PO: order.PO, Fields: map[string]string{}}
	for name, field := range found.Fields {
		result.Fields[name] = field.Raw
	}
	for _, line := range found.Lines {
		result.Documents = append(result.Documents, protocol.Document{Name: line["name"], Size: line["size"]})
	}
	for _, doc := range found.Attachments {
		result.Documents = append(result.Documents, protocol.Document{
			Name: doc.Name, File: filepath.Join(found.Staging, doc.Staged), Bytes: doc.Size, SHA256: doc.SHA256,
		})
	}
	return result, nil
}
