package chromekit_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit/chromekit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(chromekit.Tests{M: m}) }

// TestShare uses browsers one after the other: one that is handed on is as new, and one that is not to
// be, or is lost, is not.
func TestShare(t *testing.T) {
	t.Parallel()
	portal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := r.Cookie("seen")
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1", Path: "/"})
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%t</title>", err == nil)
	}))
	t.Cleanup(func() { portal.CloseClientConnections(); portal.Close() })
	chrome, err := browser.Find(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	cfg := browser.DefaultConfig()
	cfg.Chrome, cfg.Sandbox = chrome, browser.NoSandbox()
	use := func(kind string, do func(*testing.T, *browser.Browser)) (pid int) {
		t.Run(kind, func(t *testing.T) {
			b := chromekit.Share(t, kind, cfg)
			pid = b.PID()
			if _, err := b.Tab().Navigate(t.Context(), portal.URL, ""); err != nil {
				t.Fatal(err)
			}
			var seen string
			const loaded = `document.readyState === "complete" ? document.title : new Promise((is) => { onload = () => is(document.title) })`
			if err := b.Tab().Evaluate(t.Context(), loaded, &seen); err != nil || seen != "false" {
				t.Errorf("the portal has seen it: %q, %v", seen, err)
			}
			do(t, b)
		})
		return pid
	}
	allowNothing := func(t *testing.T, b *browser.Browser) {
		if err := b.Allow(t.Context(), func(string) bool { return false }); err != nil {
			t.Fatal(err)
		}
	}
	first := use("a", allowNothing)
	if use("b", allowNothing) == first {
		t.Error("one of another kind was handed on")
	}
	lose := func(t *testing.T, b *browser.Browser) {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	if use("a", lose) != first {
		t.Error("it was not handed on")
	}
	if use("a", allowNothing) == first {
		t.Error("one that is lost was handed on")
	}
	ofNoKind := use("", allowNothing)
	if use("", allowNothing) == ofNoKind {
		t.Error("one of no kind was handed on")
	}
}
