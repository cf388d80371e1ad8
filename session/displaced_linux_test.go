package session_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// TestFolderIsTakenAway takes the session folder away in mid-run: the session
// ends and says so, writes nothing in its place, and leaves no browser behind.
func TestFolderIsTakenAway(t *testing.T) {
	t.Parallel()
	for name, take := range map[string]func(dir string) error{
		"removed":  removeAll,
		"moved":    func(dir string) error { return os.Rename(dir, dir+"-moved") },
		"replaced": func(dir string) error { return errors.Join(os.Rename(dir, dir+"-moved"), os.Mkdir(dir, 0o755)) },
		"emptied, but for its own": func(dir string) error {
			return os.Remove(filepath.Join(dir, "session.db"))
		},
		"without its staging directory": func(dir string) error { return removeAll(filepath.Join(dir, ".staging")) },
	} {
		inBubble(t, name, func(t *testing.T) {
			cfg := standing(t, 400)
			cfg.Workers = 1
			taken := make(chan struct{})
			var once sync.Once
			var takeErr error
			cfg.OnProgress = func(progress session.Progress) {
				if progress.Done > 3 {
					once.Do(func() { takeErr = take(cfg.Out); close(taken) })
				}
			}
			end, err := openOn(t, cfg, takes(100*time.Millisecond)).Run(context.WithoutCancel(t.Context()))
			<-taken
			if takeErr != nil {
				t.Fatal(takeErr)
			}
			var environment *session.EnvironmentError
			if !errors.As(err, &environment) || !strings.Contains(err.Error(), cfg.Out+" was removed, moved or replaced") {
				t.Errorf("it ended with %v", err)
			}
			if end.Status != tasks.SessionInterrupted || end.Cause != session.CauseEnvironment || end.Cleanup.BrowsersLeft+end.Cleanup.ProfilesLeft > 0 {
				t.Errorf("it ended as %+v", end)
			}
			if strings.HasPrefix(name, "emptied") || strings.HasPrefix(name, "without") {
				return
			}
			left, err := os.ReadDir(cfg.Out)
			if len(left) > 0 || name != "replaced" && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("in the place of the folder: %v, %v", left, err)
			}
			if name != "removed" {
				if stats := checkLedger(t, cfg.Out+"-moved"); stats.Total != 400 || stats.ByState[tasks.StateCompleted]+stats.ByState[tasks.StateFailed] < 4 {
					t.Errorf("in the folder that was moved: %+v", stats)
				}
			}
		})
	}
}

// removeAll removes a directory in which others may be making files.
func removeAll(dir string) error {
	for {
		if err := os.RemoveAll(dir); err == nil || !errors.Is(err, syscall.ENOTEMPTY) {
			return err
		}
	}
}
