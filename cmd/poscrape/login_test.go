package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
)

// loginTrial returns a program, the arguments by which it lets a person sign in, and the file
// that the sign-in goes to.
func loginTrial(t *testing.T) (tr *trial, args []string, state string) {
	t.Helper()
	portal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Set-Cookie", "sid=1") }))
	t.Cleanup(func() { portal.CloseClientConnections(); portal.Close() })
	dir := t.TempDir()
	recipe := filepath.Join(dir, "acme.yaml")
	if err := os.WriteFile(recipe, []byte("version: 1\nbase_url: "+portal.URL+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tr = newTrial(nil, nil)
	tr.hasDisplay = func() bool { return false }
	return tr, []string{"login", "--recipe", recipe, "--no-sandbox", "--temp-dir", dir}, filepath.Join(dir, "acme.state.json")
}

func TestLoginWithoutDisplay(t *testing.T) {
	t.Parallel()
	tr, args, _ := loginTrial(t)
	tr.start(t, args...)
	if code := tr.wait(t); code != exitEnvironment || !strings.Contains(tr.err.String(), "--remote") || tr.out.String() != "" {
		t.Errorf("exit code %d, printed %q and %q", code, tr.out.String(), tr.err.String())
	}
}

func TestLoginWithoutRecipe(t *testing.T) {
	t.Parallel()
	tr, _, _ := loginTrial(t)
	tr.start(t, "login")
	if code := tr.wait(t); code != exitUsage {
		t.Errorf("exit code %d, printed %q", code, tr.err.String())
	}
}

func TestLoginWithSeveralRecipes(t *testing.T) {
	t.Parallel()
	tr, args, _ := loginTrial(t)
	tr.start(t, append(args, "--recipe", "b.yaml", "--remote", "127.0.0.1:0")...)
	if code := tr.wait(t); code != exitUsage || !strings.Contains(tr.err.String(), "one portal at a time: name one of them with --recipe") {
		t.Errorf("exit code %d, printed %q", code, tr.err.String())
	}
}

func TestLoginInterrupted(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	tr, args, state := loginTrial(t)
	tr.start(t, append(args, "--remote", "127.0.0.1:0")...)
	testkit.Wait(t, "the page", func() bool { return strings.Contains(tr.err.String(), "http://127.0.0.1:") })
	tr.signals <- os.Interrupt
	if code := tr.wait(t); code != exitInterrupted || tr.out.String() != "" {
		t.Errorf("exit code %d, printed %q and %q", code, tr.out.String(), tr.err.String())
	}
	if _, err := os.Stat(state); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was saved: %v", err)
	}
}

func TestLoginByEnter(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	tr, args, state := loginTrial(t)
	in, enter := io.Pipe()
	t.Cleanup(func() { _ = enter.Close() })
	tr.stdin = in
	tr.start(t, append(args, "--remote", "127.0.0.1:0")...)
	testkit.Wait(t, "the page", func() bool { return strings.Contains(tr.err.String(), "press Enter") })
	if _, err := enter.Write([]byte("\n")); err != nil {
		t.Fatal(err)
	}
	if code := tr.wait(t); code != exitWell || tr.out.String() != state+"\n" {
		t.Errorf("exit code %d, printed %q and %q", code, tr.out.String(), tr.err.String())
	}
	if _, err := os.Stat(state); err != nil {
		t.Error(err)
	}
}
