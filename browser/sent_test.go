//go:build unix

package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/poscrape/poscrape/browser"
)

// recorder keeps the headers of the last request for each address.
type recorder struct {
	mu   sync.Mutex
	last map[string]http.Header
}

func (r *recorder) note(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		if r.last == nil {
			r.last = map[string]http.Header{}
		}
		r.last[req.URL.Path] = req.Header.Clone()
		r.mu.Unlock()
		next.ServeHTTP(w, req)
	})
}

func (r *recorder) of(path string) http.Header {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last[path]
}

// record returns a server that keeps what it is sent.
func record(t *testing.T, paths map[string]http.HandlerFunc) (string, *recorder) {
	mux, seen := http.NewServeMux(), &recorder{}
	for path, do := range paths {
		mux.HandleFunc(path, do)
	}
	server := httptest.NewServer(seen.note(mux))
	t.Cleanup(server.Close)
	return server.URL, seen
}

// TestSentHeaders has a page send headers, and documents asked for with them: they are those of the
// latest request to that origin, and no other origin gets them.
func TestSentHeaders(t *testing.T) {
	t.Parallel()
	document := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		fmt.Fprint(w, "a document")
	}
	led := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
	}
	var host string
	other, elsewhere := record(t, map[string]http.HandlerFunc{"/d.pdf": document, "/back.pdf": func(w http.ResponseWriter, r *http.Request) { led(host+"/d.pdf")(w, r) }, "/api": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "*, authorization")
		fmt.Fprint(w, "{}")
	}})
	const asks = `(async () => {
		const ask = (to, headers, more) => fetch(to, { headers, ...more }).then(r => r.text()).catch(() => {});
		await ask("/data", { Authorization: "Bearer old", "X-Once": "kept" });
		await ask("/data", { Authorization: "Bearer new" });
		await ask("/data?3", {});
		await ask("/led", { Authorization: "Bearer new", "X-Led": "1" });
		await ask("%[1]s/api", { Authorization: "Bearer theirs" });
		await ask("%[1]s/closed", { "X-Closed": "1" });
		document.title = "done";
	})()`
	var seen *recorder
	host, seen = record(t, map[string]http.HandlerFunc{
		"/data": sends("application/json", "{}"), "/led": led("/data"), "/empty": html("nothing"), "/d.pdf": document,
		"/there.pdf": led("/d.pdf"), "/away.pdf": led(other + "/d.pdf"), "/back.pdf": led(other + "/back.pdf"), "/none.pdf": http.NotFound,
		"/page": html(`<script>` + fmt.Sprintf(asks, other) + `</script>`),
	})
	b := launch(t, func(c *browser.Config) { c.KeepHeaders = true })
	open(t, b.Tab(), host+"/page")
	var done bool
	if err := b.Tab().Evaluate(t.Context(), `new Promise(r => setInterval(() => document.title === "done" && r(true), 10))`, &done); err != nil {
		t.Fatal(err)
	}
	const library = `globalThis.ask = (...args) => fetch(...args).then(r => r.status)`
	if err := b.Tab().EvaluateApart(t.Context(), library, `ask("/data", { headers: { authorization: "Bearer ours" } })`, nil); err != nil {
		t.Fatal(err)
	}
	sent := b.Tab().SentHeaders()
	to := func(address string, names ...string) string {
		headers, missing, _ := sent.To(address, names)
		text := ""
		for _, name := range names {
			text += headers.Value(name) + ";"
		}
		return text + strings.Join(missing, ",")
	}
	for address, want := range map[string]string{
		host + "/x": "Bearer new;kept;1;", other + "/x": "Bearer theirs;;;X-Once,X-Led",
		strings.Replace(host, "http:", "https:", 1): ";;;AUTHORIZATION,X-Once,X-Led", "http://127.0.0.1": ";;;AUTHORIZATION,X-Once,X-Led",
	} {
		if got := to(address, "AUTHORIZATION", "X-Once", "X-Led"); got != want {
			t.Errorf("to %s: got %q, want %q", address, got, want)
		}
	}
	if got := to(other, "X-Closed"); got != ";X-Closed" {
		t.Errorf("a header that the other server was never sent: %q", got)
	}
	headers, _, _ := sent.To(host, []string{"Authorization"})
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if said := fmt.Sprintf(verb+verb+verb, sent, headers, browser.Request{Headers: headers}); strings.Contains(said, "Bearer") {
			t.Errorf("printed as %s: %s", verb, said)
		}
	}
	for path, from := range map[string]string{"/d.pdf": host, "/there.pdf": host, "/away.pdf": other, "/back.pdf": host} {
		file, err := b.Fetch(t.Context(), browser.Request{URL: host + path, Referrer: host + "/page?id=7", Dir: t.TempDir(), MaxSize: 1 << 20, Headers: headers, Load: true,
			Allowed: func(string) bool { return true }})
		if err != nil || file.URL != from+"/d.pdf" {
			t.Fatalf("%s: got %+v, %v", path, file, err)
		}
		os.Remove(file.Path)
		if got := seen.of(path).Get("Authorization"); got != "Bearer new" {
			t.Errorf("%s was asked for with %q", path, got)
		}
	}
	for path, want := range map[string]string{"/there.pdf": "Bearer new", "/back.pdf": ""} { // by another server it is led to anything
		if _, err := b.Fetch(t.Context(), browser.Request{URL: host + path, Referrer: host + "/page?id=7", MaxSize: 1 << 20, Headers: headers, Allowed: func(string) bool { return true }}); err != nil {
			t.Fatal(err)
		}
		if got := seen.of("/d.pdf").Get("Authorization"); got != want {
			t.Errorf("behind %s it was asked for with %q, want %q", path, got, want)
		}
		if got := seen.of(path).Get("Referer"); got != host+"/page?id=7" {
			t.Errorf("%s was asked for from %q", path, got)
		}
	}
	for _, path := range []string{"/d.pdf", "/back.pdf"} {
		if got := elsewhere.of(path); got == nil || got.Get("Authorization") != "" || got.Get("Referer") != host+"/" {
			t.Errorf("the other server was sent %v", got)
		}
	}
	if _, err := b.Fetch(t.Context(), browser.Request{URL: host + "/d.pdf", MaxSize: 1 << 20, Allowed: func(string) bool { return true }}); err != nil || seen.of("/d.pdf").Get("Authorization") != "" {
		t.Errorf("a document without headers: %v, sent %v", err, seen.of("/d.pdf"))
	}
	open(t, b.Tab(), host+"/empty")
	if sent = b.Tab().SentHeaders(); to(host, "Authorization") != ";Authorization" {
		t.Errorf("of the page before: %q", to(host, "Authorization"))
	}
}
