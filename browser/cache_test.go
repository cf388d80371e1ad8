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

// TestCache fetches a document again and again: it never comes from Chrome's cache, and neither does
// what a tab shows that is to be without; and once many others have come, Chrome has let go of it, where
// it would keep them in memory.
func TestCache(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked := map[string]int{}
	body := bytes.Repeat([]byte("0123456789abcdef"), 1<<16) // 1 MiB
	kept := func(next http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			asked[r.URL.Path]++
			mu.Unlock()
			w.Header().Set("Cache-Control", "private, max-age=3600")
			next(w, r)
		}
	}
	url := serve(t, map[string]http.HandlerFunc{
		"/": kept(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
			w.Write(body)
		}),
		"/page": kept(html(`<script src="/script.js"></script>`)), "/script.js": kept(sends("text/javascript", "")), "/empty": html(""),
	})
	var inMemory bool
	b := launch(t, func(cfg *browser.Config) { inMemory = cfg.Chrome.HeadlessShell })
	times := func(path string) int {
		mu.Lock()
		defer mu.Unlock()
		return asked[path]
	}
	fetch := func(path string) {
		t.Helper()
		if _, err := b.Fetch(t.Context(), browser.Request{URL: url + path, Dir: t.TempDir(), MaxSize: 1 << 30,
			Allowed: func(string) bool { return true }}); err != nil {
			t.Fatal(err)
		}
	}
	inCache := func() (has bool) {
		t.Helper()
		open(t, b.Tab(), url+"/empty")
		if err := b.Tab().Evaluate(t.Context(), `fetch("/first.pdf", {cache: "only-if-cached", mode: "same-origin"}).then(r => r.ok, () => false)`, &has); err != nil {
			t.Fatal(err)
		}
		return has
	}
	fetch("/first.pdf")
	fetch("/first.pdf")
	if n := times("/first.pdf"); n != 2 {
		t.Fatalf("a document that may be kept was asked for %d times, want 2", n)
	}
	for i, want := range []int{1, 1, 2, 2} { // the third without the cache
		if err := b.Tab().Uncached(t.Context(), i == 2); err != nil {
			t.Fatal(err)
		}
		open(t, b.Tab(), url+"/page")
		open(t, b.Tab(), url+"/empty")
		if n, scripts := times("/page"), times("/script.js"); n != want || scripts != want {
			t.Errorf("visit %d: the page was asked for %d times, and its script %d times, want %d", i+1, n, scripts, want)
		}
	}
	if !inCache() {
		t.Error("nothing is in the cache, so nothing shows that it is passed by")
	}
	for i := range 8 {
		fetch(fmt.Sprintf("/other-%d.pdf", i))
	}
	if has := inCache(); has && inMemory {
		t.Error("after 8 MiB of others the document is still in the cache")
	}
}
