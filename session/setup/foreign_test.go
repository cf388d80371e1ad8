package setup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testkit.OwnState{M: m}) }

const recipeText = "version: 1\nbase_url: https://portal.example\nopen: {url: '{base_url}/{po}'}\n"

// startedWith returns how a session of these settings was started, as it is read from its folder.
func startedWith(t *testing.T, change func(*Config), recipe string, foreign bool) (*Remembered, string) {
	t.Helper()
	cfg := DefaultConfig()
	change(&cfg)
	recipes := Recipes{{File: cfg.RecipeFile, Text: recipe}}
	stored, err := Remember(cfg, recipes)
	testkit.Must(t, err)
	dir := t.TempDir()
	l, err := ledger.Open(filepath.Join(dir, folder.LedgerName))
	testkit.Must(t, err)
	testkit.Must(t, l.SaveSession(t.Context(), tasks.Session{ID: uuid.New(), Status: tasks.SessionInterrupted, Config: stored, Foreign: foreign}))
	testkit.Must(t, l.Close())
	var was *Remembered
	testkit.Must(t, folder.ReadOnly(t.Context(), dir, func(ctx context.Context, l *ledger.Ledger) error {
		was, err = Read(ctx, l, dir)
		return err
	}))
	return was, dir
}

// Each setting that says how or as whom a portal is reached or read has to be typed where the session was made
// elsewhere, and only there; what only writes does not count.
func TestForeignSettings(t *testing.T) {
	t.Parallel()
	for flag, set := range map[string]func(*Config){
		"url":          func(c *Config) { c.URL = "https://user:s3cret@evil.example/{po}" },
		"state":        func(c *Config) { c.State = "/home/dana/acme.state.json" },
		"secret":       func(c *Config) { c.Secrets = []string{"KEY=env:AWS_SECRET_ACCESS_KEY"} },
		"base-profile": func(c *Config) { c.BaseProfile = "/home/dana/.config/chromium" },
		"proxy":        func(c *Config) { c.Proxy = "pac+http://evil.example/p.pac" },
		"ca":           func(c *Config) { c.CA = "gift/ca.pem" },
		"chrome":       func(c *Config) { c.Chrome = "gift/chrome" },
		"no-sandbox":   func(c *Config) { c.NoSandbox = true },
		"recipe":       func(c *Config) { c.RecipeFile = "/home/dana/acme.yaml" },
	} {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			drops := func(c *Config) { set(c); c.LogFile, c.SkipDone, c.Workers = "/home/dana/.profile", []string{"/x"}, 3 }
			own, _ := startedWith(t, drops, "", false)
			if next, _, err := own.Next(ResumeConfig{}, nil); err != nil || next.LogFile == "" || own.Dropped != nil {
				t.Errorf("one's own session: %v, dropped %v", err, own.Dropped)
			}
			was, dir := startedWith(t, drops, "", true)
			_, _, err := was.Next(ResumeConfig{}, nil)
			var foreign *ForeignError
			if !errors.As(err, &foreign) || len(foreign.Settings) != 1 || foreign.Settings[0].Flag != flag || !strings.Contains(err.Error(), "\n"+flag+": ") || strings.Contains(err.Error(), "s3cret") {
				t.Fatalf("got %v", err)
			}
			typed := ResumeConfig{Given: func(*Config) []string { return []string{flag} }}
			var mended Recipes
			if flag == "recipe" {
				mended = Recipes{{File: "mine.yaml", Text: recipeText}}
				mended[0].Recipe, err = readText(recipeText)
				testkit.Must(t, err)
			}
			was, _ = startedWith(t, drops, "", true)
			next, _, err := was.Next(typed, mended)
			if err != nil || next.LogFile != "" || next.SkipDone != nil || next.Workers != 3 || !slices.Equal(was.Dropped, []string{"log-file", "skip-done"}) {
				t.Errorf("typed: %v, dropped %v", err, was.Dropped)
			}
			if flag == "recipe" {
				return
			}
			settings, err := Allow(t.Context(), dir)
			if err != nil || !slices.ContainsFunc(settings, func(s Setting) bool { return s.Flag == flag }) {
				t.Errorf("allowed are %+v, %v", settings, err)
			}
			if cfg, err := Recall(t.Context(), dir); err != nil || cfg.Foreign {
				t.Errorf("allowed, it is foreign: %v, %v", cfg.Foreign, err)
			}
		})
	}
}

