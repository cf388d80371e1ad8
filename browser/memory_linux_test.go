package browser_test

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"testing"

	"github.com/poscrape/poscrape/browser"
)

// TestPageMemoryIsBounded: all processes that render pages have the limit, those
// of tabs that are opened later among them.
func TestPageMemoryIsBounded(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{
		"/": html("fine"),
		"/doc": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			fmt.Fprint(w, "done")
		},
	})
	b := launch(t, func(c *browser.Config) { c.MaxPageMemory = 1 << 30 })
	open(t, b.Tab(), url)
	before := len(renderers(t, b))
	if _, err := b.Fetch(t.Context(), browser.Request{URL: url + "/doc", MaxSize: 100, Allowed: func(string) bool { return true }}); err != nil {
		t.Fatal(err)
	}
	pids := renderers(t, b)
	if len(pids) <= before {
		t.Errorf("the tab of the document has no process of its own: %v", pids)
	}
	for _, pid := range pids {
		limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`Max data size +(\d+)`).FindSubmatch(limits)
		if found == nil || string(found[1]) != fmt.Sprint(1<<30) {
			t.Errorf("process %d: %s", pid, limits)
		}
	}
}
