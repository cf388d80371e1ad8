//go:build linux

package chaos

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
)

// report is what the suite reads of report.json.
type report struct {
	Session struct {
		Status, Reason, Chrome, Version string
		Resumed                         int
	}
	Totals struct{ Tasks, Pending int }
	Events []event
	Tasks  []order
}

type event struct {
	At                   time.Time
	Type, Worker, Detail string
}

// order is one task of a report.
type order struct {
	PO, Outcome string
	Error       *failure
	Attachments []document
	Attempts    []attempt
}

type failure struct{ Class, Message string }

type document struct{ Name, Path, SHA256, State string }

type attempt struct {
	N         int
	Worker    string
	Released  bool
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at"`
	Error     *failure
	RetryAt   time.Time `json:"retry_at"`
	Evidence  []string
}

// report returns the workspace's report.
func (p *workspace) report() report {
	p.t.Helper()
	return testkit.ReadJSON[report](p.t, filepath.Join(p.out, "report.json"))
}

// order returns the order of this number.
func (r report) order(number string) order {
	for _, o := range r.Tasks {
		if o.PO == number {
			return o
		}
	}
	return order{}
}

// events returns the details of the events of a type.
func (r report) events(kind string) []event {
	var found []event
	for _, e := range r.Events {
		if e.Type == kind {
			found = append(found, e)
		}
	}
	return found
}

// sum is all that must be the same however often a run was broken: the outcome,
// and the documents by name and content.
func (o order) sum() string {
	var parts []string
	for _, d := range o.Attachments {
		parts = append(parts, fmt.Sprintf("%s %q %s", d.State, d.Name, d.SHA256))
	}
	slices.Sort(parts)
	return o.Outcome + ": " + strings.Join(parts, ", ")
}

// lost returns the orders that are not in r as they are in want, and the
// documents that are not on disk as r says.
func (p *workspace) lost(r, want report) []string {
	p.t.Helper()
	var lost []string
	if len(r.Tasks) != len(want.Tasks) {
		lost = append(lost, fmt.Sprintf("%d orders, want %d", len(r.Tasks), len(want.Tasks)))
	}
	for _, o := range want.Tasks {
		if got := r.order(o.PO); got.sum() != o.sum() {
			lost = append(lost, fmt.Sprintf("order %s:\n  got  %s\n  want %s", o.PO, got.sum(), o.sum()))
		}
	}
	for _, o := range r.Tasks {
		for _, d := range o.Attachments {
			if problem := p.onDisk(d); problem != "" {
				lost = append(lost, fmt.Sprintf("order %s: document %q %s", o.PO, d.Name, problem))
			}
		}
	}
	return lost
}

// onDisk returns what is wrong with the file of a document, or "".
func (p *workspace) onDisk(d document) string {
	if d.State != "done" {
		if d.Path != "" {
			return "is " + d.State + " and has a file"
		}
		return ""
	}
	content, err := os.ReadFile(filepath.Join(p.out, filepath.FromSlash(d.Path)))
	if err != nil {
		return err.Error()
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != d.SHA256 {
		return "has other bytes than the report says"
	}
	return ""
}

// unlisted returns the files below orders that no document of the report is.
func (r report) unlisted(p *workspace) []string {
	listed := map[string]bool{}
	for _, o := range r.Tasks {
		for _, d := range o.Attachments {
			listed[d.Path] = true
		}
	}
	var found []string
	root := os.DirFS(p.out)
	err := fs.WalkDir(root, "orders", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !listed[name] {
			found = append(found, "unlisted file "+name)
		}
		return err
	})
	if err != nil {
		p.t.Error(err)
	}
	return found
}
