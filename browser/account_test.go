//go:build unix

package browser_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/poscrape/poscrape/browser"
)

// TestUnaccounted does without the account of a page's requests until the tab goes on.
// Then it is there again, and what is blocked is blocked.
func TestUnaccounted(t *testing.T) {
	t.Parallel()
	var blocked atomic.Int32
	url := serve(t, map[string]http.HandlerFunc{
		"/one": html(`one`),
		"/two": html(`two<script>var asked = fetch("/refuse"), picture = new Image(); picture.src = "/blocked.png"</script>`),
		"/refuse": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusServiceUnavailable)
		},
		"/blocked.png": func(http.ResponseWriter, *http.Request) { blocked.Add(1) },
	})
	tab := launch(t, func(c *browser.Config) { c.BlockURLs = []string{url + "/blocked*"} }).Tab()
	open(t, tab, url+"/one")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if err := tab.Unaccounted(t.Context()); err != nil {
				t.Error(err)
			}
			if err := tab.EvaluateApart(t.Context(), "1", `fetch("/refuse").then(() => true)`, nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if unloaded := tab.Unloaded(); len(unloaded) != 0 {
		t.Errorf("not loaded without an account: %v", unloaded)
	}
	open(t, tab, url+"/two")
	if err := tab.Evaluate(t.Context(), "asked.then(() => new Promise((r) => { picture.onerror = r; if (picture.complete) r() }))", nil); err != nil {
		t.Fatal(err)
	}
	unloaded := tab.Unloaded()
	refused := len(unloaded) == 1 && unloaded[0].URL == url+"/refuse" && strings.HasSuffix(unloaded[0].Why, "status 503") &&
		unloaded[0].Status == http.StatusServiceUnavailable && unloaded[0].RetryAfter == "7" && unloaded[0].Data
	if doc := tab.Document(); doc == nil || doc.Status != http.StatusOK || !refused || blocked.Load() != 0 {
		t.Errorf("document %+v, not loaded %v, %d times asked for what is blocked", doc, unloaded, blocked.Load())
	}
}

// TestAFailureAtThePagesOwnAddress: the page's end comes after what it has asked for by its own address, and is no
// other try of that.
func TestAFailureAtThePagesOwnAddress(t *testing.T) {
	t.Parallel()
	told := make(chan struct{})
	url := serve(t, map[string]http.HandlerFunc{
		"/": func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Data") != "" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			html(`one<script>fetch(location.href, { headers: { "X-Data": "1" } }).then(() => fetch("/told"))</script>`+strings.Repeat(" ", 4096))(w, r)
			_ = http.NewResponseController(w).Flush()
			select {
			case <-told:
			case <-r.Context().Done():
			}
		},
		"/told": func(http.ResponseWriter, *http.Request) { close(told) },
	})
	tab := launch(t).Tab()
	open(t, tab, url+"/")
	if unloaded := tab.Unloaded(); !slices.ContainsFunc(unloaded, func(p browser.Part) bool { return p.SignIn }) {
		t.Errorf("not loaded: %+v", unloaded)
	}
}
