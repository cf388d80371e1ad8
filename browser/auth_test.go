//go:build unix

package browser_test

import (
	"crypto/md5"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
)

const testUser, testPassword = "anna", "pa:ss word"

// guarded asks for the test's user and password before it answers, in Basic or Digest, and
// counts what it was told that is wrong.
func guarded(digest bool, realm string, wrong *atomic.Int64, h http.HandlerFunc) http.HandlerFunc {
	asks := `Basic realm="` + realm + `"`
	if digest {
		asks = `Digest realm="` + realm + `", nonce="once", qop="auth", algorithm=MD5`
	}
	return func(w http.ResponseWriter, r *http.Request) {
		user, password, ok := r.BasicAuth()
		told := r.Header.Get("Authorization")
		switch {
		case digest && digestFits(r.Method, told), !digest && ok && user == testUser && password == testPassword:
			h(w, r)
			return
		case told != "":
			wrong.Add(1)
		}
		w.Header().Set("WWW-Authenticate", asks)
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, "<h1>Who are you?</h1>")
	}
}

// digestFits reports whether an answer fits RFC 7616.
func digestFits(method, told string) bool {
	says := map[string]string{}
	for _, m := range regexp.MustCompile(`(\w+)="?([^",]+)"?`).FindAllStringSubmatch(told, -1) {
		says[m[1]] = m[2]
	}
	hash := func(parts ...string) string { return fmt.Sprintf("%x", md5.Sum([]byte(strings.Join(parts, ":")))) }
	return says["username"] == testUser && says["response"] == hash(
		hash(testUser, says["realm"], testPassword), says["nonce"], says["nc"], says["cnonce"], says["qop"], hash(method, says["uri"]))
}

// TestCredentials reads a portal that asks for a password, in every way that poscrape asks:
// pages, frames, data, documents.
func TestCredentials(t *testing.T) {
	t.Parallel()
	for name, digest := range map[string]bool{"basic": false, "digest": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var wrong, foreign atomic.Int64
			other := serve(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "" {
					foreign.Add(1)
				}
				w.Header().Set("WWW-Authenticate", `Basic realm="all"`)
				w.WriteHeader(http.StatusUnauthorized)
			}})
			guard := func(realm string, h http.HandlerFunc) http.HandlerFunc { return guarded(digest, realm, &wrong, h) }
			document := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "a document") }
			own := serve(t, map[string]http.HandlerFunc{
				"/page":       guard("all", html(`<p id="page">a page</p><iframe src="/frame"></iframe><iframe src="`+other+`"></iframe><img src="`+other+`/i.png">`)),
				"/frame":      guard("all", html("a frame")),
				"/data":       guard("data", html("data")),
				"/document":   guard("documents", document),
				"/one.txt":    guard("all", document),
				"/page/again": guard("all", html("again")),
			})
			b := launch(t, func(c *browser.Config) {
				c.Credentials = &browser.Credentials{User: testUser, Password: testPassword,
					For: func(origin *url.URL) bool { return origin.Scheme+"://"+origin.Host == own }}
			})
			if err := b.Allow(t.Context(), func(string) bool { return true }); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{"/page", "/page/again"} { // the second after the clock ran ahead
				res, err := b.Tab().Navigate(t.Context(), own+path, "")
				if err != nil || res.Status != 200 {
					t.Fatalf("%s: got %+v, %v", path, res, err)
				}
				var status int
				if err := b.Tab().Evaluate(t.Context(), `fetch("/data").then(r => r.status)`, &status); err != nil || status != 200 {
					t.Errorf("data of %s: got status %d, %v", path, status, err)
				}
				if err := b.Tab().RunAhead(t.Context(), browser.Ahead{Script: "1", WaitsFor: `""`, Limit: time.Second}, nil); err != nil {
					t.Fatal(err)
				}
			}
			for _, load := range []bool{true, false} {
				for _, path := range []string{"/one.txt", "/document"} {
					req := browser.Request{URL: own + path, Dir: t.TempDir(), MaxSize: 1 << 20, Load: load, Allowed: func(string) bool { return true }}
					if file, err := b.Fetch(t.Context(), req); err != nil || file.Size != int64(len("a document")) {
						t.Errorf("%s (load %v): got %+v, %v", path, load, file, err)
					}
				}
			}
			if n := wrong.Load(); n != 0 {
				t.Errorf("%d answers were wrong", n)
			}
			if n := foreign.Load(); n != 0 {
				t.Errorf("another server was told the password %d times", n)
			}
		})
	}
}

