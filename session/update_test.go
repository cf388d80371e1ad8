package session_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// shelf is a portal of one order whose documents change. Each document has a tag and a text.
type shelf struct {
	mu        sync.Mutex
	documents map[string][2]string
}

func (s *shelf) put(documents map[string][2]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.documents = documents
}

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.URL.Path == "/orders/PO1001" {
		fmt.Fprint(w, `<!doctype html><title>Order</title><h1>Order PO1001</h1><dl><dt>Order number</dt><dd>PO1001</dd></dl><h2>Documents</h2><ul>`)
		for name := range s.documents {
			fmt.Fprintf(w, `<li><a download href="/files/%s">%s</a></li>`, name, name)
		}
		fmt.Fprint(w, `</ul>`)
		return
	}
	doc, ok := s.documents[path.Base(r.URL.Path)]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if doc[0] != "" {
		w.Header().Set("ETag", doc[0])
	}
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Content-Length", strconv.Itoa(len(doc[1])))
	fmt.Fprint(w, doc[1])
}

// TestUpdate reads an order again. A document is taken from the earlier session only where its
// tag proves that it is the same and its file is there as it was; the server lies about the tag
// of one, which shows that its bytes were not asked for.
func TestUpdate(t *testing.T) {
	t.Parallel()
	portal := &shelf{documents: map[string][2]string{
		"same.txt": {`"1"`, "same, then"}, "weak.txt": {`W/"1"`, "weak, then"}, "plain.txt": {"", "plain, then"},
		"changed.txt": {`"1"`, "changed, then"}, "damaged.txt": {`"1"`, "damaged"}, "gone.txt": {`"1"`, "gone"},
	}}
	server := httptest.NewServer(portal)
	t.Cleanup(server.Close)
	sheet := filepath.Join(t.TempDir(), "pos.csv")
	testkit.Write(t, sheet, "po,url,note\nPO1001,"+server.URL+"/orders/PO1001,a\nPO1002,ftp://x/1,b\n")
	first := config(t, sheet)
	first.Workers, first.URL, first.RecipeFile = 1, server.URL+"/orders/{po}", filepath.Join(t.TempDir(), "shelf.yaml")
	testkit.Write(t, first.RecipeFile, "version: 1\nname: shelf\nidentity: {selector: h1}\nfields: {title: {selector: title}}\nattachments: {item: 'a[download]'}\n")
	then, before := run(t, first)
	if before.Totals.Attachments.Done != 6 || before.Session.Update != "" || before.Tasks[0].Attachments[0].New != nil {
		t.Fatalf("the first session has %+v", before.Totals)
	}
	testkit.Write(t, filepath.Join(then.Dir, "orders/PO1001/damaged.txt"), "DAMAGED")
	if err := os.Remove(sheet); err != nil { // the orders are those of the session
		t.Fatal(err)
	}
	portal.put(map[string][2]string{
		"same.txt": {`"1"`, "same, NOW!"}, "weak.txt": {`W/"1"`, "weak, NOW!"}, "plain.txt": {"", "plain, then"},
		"changed.txt": {`"2"`, "changed, NOW!"}, "damaged.txt": {`"1"`, "damaged"}, "extra.txt": {`"1"`, "extra"}, "copy.txt": {`"9"`, "gone"},
	})
	cfg := config(t, "")
	cfg.Workers, cfg.Update, cfg.Again = 1, then.Dir, true
	end, r := run(t, cfg)
	want := map[string]string{
		"same.txt": "false same, then", "weak.txt": "true weak, NOW!", "plain.txt": "false plain, then", "changed.txt": "true changed, NOW!",
		"damaged.txt": "false damaged", "extra.txt": "true extra", "copy.txt": "false gone",
	}
	check := func(end session.End, r wholeReport) {
		t.Helper()
		if got := documentsOf(t, end.Dir, r.Tasks[0].Attachments); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %v,\nwant %v", got, want)
		}
		if end.New != 3 || r.Totals.Attachments.New != 3 || r.Session.Update != then.Dir || end.Update != then.Dir {
			t.Errorf("%d new documents are told, %d reported, since %q", end.New, r.Totals.Attachments.New, r.Session.Update)
		}
		if got := column(t, end.Dir, "new_documents"); fmt.Sprint(got) != "[3 0]" {
			t.Errorf("results.csv has %v", got)
		}
	}
	check(end, r)
	if was, is := before.Tasks[1], r.Tasks[1]; is.Outcome != tasks.OutcomeInvalidInput || was.Error == nil || *is.Error != *was.Error || is.Rows[0] != 3 {
		t.Errorf("the unusable row is %+v", is)
	}
	// A sheet without addresses is read as the session was, by its recipe.
	other := config(t, filepath.Join(t.TempDir(), "other.csv"))
	testkit.Write(t, other.File, "po\nPO1001\n")
	other.Workers, other.Update = 1, then.Dir
	if _, r := run(t, other); r.Totals.Attachments.New != 3 || r.Tasks[0].Fields["title"].Value != "Order" {
		t.Errorf("by a sheet, it found %+v and the fields %+v", r.Totals.Attachments, r.Tasks[0].Fields)
	}
	// What is lost comes back as what it was.
	for _, name := range []string{"same.txt", "extra.txt"} {
		if err := os.Remove(filepath.Join(end.Dir, "orders/PO1001", name)); err != nil {
			t.Fatal(err)
		}
	}
	check(resume(t, end.Dir, session.ResumeConfig{}))
	// Without the session that is updated, nobody knows what is new.
	if err := os.Rename(then.Dir, then.Dir+"-moved"); err != nil {
		t.Fatal(err)
	}
	if _, err := session.Resume(t.Context(), end.Dir, session.ResumeConfig{}); err == nil || !strings.HasPrefix(err.Error(), "--update: "+then.Dir+" does not exist") {
		t.Errorf("resumed without it: %v", err)
	}
}

// documentsOf returns of each document, by its name, whether it is new and what is in its file.
func documentsOf(t *testing.T, dir string, list []reportAttachment) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, doc := range list {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(doc.Path)))
		if err != nil || doc.New == nil {
			t.Fatalf("%+v: %v", doc, err)
		}
		all[doc.Name] = fmt.Sprint(*doc.New, " ", string(text))
	}
	return all
}

// column returns the cells of a column of results.csv.
func column(t *testing.T, dir, name string) (cells []string) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "results.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for c, head := range rows[0] {
		for _, row := range rows[1:] {
			if head == name {
				cells = append(cells, row[c])
			}
		}
	}
	return cells
}
