//go:build unix

package browser_test

import (
	"net/http"
	"testing"

	"github.com/poscrape/poscrape/browser"
)

// TestGestures: no look at a page gives it the right of a person's act, in whatever way; a click does.
func TestGestures(t *testing.T) {
	t.Parallel()
	tab := share(t, func(c *browser.Config) { c.Inspector = "globalThis.looks = true" }).Tab()
	open(t, tab, serve(t, map[string]http.HandlerFunc{"/": html(`<button>x</button>`)}))
	const acted = "navigator.userActivation.hasBeenActive"
	for name, look := range map[string]func() error{
		"Evaluate":      func() error { return tab.Evaluate(t.Context(), "1", nil) },
		"Inspect":       func() error { return tab.Inspect(t.Context(), "looks", nil) },
		"EvaluateApart": func() error { return tab.EvaluateApart(t.Context(), "", "1", nil) },
		"a clock":       func() error { return tab.Inspect(t.Context(), `document.querySelector("button").focus()`, nil) },
	} {
		var is bool
		if err := look(); err != nil {
			t.Fatal(name, err)
		}
		if err := tab.Evaluate(t.Context(), acted, &is); err != nil || is {
			t.Errorf("after %s, the page takes itself for used: %v, %v", name, is, err)
		}
	}
	var is bool
	if err := tab.InspectAndClick(t.Context(), `HTMLElement.prototype.click.call(document.querySelector("button"))`, nil); err != nil {
		t.Fatal(err)
	}
	if err := tab.Evaluate(t.Context(), acted, &is); err != nil || !is {
		t.Errorf("after a click: %v, %v", is, err)
	}
}
