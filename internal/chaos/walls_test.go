//go:build linux

package chaos

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/poscrape/poscrape/internal/portal"
)

// doorSteps sign in at a portal.Door.
const doorSteps = "  steps:\n    - fill: {selector: \"#user\", env: PORTAL_USER}\n    - fill: {selector: \"#password\", env: PORTAL_PASSWORD}\n    - click: \"#go\"\n"

// wall is a page that whoever has signed in has to get past once.
type wall struct {
	page, answer string
	before       http.Handler

	mu     sync.Mutex
	passed bool
}

func (w *wall) isPassed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.passed
}

func (w *wall) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := r.Cookie("door")
	switch {
	case r.URL.Path == "/wall" && r.Method == http.MethodPost:
		w.passed = true
		http.Redirect(out, r, "/door/home", http.StatusSeeOther)
	case err != nil || w.passed || r.URL.Path == portal.DoorPath:
		w.before.ServeHTTP(out, r)
	default:
		out.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(out, `<!doctype html><title>Portal</title>%s`, w.page)
	}
}

// TestWallsThatAPersonPasses: behind a right password stands a page that only a person may
// answer. The run ends with nothing charged; a person answers on the page that login serves,
// and resume goes on to the end.
func TestWallsThatAPersonPasses(t *testing.T) {
	beside(t)
	const form = `<form method="post" action="/wall">%s<button>%s</button></form>`
	fill := func(heading, fields, button string) string {
		return "<h1>" + heading + "</h1>" + fmt.Sprintf(form, fields, button)
	}
	walls := map[string]struct{ page, answer string }{
		"a second factor":       {page: fill("Two-step verification", `<label>Enter the verification code from your app <input name="code" autocomplete="one-time-code"></label>`, "Verify"), answer: "123456"},
		"new terms":             {page: fill("Our terms of use have changed", "<p>Please accept the new terms to go on.</p>", "Accept")},
		"an expired password":   {page: fill("Your password has expired", `<input type="password" name="new" autocomplete="new-password"><input type="password" name="again" autocomplete="new-password">`, "Change password"), answer: "n3w"},
		"data to fill in":       {page: fill("Complete your profile", `<p>Please complete your profile to continue.</p><label>Phone <input name="phone" required></label>`, "Save"), answer: "555"},
		"a factor to set up":    {page: fill("Set up two-factor authentication", "<p>Your organization requires you to set up two-factor authentication.</p>", "Continue")},
		"an approval in an app": {page: fill("Approve sign in request", "<p>Open your Authenticator app and approve the request.</p>", "I have approved")},
		"a survey":              {page: fill("Take our survey", "<p>Please answer our survey before you continue.</p>", "No, thanks")},
	}
	for kind, c := range walls {
		if !*full && kind != "a second factor" {
			continue
		}
		t.Run(kind, func(t *testing.T) {
			beside(t)
			d := newDoored(t, 3, &portal.Door{}, doorSteps)
			w := &wall{page: c.page, answer: c.answer, before: d.door}
			d.site.meddleWith(func(out http.ResponseWriter, r *http.Request, _ http.Handler) { w.ServeHTTP(out, r) })
			r := d.run("--recipe", d.recipe, "--workers", "2")
			r.mustExit(5)
			if said := r.said(); !strings.Contains(said, "poscrape login --recipe "+d.recipe) || !strings.Contains(said, "poscrape resume "+d.out) {
				t.Errorf("it said %s", said)
			}
			for _, o := range d.report().Tasks {
				for _, a := range o.Attempts {
					if !a.Released {
						t.Errorf("%s was charged: %+v", o.PO, a)
					}
				}
			}
			login := d.start("login", "--recipe", d.recipe, "--remote", "127.0.0.1:0")
			d.signInAt(login, w)
			login.mustExit(0)
			d.resume().mustExit(0)
			for _, o := range d.report().Tasks {
				if o.Outcome != "complete" {
					t.Errorf("%s ended %s", o.PO, o.Outcome)
				}
			}
			for _, left := range d.left(d.report()) {
				t.Errorf("left: %s", left)
			}
		})
	}
}
