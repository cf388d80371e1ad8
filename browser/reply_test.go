//go:build unix

package browser_test

import (
	"compress/gzip"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/browser"
)

const orderJSON = `{"number": "PO1017", "total": 12.50, "name": "Müller"}`

func sends(kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, body)
	}
}

// TestReplies has a page ask for data in all ways, and checks that the body of each reply is
// the server's, whatever the page's scripts make of it.
func TestReplies(t *testing.T) {
	t.Parallel()
	forge := `<script>
		JSON.parse = () => ({number: "forged"});
		Response.prototype.json = Response.prototype.text = async () => "forged";
		const ask = window.fetch;
		window.fetch = async (...args) => { await ask(...args); return new Response("forged"); };
		Object.defineProperty(XMLHttpRequest.prototype, "responseText", { get: () => "forged" });
	</script>`
	asks := func(script string) http.HandlerFunc {
		return html(forge + `<script>(async () => { ` + script + `; document.title = "done"; })()</script>`)
	}
	host := serve(t, map[string]http.HandlerFunc{
		"/json":  sends("application/json", orderJSON),
		"/plain": sends("text/plain", orderJSON),
		"/page":  sends("text/html; charset=utf-8", orderJSON),
		"/zipped": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			fmt.Fprint(z, orderJSON)
			z.Close()
		},
		"/moved":   func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/json", http.StatusFound) },
		"/missing": http.NotFound,
		"/large":   sends("application/json", `"`+strings.Repeat("x", 15<<20)+`"`),
		"/largest": sends("application/json", `"`+strings.Repeat("x", browser.MaxReply+1)+`"`),
		"/fetch":   asks(`await ask("/json").then(r => r.arrayBuffer())`),
		"/unread":  asks(`await fetch("/json")`),
		"/xhr":     asks(`await new Promise(over => { const x = new XMLHttpRequest(); x.open("GET", "/json"); x.onloadend = over; x.send() })`),
		"/xhrjson": asks(`await new Promise(over => { const x = new XMLHttpRequest(); x.open("GET", "/json"); x.responseType = "json"; x.onloadend = over; x.send() })`),
		"/frame":   asks(`await new Promise(over => { const f = document.createElement("iframe"); f.src = "/json"; f.onload = over; document.documentElement.append(f) })`),
		"/any":     asks(`await ask(location.search.slice(1)).then(r => r.arrayBuffer())`),
		"/posts":   asks(`for (const body of "ab") await ask("/json", { method: "POST", body }).then(r => r.arrayBuffer())`),
	})
	tests := map[string]struct {
		page, path string
		body       string
		failed     bool
		unread     bool // Chrome may have it all the same, as its memory is cleared up or not
	}{
		"fetch":                {page: "/fetch", path: "/json", body: orderJSON},
		"a body not read":      {page: "/unread", path: "/json", body: orderJSON, unread: true},
		"XMLHttpRequest":       {page: "/xhr", path: "/json", body: orderJSON},
		"XMLHttpRequest, json": {page: "/xhrjson", path: "/json", body: orderJSON},
		"a frame":              {page: "/frame", path: "/json", body: orderJSON},
		"plain text":           {page: "/any?/plain", path: "/plain", body: orderJSON},
		"a web page":           {page: "/any?/page", path: "/page", body: orderJSON},
		"compressed":           {page: "/any?/zipped", path: "/zipped", body: orderJSON},
		"redirected":           {page: "/any?/moved", path: "/moved", body: orderJSON},
		"large":                {page: "/any?/large", path: "/large", body: `"` + strings.Repeat("x", 15<<20) + `"`},
		"too large":            {page: "/any?/largest", path: "/largest", failed: true},
		"the page itself":      {page: "/json", path: "/json", body: orderJSON},
		"two requests":         {page: "/posts", path: "/json", body: orderJSON},
	}
	b := launch(t, func(c *browser.Config) { c.KeepReplies = true })
	tab := b.Tab()
	for name, test := range tests {
		open(t, tab, host+test.page)
		if test.page != "/json" {
			if err := tab.Evaluate(t.Context(), `new Promise(over => { const id = setInterval(() => { if (document.title === "done") { clearInterval(id); over() } }, 5) })`, nil); err != nil {
				t.Fatal(err)
			}
		}
		var found []browser.Reply
		list, all := tab.Replies()
		for _, r := range list {
			if strings.HasPrefix(r.URL, host+test.path) {
				found = append(found, r)
			}
		}
		want := 1
		if test.page == "/posts" {
			want = 2
		}
		if len(found) != want || !all {
			t.Errorf("%s: got %d replies (all: %t), want %d", name, len(found), all, want)
			continue
		}
		if want == 2 && found[0].Key == found[1].Key {
			t.Errorf("%s: two requests have one key: %s", name, found[0].Key)
		}
		body, err := tab.Body(t.Context(), found[0])
		switch {
		case test.unread && err != nil:
		case test.failed != (err != nil):
			t.Errorf("%s: got %v", name, err)
		case string(body) != test.body:
			t.Errorf("%s: got %.80q, want %.80q", name, body, test.body)
		case !test.failed && !test.unread && (found[0].Status != http.StatusOK || !found[0].Ended):
			t.Errorf("%s: got %+v", name, found[0])
		}
	}
	open(t, tab, host+"/fetch")
	if list, _ := tab.Replies(); slices.ContainsFunc(list, func(r browser.Reply) bool { return r.URL == host+"/posts" }) {
		t.Error("replies of an earlier page are left")
	}
}
