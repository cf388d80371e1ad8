package scrape_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// guardedPortal asks for a user and a password, and counts those that are wrong.
func guardedPortal(t *testing.T, wrong *atomic.Int64) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, told := r.BasicAuth()
		if user != "anna" || password != "secret" {
			if told {
				wrong.Add(1)
			}
			w.Header().Set("WWW-Authenticate", `Basic realm="orders"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if number, isOrder := strings.CutPrefix(r.URL.Path, "/orders/"); isOrder && !strings.Contains(number, "/") {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, strings.ReplaceAll(plainPage, "%[1]d", "%[1]s"), number)
			return
		}
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 ", r.URL.Path)
	}))
	t.Cleanup(func() { testkit.EndServer(s) })
	return s.URL
}

// guardedRecipe signs in with a password that stands in a file beside the recipe.
func guardedRecipe(t *testing.T, url, password string) *scrape.Recipe {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"user": "anna\n", "password": password + "\r\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	recipe, err := scrape.ReadRecipe(filepath.Join(dir, "guarded.yaml"), strings.NewReader(fmt.Sprintf(`version: 1
base_url: %s
identity: {selector: '#po'}
login: {http: {user: "file:user", password: "file:password"}}
attachments: {item: .att}
`, url)))
	if err != nil {
		t.Fatal(err)
	}
	return recipe
}

// TestHTTPLogin reads orders of a portal whose server asks for a password, rendered and
// fetched.
func TestHTTPLogin(t *testing.T) {
	t.Parallel()
	var wrong atomic.Int64
	url := guardedPortal(t, &wrong)
	b := newBench(t, guardedRecipe(t, url, "secret"))
	executors := map[string]int{}
	for n := range 12 {
		d := b.attempt(t.Context(), t, numberedTask(url, 1000+n))
		if d.Outcome != tasks.OutcomeComplete || len(d.Result.Attachments) != 1 {
			t.Fatalf("order %d: %s, %v", n, gist(d), d.Failure)
		}
		executors[d.Result.Executor]++
	}
	if executors[tasks.ExecutorFetch] == 0 || executors[tasks.ExecutorRender] == 0 {
		t.Errorf("orders were read so: %v, want both ways", executors)
	}
	if n := wrong.Load(); n != 0 {
		t.Errorf("the server was told %d wrong passwords", n)
	}
}

func TestHTTPLoginWithAWrongPassword(t *testing.T) {
	t.Parallel()
	var wrong atomic.Int64
	url := guardedPortal(t, &wrong)
	b := newBench(t, guardedRecipe(t, url, "secrte"))
	for n := range 3 {
		d := b.attempt(t.Context(), t, numberedTask(url, 1000+n))
		if d.Outcome == tasks.OutcomeComplete || d.Failure == nil || d.Failure.Class != tasks.ClassLogin {
			t.Errorf("order %d: %s, %v; want the class %s", n, gist(d), d.Failure, tasks.ClassLogin)
		}
	}
	if n := wrong.Load(); n != 1 {
		t.Errorf("the server was told %d wrong passwords, want 1", n)
	}
}

func TestHTTPLoginWithoutItsSecret(t *testing.T) {
	t.Parallel()
	recipe := guardedRecipe(t, "https://portal.example", "secret")
	gone := recipe.Login.HTTP.Password.File
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	cfg := browser.DefaultConfig()
	err := scrape.NewPortal(recipe, nil).Configure(&cfg)
	var missing *scrape.SecretError
	if !errors.As(err, &missing) || missing.Field != "login.http.password" || !strings.Contains(err.Error(), gone) {
		t.Errorf("got %v, want an error that names the key and the file", err)
	}
}
