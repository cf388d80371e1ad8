package scrape_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// requests are what a server was asked for.
type requests struct {
	mu   sync.Mutex
	said string
}

func (r *requests) note(h http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_ = req.ParseForm() // what cannot be read has no secret
		r.mu.Lock()
		r.said += fmt.Sprintln(req.Method, req.URL, req.Form, req.Header)
		r.mu.Unlock()
		h(w, req)
	})
}

func (r *requests) has(text string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Contains(r.said, text)
}

func listen(t *testing.T, r *requests, h http.HandlerFunc) (port string) {
	t.Helper()
	server := httptest.NewServer(r.note(h))
	t.Cleanup(func() { testkit.EndServer(server) })
	return server.URL[strings.LastIndex(server.URL, ":"):]
}

func secretFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestASignInThatIsLedElsewhere signs in where the sign-in page leads to another host, or has a frame of one.
// Only hosts that are named in full for that are told the password.
func TestASignInThatIsLedElsewhere(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	const secret, form = "hunter2-correct-horse", `<!doctype html><form action=/in method=post><input id=p type=password name=p><button id=go>Go</button></form>`
	b := newBench(t, scrape.AutoRecipe())
	for name, c := range map[string]struct {
		host, more, step string
		told             bool
	}{
		"a host of files":    {"localhost", "allowed_hosts: [localhost]", "", false},
		"one of many":        {"sso.localhost", "allowed_hosts: ['*.localhost']", "", false},
		"passed through":     {"sso.localhost", "", "hosts: ['*.localhost'], ", false},
		"another port":       {"127.0.0.1", "allowed_hosts: [127.0.0.1]", "", false},
		"the default port":   {"localhost", "", "hosts: [localhost], ", false},
		"a frame":            {"frame", "allowed_hosts: [localhost]", "", false},
		"named to sign in":   {"localhost", "", "hosts: ['localhostPORT'], ", true},
		"beside the secret":  {"localhost", "allowed_hosts: [localhost]", "TO", true},
		"a frame that it is": {"frame", "", "hosts: ['localhostPORT'], ", true},
	} {
		t.Run(name, func(t *testing.T) {
			var away requests
			port := listen(t, &away, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				page := form
				if r.URL.Path == "/in" {
					page = "<!doctype html><h1 id=welcome>Welcome</h1>"
				}
				fmt.Fprint(w, page)
			})
			portal := listen(t, &requests{}, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				if c.host == "frame" {
					fmt.Fprintf(w, `<!doctype html><h1>Sign in</h1><iframe src="http://localhost%s/"></iframe>`, port)
					return
				}
				http.Redirect(w, r, "http://"+c.host+port+"/", http.StatusFound)
			})
			first := time.Second
			if c.told {
				first = testkit.Patience
			}
			testkit.InVain(t, first, func(limit time.Duration) error {
				text := fmt.Sprintf("%s\nready: {timeout: %v}\nlogin: {%sstart_url: '{base_url}/login', steps: [{fill: {selector: '#p', file: %s%s}}, {click: '#go'}], success: {selector: '#welcome'}}\n",
					c.more, limit, strings.ReplaceAll(strings.TrimPrefix(c.step, "TO"), "PORT", port), secretFile(t, secret), map[bool]string{true: ", to: ['localhost" + port + "']"}[c.step == "TO"])
				_, _, err := b.with(scrape.NewPortal(recipeOf(t, "http://127.0.0.1"+portal, text), nil)).scraper.SignIn(t.Context())
				var refused *scrape.SignInError
				switch told := away.has(secret); {
				case told != c.told:
					t.Errorf("the host was told: %v; %v", told, err)
				case c.told && err != nil, !c.told && (!errors.As(err, &refused) || !strings.Contains(err.Error(), "this secret goes only to http://127.0.0.1"+portal)):
					return fmt.Errorf("got %w", err)
				}
				return nil
			})
		})
	}
}

// TestSecretsStayAtThePortal lists documents that are at another host, which asks for a password.
func TestSecretsStayAtThePortal(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	secrets := []string{"ZGFuYTpodW50ZXIyLXBhc3N3b3Jk", "key-of-the-portal", "token-of-the-page"} // the first is dana:hunter2-password
	const recipe = `
allowed_hosts: [localhost]
identity: {selector: "#po"}
login: {http: {user: "file:USER", password: "file:PASSWORD"TO}}
fields: {token: {storage: auth TO}}
attachments: {item: a.doc, link: {url: "{value}?t={token}"}, headers: {X-Key: {file: KEY TO}}}
`
	for name, to := range map[string]string{"portal": "", "both": ", to: ['localhostPORT']"} {
		t.Run(name, func(t *testing.T) {
			var away, own requests
			document := func(w http.ResponseWriter, r *http.Request) {
				if _, _, told := r.BasicAuth(); !told {
					w.Header().Set("WWW-Authenticate", `Basic realm="all"`)
					w.WriteHeader(http.StatusUnauthorized)
					return
				}
				w.Header().Set("Content-Type", "application/pdf")
				fmt.Fprint(w, "%PDF-1.4 "+r.Host+"\n%%EOF\n")
			}
			port := listen(t, &away, document)
			portal := "http://127.0.0.1" + listen(t, &own, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/order" {
					document(w, r)
					return
				}
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprintf(w, `<!doctype html><script>localStorage.auth = "token-of-the-page"</script><h1 id=po>PO1001</h1><a class=doc href="/a.pdf">a.pdf</a><a class=doc href="http://localhost%s/b.pdf">b.pdf</a>`, port)
			})
			fill := strings.NewReplacer("USER", secretFile(t, "dana"), "PASSWORD", secretFile(t, "hunter2-password"), "KEY", secretFile(t, "key-of-the-portal"),
				"TO", strings.ReplaceAll(to, "PORT", port))
			b := newBench(t, recipeOf(t, portal, fill.Replace(recipe)))
			res, err := b.scraper.Do(t.Context(), orderAt("PO1001", portal+"/order"))
			if err != nil {
				t.Fatal(err)
			}
			for _, secret := range secrets {
				if !own.has(secret) || away.has(secret) != (to != "") {
					t.Errorf("%s: the portal has it: %v, the other host: %v", secret, own.has(secret), away.has(secret))
				}
			}
			if doc := res.Attachments[1]; (doc.State == tasks.AttachmentDone) != (to != "") || to == "" && !strings.Contains(doc.Error.Message, "the secret fields.token goes only to "+portal) {
				t.Errorf("the other host's document is %s: %+v", doc.State, doc.Error)
			}
		})
	}
}
