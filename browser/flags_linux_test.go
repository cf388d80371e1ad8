package browser_test

import (
	"net/http"
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
