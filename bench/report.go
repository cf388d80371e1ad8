package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/poscrape/poscrape/bench/protocol"
)

// report is what the benchmark reads of a session's report.json.
type report struct {
	Tasks []struct {
		PO     string
		Fields map[string]struct{ Raw string }
		Lines  []map[string]string
		// Attachments that are done.
		Attachments []struct {
			Name, Path, SHA256, State string
			Size                      int64
		}
		Attempts []struct {
			EndedAt time.Time `json:"ended_at"`
		}
	}
	// Totals say how pages were read.
	Totals struct{ Rendered, Fetched, Fallbacks int }
}

// readReport returns what a session of poscrape has brought home, and when the
// first order was done.
func readReport(dir string) (results []protocol.Result, first time.Time, how string, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		return nil, first, "", err
	}
	var r report
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, first, "", fmt.Errorf("reading the report: %w", err)
	}
	for _, t := range r.Tasks {
		result := protocol.Result{PO: t.PO, Fields: map[string]string{}}
		for name, field := range t.Fields {
			result.Fields[name] = field.Raw
		}
		for _, line := range t.Lines {
			result.Documents = append(result.Documents, protocol.Document{Name: line["name"], Size: line["size"]})
		}
		for _, a := range t.Attachments {
			if a.State == "done" {
				result.Documents = append(result.Documents,
					protocol.Document{Name: a.Name, File: a.Path, Bytes: a.Size, SHA256: a.SHA256})
			}
		}
		results = append(results, result)
		for _, a := range t.Attempts {
			if first.IsZero() || a.EndedAt.Before(first) {
				first = a.EndedAt
			}
		}
	}
	how = fmt.Sprintf("%d rendered, %d fetched, %d fallbacks", r.Totals.Rendered, r.Totals.Fetched, r.Totals.Fallbacks)
	return results, first, how, nil
}
