package sampling

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/session/signin"
)

// TestARecipeThatSignsIn is completed: a portal lets nobody through, and changes its cookie with every page. A recipe
// signs in there, has a language, and a field of its own.
func TestARecipeThatSignsIn(t *testing.T) {
	t.Parallel()
	k := &kitPortal{portalMake: makes[0], orders: made(9, 20), teach: 12}
	door := &portal.Door{Portal: k, User: "jan", Password: "right words", Rotating: true}
	server := httptest.NewServer(door)
	t.Cleanup(server.Close)
	k.url = server.URL
	cfg := configFor(t, k.sheet(t, 0))
	cfg.Samples = 2
	dir := t.TempDir()
	cfg.RecipeFile, cfg.Out = filepath.Join(dir, "part.yaml"), filepath.Join(dir, "portal.yaml")
	recipe := `# how we sign in
version: 1
base_url: ` + server.URL + `
browser: {language: fr-CH}
login:
  start_url: "{base_url}` + portal.DoorPath + `"
  steps:
    - fill: {selector: "#user", file: user} # mine
    - fill: {selector: "#password", file: password}
    - click: "#go"
  success: {selector: "#welcome"}
fields:
  vendor: {selector: "#buyer"}
`
	for file, text := range map[string]string{"part.yaml": recipe, "user": "jan", "password": "wrong words"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var wall *WallError
	if d, err := Run(t.Context(), cfg); d != nil || !errors.As(err, &wall) || wall.Recipe != cfg.RecipeFile || wall.Other || door.Counts().Refused != 1 ||
		!strings.Contains(err.Error(), "Wrong user or password") || !strings.Contains(err.Error(), "poscrape login --recipe "+cfg.RecipeFile) {
		t.Errorf("a wall that nobody can pass is %v, after %d tries", err, door.Counts().Refused)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.json")); err != nil || len(left) > 0 {
		t.Errorf("there is a sign-in: %v, %v", left, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "password"), []byte("right words"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	text := d.YAML()
	if counts := door.Counts(); counts.SignIns != 1 || counts.Expired != 0 || k.asked.Load() != "fr-CH" {
		t.Errorf("it signed in %d times, %d of which did not last, and asked for %v", counts.SignIns, counts.Expired, k.asked.Load())
	}
	head, _, _ := strings.Cut(recipe, "fields:")
	if !strings.HasPrefix(text, head) || strings.Contains(text, "right words") || !d.Holds ||
		!strings.Contains(text, "\n  vendor: {selector: \"#buyer\"}\n") || !strings.Contains(strings.Join(d.Summary(), "\n"), "fields.vendor stays as it was, but differs from what was learnt") {
		t.Errorf("holds: %v; %v\n%s", d.Holds, d.Summary(), text)
	}
	given, _, err := setup.ReadRecipe(cfg.RecipeFile)
	if err != nil {
		t.Fatal(err)
	}
	whose, kept := scrape.NewPortal(given, nil), map[string]bool{}
	for _, recipe := range []string{cfg.RecipeFile, cfg.Out} {
		state, warning, err := signin.NewFile(signin.PathFor(recipe), whose).Read(true, "")
		if err != nil || warning != "" || len(state.Cookies) != 1 {
			t.Fatalf("beside %s there is %+v, %s, %v", recipe, state, warning, err)
		}
		kept[state.Cookies[0].Name+"="+state.Cookies[0].Value] = true
	}
	before := door.Counts()
	for cookie := range kept {
		ask, err := http.NewRequestWithContext(t.Context(), http.MethodGet, k.address(k.orders[0]), nil)
		if err != nil {
			t.Fatal(err)
		}
		ask.Header.Set("Cookie", cookie)
		if res, err := http.DefaultTransport.RoundTrip(ask); err != nil || res.Body.Close() != nil || res.StatusCode != http.StatusOK {
			t.Errorf("the sign-in that was kept is answered with %+v, %v", res, err)
		}
	}
	if after := door.Counts(); len(kept) != 1 || after.Orders != before.Orders+1 || after.Walled != before.Walled {
		t.Errorf("the next run has %d sign-ins, and after %+v it was %+v", len(kept), before, after)
	}
}
