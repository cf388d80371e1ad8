//go:build unix

package browser_test

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
)

// TestOnAnswer tells where pages, what they ask for, and documents come from, by whichever way these are brought,
// before they are there.
func TestOnAnswer(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var told []string
	b := launch(t, func(cfg *browser.Config) {
		cfg.OnAnswer = func(address, from string) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, address+" "+from)
		}
	})
	a := newArchive(t, "")
	page := serve(t, map[string]http.HandlerFunc{
		"/":      html(`<a id=doc href="/doc">doc</a>`),
		"/led":   func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/?led", http.StatusFound) },
		"/asked": func(http.ResponseWriter, *http.Request) {},
		"/doc": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Disposition", "attachment")
			_, _ = w.Write([]byte("sent"))
		},
		"/frame":  html(`a frame`),
		"/framed": html(`<iframe src="/frame"></iframe>`),
	})
	// wants fails unless the addresses were told of since the last call, and with where they came from.
	wants := func(what string, addresses ...string) {
		t.Helper()
		mu.Lock()
		defer mu.Unlock()
		for _, address := range addresses {
			if !slices.Contains(told, address+" 127.0.0.1") {
				t.Errorf("%s: of %s nothing was told, but %q", what, address, told)
			}
		}
		told = nil
	}
	if _, err := b.Tab().Navigate(t.Context(), page+"/led", ""); err != nil {
		t.Fatal(err)
	}
	wants("a page", page+"/led", page+"/?led")
	if err := b.Tab().Evaluate(t.Context(), `fetch("/asked").then(() => 0)`, nil); err != nil {
		t.Fatal(err)
	}
	wants("a script's request", page+"/asked")
	if err := b.Tab().Unaccounted(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.Tab().EvaluateApart(t.Context(), "0", `fetch("/asked").then(() => 0)`, nil); err != nil {
		t.Fatal(err)
	}
	wants("a page that is fetched", page+"/asked")
	open(t, b.Tab(), page+"/framed")
	wants("a frame", page+"/frame")
	open(t, b.Tab(), page+"/")
	expected := b.ExpectDownload()
	if err := b.Tab().Evaluate(t.Context(), `document.getElementById("doc").click()`, nil); err != nil {
		t.Fatal(err)
	}
	download, err := expected.Begun(t.Context(), time.Minute)
	if err == nil {
		_, err = b.Wait(t.Context(), download, 1<<20)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Tab().Evaluate(t.Context(), "0", nil); err != nil {
		t.Fatal(err)
	}
	wants("a download by a click", page+"/doc")
	for _, path := range []string{"/announced.pdf", "/unannounced.pdf", "/within.pdf", "/attached.html", "/compressed.csv"} {
		for _, load := range []bool{true, false} {
			req := a.request(path)
			req.Load, req.Dir = load, t.TempDir()
			if file, err := b.Fetch(t.Context(), req); err != nil || file.Size != int64(len(a.body)) && path != "/compressed.csv" {
				t.Errorf("%s: %+v, %v", path, file, err)
			}
			led := map[string]string{"/within.pdf": "/announced.pdf"}
			wants(path, a.url+path, a.url+max(led[path], path))
		}
	}
}
