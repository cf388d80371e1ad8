package login

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/setup"
)

func remotely(c *Config) { c.Remote = "127.0.0.1:0" }

// byHand signs in on the page that serves the window: by a window of its own, a drop-down
// list, a paste and keys.
func byHand(s *signIn) {
	s.t.Helper()
	s.open()
	s.sees("blue")
	s.do(click(0.1, 0.1)...)
	s.until("the window to sign in", func() bool { return strings.HasSuffix(s.state().Address, "/sso") })
	s.sees("red")
	s.do(click(0.1, 0.1)...)
	s.until("the list", func() bool { return s.state().Menu != nil })
	m := s.state().Menu
	if len(m.Options) != 2 || m.Options[1].Label != "south" {
		s.t.Errorf("the list is %+v", m)
	}
	s.do(slices.Concat([]map[string]any{{"type": "menu", "menu": m.ID, "option": 1}}, key("Tab", 9, ""), key("ä", 0, "ä"),
		[]map[string]any{{"type": "text", "text": "nna"}}, key("Tab", 9, ""), []map[string]any{{"type": "text", "text": "geh1m!"}}, key("Enter", 13, ""))...)
}

// TestRemote ends by the button on the page.
func TestRemote(t *testing.T) {
	t.Parallel()
	url := portal(t)
	s := begin(t, config(t, url, ""), remotely)
	byHand(s)
	s.until("the first window", func() bool { return strings.HasSuffix(s.state().Address, "/home") })
	s.sees("green")
	s.do(map[string]any{"type": "confirm"})
	path, err := s.end()
	if want := strings.TrimSuffix(s.cfg.RecipeFile, ".yaml") + ".state.json"; err != nil || path != want {
		t.Fatalf("%q, %v, want %q", path, err, want)
	}
	saved(t, path, url)
	if strings.Contains(s.told(), "geh1m") {
		t.Errorf("it said what was typed: %s", s.told())
	}
}

// TestFlood meets a page that asks without end: after a few dialogs a person can have them all
// dismissed, and go on. It ends by Enter.
func TestFlood(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{"/": html(`<body style="background:#00f"><script>
		onclick = () => { for (let i = 0; i < 100; i++) alert("<img src=x onerror=alert(1)>"); document.body.style.background = "#0a0" }</script>`)})
	s := begin(t, config(t, url, ""), remotely)
	s.open()
	s.sees("blue")
	s.do(click(0.5, 0.5)...)
	// next waits for the dialog after one, and returns its number and whether there were many.
	next := func(after int) (id int, many bool) {
		s.until("a dialog", func() bool {
			d := s.state().Dialog
			if d == nil || d.ID <= after || !strings.HasPrefix(d.Message, "<img") {
				return false
			}
			id, many = d.ID, d.Flood
			return true
		})
		return id, many
	}
	id, many := next(0)
	for range 3 {
		if many {
			t.Errorf("dialog %d is already too many", id)
		}
		s.do(map[string]any{"type": "dialog", "dialog": id, "accept": true})
		// A second click of the same answer must not answer the next question.
		s.do(map[string]any{"type": "dialog", "dialog": id, "silence": true})
		id, many = next(id)
	}
	if !many {
		t.Fatalf("there is no way out of dialog %d", id)
	}
	s.do(map[string]any{"type": "dialog", "dialog": id, "silence": true})
	s.sees("green")
	s.enter <- struct{}{}
	path, err := s.end()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestClosed(t *testing.T) {
	t.Parallel()
	cfg := config(t, portal(t), "")
	recipe, _, err := setup.ReadRecipe(cfg.RecipeFile)
	if err != nil {
		t.Fatal(err)
	}
	b, done, err := cfg.launch(t.Context(), scrape.NewPortal(recipe, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := done(); err != nil {
			t.Error(err)
		}
	}()
	v := &visit{cfg: cfg, recipe: recipe, browser: b, start: recipe.BaseURL}
	waiting := make(chan error, 1)
	go func() { waiting <- v.wait(t.Context(), nil) }()
	if err := b.Windows()[0].Dismiss(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-waiting; !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
}

// TestSuccess: it ends by itself when what the recipe names is seen, and not by Enter.
func TestSuccess(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{"/": html(`<body style="background:#00f" onclick="document.cookie = 'sid=s3cret'; localStorage.token = 't1'; this.innerHTML = '<p id=welcome>Welcome'">`)})
	s := begin(t, config(t, url, "login: {success: {selector: '#welcome', text: [WELCOME]}}\n"), remotely)
	s.enter <- struct{}{}
	s.until("a word about Enter", func() bool { return strings.Contains(s.told(), "Not yet") })
	s.open()
	s.sees("blue")
	s.do(click(0.5, 0.5)...)
	path, err := s.end()
	if err != nil {
		t.Fatal(err)
	}
	saved(t, path, url)
}

func TestStopped(t *testing.T) {
	t.Parallel()
	s := begin(t, config(t, portal(t), ""), remotely)
	s.open()
	s.sees("blue")
	s.stop(errStopped)
	if path, err := s.end(); path != "" || !errors.Is(err, errStopped) {
		t.Errorf("%q, %v", path, err)
	}
	if _, err := os.Stat(filepath.Join(s.cfg.TempDir, "acme.state.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was written: %v", err)
	}
}

func TestNoWindow(t *testing.T) {
	t.Parallel()
	shell, err := browser.Find(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Config){
		"no display":     func(c *Config) { c.HasDisplay = func() bool { return false } },
		"no full Chrome": func(c *Config) { c.Chrome = shell.Path },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := begin(t, config(t, "http://127.0.0.1:1", ""), change)
			_, err := s.end()
			if window := (*WindowError)(nil); !errors.As(err, &window) || !strings.Contains(err.Error(), "--remote") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestASavedSignInCounts, whatever becomes of the browser after it.
func TestASavedSignInCounts(t *testing.T) {
	t.Parallel()
	told, broken := "", errors.New("the browser does not end")
	cfg := Config{Tell: func(format string, args ...any) { told = fmt.Sprintf(format, args...) }}
	if err := cfg.closed(nil, broken); err != nil || !strings.Contains(told, broken.Error()) {
		t.Errorf("got %v, told %q", err, told)
	}
	if err := cfg.closed(ErrClosed, broken); !errors.Is(err, ErrClosed) || !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Config){
		"no place for the file": func(c *Config) { c.State = filepath.Join(c.TempDir, "no", "such", "file.json") },
		"a folder":              func(c *Config) { c.State = c.TempDir },
		"no recipe, no file":    func(c *Config) { c.RecipeFile, c.URL = "", "http://127.0.0.1:1/" },
		"no address":            func(c *Config) { c.RecipeFile, c.State = "", filepath.Join(c.TempDir, "a.json") },
		"several recipes":       func(c *Config) { c.MoreRecipes = []string{c.RecipeFile + ".yaml"} },
		"no address to serve":   func(c *Config) { c.Remote = "here" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := begin(t, config(t, "http://127.0.0.1:1", ""), change)
			_, err := s.end()
			if setting := (*setup.ConfigError)(nil); !errors.As(err, &setting) {
				t.Errorf("got %v", err)
			}
		})
	}
}
