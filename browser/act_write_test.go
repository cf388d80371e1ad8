//go:build unix

package browser_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
)

// thieves are the ways in which a frame takes the focus.
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
func TestAThiefGetsNoSecret(t *testing.T) { //nolint:tparallel // beside each other, pages are too slow to show it
	t.Parallel()
	const secret = "hunter2-correct-horse"
	const frame = `<iframe src="AD" style="border:0;width:1px;height:1px"></iframe>`
	const late = `const add = () => { const f = document.createElement("iframe"); f.src = "AD"; document.body.append(f) };`
	pages := map[string]string{
		"beside it":         frame + `<input id=p type=password>`,
		"an object":         `<object data="AD"></object><embed src="AD"><input id=p type=password>`,
		"in a shadow root":  `<x-a></x-a><input id=p type=password onkeydown="0"><script>document.querySelector("x-a").attachShadow({ mode: "open" }).innerHTML = '` + frame + `'</script>`,
		"late":              `<input id=p type=password><script>` + late + `p.onfocus = add; p.oninput = add</script>`,
		"with keys":         frame + `<input id=p type=password onkeydown="0">`,
		"late with keys":    `<input id=p type=password onkeyup="0"><script>` + late + `p.onkeydown = add</script>`,
		"a frame with keys": `<iframe srcdoc="<input id=p type=password onkeydown=0>"></iframe>` + frame,
		"nested, with keys": `<iframe src="OWN/nested"></iframe>` + frame,
	}
	ways := slices.Sorted(maps.Keys(thieves))
	for n, name := range slices.Sorted(maps.Keys(pages)) {
		for m, kind := range ways {
			if (n+m)%len(ways) > 1 && os.Getenv(thorough) == "" {
				continue
			}
			t.Run(name+" "+kind, func(t *testing.T) {
				var got stolen
				ad := serve(t, map[string]http.HandlerFunc{"/ad": html(steal(thieves[kind])), "/stolen": got.hear})
				var url string
				show := func(page string) http.HandlerFunc {
					return func(w http.ResponseWriter, r *http.Request) {
						html("<!doctype html>"+strings.NewReplacer("AD", elsewhere(ad)+"/ad", "OWN", elsewhere(url)).Replace(page))(w, r)
					}
				}
				url = serve(t, map[string]http.HandlerFunc{"/": show(pages[name]), "/nested": show(frame + `<input id=p type=password onkeydown="0">`)})
				tab := share(t).Tab()
				open(t, tab, url+"/")
				ctx, cancel := context.WithTimeout(t.Context(), actTimeout)
				defer cancel()
				err := tab.Fill(ctx, browser.Target{Selector: "#p", Origins: []string{url, elsewhere(url)}}, secret)
				heard := got.heard()
				var lost *browser.KeyError
				if err != nil && !errors.As(err, &lost) {
					t.Error(err)
				}
				// A frame that takes the focus between two keys may get one, and then no other.
				if most := map[bool]int{true: 1}[lost != nil]; len(heard) > 2*most || most > 0 && !strings.Contains(name, "keys") {
					t.Errorf("%v; the frame got %q", err, heard)
				}
			})
		}
	}
}

