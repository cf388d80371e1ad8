package browser_test

import (
	"errors"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
)

// TestPagesHaveNoWebGL: its programs would run in Chrome's main process.
func TestPagesHaveNoWebGL(t *testing.T) {
	t.Parallel()
	tab := share(t).Tab()
	open(t, tab, serve(t, map[string]http.HandlerFunc{"/": html("")}))
	var has []bool
	script := `["webgl", "webgl2", "2d"].map((kind) => !!document.createElement("canvas").getContext(kind))`
	if err := tab.Evaluate(t.Context(), script, &has); err != nil || len(has) != 3 || has[0] || has[1] || !has[2] {
		t.Errorf("WebGL, WebGL 2 and 2D: %v, %v", has, err)
	}
}

// TestNobodysOwnSignIn: no server is answered with what this user is signed in with at the machine, and one that
// takes a password beside that gets the portal's.
func TestNobodysOwnSignIn(t *testing.T) {
	dir := testkit.OpenTempDir(t)
	library := exec.Command("cc", "-shared", "-fPIC", "-Wl,-soname,libgssapi_krb5.so.2", "-o", filepath.Join(dir, "libgssapi_krb5.so.2"), "testdata/ticket.c")
	if text, err := library.CombinedOutput(); errors.Is(err, exec.ErrNotFound) {
		t.Skip("there is no C compiler to make a ticket with")
	} else if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	t.Setenv("LD_LIBRARY_PATH", dir)
	for name, c := range map[string]struct {
		offers []string
		known  bool // the server may have the portal's password
		want   string
	}{
		"a stranger":       {[]string{"Negotiate", "NTLM", `Basic realm="all"`}, false, ""},
		"a stranger alone": {[]string{"Negotiate"}, false, ""},
		"the portal":       {[]string{"Negotiate", `Basic realm="all"`}, true, "Basic"},
		"the portal alone": {[]string{"Negotiate"}, true, ""},
	} {
		var told sync.Map
		own := serve(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) {
			if scheme, _, sent := strings.Cut(r.Header.Get("Authorization"), " "); sent {
				told.Store(scheme, true)
			}
			if user, password, _ := r.BasicAuth(); user == testUser && password == testPassword {
				html("a page")(w, r)
				return
			}
			w.Header()["Www-Authenticate"] = c.offers
			w.WriteHeader(http.StatusUnauthorized)
		}})
		b := launch(t, func(cfg *browser.Config) {
			cfg.Credentials = &browser.Credentials{User: testUser, Password: testPassword, For: func(*url.URL) bool { return c.known }}
		})
		res, err := b.Tab().Navigate(t.Context(), own+"/page", "")
		var schemes []string
		told.Range(func(scheme, _ any) bool { schemes = append(schemes, scheme.(string)); return true })
		if err != nil || (res.Status == http.StatusOK) != (c.want != "") || strings.Join(schemes, " ") != c.want {
			t.Errorf("%s: got %+v, %v, and was told %q, want %q", name, res, err, schemes, c.want)
		}
	}
}