// The text of a recipe that a folder brings with it counts no more than its file, however it is stored.
func TestForeignRecipes(t *testing.T) {
	t.Parallel()
	file := func(c *Config) { c.RecipeFile = "r.yaml" }
	for name, was := range map[string]*Remembered{
		"a text without a file": {Recipe: recipeText},
		"one of several":        {Recipes: Recipes{{Portal: "portal.example", File: "a.yaml", Text: recipeText}, {Portal: "b.example", File: "b.yaml", Text: strings.ReplaceAll(recipeText, "portal", "b")}}},
	} {
		was.Config, was.Foreign = DefaultConfig(), true
		mended := Recipes{{Portal: "", File: "mine.yaml", Text: recipeText}}
		var err error
		mended[0].Recipe, err = readText(recipeText)
		testkit.Must(t, err)
		if name != "one of several" {
			mended = nil
		}
		if _, _, err := was.Next(ResumeConfig{}, mended); !errors.As(err, new(*ForeignError)) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	was, _ := startedWith(t, file, recipeText, true)
	if _, _, err := was.Next(ResumeConfig{Given: func(*Config) []string { return Reaching() }}, nil); !errors.As(err, new(*ForeignError)) {
		t.Errorf("a text that nobody typed: got %v", err)
	}
	auto, _ := startedWith(t, func(*Config) {}, "", true)
	if _, _, err := auto.Next(ResumeConfig{}, nil); err != nil {
		t.Errorf("the built-in recipe: got %v", err)
	}
	empty := &Remembered{Config: Config{Foreign: true}, Recipes: Recipes{}}
	if _, _, err := empty.Next(ResumeConfig{}, nil); err == nil {
		t.Error("settings without workers are taken")
	}
}

// A session that updates one that was made elsewhere takes neither its recipe nor its addresses, nor any document.
func TestForeignUpdate(t *testing.T) {
	t.Parallel()
	_, dir := startedWith(t, func(c *Config) { c.RecipeFile, c.URL = "r.yaml", "https://evil.example/{po}" }, recipeText, true)
	mine := filepath.Join(t.TempDir(), "mine.yaml")
	testkit.Must(t, os.WriteFile(mine, []byte(recipeText), 0o600))
	cfg := DefaultConfig()
	cfg.Update = dir
	if _, _, err := Complete(t.Context(), cfg); !errors.As(err, new(*ForeignError)) || !strings.Contains(err.Error(), "url: ") || !strings.Contains(err.Error(), "recipe: ") {
		t.Errorf("got %v", err)
	}
	cfg.URL = "https://mine.example/{po}"
	if _, _, err := Complete(t.Context(), cfg); !errors.As(err, new(*ForeignError)) {
		t.Errorf("with --url: got %v", err)
	}
	cfg.RecipeFile = mine
	if next, _, err := Complete(t.Context(), cfg); err != nil || !next.Earlier.Foreign {
		t.Errorf("with --recipe: got %v", err)
	}
	task := &tasks.ProcessingTask{Spec: tasks.Spec{PO: "PO1"}, Result: &tasks.Result{Attachments: []tasks.Attachment{{State: tasks.AttachmentDone, SHA256: "x", Validators: `"1"`}}}}
	for foreign, want := range map[bool]string{true: "", false: `"1"`} {
		e := &Earlier{Remembered: &Remembered{}, had: map[string][]earlierOrder{}, now: map[string]int{}}
		task.Foreign = foreign
		e.add(task)
		if docs := e.Documents(task); len(docs) != 1 || docs[0].Validators != want || docs[0].SHA256 != "x" {
			t.Errorf("foreign: %v, documents %+v", foreign, docs)
		}
	}
}
