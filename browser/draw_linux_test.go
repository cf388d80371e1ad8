package browser_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
)

// TestDrawnOnDemand counts the pictures of pages: there are none until they are asked for,
// and then as many as asked for, whatever became of the page before in the meantime.
func TestDrawnOnDemand(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{
		"/":     html(`<p>fine<script>let n = 0; const next = () => { n++; requestAnimationFrame(next) }; requestAnimationFrame(next)</script>`),
		"/busy": html(`<p>busy<script>requestAnimationFrame(() => { for (;;); })</script>`),
	})
	elsewhere := strings.Replace(url, "127.0.0.1", "localhost", 1)
	b := launch(t, func(c *browser.Config) { c.HangCheck, c.PageTimeout = 50*time.Millisecond, 4*time.Second })
	pictures := func(script string) (n int) {
		t.Helper()
		if err := b.Tab().Evaluate(t.Context(), script, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	drawn := func() {
		t.Helper()
		stop := b.Tab().KeepPace(t.Context())
		defer stop()
		pictures(`new Promise((over) => { const before = n, look = () => n > before + 5 ? over(n) : setTimeout(look, 10); look() })`)
	}
	const unasked = `new Promise((over) => setTimeout(() => { const before = n; setTimeout(() => over(n - before), 200) }, 200))`
	open(t, b.Tab(), url)
	if n := pictures(unasked); n != 0 {
		t.Errorf("%d pictures of a page, of which none was asked for", n)
	}
	drawn()
	t.Log("left again and again while it is drawn")
	for i := range 20 {
		stop := b.Tab().KeepPace(t.Context())
		open(t, b.Tab(), []string{url, elsewhere}[i%2])
		stop()
	}
	drawn()
	t.Log("in another tab")
	if err := b.Replace(t.Context()); err != nil {
		t.Fatal(err)
	}
	open(t, b.Tab(), url)
	if n := pictures(unasked); n != 0 {
		t.Errorf("%d pictures of a page in another tab, of which none was asked for", n)
	}
	drawn()
	t.Log("after a page that hangs in a picture")
	if _, err := b.Tab().Navigate(t.Context(), url+"/busy", ""); err != nil {
		t.Fatal(err)
	}
	stop := b.Tab().KeepPace(t.Context())
	err := b.Tab().Evaluate(t.Context(), forever, nil)
	stop()
	if err == nil {
		t.Error("a page that hangs has answered")
	}
	b.TidyUp(t.Context())
	open(t, b.Tab(), url)
	drawn()
}

// TestTabsThatAreNotDrawn has a page take longer for a picture than Chrome is given: its tab
// goes with it.
func TestTabsThatAreNotDrawn(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{
		"/": html(`<script>let over = false; requestAnimationFrame(() => { for (const began = performance.now(); performance.now() < began + 7000;); over = true })</script>`),
	})
	b := launch(t)
	was := b.Tab()
	open(t, was, url)
	stop := was.KeepPace(t.Context())
	err := was.Evaluate(t.Context(), `new Promise((done) => { const look = () => over ? done() : setTimeout(look, 10); look() })`, nil)
	stop()
	if err != nil {
		t.Fatal(err)
	}
	if b.TidyUp(t.Context()); b.Tab() == was {
		t.Error("the tab is kept")
	}
}
