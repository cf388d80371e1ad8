package ledger

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

// TestDisplacedFile takes the session file away from its owner: it is told, and
// what is in the file's place by then is left alone.
func TestDisplacedFile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows moves no file that is open")
	}
	away := map[string]func(dir string) error{
		"the file is removed":    func(dir string) error { return os.Remove(filepath.Join(dir, "session.db")) },
		"the folder is removed":  os.RemoveAll,
		"the folder is moved":    func(dir string) error { return os.Rename(dir, dir+"-moved") },
		"the folder is replaced": func(dir string) error { return errors.Join(os.Rename(dir, dir+"-moved"), fillFolder(dir)) },
		"the file is replaced":   func(dir string) error { return os.WriteFile(filepath.Join(dir, "new"), []byte("x"), 0o600) },
	}
	for name, do := range away {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "session")
			testkit.Must(t, os.Mkdir(dir, 0o700))
			path := filepath.Join(dir, "session.db")
			l := openAt(t, path)
			testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(3)...)))
			testkit.Must(t, l.InPlace())
			testkit.Must(t, do(dir))
			if name == "the file is replaced" {
				testkit.Must(t, os.Rename(filepath.Join(dir, "new"), path))
			}
			before := contents(t, dir)
			var gone *FileError
			if err := l.InPlace(); !errors.As(err, &gone) || !strings.Contains(err.Error(), path) {
				t.Errorf("InPlace: %v", err)
			}
			if err := l.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			after := contents(t, dir)
			for file, content := range before {
				if strings.HasPrefix(file, "session.db-") || file == "session.db.lock" && name[:10] != "the folder" {
					continue // the owner's own, which SQLite removes
				}
				if after[file] != content {
					t.Errorf("%s is changed or gone", file)
				}
			}
			for file := range after {
				if _, there := before[file]; !there {
					t.Errorf("%s was written", file)
				}
			}
		})
	}
}

// fillFolder makes a folder in which another session is at work.
func fillFolder(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(dir, "session.db"), []byte("another"), 0o600),
		os.WriteFile(filepath.Join(dir, "session.db.lock"), nil, 0o600))
}

// contents returns what is in the folder, nothing if there is none.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	list, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return found
	}
	testkit.Must(t, err)
	for _, entry := range list {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		testkit.Must(t, err)
		found[entry.Name()] = string(text)
	}
	return found
}

func TestReadersDoNotOwnTheFile(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	closeLedger(t, openAt(t, path))
	l, err := OpenReadOnly(path)
	testkit.Must(t, err)
	defer closeLedger(t, l)
	if err := l.InPlace(); !errors.Is(err, ErrReadOnly) {
		t.Errorf("InPlace: %v", err)
	}
	if err := l.AppendEvent(t.Context(), tasks.Event{}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("AppendEvent: %v", err)
	}
}
