package scrape_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
)

// TestWhatASignInLeadsTo signs in where something comes after the password. What nobody gives ends
// it long before ready.timeout.
func TestWhatASignInLeadsTo(t *testing.T) {
	t.Parallel()
	const code = `<p>Enter it here</p><form><input name=otp><button>Verify</button></form>`
	after := map[string]string{ // "" is a sign-in
		"<h1 id=welcome>Welcome</h1><script>if (!sessionStorage.been) setTimeout(() => { sessionStorage.been = 1; document.body.innerHTML = 'One moment'; setTimeout(() => { document.body.innerHTML = '<h1 id=welcome>Welcome</h1>' }, 300) }, 250)</script>": "",
		"<h1>Two-step verification</h1>" + code:                                                                                        "the page asks for a one-time code",
		"<h1>Bestätigungscode eingeben</h1>" + code:                                                                                    "the page asks for a one-time code",
		"<h1>Hello</h1><input autocomplete=one-time-code>":                                                                             "the page asks for a one-time code",
		"<h1>Our terms of use have changed</h1><button>Accept</button>":                                                                "until new terms are accepted",
		"<h1>Your password has expired</h1><input type=password><input type=password>":                                                 "until an expired password is changed",
		"<h1>Complete your profile</h1><input name=phone>":                                                                             "until data of the account is filled in",
		"<h1>Set up two-factor authentication</h1><button>Next</button>":                                                               "until a second factor is set up",
		"<h1>Supplier survey</h1><button>Begin</button>":                                                                               "until a survey is answered",
		"<h1>Fire drill</h1><p id=drill>Leave the building</p>":                                                                        "until this is dealt with: a drill",
		"<p role=alert>Wrong password</p><input type=password>":                                                                        "still asks for a password; it says \"Wrong password\"",
		"<h1>Just a moment</h1><p>Checking your browser</p><script>setTimeout(() => location = '/home', 700)</script>":                 "",
		"<h1>Approve sign-in request</h1><p>Open your Authenticator app</p><script>setTimeout(() => location = '/home', 700)</script>": "",
	}
	const welcome, search = "<h1>Welcome, Anna</h1>", "<form><input name=q placeholder='Order number'><button>Search</button></form>"
	unsure := map[string]string{ // of a recipe without login.success
		welcome + search + "<p role=alert>Protect your account with two-factor authentication</p>":                                                                       "",
		welcome + search + "<p class=alert>Our terms of use have changed on 1 March.</p>":                                                                                "",
		welcome + search + "<h2>Supplier survey</h2>":                                                                                                                    "",
		"<nav><a href=/home>Orders</a></nav><p role=alert>Please take part in our survey</p>":                                                                            "",
		"<p class=alert>Our terms of use have changed on 1 March.</p><button>Accept</button>":                                                                            "until new terms are accepted",
		"<h1>Check your phone</h1><p>Enter the verification code that we have sent</p><form><input id=smsCode><button>Go</button></form><a href=/home>Send it again</a>": "the page asks for a one-time code",
		"<h1>Just a moment</h1><p>Checking your browser</p><a href=/home>Privacy</a><script>setTimeout(() => document.title = 'Survey', 700)</script>":                   "until a survey is answered",
	}
	both := map[string]string{ // of a recipe whose login.success has a selector and texts
		"<h1 id=welcome>Hello, Anna</h1>":                                    "",
		"<h1 id=welcome>Wrong password</h1><input type=password>":            "still asks for a password",
		"<h1>Please sign in to say hello, Anna</h1><input type=password>":    "still asks for a password",
		"<h1 id=welcome hidden></h1><p>Hello, Anna</p><input type=password>": "still asks for a password",
	}
	var now atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Portal</title><body>", map[string]string{
			"/login": `<form action=/after><input id=user name=u><button id=go>Sign in</button></form>`, "/after": fmt.Sprint(now.Load()), "/home": "<h1 id=welcome>Welcome</h1>"}[r.URL.Path])
	}))
	t.Cleanup(func() { testkit.EndServer(server) })
	user := filepath.Join(t.TempDir(), "user")
	if err := os.WriteFile(user, []byte("anna"), 0o600); err != nil {
		t.Fatal(err)
	}
	const steps = `
ready: {timeout: 1h}
walls: [{name: a drill, selector: "#drill"}]
login:
  start_url: "{base_url}/login"
  steps: [{fill: {selector: "#user", file: USER}}, {click: "#go"}]
`
	portal := func(more string) *scrape.Portal {
		p := scrape.NewPortal(recipeOf(t, server.URL, strings.ReplaceAll(steps, "USER", user)+more), nil)
		p.SetFormStays(time.Millisecond)
		return p
	}
	b := newBenchOf(t, portal("  success: {selector: \"#welcome\"}\n"))
	try := func(b *bench, page, want string) {
		now.Store(page)
		ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience) // who is refused does not wait for a page that is ready
		defer cancel()
		state, _, err := b.scraper.SignIn(ctx)
		refused := (*scrape.SignInError)(nil)
		switch {
		case want == "" && (err != nil || state == nil):
			t.Errorf("%s: %v", page, err)
		case want != "" && (!errors.As(err, &refused) || !strings.Contains(refused.Seen, want)):
			t.Errorf("%s: it says %v, want %q", page, err, want)
		}
	}
	for _, page := range oneIn(2, slices.Sorted(maps.Keys(after))) {
		try(b, page, after[page])
	}
	b = b.with(portal(""))
	for _, page := range oneIn(2, slices.Sorted(maps.Keys(unsure))) {
		try(b, page, unsure[page])
	}
	b = b.with(portal("  success: {selector: \"#welcome\", text: [\"Good day\", \"hello, anna\"]}\n"))
	for page, want := range both {
		try(b, page, want)
	}
}
