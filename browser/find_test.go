//go:build unix

package browser_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/browser"
)

func script(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+content), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFindResolvesWrappers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	real := filepath.Join(dir, "chromium-headless-shell")
	chrome, err := browser.Find(t.Context(), "", false)
	if err == nil {
		err = os.Symlink(chrome.Path, real)
	}
	if err != nil {
		t.Fatal(err)
	}
	wrapper := script(t, filepath.Join(dir, "wrapper"), real+" \"$@\"\n")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(wrapper, link); err != nil {
		t.Fatal(err)
	}
	want, err := filepath.EvalSymlinks(real)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{wrapper, link} {
		got, err := browser.Find(t.Context(), path, false)
		if err != nil || got.Path != want {
			t.Errorf("%s: got %+v, %v, want %s", path, got, err, want)
		}
	}
}

func TestFindRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, c := range map[string]struct{ path, want string }{
		"what is not there":       {filepath.Join(dir, "nothing"), "cannot be run"},
		"what does not start":     {script(t, filepath.Join(dir, "broken"), "echo no library >&2; exit 127\n"), "no library"},
		"another program":         {script(t, filepath.Join(dir, "other"), "echo 'true (GNU coreutils) 9.1'\n"), "is no Chrome: to --version it answers \"true (GNU coreutils) 9.1\""},
		"ChromeDriver":            {script(t, filepath.Join(dir, "driver"), "echo ChromeDriver 156.0.8078.79\n"), "is no Chrome"},
		"what says nothing":       {script(t, filepath.Join(dir, "silent"), "exit 0\n"), "--version"},
		"a wrapper around a snap": {script(t, filepath.Join(dir, "snapped"), "exec /snap/bin/chromium \"$@\"\n"), "snap"},
	} {
		if _, err := browser.Find(t.Context(), c.path, false); !errors.Is(err, browser.ErrNoChrome) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
