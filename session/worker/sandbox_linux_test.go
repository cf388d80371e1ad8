package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/proc"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/chromekit"
	"github.com/poscrape/poscrape/scrape"
)

// opening returns an Opener that has opened nothing yet.
func opening(t *testing.T, change func(*Config)) *Opener {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	chrome, err := browser.Find(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	temp := testkit.OpenTempDir(t)
	cfg := Config{Chrome: chrome, Sandbox: browser.ChooseSandbox(temp, chrome), Temp: temp, MinFree: 1,
		Portal: scrape.NewPortal(scrape.AutoRecipe(), nil), Grace: func() context.Context { return nil }}
	change(&cfg)
	return NewOpener(cfg)
}

// TestWithoutASandboxNothingIsStarted, but for what opens pages of this program alone.
func TestWithoutASandboxNothingIsStarted(t *testing.T) {
	t.Parallel()
	none := browser.Sandbox{UID: -1, GID: -1, Why: "of this test"}
	o := opening(t, func(cfg *Config) { cfg.Sandbox = none })
	err := o.Start(t.Context())
	if !errors.As(err, new(*browser.SandboxError)) || o.First() != nil {
		t.Errorf("got %v", err)
	}
	if left, err := os.ReadDir(o.Temp); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	o = opening(t, func(cfg *Config) { cfg.Sandbox, cfg.OwnPages = none, true })
	if err := o.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := o.Sandboxed(); s.On || !strings.Contains(s.String(), "of this test; that is as well here") {
		t.Errorf("with pages of this program: %v", s)
	}
	if err := o.Close(); err != nil {
		t.Error(err)
	}
}

// TestHardened looks at where pages are drawn: in a process of its own, which a filter of system
// calls confines, or in Chrome's main process.
func TestHardened(t *testing.T) {
	t.Parallel()
	chromekit.NeedSandbox(t)
	for _, hardened := range []bool{false, true} {
		o := opening(t, func(cfg *Config) { cfg.Hardened = hardened })
		if err := o.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if drawn := confinedDrawing(t, o.First().browser.PID()); drawn != hardened || !o.Sandboxed().On {
			t.Errorf("hardened %t: drawn in a confined process: %t, sandbox %v", hardened, drawn, o.Sandboxed())
		}
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	}
}

func confinedDrawing(t *testing.T, group int) (found bool) {
	t.Helper()
	all, err := proc.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		args, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.PID))
		if p.Group != group || err != nil || !strings.Contains(string(args), "--type=gpu-process") {
			continue
		}
		status := testkit.Read(t, fmt.Sprintf("/proc/%d/status", p.PID))
		found = found || strings.Contains(status, "\nSeccomp:\t2\n")
	}
	return found
}
