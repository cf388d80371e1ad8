package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/portal"
)

// demoEnd is a session folder of two orders, one with a document and one that
// is not found.
type demoEnd struct {
	dir    string
	meant  []portal.Order
	report map[string]any
}

func newDemoEnd(t *testing.T) *demoEnd {
	t.Helper()
	hash := sha256.Sum256([]byte("invoice"))
	d := &demoEnd{dir: t.TempDir()}
	d.meant = []portal.Order{
		{Number: "PO1", Variation: portal.Plain, Want: portal.Want{Outcome: "complete", Done: 1},
			Documents: []portal.Document{{Name: "a.pdf", SHA256: hex.EncodeToString(hash[:]), State: "done"}}},
		{Number: "PO2", Variation: portal.NotFound, Want: portal.Want{Outcome: "not_found"}},
	}
	d.write(t, "orders/PO1/a.pdf", "invoice")
	d.report = map[string]any{"tasks": []map[string]any{
		{"po": "PO1", "outcome": "complete", "attachments": []map[string]any{{"path": "orders/PO1/a.pdf", "state": "done"}}},
		{"po": "PO2", "outcome": "not_found", "attachments": []map[string]any{}},
	}}
	return d
}

func (d *demoEnd) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(d.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (d *demoEnd) task(i int) map[string]any { return d.report["tasks"].([]map[string]any)[i] }

func (d *demoEnd) compare(t *testing.T) comparison {
	t.Helper()
	text, err := json.Marshal(d.report)
	if err != nil {
		t.Fatal(err)
	}
	d.write(t, "report.json", string(text))
	return compare(d.meant, d.dir)
}

func TestVerdictWell(t *testing.T) {
	t.Parallel()
	v := newDemoEnd(t).compare(t)
	if v.err != nil {
		t.Fatal(v.err)
	}
	want := "As the portal meant it: all 2 orders ended as planned, those that fail on purpose too, and the one document is on disk byte for byte what was served."
	if v.String() != want {
		t.Errorf("got %q", v)
	}
	if said, err := v.verdict(); err != nil || said != want {
		t.Errorf("got %v and %q", err, said)
	}
}

// Each row breaks one thing; the comparison finds it, and names the order.
func TestVerdictFinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		spoil func(*demoEnd)
		want  string
	}{
		{"another outcome", func(d *demoEnd) { d.task(1)["outcome"] = "failed" },
			`PO2 (not_found): it ended as "failed", expected "not_found"`},
		{"another byte", func(d *demoEnd) { d.write(t, "orders/PO1/a.pdf", "invoicE") },
			"PO1 (plain): a document on disk is not the one that was served"},
		{"another state", func(d *demoEnd) {
			d.task(0)["attachments"] = []map[string]any{{"path": "", "state": "failed"}}
			if err := os.RemoveAll(filepath.Join(d.dir, "orders")); err != nil {
				t.Error(err)
			}
		}, "PO1 (plain): of its documents, 0 are done, 1 failed and 0 skipped, expected 1, 0 and 0"},
		{"an order is missing", func(d *demoEnd) { d.task(1)["po"] = "PO3" }, "PO2: it is not in the report"},
		{"a file too many", func(d *demoEnd) { d.write(t, "orders/PO2/login.html", "") },
			"orders/PO2/login.html: a file that the report does not know"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := newDemoEnd(t)
			c.spoil(d)
			v := d.compare(t)
			if v.err != nil || len(v.other) != 1 || v.other[0] != c.want {
				t.Errorf("got %q and %v, want %q", v.other, v.err, c.want)
			}
			if _, err := v.verdict(); exitCode(err) != exitNotWell || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the demo ends with %v, exit code %d", err, exitCode(err))
			}
		})
	}
}

func TestVerdictNamesTheFirstFew(t *testing.T) {
	t.Parallel()
	v := comparison{orders: 9, other: []string{"1", "2", "3", "4", "5", "6", "7"}}
	want := "Not as the portal meant it: 7 differences\n1\n2\n3\n4\n5\nand 2 more"
	if v.String() != want {
		t.Errorf("got %q", v)
	}
}

func TestVerdictWithoutAFile(t *testing.T) {
	t.Parallel()
	d := newDemoEnd(t)
	if err := os.Remove(filepath.Join(d.dir, "orders", "PO1", "a.pdf")); err != nil {
		t.Fatal(err)
	}
	if v := d.compare(t); !errors.Is(v.err, fs.ErrNotExist) {
		t.Errorf("got %v, want that a file is missing", v.err)
	}
	if v := compare(d.meant, t.TempDir()); !errors.Is(v.err, fs.ErrNotExist) {
		t.Errorf("got %v, want that the report is missing", v.err)
	}
}
