//go:build unix

package browser_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
)

// TestFormsTakeNoSecretElsewhere sends forms whose markup takes a secret to another origin, into the page, frames and
// windows.
func TestFormsTakeNoSecretElsewhere(t *testing.T) {
	t.Parallel()
	const fields = `<input id=p name=p type=password><button id=b>Sign in</button></form>`
	for name, page := range map[string]string{
		"a form elsewhere":        `<form action="AWAY/in" method=post>` + fields,
		"its base":                `<base href="AWAY/"><form action="in" method=post>` + fields,
		"a button's action":       `<form method=post><button formaction="AWAY/in" id=b>Sign in</button>` + fields,
		"a button in a frame":     `<iframe name=f></iframe><form method=post><button formaction="AWAY/in" formtarget=f id=b>Sign in</button>` + fields,
		"moved":                   `<form action="/moves" method=post>` + fields,
		"moved in a frame":        `<iframe name=f></iframe><form action="/moves" method=post target=f>` + fields,
		"moved in an object":      `<object name=f data="about:blank"></object><form action="/moves" method=post target=f>` + fields,
		"moved in a window":       `<form action="/moves" method=post target=_blank>` + fields,
		"a GET in a frame":        `<iframe name=f></iframe><form target=f><button formaction="AWAY/in" id=b>Sign in</button>` + fields,
		"a GET in broken lines":   `<iframe name=f></iframe><form target=f><button formaction="AWAY/in" id=b>Sign in</button><textarea id=p name=p cols=3 wrap=hard></textarea></form>`,
		"another frame, as ever":  `!<iframe name=f></iframe><form action="/asks" method=post target=f>` + fields,
		"its own origin, as ever": `!<iframe name=f></iframe><form action="/in" method=post target=f>` + fields,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hear := func(got chan string) http.HandlerFunc {
				return func(_ http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					got <- r.Method + " " + r.URL.String() + " " + string(body)
				}
			}
			theirs, ours := make(chan string, 10), make(chan string, 10)
			away := elsewhere(serve(t, map[string]http.HandlerFunc{"/": hear(theirs)}))
			to := func(status int, path string) http.HandlerFunc {
				return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, path, status) }
			}
			page, goes := strings.CutPrefix(page, "!")
			own := serve(t, map[string]http.HandlerFunc{"/": html("<!doctype html>" + strings.ReplaceAll(page, "AWAY", away)), "/last": html("last"),
				"/moves": to(http.StatusTemporaryRedirect, away+"/in"), "/asks": to(http.StatusFound, away+"/in?po=1"), "/in": hear(ours)})
			b := share(t)
			testkit.Must(t, b.Allow(t.Context(), func(string) bool { return true }))
			open(t, b.Tab(), own+"/")
			ctx, cancel := context.WithTimeout(t.Context(), actTimeout)
			defer cancel()
			target := browser.Target{Selector: "#p", Origins: []string{own}}
			if name == "a form elsewhere" || name == "its base" {
				testkit.InVain(t, actTimeout/10, func(limit time.Duration) error {
					ctx, cancel := context.WithTimeout(t.Context(), limit)
					defer cancel()
					var failed *browser.ElementError
					if err := b.Tab().Fill(ctx, target, "s3cret-word"); !errors.As(err, &failed) || !strings.Contains(failed.Why, "its form is sent to "+away) {
						return fmt.Errorf("got %w", err)
					}
					return nil
				})
				says(t, b.Tab(), "p.value", "")
				return
			}
			testkit.Must(t, b.Tab().Fill(ctx, target, "s3cret-word"))
			testkit.Must(t, b.Tab().Click(ctx, browser.Target{Selector: "#b"}))
			if goes {
				testkit.Wait(t, "the form to arrive", func() bool { return len(ours)+len(theirs) > 0 })
				return
			}
			testkit.Must(t, b.Tab().Calm(ctx, 500*time.Millisecond, actTimeout))
			select {
			case what := <-theirs:
				t.Errorf("the other server got %s", what)
			default:
			}
			open(t, b.Tab(), own+"/last") // the page is left
			testkit.Must(t, b.Tab().Evaluate(ctx, `void document.body.insertAdjacentHTML("beforeend", '<iframe name=f></iframe><form id=g action="`+away+`/in" method=post target=f></form>'), g.submit()`, nil))
			testkit.Wait(t, "another page's form to arrive", func() bool { return len(theirs) > 0 })
		})
	}
}
