package browser_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/browser"
)

// TestLaunchWithoutASandbox: a browser is not even started where nobody said that it needs no
// sandbox, and one that the system refuses its sandbox says so in other words than one that dies.
func TestLaunchWithoutASandbox(t *testing.T) {
	t.Parallel()
	on := browser.Sandbox{On: true, UID: -1, GID: -1}
	for name, c := range map[string]struct {
		says    string
		sandbox browser.Sandbox
		why     string // of a *browser.SandboxError, or ""
		begun   bool
	}{
		"none can be had":     {"", browser.Sandbox{UID: -1, GID: -1, Why: "it is the test's"}, "it is the test's", false},
		"Docker's own filter": {"[1:1:ERROR:content/zygote_host_impl_linux.cc(1)] No usable sandbox! If you are", on, `"No usable sandbox! If you are"`, true},
		"Podman's own filter": {`Check failed: sys_chroot("/proc/self/fdinfo/") == 0`, on, "sys_chroot", true},
		"namespaces":          {"Failed to move to new namespace: PID namespaces supported", on, "Failed to move", true},
		"another filter":      {"[1:FATAL:sandbox/linux/services/credentials.cc:137] Check failed: . : Operation not permitted (1)", on, "Check failed", true},
		"another death":       {"cannot open display", on, "", true},
		"a death without one": {"No usable sandbox!", browser.NoSandbox(), "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			profile, downloads := dirs(t)
			path := filepath.Join(t.TempDir(), "chrome")
			if err := os.WriteFile(path, []byte("#!/bin/sh\n: > begun\ncat >&2 <<'END'\n"+c.says+"\nEND\nexit 1\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			cfg := browser.DefaultConfig()
			cfg.Chrome, cfg.Sandbox, cfg.ProfileDir, cfg.DownloadDir = browser.Chrome{Path: path}, c.sandbox, profile, downloads
			_, err := browser.Launch(t.Context(), cfg)
			none := (*browser.SandboxError)(nil)
			if errors.As(err, &none) != (c.why != "") || !errors.Is(err, browser.ErrLaunch) {
				t.Fatalf("got %v", err)
			}
			if _, missing := os.Stat(filepath.Join(profile, "begun")); (missing == nil) != c.begun {
				t.Errorf("it was begun: %v", missing == nil)
			}
			if c.why == "" {
				return
			}
			for _, part := range []string{c.why, "namespaces", "deploy/seccomp.json", "--no-sandbox"} {
				if !strings.Contains(none.Error(), part) {
					t.Errorf("it does not say %s: %v", part, none)
				}
			}
		})
	}
}
