//go:build unix

package browser_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
)

// archive serves documents, and counts how often each address is asked for.
type archive struct {
	mu    sync.Mutex
	asked map[string]int
	url   string
	body  []byte
}

func newArchive(t *testing.T, foreign string) *archive {
	t.Helper()
	a := &archive{asked: map[string]int{}, body: bytes.Repeat([]byte("0123456789abcdef"), 10000)}
	routes := map[string]http.HandlerFunc{
		"/announced.pdf":   a.send("application/pdf", len(a.body)),
		"/attached.html":   a.send("text/html", len(a.body)),
		"/unannounced.pdf": a.send("application/pdf", -1),
		"/cut.pdf":         a.send("application/pdf", len(a.body)+1),
		"/as-page.pdf":     a.send("text/html; charset=utf-8", len(a.body)),
		"/page":            a.send("text/html; charset=utf-8", len(a.body)),
		"/within.pdf":      func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/announced.pdf", http.StatusFound) },
		"/away.pdf":        func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, foreign, http.StatusFound) },
		"/compressed.csv": func(w http.ResponseWriter, _ *http.Request) {
			var compressed bytes.Buffer
			z := gzip.NewWriter(&compressed)
			z.Write(a.body)
			z.Close()
			w.Header().Set("Content-Type", "text/csv")
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Length", strconv.Itoa(compressed.Len()))
			w.Write(compressed.Bytes())
		},
		"/stalled.pdf": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"/unanswered.pdf": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"/secret.pdf": func(w http.ResponseWriter, r *http.Request) {
			if c, err := r.Cookie("session"); err != nil || c.Value != "valid" {
				w.WriteHeader(http.StatusForbidden)
				return
			}
			a.send("application/pdf", len(a.body))(w, r)
		},
		"/worker.js": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/javascript")
			w.Write([]byte(`addEventListener("fetch", (e) => { if (e.request.mode === "navigate")
				e.respondWith(new Response("<script>fetch('/shell-ran')</script>", { headers: { "Content-Type": "text/html" } })) })`))
		},
		"/shell-ran": func(http.ResponseWriter, *http.Request) {},
		"/registers": html(`<script>window.ready = navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready).then(() => true)</script>`),
		"/sign-in": func(w http.ResponseWriter, _ *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "valid", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		},
	}
	for _, status := range []int{403, 404, 410, 429, 500, 503} {
		routes["/"+strconv.Itoa(status)] = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(status)
		}
	}
	for path, handler := range routes {
		routes[path] = func(w http.ResponseWriter, r *http.Request) {
			a.mu.Lock()
			a.asked[path]++
			a.mu.Unlock()
			handler(w, r)
		}
	}
	a.url = serve(t, routes)
	return a
}

// send returns a handler that announces so many bytes, or none with -1.
func (a *archive) send(kind string, announced int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		if strings.Contains(r.URL.Path, "attached") {
			w.Header().Set("Content-Disposition", `attachment; filename="kept.html"`)
		}
		if announced >= 0 {
			w.Header().Set("Content-Length", strconv.Itoa(announced))
		}
		w.Write(a.body)
		if announced > len(a.body) {
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
	}
}

// times returns how often an address was asked for since it was asked last.
func (a *archive) times(path string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := a.asked[path]
	a.asked[path] = 0
	return n
}

func (a *archive) request(path string) browser.Request {
	return browser.Request{URL: a.url + path, Referrer: a.url, MaxSize: 1 << 20, Load: true,
		Allowed: func(address string) bool { return strings.HasPrefix(address, a.url) }}
}

