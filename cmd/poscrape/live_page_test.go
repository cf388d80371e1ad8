package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/session"
)

// TestSignInOnTheLivePage: a run that meets a sign-in page waits, a person signs in on its live page,
// in a Chrome of its own, and the run goes on to its end.
func TestSignInOnTheLivePage(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	portal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		c, err := r.Cookie("sid")
		switch signedIn := err == nil && c.Value == "ok"; {
		case r.URL.Path == "/home":
			w.Header().Set("Set-Cookie", "sid=ok; Path=/")
			fmt.Fprint(w, `<h1 id=welcome>Welcome</h1>`)
		case !signedIn:
			fmt.Fprint(w, `<title>Sign in</title><h1>Sign in</h1><form action="/home"><input type=password><button style="position:fixed;left:0;top:0;width:50vw;height:50vh">Sign in</button></form>`)
		default:
			fmt.Fprintf(w, `<h1>Order <b id=po>%s</b></h1><p class=none>No documents`, filepath.Base(r.URL.Path))
		}
	}))
	t.Cleanup(func() { portal.CloseClientConnections(); portal.Close() })
	dir := t.TempDir()
	recipe, sheet := filepath.Join(dir, "acme.yaml"), filepath.Join(dir, "pos.csv")
	for name, text := range map[string]string{
		sheet: "po\nPO1001\nPO1002\n",
		recipe: "version: 1\nbase_url: " + portal.URL + "\nopen: {url: '{base_url}/orders/{po}'}\nidentity: {selector: '#po'}\n" +
			"login: {start_url: '{base_url}/login', success: {selector: '#welcome'}}\nattachments: {item: a, none: .none}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tr := newTrial(nil, nil)
	tr.open = func(ctx context.Context, cfg session.Config) (runner, error) { return session.Open(ctx, cfg) }
	tr.start(t, "run", "--no-sandbox", "--no-progress", "-w", "1", "--ui", ":0", "--recipe", recipe, "--temp-dir", dir, "-o", filepath.Join(dir, "out"), sheet)
	testkit.Wait(t, "the wall", func() bool { return strings.Contains(tr.err.String(), "sign in on its live page") })
	page := regexp.MustCompile(`http://127\S+/`).FindString(tr.err.String())
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(client.CloseIdleConnections)
	get := func(path string, into any) {
		t.Helper()
		answer, err := client.Get(page + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", path, answer.Status)
		}
		if into != nil {
			if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
				t.Fatal(err)
			}
		}
	}
	get("sign-in/", nil)
	var shown struct {
		Window        int
		Address, Over string
	}
	testkit.Wait(t, "the end of the sign-in", func() bool {
		get("sign-in/state", &shown)
		if strings.HasSuffix(shown.Address, "/login") { // until there is a picture, clicks go nowhere
			click := fmt.Sprintf(`[{"type":"mouse","action":"mousePressed","button":"left","x":0.1,"y":0.1,"clicks":1,"window":%d},
				{"type":"mouse","action":"mouseReleased","button":"left","x":0.1,"y":0.1,"clicks":1,"window":%[1]d}]`, shown.Window)
			answer, err := client.Post(page+"sign-in/input", "application/json", strings.NewReader(click))
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
		}
		return shown.Over != ""
	})
	if !strings.HasPrefix(shown.Over, "Signed in.") {
		t.Errorf("it ended with %q", shown.Over)
	}
	if code := tr.wait(t); code != exitWell {
		t.Errorf("exit code %d, printed %s", code, tr.err.String())
	}
	if _, err := os.Stat(filepath.Join(dir, "acme.state.json")); err != nil {
		t.Error(err)
	}
}
