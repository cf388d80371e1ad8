//go:build unix

package browser_test

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
)

// TestAllow opens addresses of which some are not allowed, in real and in virtual time: no
// server is asked for those.
func TestAllow(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	away := serve(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = w.Write([]byte("a document"))
	}})
	to := func(address string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, address, http.StatusFound) }
	}
	own := serve(t, map[string]http.HandlerFunc{
		"/page": html("<p>a page"), "/here": to("/page"), "/away": to(away), "/away/later": to("/away"),
		"/leads": html(`<script>location = "` + away + `"</script>`),
		"/status": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
		},
	})
	b := share(t)
	allowed := func(address string) bool {
		b.Stopped() // whoever is asked may ask the browser
		return strings.HasPrefix(address, own+"/")
	}
	if err := b.Allow(t.Context(), allowed); err != nil {
		t.Fatal(err)
	}
	for _, clock := range []string{"real", "virtual"} {
		for _, c := range []struct {
			address, stopped string
			status           int
		}{
			{own + "/page", "", 200},
			{own + "/here", "", 200},
			{own + "/status", "", 404},
			{away, away + "/", 0},
			{own + "/away", away, 0},
			{own + "/away/later", away, 0},
			{"file:///etc/passwd", "file:///etc/passwd", 0},
		} {
			res, err := b.Tab().Navigate(t.Context(), c.address, "")
			var stopped *browser.StoppedError
			switch {
			case c.stopped == "" && (err != nil || res.Status != c.status):
				t.Errorf("%s: %s: got %+v, %v, want status %d", clock, c.address, res, err, c.status)
			case c.stopped != "" && (!errors.As(err, &stopped) || strings.TrimSuffix(stopped.URL, "/") != strings.TrimSuffix(c.stopped, "/")):
				t.Errorf("%s: %s: got %v, want it stopped at %s", clock, c.address, err, c.stopped)
			}
			if err := b.Tab().AwaitLoad(t.Context(), testkit.Patience, 0); err != nil {
				t.Fatal(err)
			}
			if at := b.Stopped(); at != "" {
				t.Errorf("%s: %s: the page is told to have led to %s", clock, c.address, at)
			}
		}
		open(t, b.Tab(), own+"/page")
		if err := b.Tab().RunAhead(t.Context(), browser.Ahead{Script: "1", WaitsFor: `""`, Limit: time.Second}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 { // with nothing intercepted while it begins
		if _, err := b.Tab().Navigate(t.Context(), own+"/leads", ""); err != nil {
			t.Fatal(err)
		}
		testkit.Wait(t, "the page to be told to have led away", func() bool {
			if err := b.Tab().AwaitLoad(t.Context(), 2*time.Second, time.Second); err != nil {
				t.Fatal(err)
			}
			return strings.TrimSuffix(b.Stopped(), "/") == away
		})
		if err := b.Tab().RunAhead(t.Context(), browser.Ahead{Script: "1", WaitsFor: `""`, Limit: time.Second}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the other server was asked %d times", n)
	}
	for _, load := range []bool{true, false} { // a lane is told what it may ask for
		req := browser.Request{URL: away + "/d.txt", Dir: t.TempDir(), MaxSize: 1 << 20, Load: load, Allowed: func(string) bool { return true }}
		if file, err := b.Fetch(t.Context(), req); err != nil || file.Size != int64(len("a document")) {
			t.Errorf("a document for a lane: got %+v, %v", file, err)
		}
	}
}