// TestWrongCredentials: a password that is wrong is told once, and the page is the one that
// says so.
func TestWrongCredentials(t *testing.T) {
	t.Parallel()
	var wrong atomic.Int64
	own := serve(t, map[string]http.HandlerFunc{"/": guarded(false, "all", &wrong, html("a page"))})
	b := launch(t, func(c *browser.Config) {
		c.Credentials = &browser.Credentials{User: testUser, Password: "wrong", For: func(*url.URL) bool { return true }}
	})
	for range 3 {
		open(t, b.Tab(), own+"/page")
		if status := b.Tab().Document().Status; status != http.StatusUnauthorized {
			t.Fatalf("got status %d, want 401", status)
		}
		var heading string
		if err := b.Tab().Evaluate(t.Context(), `document.querySelector("h1").textContent`, &heading); err != nil || heading != "Who are you?" {
			t.Errorf("the page's heading is %q, %v", heading, err)
		}
	}
	if n := wrong.Load(); n != 1 {
		t.Errorf("the wrong password was told %d times, want once", n)
	}
}

// TestProxyPassword reads by a proxy that asks for a password, which is in no argument of
// Chrome's; and the credentials of a portal are no answer to a proxy.
func TestProxyPassword(t *testing.T) {
	t.Parallel()
	own := serve(t, map[string]http.HandlerFunc{"/": html("a page")})
	secure := httptest.NewTLSServer(html("a page"))
	t.Cleanup(secure.Close)
	var passed, refused atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", r.Header.Get("Proxy-Authorization"))
		if user, password, _ := r.BasicAuth(); user != testUser || password != testPassword {
			refused.Add(1)
			w.Header().Set("Proxy-Authenticate", `Basic realm="proxy"`)
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		passed.Add(1)
		if r.Method == http.MethodConnect {
			tunnel(w, strings.TrimPrefix(secure.URL, "https://"))
			return
		}
		answer, err := http.Get(own)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer answer.Body.Close()
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.Copy(w, answer.Body)
	}))
	t.Cleanup(func() { proxy.CloseClientConnections(); proxy.Close() })
	through := func(user *url.Userinfo) string {
		u, err := url.Parse(proxy.URL)
		if err != nil {
			t.Fatal(err)
		}
		u.User = user
		return u.String()
	}
	b := launch(t, func(c *browser.Config) { c.Proxy = through(url.UserPassword(testUser, testPassword)) })
	for range 2 {
		if res, err := b.Tab().Navigate(t.Context(), "http://portal.example/page", ""); err != nil || res.Status != 200 {
			t.Errorf("got %+v, %v", res, err)
		}
	}
	if _, err := b.Tab().Navigate(t.Context(), "https://secure.example/", ""); err == nil || !strings.Contains(err.Error(), "ERR_CERT") {
		t.Errorf("through a tunnel: got %v, want the certificate of the server behind it", err)
	}
	if passed.Load() < 3 {
		t.Errorf("the proxy let %d requests pass, want 3 at least", passed.Load())
	}
	command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", b.PID()))
	if err == nil && (strings.Contains(string(command), testPassword) || strings.Contains(string(command), testUser)) {
		t.Error("the password is in Chrome's arguments")
	}

	wrong := launch(t, func(c *browser.Config) { c.Proxy = through(url.UserPassword(testUser, "wrong")) })
	unasked := launch(t, func(c *browser.Config) {
		c.Proxy = through(nil)
		c.Credentials = &browser.Credentials{User: testUser, Password: testPassword, For: func(*url.URL) bool { return true }}
	})
	for name, b := range map[string]*browser.Browser{"a wrong password": wrong, "a portal's credentials": unasked} {
		before := passed.Load()
		res, err := b.Tab().Navigate(t.Context(), "http://portal.example/page", "")
		if err == nil && res.Status != http.StatusProxyAuthRequired || passed.Load() != before {
			t.Errorf("%s: got %+v, %v", name, res, err)
		}
	}
}

// tunnel connects a client to an address.
func tunnel(w http.ResponseWriter, address string) {
	server, err := net.Dial("tcp", address)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer server.Close()
	w.WriteHeader(http.StatusOK)
	client, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer client.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(server, client)
		_ = server.Close()
	}()
	_, _ = io.Copy(client, server)
	_ = client.Close()
	<-done
}
