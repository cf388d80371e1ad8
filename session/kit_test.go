package session

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/tasks"
)

// openOne opens a session of one order, without browsers.
func openOne(t testing.TB) *ProcessingSession {
	t.Helper()
	s := withoutBrowsers(t, "po,url\nPO1000,http://127.0.0.1/1\n")
	t.Cleanup(func() {
		if err := s.release(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// withoutBrowsers opens a session of the orders of a sheet as Open does, but for the browsers.
func withoutBrowsers(t testing.TB, sheet string, adjust ...func(*Config)) *ProcessingSession {
	t.Helper()
	dir := t.TempDir()
	cfg := DefaultConfig()
	cfg.File, cfg.Out, cfg.NoScale = filepath.Join(dir, "pos.csv"), filepath.Join(dir, "out"), true
	cfg.OnProgress, cfg.AllowLocal = func(Progress) {}, true
	testkit.Must(t, os.WriteFile(cfg.File, []byte(sheet), 0o600))
	for _, f := range adjust {
		f(&cfg)
	}
	recipes, err := setup.ReadRecipes(cfg)
	testkit.Must(t, err)
	read, err := setup.ReadSheet(cfg, recipes)
	testkit.Must(t, err)
	id, err := uuid.NewV7()
	testkit.Must(t, err)
	s := assemble(cfg, tasks.Session{ID: id, Status: tasks.SessionInitializing, StartedAt: time.Now(), Workers: cfg.Workers, Input: read.Input}, recipes, chromes{})
	remembered, err := setup.Remember(cfg, recipes)
	testkit.Must(t, err)
	s.life.Change(func(r *tasks.Session) { r.Config = remembered })
	testkit.Must(t, s.lay(t.Context(), read))
	return s
}
