//go:build unix

package browser_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/poscrape/poscrape/browser"
)

const counting = `globalThis.made = (globalThis.made || 0) + 1; globalThis.titled = () => document.title`

// TestEvaluateApart runs scripts beside a page that has put its own in the way of
// everything, and that forbids requests.
func TestEvaluateApart(t *testing.T) {
	t.Parallel()
	page := func(title string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", "connect-src 'none'")
			html(`<title>`+title+`</title><script>window.fetch = null; window.made = 7; window.Document = null</script>`)(w, r)
		}
	}
	url := serve(t, map[string]http.HandlerFunc{"/one": page("one"), "/two": page("two"), "/text": html("a text")})
	tab := share(t).Tab()
	for _, title := range []string{"one", "two"} {
		open(t, tab, url+"/"+title)
		var all sync.WaitGroup
		for n := range 8 {
			all.Go(func() {
				var got string
				script := fmt.Sprintf(`fetch("/text").then((r) => r.text()).then((text) => [titled(), made, text, %d].join())`, n)
				if err := tab.EvaluateApart(t.Context(), counting, script, &got); err != nil || got != fmt.Sprintf("%s,1,a text,%d", title, n) {
					t.Errorf("got %q, %v", got, err)
				}
			})
		}
		all.Wait()
		var made int
		if err := tab.Evaluate(t.Context(), "made", &made); err != nil || made != 7 {
			t.Errorf("the page's own value is %d, %v", made, err)
		}
	}
	var script *browser.ScriptError
	if err := tab.EvaluateApart(t.Context(), counting, "nothing.there", nil); !errors.As(err, &script) {
		t.Errorf("a script that throws: %v", err)
	}
}

// TestEvaluateApartWhenThePageGoes ends with the page, or with its context, and
// leaves the tab fit for the next one.
func TestEvaluateApartWhenThePageGoes(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{"/one": html("<title>one</title>"), "/two": html("<title>two</title>")})
	tab := share(t).Tab()
	open(t, tab, url+"/one")
	leaving := `document.location = "/two"; new Promise(() => {})`
	if err := tab.EvaluateApart(t.Context(), counting, leaving, nil); !errors.Is(err, browser.ErrNavigated) {
		t.Errorf("the page went away: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	over := errors.New("it is over")
	cancel(over)
	if err := tab.EvaluateApart(ctx, counting, `new Promise(() => {})`, nil); !errors.Is(err, over) {
		t.Errorf("its context ended: %v", err)
	}
	open(t, tab, url+"/one")
	var name string
	if err := tab.EvaluateApart(t.Context(), counting, "titled()", &name); err != nil || name != "one" {
		t.Errorf("afterwards: %q, %v", name, err)
	}
}
