package session_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session"
)

// TestWhatCannotBeUsed: each gives one message that names the thing, and leaves
// nothing behind, neither in the session's place nor in the temporary directory.
func TestWhatCannotBeUsed(t *testing.T) {
	write := func(t *testing.T, name, content string, mode os.FileMode) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	is := func(target error) func(error) bool { return func(err error) bool { return errors.Is(err, target) } }
	isConfig := func(field string) func(error) bool {
		return func(err error) bool {
			var bad *session.ConfigError
			return errors.As(err, &bad) && bad.Field == field
		}
	}
	isFile := func(err error) bool { var bad *orders.FileError; return errors.As(err, &bad) }
	const answers = "#!/bin/sh\ntest \"$1\" = --version && echo Chromium 999.0 && exit 0\n"
	for name, c := range map[string]struct {
		change func(t *testing.T, cfg *session.Config)
		is     func(error) bool
		names  string
	}{
		"no file":       {func(_ *testing.T, cfg *session.Config) { cfg.File = "nowhere.csv" }, isFile, "nowhere.csv"},
		"a directory":   {func(t *testing.T, cfg *session.Config) { cfg.File = t.TempDir() }, isFile, "directory"},
		"an empty file": {func(t *testing.T, cfg *session.Config) { cfg.File = write(t, "e.csv", "", 0o600) }, isFile, "e.csv"},
		"a header only": {func(t *testing.T, cfg *session.Config) { cfg.File = write(t, "h.csv", "po,url\n", 0o600) }, isFile, "h.csv"},
		"no order column": {func(t *testing.T, cfg *session.Config) {
			cfg.File = write(t, "c.csv", "colour,url\nred,http://x\n", 0o600)
		}, isFile, "colour"},
		"no workers":          {func(_ *testing.T, cfg *session.Config) { cfg.Workers = 0 }, isConfig("workers"), "between 1 and 8"},
		"nine workers":        {func(_ *testing.T, cfg *session.Config) { cfg.Workers = 9 }, isConfig("workers"), "9"},
		"a low CPU threshold": {func(_ *testing.T, cfg *session.Config) { cfg.CPUThreshold = 0.49 }, isConfig("cpu-threshold"), "0.49"},
		"a high memory one":   {func(_ *testing.T, cfg *session.Config) { cfg.MemoryThreshold = 0.99 }, isConfig("memory-threshold"), "0.99"},
		"a short interval":    {func(_ *testing.T, cfg *session.Config) { cfg.CheckInterval = 1 }, isConfig("check-interval"), "1ns"},
		"no recipe":           {func(_ *testing.T, cfg *session.Config) { cfg.RecipeFile = "nowhere.yaml" }, isConfig("recipe"), "nowhere.yaml"},
		"a recipe with a typo": {func(t *testing.T, cfg *session.Config) {
			cfg.RecipeFile = write(t, "r.yaml", "version: 1\nredy: {}\n", 0o600)
		}, func(err error) bool { var bad *scrape.RecipeError; return errors.As(err, &bad) }, "redy"},
		"a selector that is none": {func(t *testing.T, cfg *session.Config) {
			cfg.RecipeFile = write(t, "r.yaml", "version: 1\nname: x\nfields: {a: {selector: '##bad'}}\n", 0o600)
		}, func(err error) bool { var bad *scrape.RecipeError; return errors.As(err, &bad) }, "fields.a.selector"},
		"no temporary directory":    {func(t *testing.T, _ *session.Config) { t.Setenv("TMPDIR", "/nowhere/at/all") }, func(err error) bool { var bad *session.EnvironmentError; return errors.As(err, &bad) }, "--temp-dir"},
		"no directory for profiles": {func(t *testing.T, cfg *session.Config) { cfg.TempDir = filepath.Join(t.TempDir(), "gone") }, isConfig("temp-dir"), "gone: no such file or directory; name a directory"},
		"a file for profiles":       {func(t *testing.T, cfg *session.Config) { cfg.TempDir = write(t, "file", "x", 0o600) }, isConfig("temp-dir"), "file: not a directory; name a directory"},
		"no Chrome":                 {func(_ *testing.T, cfg *session.Config) { cfg.Chrome = "/nowhere/chrome" }, is(browser.ErrNoChrome), "/nowhere/chrome"},
		"a Chrome that is none": {func(t *testing.T, cfg *session.Config) {
			cfg.Chrome = write(t, "chrome", "#!/bin/sh\necho broken >&2; exit 3\n", 0o700)
		}, is(browser.ErrNoChrome), "broken"},
		"a Chrome that dies at once": {func(t *testing.T, cfg *session.Config) {
			cfg.Chrome, cfg.NoSandbox = write(t, "chrome", answers+"echo no display >&2; exit 3\n", 0o700), true
		}, is(browser.ErrLaunch), "no display"},
		"a folder that is not empty":   {func(t *testing.T, cfg *session.Config) { cfg.Out = filepath.Dir(write(t, "mine.txt", "x", 0o600)) }, isConfig("out"), "not empty"},
		"a file in the folder's place": {func(t *testing.T, cfg *session.Config) { cfg.Out = write(t, "file", "x", 0o600) }, isConfig("out"), "file"},
		"a log file beside nothing":    {func(_ *testing.T, cfg *session.Config) { cfg.LogFile = "/nowhere/log" }, isConfig("log-file"), "/nowhere/log"},
		"neither sheet nor Chrome":     {func(_ *testing.T, cfg *session.Config) { cfg.File, cfg.Chrome = "nowhere.csv", "/nowhere/chrome" }, isFile, "nowhere.csv"},
		"no base profile":              {func(_ *testing.T, cfg *session.Config) { cfg.BaseProfile = "/nowhere/profile" }, is(profiles.ErrBase), "/nowhere/profile"},
	} {
		t.Run(name, func(t *testing.T) {
			temp, out := testkit.OpenTempDir(t), filepath.Join(t.TempDir(), "a", "b")
			cfg := session.DefaultConfig()
			cfg.Out, cfg.AllowLocal = out, true
			cfg.File = write(t, "pos.csv", "po,url\nPO1234567,http://127.0.0.1:1/orders/1\n", 0o600)
			t.Setenv("TMPDIR", temp)
			c.change(t, &cfg)
			s, err := session.Open(t.Context(), cfg)
			if err == nil {
				t.Fatalf("opened: %v", s.Close())
			}
			if !c.is(err) || !strings.Contains(err.Error(), c.names) {
				t.Errorf("got %v", err)
			}
			if left, _ := os.ReadDir(temp); len(left) > 0 {
				t.Errorf("left in the temporary directory: %v", left)
			}
			if _, err := os.Stat(filepath.Dir(out)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the session folder was made: %v", err)
			}
		})
	}
}
