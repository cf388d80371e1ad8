package session

import (
	"os"
	"path/filepath"
	"testing"
)

// openOne opens a session of one order, which is not run, and returns what
// closes it.
func openOne(t testing.TB) (s *ProcessingSession, closeIt func()) {
	t.Helper()
	cfg := DefaultConfig()
	cfg.File, cfg.Out = filepath.Join(t.TempDir(), "pos.csv"), filepath.Join(t.TempDir(), "out")
	if err := os.WriteFile(cfg.File, []byte("po,url\nPO1000,http://127.0.0.1/1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s, func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
