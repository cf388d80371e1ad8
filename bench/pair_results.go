package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// pairResult is what an order has come to, as far as two builds should agree.
type pairResult struct {
	PO          string          `json:"po"`
	Outcome     string          `json:"outcome"`
	Fields      json.RawMessage `json:"fields"`
	Lines       json.RawMessage `json:"lines"`
	Attachments []struct {
		Name   string `json:"name"`
		State  string `json:"state"`
		Size   int64  `json:"size"`
		SHA256 string `json:"sha256"`
	} `json:"attachments"`
}

// readResults returns the results that the report of a session tells, by order.
func readResults(dir string) (map[string]pairResult, error) {
	text, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		return nil, err
	}
	var r struct {
		Tasks []pairResult `json:"tasks"`
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("reading the report: %w", err)
	}
	results := map[string]pairResult{}
	for _, t := range r.Tasks {
		results[t.PO] = t
	}
	return results, nil
}

// outcomesOf counts the outcomes.
func outcomesOf(results map[string]pairResult) string {
	counts := map[string]int{}
	for _, r := range results {
		counts[r.Outcome]++
	}
	var parts []string
	for _, outcome := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[outcome], outcome))
	}
	return strings.Join(parts, ", ")
}

// differences are the orders whose results are not the same, and what differs first.
type differences map[string]string

// add compares the results of both builds.
func (d differences) add(base, tree map[string]pairResult) {
	for po, b := range base {
		t, ok := tree[po]
		switch {
		case !ok:
			d[po] = "missing"
		case b.Outcome != t.Outcome:
			d[po] = fmt.Sprintf("outcome %s, was %s", t.Outcome, b.Outcome)
		case string(b.Fields) != string(t.Fields):
			d[po] = "fields"
		case string(b.Lines) != string(t.Lines):
			d[po] = "lines"
		case !slices.Equal(b.Attachments, t.Attachments):
			d[po] = "documents"
		}
	}
	for po := range tree {
		if _, ok := base[po]; !ok {
			d[po] = "not in the base"
		}
	}
}

// String names three of them.
func (d differences) String() string {
	if len(d) == 0 {
		return "same results"
	}
	var named []string
	for _, po := range slices.Sorted(maps.Keys(d)) {
		if len(named) == 3 {
			break
		}
		named = append(named, po+": "+d[po])
	}
	return fmt.Sprintf("the results of %d orders DIFFER (%s)", len(d), strings.Join(named, "; "))
}
