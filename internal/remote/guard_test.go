package remote

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestGuard holds requests against who may make them. "page" stands for the page's path.
func TestGuard(t *testing.T) {
	t.Parallel()
	s := &Server{cfg: Config{Addr: "desk.example:8080"}, token: "SECRET"}
	handler := s.guard(s.routes())
	type headers map[string]string
	for name, c := range map[string]struct {
		method, path, host string
		header             headers
		want               int
	}{
		"the page":                     {path: "page/", want: 200},
		"by the name that was given":   {path: "page/", host: "desk.example:9000", want: 200},
		"through a tunnel":             {path: "page/page.js", host: "localhost:9000", want: 200},
		"by IPv6":                      {path: "page/page.css", host: "[::1]:9000", want: 200},
		"of its own script":            {method: "POST", path: "page/input", header: headers{"Origin": "http://127.0.0.1:8080", "Sec-Fetch-Site": "same-origin"}, want: 400},
		"a link elsewhere":             {path: "page/", header: headers{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, want: 200},
		"no token":                     {path: "/", want: 403},
		"no token, a picture":          {path: "/picture", want: 403},
		"another token":                {path: "/SECRES/", want: 403},
		"part of the token":            {path: "/SECRE/", want: 403},
		"the token in another place":   {path: "/state?SECRET/", want: 403},
		"a name that leads here":       {path: "page/", host: "portal.example:8080", want: 403},
		"a name like an address":       {path: "page/", host: "127.0.0.1.portal.example", want: 403},
		"another site's script":        {method: "POST", path: "page/input", header: headers{"Origin": "http://127.0.0.1:9999"}, want: 403},
		"a page without an origin":     {method: "POST", path: "page/input", header: headers{"Origin": "null"}, want: 403},
		"another site's picture":       {path: "page/picture", header: headers{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}, want: 403},
		"another site's frame":         {path: "page/", header: headers{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}, want: 403},
		"the same host, another port":  {path: "page/state", header: headers{"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"}, want: 403},
		"another site's form":          {method: "POST", path: "page/input", header: headers{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, want: 403},
		"something that is not served": {path: "page/index.html", want: 404},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			method, host := c.method, c.host
			if method == "" {
				method = http.MethodGet
			}
			if host == "" {
				host = "127.0.0.1:8080"
			}
			path := c.path
			if rest, ok := strings.CutPrefix(path, "page/"); ok {
				path = "/SECRET/" + rest
			}
			r := httptest.NewRequest(method, path, nil)
			r.Host = host
			for name, value := range c.header {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if w.Code != c.want {
				t.Errorf("it was answered with %d, want %d: %s", w.Code, c.want, w.Body)
			}
			for header, want := range map[string]string{
				"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "Content-Security-Policy": policy, "X-Frame-Options": "DENY",
			} {
				if got := w.Header().Get(header); got != want {
					t.Errorf("%s is %q", header, got)
				}
			}
			if strings.Contains(w.Body.String(), "SECRET") {
				t.Errorf("the answer has the token in it: %s", w.Body)
			}
		})
	}
}

// TestTitle: what a recipe calls its portal is text.
func TestTitle(t *testing.T) {
	t.Parallel()
	s := &Server{cfg: Config{Title: `Sign in: <script>alert(1)</script>`}, token: "SECRET"}
	w := httptest.NewRecorder()
	s.guard(s.routes()).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1/SECRET/", nil))
	if body := w.Body.String(); strings.Contains(body, "<script>alert") || !strings.Contains(body, "&lt;script&gt;") {
		t.Errorf("the page is %s", body)
	}
}
