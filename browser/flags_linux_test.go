package browser_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// TestNothingAnimatesBesideThePage: where that is begun while the page changes, Chrome may never draw it again. It
// takes a large page of scripts and styles to see, so this looks at what keeps Chrome from it.
func TestNothingAnimatesBesideThePage(t *testing.T) {
	t.Parallel()
	b := share(t)
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", b.PID()))
	if err != nil {
		t.Fatal(err)
	}
	flags := strings.FieldsFunc(string(line), func(r rune) bool { return r == 0 || r == ' ' })
	for _, flag := range []string{"--run-all-compositor-stages-before-draw", "--disable-threaded-animation"} {
		if !slices.Contains(flags, flag) {
			t.Errorf("Chrome was started without %s", flag)
		}
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
