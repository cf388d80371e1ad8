package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poscrape/poscrape/internal/portal"
)

// comparison is how a demo's session compares with what the portal meant.
type comparison struct {
	orders, documents int
	// other are the orders that ended otherwise, each with how.
	other []string
	err   error
}

// reportedOrder is what the comparison needs of an order in report.json.
type reportedOrder struct {
	PO          string `json:"po"`
	Outcome     string `json:"outcome"`
	Attachments []struct {
		Path  string `json:"path"`
		State string `json:"state"`
	} `json:"attachments"`
}

// compare reads the report in a session folder, hashes every document, and holds
// both against the portal's orders.
func compare(meant []portal.Order, dir string) comparison {
	v := comparison{orders: len(meant)}
	reported, err := readReport(dir)
	if err != nil {
		v.err = err
		return v
	}
	expected := map[string]bool{}
	for _, order := range meant {
		got, there := reported[order.Number]
		if !there {
			v.other = append(v.other, order.Number+": it is not in the report")
			continue
		}
		hashes, err := hashDocuments(dir, got, expected)
		if err != nil {
			v.err = errors.Join(v.err, err)
			continue
		}
		v.documents += len(hashes)
		if why := differs(order, got, hashes); why != "" {
			v.other = append(v.other, fmt.Sprintf("%s (%s): %s", order.Number, order.Variation, why))
		}
	}
	stray, err := strayFiles(dir, expected)
	for _, name := range stray {
		v.other = append(v.other, name+": a file that the report does not know")
	}
	v.err = errors.Join(v.err, err)
	return v
}

func readReport(dir string) (map[string]reportedOrder, error) {
	text, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		return nil, fmt.Errorf("reading the demo's report: %w", err)
	}
	var report struct {
		Tasks []reportedOrder `json:"tasks"`
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, fmt.Errorf("reading the demo's report: %w", err)
	}
	reported := map[string]reportedOrder{}
	for _, order := range report.Tasks {
		reported[order.PO] = order
	}
	return reported, nil
}

// differs says how an order ended otherwise than meant, or "".
func differs(meant portal.Order, got reportedOrder, hashes []string) string {
	want := meant.Want
	if got.Outcome != want.Outcome {
		return fmt.Sprintf("it ended as %q, expected %q", got.Outcome, want.Outcome)
	}
	count := map[string]int{}
	for _, document := range got.Attachments {
		count[document.State]++
	}
	if count["done"] != want.Done || count["failed"] != want.Failed || count["skipped"] != want.Skipped {
		return fmt.Sprintf("of its documents, %d are done, %d failed and %d skipped, expected %d, %d and %d",
			count["done"], count["failed"], count["skipped"], want.Done, want.Failed, want.Skipped)
	}
	if want.Done == 0 {
		return ""
	}
	var served []string
	for _, document := range meant.Documents {
		if document.State == "done" {
			served = append(served, document.SHA256)
		}
	}
	slices.Sort(served)
	slices.Sort(hashes)
	if !slices.Equal(served, hashes) {
		return "a document on disk is not the one that was served"
	}
	return ""
}

// hashDocuments returns the SHA-256 of each file that the report names for the
// order, and adds their names to known.
func hashDocuments(dir string, order reportedOrder, known map[string]bool) ([]string, error) {
	var hashes []string
	for _, document := range order.Attachments {
		if document.Path == "" {
			continue
		}
		known[document.Path] = true
		hash, err := hashFile(filepath.Join(dir, filepath.FromSlash(document.Path)))
		if err != nil {
			return nil, fmt.Errorf("comparing the documents of %s: %w", order.PO, err)
		}
		hashes = append(hashes, hash)
	}
	return hashes, nil
}

func hashFile(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// strayFiles returns the files below orders/ that are not known.
func strayFiles(dir string, known map[string]bool) ([]string, error) {
	var stray []string
	err := fs.WalkDir(os.DirFS(dir), "orders", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !known[name] {
			stray = append(stray, name)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return stray, err
}

// maxOther is how many of the orders that ended otherwise are named.
const maxOther = 5

func (v comparison) String() string {
	if len(v.other) == 0 {
		return fmt.Sprintf("As the portal meant it: %s ended as planned, those that fail on purpose too, and %s on disk "+
			"byte for byte what was served.", allOf(v.orders, "order"), isAreCounted(v.documents, "document"))
	}
	lines := []string{fmt.Sprintf("Not as the portal meant it: %s", counted(len(v.other), "difference"))}
	lines = append(lines, v.other[:min(len(v.other), maxOther)]...)
	if more := len(v.other) - maxOther; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}

func allOf(n int, noun string) string {
	if n == 1 {
		return "the one " + noun
	}
	return "all " + counted(n, noun)
}

func isAreCounted(n int, noun string) string {
	if n == 1 {
		return "the one " + noun + " is"
	}
	return "all " + counted(n, noun) + " are"
}

// verdict says how the demo went, or returns the error for its exit code.
func (v comparison) verdict() (string, error) {
	switch {
	case v.err != nil:
		return "", v.err
	case len(v.other) > 0:
		return "", &endedError{code: exitNotWell, message: v.String()}
	}
	return v.String(), nil
}
