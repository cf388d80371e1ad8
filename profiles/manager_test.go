package profiles

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func TestCreateMakesAPrivateDirectory(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{})
	p := create(t, m, "worker_001")
	if p.Name != "worker_001" || p.Created.IsZero() {
		t.Errorf("profile is %+v", p)
	}
	if err := m.Validate(p); err != nil {
		t.Error(err)
	}
	if filepath.Dir(p.Downloads) != p.Path || filepath.Dir(p.Path) != m.Root() {
		t.Errorf("%s and %s are not below %s", p.Path, p.Downloads, m.Root())
	}
	if runtime.GOOS == "windows" {
		return
	}
	for _, dir := range []string{m.Root(), p.Path, p.Downloads} {
		info, err := os.Lstat(dir)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != fs.ModeDir|0o700 {
			t.Errorf("%s has mode %v", dir, info.Mode())
		}
	}
}

func TestCreateRefusesBadNames(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{})
	for _, name := range []string{"", "..", "a/b", `a\b`, "a b", "a.json", "é", strings.Repeat("x", 65)} {
		if p, err := m.Create(name); err == nil {
			t.Errorf("%q became %s", name, p.Path)
		}
	}
	if m.Len() != 0 {
		t.Errorf("%d profiles", m.Len())
	}
}

func TestMaxCountsThoseThatExist(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{Max: 2})
	seen := map[string]bool{}
	kept := create(t, m, "kept")
	for range 20 {
		p := create(t, m, "passing")
		if seen[p.Path] {
			t.Fatalf("%s was used twice", p.Path)
		}
		seen[p.Path] = true
		_, err := m.Create("surplus")
		if !errors.Is(err, ErrTooMany) {
			t.Fatalf("error is %v, want ErrTooMany", err)
		}
		wantMessage(t, err, "surplus", "2 of 2")
		if err := m.Remove(p); err != nil {
			t.Fatal(err)
		}
	}
	if m.Len() != 1 || m.Validate(kept) != nil {
		t.Errorf("%d profiles; kept: %v", m.Len(), m.Validate(kept))
	}
}

func TestMaxHoldsForManyAtOnce(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{Max: 3})
	var wg sync.WaitGroup
	made := make(chan *Profile, 20)
	for range 20 {
		wg.Go(func() {
			p, err := m.Create("worker")
			if err == nil {
				made <- p
			} else if !errors.Is(err, ErrTooMany) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(made) != 3 || m.Len() != 3 {
		t.Errorf("%d made, Len %d, want 3", len(made), m.Len())
	}
}

func TestPreferencesAreWritten(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{})
	p := create(t, m, "worker")
	content, err := os.ReadFile(filepath.Join(p.Path, "Default", "Preferences"))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Plugins  map[string]any
		Download map[string]any
	}
	if err := json.Unmarshal(content, &got); err != nil {
		t.Fatal(err)
	}
	if got.Plugins["always_open_pdf_externally"] != true || got.Download["prompt_for_download"] != false ||
		got.Download["default_directory"] != p.Downloads {
		t.Errorf("preferences are %s", content)
	}
}

func TestCreateRefusesAFullDisk(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{MinFree: 1 << 61})
	_, err := m.Create("worker")
	if !errors.Is(err, ErrNoSpace) {
		t.Fatalf("error is %v, want ErrNoSpace", err)
	}
	wantMessage(t, err, m.cfg.Parent, "GB free and a profile needs 2.3 EB", "--temp-dir")
	if m.Len() != 0 {
		t.Errorf("%d profiles", m.Len())
	}
	wantOnlyOwner(t, m)
}

func TestCreateThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{Max: 1})
	// The directory that the first profile would get is taken by a file.
	write(t, filepath.Join(m.Root(), "worker-1"), "in the way")
	if _, err := m.Create("worker"); !errors.Is(err, fs.ErrExist) {
		t.Fatalf("error is %v, want ErrExist", err)
	}
	wantOnlyOwner(t, m)
	create(t, m, "worker") // its place is free again
}

func TestCloseIsFinalAndRepeatable(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{})
	p := create(t, m, "worker")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	wantEmpty(t, m.cfg.Parent)
	if _, err := m.Create("late"); !errors.Is(err, ErrClosed) {
		t.Errorf("Create after Close: %v, want ErrClosed", err)
	}
	if err := m.Remove(p); err != nil {
		t.Errorf("Remove after Close: %v", err)
	}
	if n, err := m.RemoveAll(); n != 0 || err != nil {
		t.Errorf("RemoveAll after Close: %d, %v", n, err)
	}
	if _, err := m.Size(p); !errors.Is(err, ErrGone) {
		t.Errorf("Size after Close: %v, want ErrGone", err)
	}
}

func TestProfilesOfAnotherManagerAreRefused(t *testing.T) {
	t.Parallel()
	m, other := newManager(t, Config{}), newManager(t, Config{})
	p := create(t, other, "worker")
	_, sizeErr := m.Size(p)
	for what, err := range map[string]error{"Remove": m.Remove(p), "Validate": m.Validate(p), "Size": sizeErr} {
		if !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v, want ErrForeign", what, err)
		}
	}
	if err := other.Validate(p); err != nil {
		t.Error(err)
	}
}

// TestRandomUse lets many goroutines use one manager until it is closed among
// them. Nothing may be left, whatever the order was.
func TestRandomUse(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{Max: 4})
	seed := rand.Uint64()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			for range 40 {
				useOnce(t, m, random)
			}
			if i == 0 {
				if err := m.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if m.Len() != 0 {
		t.Errorf("%d profiles left (seed %d)", m.Len(), seed)
	}
	wantEmpty(t, m.cfg.Parent)
}

func useOnce(t *testing.T, m *ProfileManager, random *rand.Rand) {
	p, err := m.Create("worker")
	if errors.Is(err, ErrTooMany) || errors.Is(err, ErrClosed) {
		return
	}
	if err != nil {
		t.Error(err)
		return
	}
	if err := p.RecordProcess(os.Getpid(), 0, p.Created); err != nil && !errors.Is(err, ErrGone) {
		t.Error(err)
	}
	if _, err := m.Size(p); err != nil && !errors.Is(err, ErrGone) {
		t.Error(err)
	}
	if random.IntN(10) == 0 {
		_, err = m.RemoveAll()
	} else {
		err = m.Remove(p)
	}
	if err != nil {
		t.Error(err)
	}
}

func wantOnlyOwner(t *testing.T, m *ProfileManager) {
	t.Helper()
	entries, err := os.ReadDir(m.Root())
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name() != lockFile && entry.Name() != ownerFile {
			t.Errorf("%s is left", entry.Name())
		}
	}
}
