package browser_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
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

// TestNobodysOwnSignIn: Chrome answers nobody with what this user is signed in with at the machine.
func TestNobodysOwnSignIn(t *testing.T) {
	t.Parallel()
	command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", share(t).PID()))
	if err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"--auth-schemes=basic,digest", "--auth-server-allowlist=none.invalid"} {
		if !strings.Contains(string(command), flag) {
			t.Errorf("Chrome was not started with %s", flag)
		}
	}
}
