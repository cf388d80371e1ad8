// Package chromekit starts browsers for tests, and hands on those that a test is done with:
// a start takes longer than most of what tests do with a browser. Tests alone import it.
package chromekit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
)

// maxIdle bounds how many browsers are kept for tests to come.
const maxIdle = 4

// idle are the browsers that no test uses, in the order in which they were given back.
var idle struct {
	mu       sync.Mutex
	dir      string // of the files of all that are handed on, or empty
	browsers []handedOn
}

type handedOn struct {
	kind string
	*browser.Browser
}

// Share returns a browser that is the test's alone until it ends, and that other tests have
// used before or use after it: those that ask for the same kind, which says how it is
// configured. What it keeps of other tests' origins are local storage, databases, caches and
// service workers. A browser that is lost, or has lost a tab, is not handed on, and neither is
// one of no kind.
func Share(t testing.TB, kind string, cfg browser.Config) *browser.Browser {
	t.Helper()
	b := take(kind)
	if b == nil {
		var err error
		if b, err = launch(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		unused := []*browser.Browser{b}
		if kind != "" && !t.Failed() && renew(b) {
			unused = giveBack(handedOn{kind, b})
		}
		for _, b := range unused {
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	return b
}

// NoSandboxVariable is that of the flag --no-sandbox.
const NoSandboxVariable = "POSCRAPE_NO_SANDBOX"

// NoSandbox reports whether browsers of tests have no sandbox: NoSandboxVariable says so, or there
// can be none on this machine, as a start shows. Then it sets the variable, for the programs that
// tests start.
var NoSandbox = sync.OnceValue(func() bool {
	if said, ok := os.LookupEnv(NoSandboxVariable); ok {
		return said == "true"
	}
	if testing.Short() || !lacksSandbox() {
		return false
	}
	return os.Setenv(NoSandboxVariable, "true") == nil
})

// NeedSandbox skips a test about the sandbox where there is none.
func NeedSandbox(t testing.TB) {
	t.Helper()
	if NoSandbox() {
		t.Skipf("Chrome's sandbox cannot be had here, or %s says not to use it", NoSandboxVariable)
	}
}

// lacksSandbox reports whether a Chrome that starts on this machine cannot have its sandbox.
func lacksSandbox() bool {
	chrome, err := browser.Find(context.Background(), "", false)
	if err != nil {
		return false
	}
	dir, err := os.MkdirTemp("", "chromekit-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	cfg := browser.DefaultConfig()
	cfg.Chrome, cfg.Sandbox, cfg.ProfileDir, cfg.DownloadDir = chrome, browser.ChooseSandbox(os.TempDir(), chrome), dir, dir
	if cfg.Sandbox.UID >= 0 && os.Chown(dir, cfg.Sandbox.UID, cfg.Sandbox.GID) != nil {
		return false
	}
	b, err := browser.Launch(context.Background(), cfg)
	if err != nil {
		return errors.As(err, new(*browser.SandboxError))
	}
	_ = b.Close() // what it leaves, the tests' end shows
	return false
}

// launch starts a browser whose files stay until all tests have ended.
func launch(ctx context.Context, cfg browser.Config) (*browser.Browser, error) {
	dir, err := newDir()
	if err != nil {
		return nil, err
	}
	cfg.ProfileDir, cfg.DownloadDir = filepath.Join(dir, "profile"), filepath.Join(dir, "downloads")
	for _, dir := range []string{cfg.ProfileDir, cfg.DownloadDir} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
	}
	return browser.Launch(ctx, cfg)
}

func newDir() (string, error) {
	idle.mu.Lock()
	defer idle.mu.Unlock()
	if idle.dir == "" {
		dir, err := os.MkdirTemp("", "chromekit-")
		if err != nil {
			return "", err
		}
		idle.dir = dir
	}
	return os.MkdirTemp(idle.dir, "")
}

// take returns an idle browser of a kind, or nil.
func take(kind string) *browser.Browser {
	idle.mu.Lock()
	defer idle.mu.Unlock()
	for i, b := range idle.browsers {
		if b.kind == kind {
			idle.browsers = append(idle.browsers[:i:i], idle.browsers[i+1:]...)
			return b.Browser
		}
	}
	return nil
}

// giveBack keeps a browser for other tests, and returns those that there are too many of.
func giveBack(b handedOn) (surplus []*browser.Browser) {
	idle.mu.Lock()
	defer idle.mu.Unlock()
	idle.browsers = append(idle.browsers, b)
	for len(idle.browsers) > maxIdle {
		surplus = append(surplus, idle.browsers[0].Browser)
		idle.browsers = idle.browsers[1:]
	}
	return surplus
}

// renew takes back what a test has done to a browser, and reports whether that can be used again.
func renew(b *browser.Browser) bool {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if b.Fit() != nil {
		return false
	}
	b.TidyUp(ctx)
	b.ForgetHeaders()
	if b.Allow(ctx, nil) != nil || b.SetState(ctx, &browser.State{}) != nil {
		return false
	}
	lost, _ := b.LostTabs()
	return lost == 0 && b.Fit() == nil
}

// Tests are those of a package, with what follows them: the browsers that none of them is
// left to use are closed. They are what goleak.VerifyTestMain takes.
type Tests struct{ *testing.M }

// Run runs them.
func (tests Tests) Run() int {
	code := tests.M.Run()
	if err := closeIdle(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	return code
}

func closeIdle() error {
	idle.mu.Lock()
	defer idle.mu.Unlock()
	var errs []error
	for _, b := range idle.browsers {
		errs = append(errs, b.Close())
	}
	if idle.dir != "" {
		errs = append(errs, os.RemoveAll(idle.dir))
	}
	idle.browsers, idle.dir = nil, ""
	return errors.Join(errs...)
}
