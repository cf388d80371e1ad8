package session_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/tasks/ledger"
)

func TestUnfinishedSessionsAreFoundAndCleaned(t *testing.T) {
	t.Parallel()
	synctest.Test(t, unfinishedAreFound)
}

func unfinishedAreFound(t *testing.T) {
	out := t.TempDir()
	if found, err := folder.LookForUnfinished(t.Context(), filepath.Join(out, "missing")); err != nil || len(found) > 0 {
		t.Errorf("got %v, %v", found, err)
	}
	cfg := standing(t, 20)
	cfg.Out = filepath.Join(out, "b-stopped")
	end, _ := interruptedOn(t, cfg, takes(time.Second))
	cfg.Out = filepath.Join(out, "a-completed")
	runOn(t, cfg, takes(time.Second))
	testkit.Write(t, filepath.Join(out, "c-damaged", "session.db"), "this is no session")
	testkit.Write(t, filepath.Join(out, "no session", "file"), "")
	staged := filepath.Join(end.Dir, ".staging", "half", "document")
	testkit.Write(t, staged, "12345")

	found, err := folder.LookForUnfinished(t.Context(), out)
	if err != nil || len(found) != 2 {
		t.Fatalf("got %+v, %v", found, err)
	}
	stopped, damaged := found[0], found[1]
	if stopped.Dir != end.Dir || stopped.Open == 0 || stopped.Total != 20 || stopped.Bytes != 5 || stopped.Err != nil {
		t.Errorf("got %+v", stopped)
	}
	var file *ledger.FileError
	if !errors.As(damaged.Err, &file) {
		t.Errorf("got %+v", damaged)
	}
	if err := stopped.Clean(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(filepath.Dir(staged))); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the staging directory is still there: %v", err)
	}
	if end, _ := resumeOn(t, end.Dir, session.ResumeConfig{}, takes(time.Second)); !end.Well() {
		t.Errorf("got %+v", end)
	}
}

func TestASessionAtWorkIsNotUnfinished(t *testing.T) {
	t.Parallel()
	cfg := standing(t, 1)
	s := openOn(t, cfg, takes(0))
	defer s.Close()
	if found, err := folder.LookForUnfinished(t.Context(), filepath.Dir(cfg.Out)); err != nil || len(found) > 0 {
		t.Errorf("got %+v, %v", found, err)
	}
	var owned *ledger.OwnedError
	if err := (folder.Unfinished{Dir: cfg.Out}).Clean(t.Context()); !errors.As(err, &owned) {
		t.Errorf("got %v", err)
	}
}
