package session_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/poscrape/poscrape/session"
)

func TestTooLittleSpaceToStart(t *testing.T) {
	for name, set := range map[string]func(t *testing.T, cfg *session.Config, small string){
		"output":   func(_ *testing.T, cfg *session.Config, small string) { cfg.Out = filepath.Join(small, "a", "b") },
		"profiles": func(t *testing.T, _ *session.Config, small string) { t.Setenv("TMPDIR", small) },
	} {
		t.Run(name, func(t *testing.T) {
			small := smallDisk(t, 8)
			fillDisk(t, filepath.Join(small, "filler"), 6_000_000)
			cfg := standing(t, 2)
			set(t, &cfg, small)
			s, err := session.OpenOn(t.Context(), cfg, takes(0))
			var environment *session.EnvironmentError
			if err == nil {
				t.Fatalf("opened: %v", s.Close())
			}
			if !errors.As(err, &environment) || !strings.Contains(err.Error(), small) || !strings.Contains(err.Error(), " MB left, under the reserve of 8 MB") {
				t.Errorf("got %v", err)
			}
			if left, _ := os.ReadDir(small); len(left) != 1 {
				t.Errorf("left behind: %v", left)
			}
			if _, err := os.Stat(cfg.Out); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the session folder was made: %v", err)
			}
		})
	}
}

// TestReadOnlyOutputAtStart gives the session a folder that it cannot write to.
func TestReadOnlyOutputAtStart(t *testing.T) {
	t.Parallel()
	for name, below := range map[string]string{"an empty folder": "", "a new folder": "a/b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			small := smallDisk(t, 64)
			if err := os.Chmod(small, 0o700); err != nil { // else others could write there
				t.Fatal(err)
			}
			if err := syscall.Mount("", small, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
				t.Fatal(err)
			}
			cfg := standing(t, 2)
			cfg.Out = filepath.Join(small, below)
			s, err := session.OpenOn(t.Context(), cfg, takes(0))
			if err == nil {
				t.Fatalf("opened: %v", s.Close())
			}
			var setting *session.ConfigError
			if !errors.As(err, &setting) || setting.Field != "out" || !strings.Contains(err.Error(), cfg.Out) ||
				strings.Count(err.Error(), "read-only file system") != 1 {
				t.Errorf("got %v", err)
			}
		})
	}
}
