//go:build unix

package browser

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestWhatChromePutsInAFilesPlace: a page that has taken over Chrome may write to its profile. What it
// puts there is not taken for a document, nor what it points at touched.
func TestWhatChromePutsInAFilesPlace(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]func(path, secret string) error{
		"a link":            func(path, secret string) error { return os.Symlink(secret, path) },
		"a link of its own": func(path, _ string) error { return os.Symlink("../../secret", path) },
		"a pipe":            func(path, _ string) error { return syscall.Mkfifo(path, 0o600) },
		"a directory":       func(path, _ string) error { return os.Mkdir(path, 0o700) },
		"another Downloads": func(path, secret string) error { return linkInstead(filepath.Dir(path), filepath.Dir(secret)) },
		"an endless device": func(path, _ string) error { return os.Symlink("/dev/zero", path) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cfg := Config{ProfileDir: filepath.Join(dir, "profile"), DownloadDir: filepath.Join(dir, "profile", "Downloads")}
			if err := os.MkdirAll(cfg.DownloadDir, 0o700); err != nil {
				t.Fatal(err)
			}
			secret := filepath.Join(dir, "secret")
			if err := os.WriteFile(secret, []byte("of root"), 0o600); err != nil {
				t.Fatal(err)
			}
			const id = "0f8fad5b-d9cb-469f-a165-70867728950e"
			if name == "another Downloads" {
				if err := os.WriteFile(filepath.Join(dir, id), []byte("of root"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := put(filepath.Join(cfg.DownloadDir, id), secret); err != nil {
				t.Fatal(err)
			}
			file := (&Browser{cfg: cfg}).fileOf(&Download{GUID: id})
			if f, err := file.Open(); err == nil {
				got, _ := io.ReadAll(io.LimitReader(f, 100))
				t.Errorf("read %q", got)
				_ = f.Close()
			}
			_ = file.Remove()
			for _, path := range []string{secret, filepath.Join(dir, id)} {
				if _, err := os.Stat(path); err != nil && (path == secret || name == "another Downloads") {
					t.Error(err)
				}
			}
		})
	}
}

// linkInstead puts a link to another directory in the place of one.
func linkInstead(dir, other string) error {
	if err := os.Remove(dir); err != nil {
		return err
	}
	return os.Symlink(other, dir)
}
