//go:build unix

package browser_test

import (
	"bytes"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/poscrape/poscrape/browser"
)

// TestCache fetches a document again and again: once many others have come, Chrome has
// let go of it, where it would keep them in memory.
func TestCache(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked := map[string]int{}
	body := bytes.Repeat([]byte("0123456789abcdef"), 1<<16) // 1 MiB
	url := serve(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path]++
		mu.Unlock()
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		w.Header().Set("Cache-Control", "max-age=3600")
		w.Write(body)
	}})
	var inMemory bool
	b := launch(t, func(cfg *browser.Config) { inMemory = cfg.Chrome.HeadlessShell })
	fetch := func(path string) int {
		t.Helper()
		if _, err := b.Fetch(t.Context(), browser.Request{URL: url + path, Dir: t.TempDir(), MaxSize: 1 << 30,
			Allowed: func(string) bool { return true }}); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		defer mu.Unlock()
		return asked[path]
	}
	fetch("/first.pdf")
	if n := fetch("/first.pdf"); n != 1 {
		t.Fatalf("a document that may be kept was asked for %d times", n)
	}
	for i := range 8 {
		fetch(fmt.Sprintf("/other-%d.pdf", i))
	}
	want := 1
	if inMemory {
		want = 2
	}
	if n := fetch("/first.pdf"); n != want {
		t.Errorf("after 8 MiB of others the document had been asked for %d times, want %d", n, want)
	}
}
