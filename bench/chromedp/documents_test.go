package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"

	"github.com/poscrape/poscrape/bench/protocol"
)

// Documents are asked for with the page's cookies, and stay in the order's folder.
func TestSave(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("session"); err != nil || c.Value != "42" {
			http.Error(w, "sign in", http.StatusForbidden)
			return
		}
		_, _ = w.Write([]byte("bytes of " + r.URL.Path))
	}))
	defer server.Close()
	out := t.TempDir()
	order := protocol.Result{PO: "PO1", Documents: []protocol.Document{
		{Name: "a.pdf", URL: server.URL + "/a"}, {Name: "../b.pdf", URL: server.URL + "/b"},
	}}
	if err := save(out, order, []*network.Cookie{{Name: "session", Value: "42"}}); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"a", "b"} {
		doc := order.Documents[i]
		text, err := os.ReadFile(filepath.Join(out, "PO1", name+".pdf"))
		if err != nil || string(text) != "bytes of /"+name || doc.Bytes != int64(len(text)) || len(doc.SHA256) != 64 {
			t.Errorf("%s is %q, %v, and said to be %+v", name, text, err, doc)
		}
	}
	err := save(out, order, nil)
	if err == nil || !strings.Contains(err.Error(), "403") {
		t.Errorf("error %v, want one with the status of the refusal", err)
	}
}
