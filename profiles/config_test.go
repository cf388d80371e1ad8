package profiles

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestConfigNamesTheFieldThatIsWrong(t *testing.T) {
	t.Parallel()
	for field, cfg := range map[string]Config{
		"Max":            {Max: -1},
		"SizeLimit":      {SizeLimit: -1},
		"MinFree":        {MinFree: -1},
		"CleanupTimeout": {CleanupTimeout: -1},
		"GID":            {GID: 5},
		"Preferences":    {Preferences: []byte(`[]`)},
		"Parent":         {Parent: filepath.Join(t.TempDir(), "missing")},
	} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			if cfg.Parent == "" {
				cfg.Parent = t.TempDir()
			}
			_, err := NewManager(cfg)
			wantMessage(t, err, "profiles: "+field)
			if field != "Parent" {
				wantEmpty(t, cfg.Parent)
			}
		})
	}
}

func TestConfigRefusesNullPreferences(t *testing.T) {
	t.Parallel()
	if err := (Config{Preferences: []byte(`null`)}).Validate(); err == nil {
		t.Error("null was taken for an object")
	}
}

func TestZeroConfigIsValid(t *testing.T) {
	t.Parallel()
	if err := (Config{}).Validate(); err != nil {
		t.Error(err)
	}
	got := Config{}.withDefaults()
	if got.Parent != os.TempDir() || got.Max != 8 || got.SizeLimit != 500<<20 || got.UID != -1 || got.GID != -1 {
		t.Errorf("defaults are %+v", got)
	}
}

func TestParentMayBeASymbolicLink(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	real := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	m, err := NewManager(Config{Parent: link})
	if err != nil {
		t.Fatal(err)
	}
	want, err := filepath.EvalSymlinks(real)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(m.Root()) != want {
		t.Errorf("root is %s, want it below %s", m.Root(), want)
	}
	if err := errors.Join(m.Close(), m.Close()); err != nil {
		t.Error(err)
	}
	wantEmpty(t, real)
}