// TestSecretsGoToTheirOrigins looks for the field of a secret in frames of all kinds, and in those of no other
// origin, however these are called.
func TestSecretsGoToTheirOrigins(t *testing.T) {
	t.Parallel()
	const field = `<input id=p type=password>`
	for name, page := range map[string]string{
		"srcdoc":            `!<iframe srcdoc="<input id=p>"></iframe>`,
		"blob":              `!<script>const f = document.createElement("iframe"); f.src = URL.createObjectURL(new Blob(["<input id=p>"], { type: "text/html" })); document.body.append(f)</script>`,
		"about:blank":       `!<iframe></iframe><script>frames[0].document.body.innerHTML = "<input id=p>"</script>`,
		"named":             `!<iframe src="NAMED/field"></iframe>`,
		"within a named":    `!<iframe src="NAMED/around"></iframe>`,
		"hidden at first":   `!<iframe src="ELSEWHERE/field"></iframe><div id=d></div><script>setTimeout(() => { d.innerHTML = "<input id=p>" }, 300)</script>`,
		"another site":      `<iframe src="ELSEWHERE/field"></iframe>`,
		"another port":      `<iframe src="PORT/field"></iframe>`,
		"data":              `<iframe src="data:text/html,<input id=p>"></iframe>`,
		"a sandbox":         `<iframe sandbox="allow-scripts allow-forms" src="/field"></iframe>`,
		"a sandbox's text":  `<iframe sandbox srcdoc="<input id=p>"></iframe>`,
		"named, in another": `<iframe src="ELSEWHERE/leads"></iframe>`,
		"an object":         `<object data="ELSEWHERE/field" width=300 height=100></object>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := make(chan string, 100)
			hear := func(_ http.ResponseWriter, r *http.Request) { got <- r.URL.RawQuery }
			tells := `<script>p.oninput = () => fetch("/got?" + p.value)</script>`
			var url string
			away := serve(t, map[string]http.HandlerFunc{"/field": html(field + tells), "/got": hear,
				"/leads": func(w http.ResponseWriter, r *http.Request) { html(`<iframe src="`+url+`/field"></iframe>`)(w, r) }})
			named := serve(t, map[string]http.HandlerFunc{"/field": html(field), "/around": html(`<iframe src="/field"></iframe>`)})
			page, found := strings.CutPrefix(page, "!")
			url = serve(t, map[string]http.HandlerFunc{"/field": html(field + tells), "/got": hear,
				"/": html("<!doctype html><body>" + strings.NewReplacer("ELSEWHERE", elsewhere(away), "PORT", away, "NAMED", named).Replace(page))})
			tab := share(t).Tab()
			open(t, tab, url+"/")
			fill := func(limit time.Duration) error {
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				return tab.Fill(ctx, browser.Target{Selector: "#p", Origins: []string{url, named}}, "s3cret")
			}
			if found {
				if err := fill(actTimeout); err != nil {
					t.Error(err)
				}
				return
			}
			testkit.InVain(t, time.Second, func(limit time.Duration) error {
				var failed *browser.ElementError
				if err := fill(limit); !errors.As(err, &failed) || len(failed.Refused) == 0 && name != "an object" {
					return fmt.Errorf("got %w", err)
				}
				return nil
			})
			select {
			case what := <-got:
				t.Errorf("the frame got %q", what)
			default:
			}
		})
	}
}

// TestSecretsAreSet: where a page does not listen to keys at the field, or around it, a secret is none.
func TestSecretsAreSet(t *testing.T) {
	t.Parallel()
	tab, ctx := acts(t, false, map[string]string{"/": told + `<form id=f><input id=p type=password value=old><p><input id=q onkeydown="0"></p></form>`})
	var origin string
	if err := tab.Evaluate(ctx, "origin", &origin); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"s3cret", strings.Repeat("0123456789", 30)} {
		if err := tab.Fill(ctx, browser.Target{Selector: "#p", Origins: []string{origin}}, text); err != nil {
			t.Fatal(err)
		}
		says(t, tab, "p.value", text)
	}
	if err := tab.Fill(ctx, browser.Target{Selector: "#q"}, "text"); err != nil {
		t.Fatal(err)
	}
	says(t, tab, `[...new Set(told)].join()`, "p:input:true,p:change:true,q:keydown:true,q:input:true")
}

// goByKeys are pages whose fields are not just set. Their function got tells what they have taken.
var goByKeys = map[string]string{
	"trusted keys":    `<input id=p type=password><script>let typed = ""; p.onkeydown = (e) => { if (e.isTrusted && e.key.length === 1) typed += e.key }; const got = () => typed</script>`,
	"around it":       `<form id=f><input id=p></form><script>let typed = ""; f.addEventListener("keypress", (e) => { if (e.isTrusted) typed += e.key }); const got = () => typed</script>`,
	"keys of its own": `<input id=p><script>p.onkeydown = (e) => { if (e.key.length === 1) { e.preventDefault(); p.value += e.key } }; p.onfocus = () => { p.value = "" }; const got = () => p.value</script>`,
	"trusted input":   `<input id=p><script>let state = ""; p.oninput = (e) => { if (e.isTrusted) state = p.value }; const got = () => state</script>`,
	"controlled":      `<input id=p><script>let state = ""; const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value"); let tracked = ""; Object.defineProperty(p, "value", { get() { return own.get.call(p) }, set(v) { tracked = v; own.set.call(p, v) } }); p.addEventListener("input", () => { if (own.get.call(p) !== tracked) { state = tracked = own.get.call(p) } p.value = state }); const got = () => state</script>`,
	"a mask":          `<input id=p><script>p.oninput = () => { p.value = p.value.replace(/\D/g, "").replace(/(\d{3})(?=\d)/g, "$1-") }; const got = () => p.value.replace(/-/g, "")</script>`,
	"beforeinput":     `<div id=p contenteditable>old</div><script>let typed = ""; p.addEventListener("beforeinput", (e) => { e.preventDefault(); if (e.data) typed += e.data; p.textContent = typed }); const got = () => typed</script>`,
	"rich text":       `<div id=p contenteditable>old</div><script>const got = () => p.innerText</script>`,
	"a text area":     `<textarea id=p>old</textarea><script>const got = () => p.value</script>`,
	"a number":        `<input id=p type=number value=1><script>const got = () => p.value</script>`,
	"many fields":     `<form>` + strings.Repeat(`<input class=c maxlength=1>`, 6) + `</form><script>const all = [...document.querySelectorAll(".c")]; all[0].id = "p"; all.forEach((c, i) => { c.oninput = () => all[i + 1]?.focus() }); const got = () => all.map((c) => c.value).join("")</script>`,
	"fields by keys":  `<form>` + strings.Repeat(`<input class=c maxlength=1>`, 6) + `</form><script>const all = [...document.querySelectorAll(".c")]; all[0].id = "p"; all.forEach((c, i) => { c.onkeyup = (e) => { if (/^\d$/.test(e.key)) all[i + 1]?.focus() } }); const got = () => all.map((c) => c.value).join("")</script>`,
	"replaced":        `<input id=p class=p><script>p.oninput = () => { if (p.value.length === 3) { const n = p.cloneNode(); n.value = ""; p.replaceWith(n); n.focus() } }; const got = () => document.querySelector("input").value</script>`,
	"a shadow root":   `<x-a></x-a><script>const r = document.querySelector("x-a").attachShadow({ mode: "open" }); r.innerHTML = "<input id=p onkeydown=0>"; const got = () => r.firstChild.value</script>`,
}

// TestSecretsInFormsThatGoByKeys fills in a secret where the page listens to keys, or does more with what is
// written, with a frame of another site beside it; in the shell and in a full Chrome.
func TestSecretsInFormsThatGoByKeys(t *testing.T) {
	t.Parallel()
	full := func(c *browser.Config) {
		if path, err := exec.LookPath("chromium"); err == nil {
			if c.Chrome, err = browser.Find(t.Context(), path, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	for kind, change := range map[string]func(*browser.Config){"shell": func(*browser.Config) {}, "full": full} {
		for name, page := range goByKeys {
			t.Run(kind+" "+name, func(t *testing.T) {
				t.Parallel()
				other := serve(t, map[string]http.HandlerFunc{"/": html(`<input autofocus>`)})
				url := serve(t, map[string]http.HandlerFunc{"/": html("<!doctype html>" + page + `<iframe src="` + elsewhere(other) + `"></iframe>`)})
				tab := share(t, change).Tab()
				open(t, tab, url+"/")
				ctx, cancel := context.WithTimeout(t.Context(), actTimeout)
				defer cancel()
				if err := tab.Fill(ctx, browser.Target{Selector: "#p", Origins: []string{url}}, "314159"); err != nil {
					t.Fatal(err)
				}
				says(t, tab, "got()", "314159")
				says(t, tab, `String([...document.querySelectorAll("iframe")].some((f) => f.inert))`, "false")
			})
		}
	}
}

// TestALostKeyEndsIt: a key that nothing of the field's own window has heard is not sent again, nor is any other.
func TestALostKeyEndsIt(t *testing.T) {
	t.Parallel()
	tab, ctx := acts(t, false, map[string]string{"/": `<script>let heard = ""; addEventListener("keydown", (e) => { heard += e.key; e.preventDefault(); e.stopImmediatePropagation() }, true)</script><form><input id=i onkeydown="0"></form>`})
	var lost *browser.KeyError
	for _, do := range []func() error{
		func() error { return tab.Fill(ctx, browser.Target{Selector: "#i"}, "text") },
		func() error { return tab.Press(ctx, browser.Target{Selector: "#i"}, "Enter") },
	} {
		if err := do(); !errors.As(err, &lost) || strings.Contains(err.Error(), "frame of") {
			t.Errorf("got %v", err)
		}
	}
	says(t, tab, "heard", "tEnter")
}
