//go:build unix

package browser_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/poscrape/poscrape/browser"
)

// TestIdentity opens a page that asks, wherever a script of it can run, who looks at it.
func TestIdentity(t *testing.T) {
	t.Parallel()
	for name, chrome := range chromes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testIdentity(t, chrome)
		})
	}
}

func testIdentity(t *testing.T, chrome browser.Chrome) {
	site := &identitySite{asked: map[string]string{}}
	base := site.serve(t)
	b := launch(t, func(c *browser.Config) {
		c.Chrome = chrome
		c.Identity = browser.Identity{Language: "de-CH", Timezone: "America/New_York", Width: 1366, Height: 900}
	})
	everywhere := map[string]string{
		"languages": "de-CH,de", "zone": "America/New_York", "hour": "8", "date": "1.7.2026, 08:00:00"}
	for range 2 { // the second time in another tab
		open(t, b.Tab(), base+"/page")
		var places map[string]map[string]string
		if err := b.Tab().Evaluate(t.Context(), "told", &places); err != nil {
			t.Fatal(err)
		}
		for _, place := range []string{"page", "worker", "window", "frame", "other site's frame"} {
			for what, want := range everywhere {
				if what == "date" && place == "other site's frame" && !chrome.HeadlessShell {
					continue // it has a process of its own, which formats as Chrome's own surfaces do
				}
				if got := places[place][what]; got != want {
					t.Errorf("%s: %s is %q, want %q", place, what, got, want)
				}
			}
		}
		var size string
		if err := b.Tab().Evaluate(t.Context(), `innerWidth + "x" + innerHeight + " of " + screen.width + "x" + screen.height`, &size); err != nil {
			t.Fatal(err)
		}
		if want := "1366x900 of 1366x900"; size != want {
			t.Errorf("the page's size is %s, want %s", size, want)
		}
		req := browser.Request{URL: base + "/document", Dir: t.TempDir(), MaxSize: 1 << 20, Allowed: func(string) bool { return true }}
		if _, err := b.Fetch(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		if err := b.Replace(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for path, languages := range site.all() {
		if !strings.HasPrefix(languages, "de-CH,de") {
			t.Errorf("%s was asked for in %q", path, languages)
		}
	}
	if n := len(site.all()); n != 5 {
		t.Errorf("%d addresses were asked for, want 5: %v", n, site.all())
	}
}

// identitySite tells who its pages are looked at by, and remembers in which languages they
// were asked for.
type identitySite struct {
	mu    sync.Mutex
	asked map[string]string
}

func (s *identitySite) all() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

func (s *identitySite) note(body, kind string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked[r.URL.Path] = r.Header.Get("Accept-Language")
		s.mu.Unlock()
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, strings.ReplaceAll(body, "OTHER", "http://"+strings.Replace(r.Host, "127.0.0.1", "localhost", 1)))
	}
}

func (s *identitySite) serve(t *testing.T) string {
	const own = `((at) => ({languages: navigator.languages.join(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
		hour: String(at.getHours()), date: at.toLocaleString()}))(new Date(Date.UTC(2026, 6, 1, 12)))`
	const page = `<script>
		const told = new Promise(done => {
			const all = {};
			const tell = (place, what) => { all[place] = what; if (Object.keys(all).length == 5) done(all) };
			tell("page", ` + own + `);
			new Worker("/worker").onmessage = e => tell("worker", e.data);
			addEventListener("message", e => tell(e.data.place, e.data.what));
			fetch("/data");
			open("/shown?window");
		});
		</script><iframe src="/shown?frame"></iframe><iframe src="OTHER/shown?other site's frame"></iframe>`
	const shown = `<script>(window.opener || parent).postMessage({place: decodeURIComponent(location.search.slice(1)), what: ` + own + `}, "*")</script>`
	return serve(t, map[string]http.HandlerFunc{
		"/page": s.note(page, "text/html"), "/shown": s.note(shown, "text/html"), "/data": s.note("{}", "application/json"),
		"/worker": s.note("postMessage("+own+")", "text/javascript"), "/document": s.note("a document", "text/plain"),
	})
}
