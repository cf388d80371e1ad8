package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/bench/protocol"
	"github.com/poscrape/poscrape/internal/portal"
)

// hello is the SHA-256 of "hello".
const hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

func truth() []portal.BenchOrder {
	return []portal.BenchOrder{
		{
			PO: "PO1", Fields: map[string]string{"supplier": "Nordlys A/S", "total": "1,234.00"},
			Documents: []portal.BenchListed{{Name: "a.pdf", Size: "5 bytes", Bytes: 5, SHA256: hello}},
		},
		{PO: "PO2", Fields: map[string]string{"supplier": "Okabe", "total": "2.00"}},
	}
}

// rightAnswer is what a good tool says of the truth, with the document on disk.
func rightAnswer(t *testing.T) (results []protocol.Result, dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.pdf"), []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	return []protocol.Result{
		{PO: "PO2", Fields: map[string]string{"supplier": "Okabe", "total": "2.00"}},
		{
			PO: "PO1", Fields: map[string]string{"supplier": "Nordlys A/S", "total": "1,234.00"},
			Documents: []protocol.Document{{Name: "a.pdf", Size: "5 bytes", File: "a.pdf", Bytes: 5, SHA256: hello}},
		},
	}, dir
}

func TestCheckPassesWhatIsRight(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{protocol.ModeList, protocol.ModeDocuments} {
		got, dir := rightAnswer(t)
		if err := check(truth(), got, mode, dir); err != nil {
			t.Errorf("%s: %v", mode, err)
		}
	}
	got, dir := rightAnswer(t)
	got[1].Documents[0].File = filepath.Join(dir, "a.pdf")
	if err := check(truth(), got, protocol.ModeDocuments, ""); err != nil {
		t.Errorf("an absolute path: %v", err)
	}
}

func TestCheckFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, mode string
		spoil      func(results []protocol.Result, dir string) []protocol.Result
		want       string
	}{
		{"an order is missing", protocol.ModeList, func(r []protocol.Result, _ string) []protocol.Result { return r[:1] }, "PO1 is missing (1 of 2"},
		{"an order twice", protocol.ModeList, func(r []protocol.Result, _ string) []protocol.Result { return append(r, r[0]) }, "PO2 was brought home twice"},
		{"an order too many", protocol.ModeList, func(r []protocol.Result, _ string) []protocol.Result {
			return append(r, protocol.Result{PO: "PO3"})
		}, `"PO3" was brought home and is no order`},
		{"a wrong field", protocol.ModeList, func(r []protocol.Result, _ string) []protocol.Result {
			r[1].Fields["total"] = "1,235.00"
			return r
		}, `PO1: the field total is "1,235.00" and not "1,234.00"`},
		{"a field is missing", protocol.ModeList, func(r []protocol.Result, _ string) []protocol.Result {
			maps.DeleteFunc(r[0].Fields, func(name, _ string) bool { return name == "supplier" })
			return r
		}, "PO2: the field supplier"},
		{"a document is missing", protocol.ModeList, func(r []protocol.Result, _ string) []protocol.Result {
			r[1].Documents = nil
			return r
		}, "PO1: 0 documents were found, and there are 1"},
		{"a document too many", protocol.ModeList, func(r []protocol.Result, _ string) []protocol.Result {
			r[0].Documents = []protocol.Document{{Name: "b.pdf"}}
			return r
		}, "PO2: 1 documents were found"},
		{"another name", protocol.ModeList, func(r []protocol.Result, _ string) []protocol.Result {
			r[1].Documents[0].Name = "b.pdf"
			return r
		}, `document 1 is "b.pdf"`},
		{"another size", protocol.ModeList, func(r []protocol.Result, _ string) []protocol.Result {
			r[1].Documents[0].Size = "6 bytes"
			return r
		}, `the size of a.pdf is "6 bytes"`},
		{"another hash", protocol.ModeDocuments, func(r []protocol.Result, _ string) []protocol.Result {
			r[1].Documents[0].SHA256 = strings.Repeat("0", 64)
			return r
		}, "the tool says"},
		{"other bytes on disk", protocol.ModeDocuments, func(r []protocol.Result, dir string) []protocol.Result {
			_ = os.WriteFile(filepath.Join(dir, "a.pdf"), []byte("hallo"), 0o600)
			return r
		}, "has the hash"},
		{"nothing on disk", protocol.ModeDocuments, func(r []protocol.Result, dir string) []protocol.Result {
			_ = os.Remove(filepath.Join(dir, "a.pdf"))
			return r
		}, "no such file"},
		{"it does not say where", protocol.ModeDocuments, func(r []protocol.Result, _ string) []protocol.Result {
			r[1].Documents[0].File = ""
			return r
		}, "does not say where"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			results, dir := rightAnswer(t)
			err := check(truth(), c.spoil(slices.Clone(results), dir), c.mode, dir)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %s", err, c.want)
			}
		})
	}
}

func TestReportIsRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const text = `{"totals": {"rendered": 1, "fetched": 2, "fallbacks": 3}, "tasks": [
		{"po": "PO1", "fields": {"total": {"raw": "1,234.00", "value": "1234.00"}},
		 "lines": [{"name": "a.pdf", "size": "5 bytes"}],
		 "attachments": [
			{"name": "b.pdf", "path": "orders/PO1/b.pdf", "size": 5, "sha256": "ff", "state": "done"},
			{"name": "c.pdf", "state": "failed"}],
		 "attempts": [{"ended_at": "2026-01-01T10:00:02Z"}]},
		{"po": "PO2", "attempts": [{"ended_at": "2026-01-01T10:00:01.5Z"}]}]}`
	if err := os.WriteFile(filepath.Join(dir, "report.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	results, first, how, err := readReport(dir)
	if err != nil || len(results) != 2 || how != "1 rendered, 2 fetched, 3 fallbacks" {
		t.Fatalf("got %+v, %q, %v", results, how, err)
	}
	if got := first.Format("15:04:05.0"); got != "10:00:01.5" {
		t.Errorf("the first order was done at %s", got)
	}
	want := []protocol.Document{
		{Name: "a.pdf", Size: "5 bytes"}, {Name: "b.pdf", File: "orders/PO1/b.pdf", Bytes: 5, SHA256: "ff"},
	}
	if r := results[0]; r.PO != "PO1" || r.Fields["total"] != "1,234.00" || !slices.Equal(r.Documents, want) {
		t.Errorf("got %+v", r)
	}
	if _, _, _, err := readReport(t.TempDir()); err == nil {
		t.Error("a session without a report was read")
	}
}
