package doctor

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit/chromekit"
)

func config() Config {
	return Config{Workers: 4, MostWorkers: 8, Out: "poscrape-out", NoSandbox: chromekit.NoSandbox()}
}

func examine(t *testing.T, cfg Config) map[string]Finding {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	findings, err := Examine(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]Finding{}
	for _, f := range findings {
		if found[f.Subject].Subject != "" {
			t.Errorf("two findings about %s", f.Subject)
		}
		if f.Message == "" || !slices.Contains([]Level{LevelOK, LevelWarning, LevelProblem}, f.Level) {
			t.Errorf("got %+v", f)
		}
		found[f.Subject] = f
	}
	return found
}

func TestExamineStartsChrome(t *testing.T) {
	t.Parallel()
	found := examine(t, config())
	chrome := found["chrome"]
	if chrome.Level == LevelProblem || chrome.Figures["start_ms"] <= 0 || !strings.Contains(chrome.Message, "it started in") {
		t.Errorf("got %+v", chrome)
	}
	for _, subject := range []string{
		"sandbox", "memory", "processors", "open files", "processes", "shared memory", "disk for profiles", "disk for sessions",
	} {
		if f, there := found[subject]; !there || f.Level == LevelProblem {
			t.Errorf("%s: got %+v", subject, f)
		}
	}
}

func TestExamineWithoutTheSandbox(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.NoSandbox = true
	if f := examine(t, cfg)["sandbox"]; f.Level != LevelWarning || !strings.Contains(f.Message, "--no-sandbox was given") || f.Advice == "" {
		t.Errorf("got %+v", f)
	}
}

func TestExamineABrokenChrome(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs shell scripts instead of Chrome")
	}
	for name, want := range map[string]string{
		"chrome-that-dies":      "no display",
		"chrome-that-is-silent": "does not answer --version",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := config()
			cfg.Chrome = filepath.Join("testdata", name)
			found := examine(t, cfg)
			if f := found["chrome"]; f.Level != LevelProblem || !strings.Contains(f.Message, want) {
				t.Errorf("got %+v", f)
			}
			if _, there := found["sandbox"]; there {
				t.Error("a finding about the sandbox of a Chrome that does not start")
			}
		})
	}
}

func TestExamineThatIsCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	cancel(reason)
	if findings, err := Examine(ctx, config()); findings != nil || !errors.Is(err, reason) {
		t.Errorf("got %v, %v", findings, err)
	}
}

func TestFindingsAboutLimits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		limit int64
		level Level
	}{{0, LevelOK}, {99, LevelWarning}, {100, LevelOK}} {
		f := limitOf("processes", test.limit, 100, "raise it")
		if f.Level != test.level || (f.Advice == "") != (test.level == LevelOK) {
			t.Errorf("%d: got %+v", test.limit, f)
		}
	}
}

func TestFindingsAboutTheSandbox(t *testing.T) {
	t.Parallel()
	if f := examineSandbox(browser.Sandbox{On: true, UID: 5}); f.Level != LevelOK || f.Message != "on, as user 5" {
		t.Errorf("got %+v", f)
	}
}