// TestLoad has documents loaded, and all that is not as it should be judged as by a
// navigation; no server that is not allowed is asked.
func TestLoad(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	foreign := 0
	other := serve(t, map[string]http.HandlerFunc{"/": func(http.ResponseWriter, *http.Request) { mu.Lock(); foreign++; mu.Unlock() }})
	a := newArchive(t, other+"/x.pdf")
	b := launch(t)
	open(t, b.Tab(), a.url+"/sign-in")
	for _, c := range []struct {
		path, suggested string
		loaded          bool
		asked           int
	}{
		{"/announced.pdf", "announced.pdf", true, 1},
		{"/secret.pdf", "secret.pdf", true, 1},
		{"/attached.html", "kept.html", true, 1},
		{"/as-page.pdf", "as-page.pdf", false, 2},
		{"/within.pdf", "announced.pdf", false, 2},
		{"/unannounced.pdf", "unannounced.pdf", false, 2},
		{"/compressed.csv", "compressed.csv", false, 2},
	} {
		file, err := b.Fetch(t.Context(), a.request(c.path))
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		got, err := os.ReadFile(file.Path)
		if err != nil || !bytes.Equal(got, a.body) || file.Suggested != c.suggested || file.Loaded != c.loaded {
			t.Errorf("%s: got %d bytes, %+v, %v", c.path, len(got), file, err)
		}
		if n := a.times(c.path); n != c.asked {
			t.Errorf("%s was asked for %d times, want %d", c.path, n, c.asked)
		}
	}
	for _, c := range []struct {
		path  string
		kind  browser.DownloadErrorKind
		asked int
	}{
		{"/page", browser.KindPage, 2}, {"/cut.pdf", browser.KindCut, 0}, // once or twice: Chrome may tell of the cut before it tells of the answer
		{"/away.pdf", browser.KindHost, 2},
		{"/stalled.pdf", browser.KindStalled, 2}, {"/unanswered.pdf", browser.KindStalled, 2},
		{"/403", browser.KindStatus, 2}, {"/404", browser.KindStatus, 1}, {"/410", browser.KindStatus, 1},
		{"/429", browser.KindStatus, 1}, {"/500", browser.KindStatus, 1}, {"/503", browser.KindStatus, 1},
	} {
		b.SetStallTimeout(testkit.Patience)
		if c.kind == browser.KindStalled {
			b.SetStallTimeout(time.Second)
		}
		var failed *browser.DownloadError
		if _, err := b.Fetch(t.Context(), a.request(c.path)); !errors.As(err, &failed) || failed.Kind != c.kind {
			t.Errorf("%s: %v, want %s", c.path, err, c.kind)
			continue
		}
		if c.kind == browser.KindStatus && (strconv.Itoa(failed.Status) != c.path[1:] || failed.RetryAfter != "7") {
			t.Errorf("%s: %+v", c.path, failed)
		}
		if n := a.times(c.path); c.asked > 0 && n != c.asked {
			t.Errorf("%s was asked for %d times, want %d", c.path, n, c.asked)
		}
	}
	if foreign > 0 {
		t.Errorf("the foreign host was asked %d times", foreign)
	}
	if err := b.Fit(); err != nil {
		t.Errorf("the browser is unfit: %v", err)
	}
}

// TestLoadPastServiceWorkers: a portal whose service worker shows its own page for each
// address shows none in the tabs that documents are loaded in.
func TestLoadPastServiceWorkers(t *testing.T) {
	t.Parallel()
	a := newArchive(t, "")
	b := launch(t)
	open(t, b.Tab(), a.url+"/registers")
	var ready bool
	if err := b.Tab().Evaluate(t.Context(), "window.ready", &ready); err != nil || !ready {
		t.Fatalf("the service worker is not there: %v", err)
	}
	file, err := b.Fetch(t.Context(), a.request("/announced.pdf"))
	if err != nil || !file.Loaded {
		t.Errorf("got %+v, %v", file, err)
	}
	if n := a.times("/shell-ran"); n != 0 {
		t.Errorf("the portal's page ran %d times", n)
	}
}

// TestLoadElsewhere has a tab that documents of one origin were loaded in bring one of
// another origin, either way.
func TestLoadElsewhere(t *testing.T) {
	t.Parallel()
	here, there := newArchive(t, ""), newArchive(t, "")
	b := launch(t, func(c *browser.Config) { c.Lanes = 1 })
	for _, a := range []*archive{here, there} {
		for _, load := range []bool{true, false} {
			for _, from := range []*archive{a, here, there} {
				req := from.request("/announced.pdf")
				req.Load = load
				if file, err := b.Fetch(t.Context(), req); err != nil || file.Loaded != load {
					t.Errorf("got %+v, %v", file, err)
				}
			}
		}
	}
}

// TestLoadUnguarded has a Chrome that does not heed what a page may connect to navigate
// to each document: only that refuses foreign hosts.
func TestLoadUnguarded(t *testing.T) {
	browser.IgnoreAllowlists(t)
	a := newArchive(t, "")
	b := launch(t)
	for range 2 {
		file, err := b.Fetch(t.Context(), a.request("/announced.pdf"))
		if err != nil || file.Loaded {
			t.Errorf("got %+v, %v", file, err)
		}
	}
	if n := a.times("/announced.pdf"); n != 2 {
		t.Errorf("two documents were asked for %d times", n)
	}
}

// TestAPageMadeOfXML: the end of the style sheet that makes it is not told.
func TestAPageMadeOfXML(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{
		"/": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/xml")
			fmt.Fprint(w, `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="/order.xsl"?><order no="PO1001"/>`)
		},
		"/order.xsl": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/xsl")
			fmt.Fprint(w, `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:output method="html"/>`+
				`<xsl:template match="/order"><html><body><h1><xsl:value-of select="@no"/></h1></body></html></xsl:template></xsl:stylesheet>`)
		},
	})
	tab := launch(t).Tab()
	if _, err := tab.Navigate(t.Context(), url+"/", ""); err != nil {
		t.Fatal(err)
	}
	stop := tab.KeepPace(t.Context())
	defer stop()
	testkit.Wait(t, "the document that the style sheet makes, and nothing under way", func() bool {
		var shown string
		err := tab.Evaluate(t.Context(), `document.querySelector("h1")?.textContent ?? ""`, &shown)
		return err == nil && shown == "PO1001" && !tab.Growing(0)
	})
}
