package profiles

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// actAs names what a copy of the test binary is to do instead of the tests.
const actAs = "PROFILES_TEST_ACT_AS"

func TestMain(m *testing.M) {
	switch os.Getenv(actAs) {
	case "":
		goleak.VerifyTestMain(m)
	case "owner":
		actAsOwner()
	case "sweeper":
		actAsSweeper()
	default:
		fmt.Fprintln(os.Stderr, "unknown part to play:", os.Getenv(actAs))
		os.Exit(2)
	}
}

// newManager returns a manager in a directory of the test's own, and checks at
// the end that closing it leaves nothing there.
func newManager(t *testing.T, cfg Config) *ProfileManager {
	t.Helper()
	if cfg.Parent == "" {
		cfg.Parent = t.TempDir()
	}
	if cfg.MinFree == 0 {
		cfg.MinFree = 1
	}
	m, err := NewManager(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		wantEmpty(t, m.cfg.Parent)
	})
	return m
}

func create(t *testing.T, m *ProfileManager, name string) *Profile {
	t.Helper()
	p, err := m.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func wantEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) > 0 {
		t.Errorf("%s holds %v, want nothing", dir, entries)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func wantMessage(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one that says %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
}
