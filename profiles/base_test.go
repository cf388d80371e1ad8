package profiles

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// newBase makes a user data directory as Chrome leaves it.
func newBase(t *testing.T) string {
	t.Helper()
	base := t.TempDir()
	for path, content := range map[string]string{
		"Local State":         `{"os_crypt":{}}`,
		"Default/Preferences": `{"download":{"prompt_for_download":true,"extensions_to_open":"x"},"exact":9007199254740993}`,
		"Default/Cookies":     "cookies", "Default/Cookies-journal": "journal",
		"Default/Network/Cookies":                    "network cookies",
		"Default/Network/Trust Tokens":               "no essential",
		"Default/Local Storage/leveldb/000003.log":   "local storage",
		"Default/IndexedDB/https_a.leveldb/CURRENT":  "indexed",
		"Default/Cache/Cache_Data/data_0":            "cache",
		"Default/Code Cache/js/index":                "cache",
		"Default/History":                            "history",
		"Default/Local Storage Of Another Kind/file": "no essential",
		"Crashpad/settings.dat":                      "crash",
		"SingletonCookie":                            "1",
	} {
		write(t, filepath.Join(base, filepath.FromSlash(path)), content)
	}
	return base
}

func TestBaseEssentialsAreCopied(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{Base: newBase(t)})
	p := create(t, m, "worker")
	got := filesIn(t, p.Path)
	want := []string{
		"Default/Cookies", "Default/Cookies-journal", "Default/IndexedDB/https_a.leveldb/CURRENT",
		"Default/Local Storage/leveldb/000003.log", "Default/Network/Cookies", "Default/Preferences", "Local State",
	}
	if !slices.Equal(got, want) {
		t.Errorf("profile holds\n%q, want\n%q", got, want)
	}
	if content, err := os.ReadFile(filepath.Join(p.Path, "Default", "Network", "Cookies")); err != nil || string(content) != "network cookies" {
		t.Errorf("cookies are %q, %v", content, err)
	}
	if size, err := m.Size(p); err != nil || size < 80 {
		t.Errorf("size is %d, %v", size, err)
	}
}

// filesIn returns the regular files below dir, and checks that all is private.
func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		if !d.IsDir() {
			name, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			files = append(files, filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestPreferencesAreMergedOverTheBase(t *testing.T) {
	t.Parallel()
	m := newManager(t, Config{Base: newBase(t), Preferences: []byte(`{"download":{"prompt_for_download":false},"new":{"a":1}}`)})
	p := create(t, m, "worker")
	content, err := os.ReadFile(filepath.Join(p.Path, "Default", "Preferences"))
	if err != nil {
		t.Fatal(err)
	}
	downloads, err := json.Marshal(p.Downloads)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`{"download":{"default_directory":%s,"extensions_to_open":"x","prompt_for_download":false},"exact":9007199254740993,"new":{"a":1}}`, downloads)
	if string(content) != want {
		t.Errorf("preferences are\n%s, want\n%s", content, want)
	}
}

func TestBaseIsReadOnce(t *testing.T) {
	t.Parallel()
	base := newBase(t)
	m := newManager(t, Config{Base: base})
	if err := os.RemoveAll(base); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		p := create(t, m, "worker")
		if _, err := os.Stat(filepath.Join(p.Path, "Default", "Cookies")); err != nil {
			t.Error(err)
		}
	}
}

func TestSymbolicLinksInTheBaseAreLeftOut(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	base := newBase(t)
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, secret, "secret")
	link := filepath.Join(base, "Default", "IndexedDB", "link")
	if err := os.Symlink(secret, link); err != nil {
		t.Fatal(err)
	}
	m := newManager(t, Config{Base: base})
	p := create(t, m, "worker")
	if _, err := os.Lstat(filepath.Join(p.Path, "Default", "IndexedDB", "link")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the link was copied: %v", err)
	}
}

func TestBadBasesAreRefused(t *testing.T) {
	t.Parallel()
	broken := newBase(t)
	write(t, filepath.Join(broken, "Default", "Preferences"), "{")
	large := newBase(t)
	if err := os.Truncate(filepath.Join(large, "Default", "Cookies"), 2<<20); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		base string
		want error
		says string
	}{
		"missing": {filepath.Join(t.TempDir(), "missing"), ErrBase, "missing"},
		"empty":   {t.TempDir(), ErrBase, "Local State"},
		"a file":  {filepath.Join(broken, "Default", "Preferences"), ErrBase, "Preferences"},
		"large":   {large, ErrTooLarge, "the limit is 1 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			_, err := NewManager(Config{Parent: parent, Base: test.base, SizeLimit: 1 << 20, MinFree: 1})
			if !errors.Is(err, test.want) {
				t.Fatalf("error is %v, want %v", err, test.want)
			}
			wantMessage(t, err, test.base, test.says)
			wantEmpty(t, parent)
		})
	}
	t.Run("broken preferences", func(t *testing.T) {
		t.Parallel()
		m := newManager(t, Config{Base: broken})
		_, err := m.Create("worker")
		wantMessage(t, err, "Default/Preferences", "repair")
		if m.Len() != 0 {
			t.Errorf("%d profiles", m.Len())
		}
	})
}

func TestBaseInUseIsRefused(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("SingletonLock is not used on Windows")
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	dead := exec.Command(os.Args[0], "-test.run=^$")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		mark string
		says string // empty: accepted
	}{
		"by a living process":       {fmt.Sprintf("%s-%d", host, os.Getpid()), fmt.Sprint(os.Getpid())},
		"by a dead process":         {fmt.Sprintf("%s-%d", host, dead.Process.Pid), ""},
		"on another host":           {fmt.Sprintf("not-%s-%d", host, dead.Process.Pid), "not-" + host},
		"in a way that is not read": {"nonsense", "nonsense"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, parent := newBase(t), t.TempDir()
			if err := os.Symlink(test.mark, filepath.Join(base, "SingletonLock")); err != nil {
				t.Fatal(err)
			}
			m, err := NewManager(Config{Parent: parent, Base: base, MinFree: 1})
			if test.says == "" {
				if err != nil {
					t.Fatal(err)
				}
				if p := create(t, m, "worker"); strings.Contains(strings.Join(filesIn(t, p.Path), " "), "Singleton") {
					t.Error("Singleton files were copied")
				}
				if err := m.Close(); err != nil {
					t.Error(err)
				}
			} else {
				if !errors.Is(err, ErrBaseInUse) {
					t.Fatalf("error is %v, want ErrBaseInUse", err)
				}
				wantMessage(t, err, base, "close", test.says)
			}
			wantEmpty(t, parent)
		})
	}
}
