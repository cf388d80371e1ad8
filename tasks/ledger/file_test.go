package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

func TestOpenMakesAPrivateFile(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	l := openAt(t, path)
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(3)...)))
	for _, name := range names(t, path) {
		info, err := os.Stat(filepath.Join(filepath.Dir(path), name))
		testkit.Must(t, err)
		if mode := info.Mode().Perm(); mode != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("%s has the mode %o", name, mode)
		}
	}
}

func TestCloseLeavesOneFile(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	l := openAt(t, path)
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(100)...)))
	closeLedger(t, l)
	wantAlone(t, path)

	reader, err := OpenReadOnly(path)
	testkit.Must(t, err)
	if s, err := reader.Stats(t.Context()); err != nil || s.Ready != 100 {
		t.Errorf("stats %+v, %v", s, err)
	}
	closeLedger(t, reader)
	wantAlone(t, path)

	closeLedger(t, openAt(t, path))
	wantAlone(t, path)
}

func TestOpenOddNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a b.db", "100%.db", "#1.db", "a%20b.db", "ü😀.db", "it's;.db", "a&mode=memory.db"} {
		path := filepath.Join(t.TempDir(), name)
		l := openAt(t, path)
		testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(1)...)))
		closeLedger(t, l)
		wantAlone(t, path)
	}
}

func TestOpenReadOnlyWithoutPermissionToWrite(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no read-only folders")
	}
	path := newPath(t)
	closeLedger(t, openAt(t, path))
	dir := filepath.Dir(path)
	testkit.Must(t, os.Chmod(path, 0o400))
	testkit.Must(t, os.Chmod(dir, 0o500))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	l, err := OpenReadOnly(path)
	testkit.Must(t, err)
	if _, err := l.Stats(t.Context()); err != nil {
		t.Error(err)
	}
	closeLedger(t, l)
}

// TestOpenRefuses gives the ledger files that it cannot use.
func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		make func(t *testing.T, path string)
		want string
	}{
		"a text":             {writeText, "is not a session of poscrape"},
		"another database":   {makeForeign, "is not a session of poscrape"},
		"a newer version":    {makeNewer, fmt.Sprintf("schema version %d", schemaVersion+1)},
		"a folder":           {func(t *testing.T, path string) { testkit.Must(t, os.Mkdir(path, 0o700)) }, "is not a file"},
		"a damaged session":  {makeDamaged, "is damaged"},
		"a file that is cut": {makeCut, "is damaged"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := newPath(t)
			test.make(t, path)
			before := names(t, path)
			l, err := Open(path)
			var refused *FileError
			if !errors.As(err, &refused) {
				if err == nil {
					closeLedger(t, l)
				}
				t.Fatalf("Open: %v, want a FileError", err)
			}
			if text := err.Error(); !strings.Contains(text, path) || !strings.Contains(text, test.want) {
				t.Errorf("Open: %s\nwant the path and %q", text, test.want)
			}
			if after := names(t, path); strings.Join(after, " ") != strings.Join(before, " ") {
				t.Errorf("it left %v of %v", after, before)
			}
		})
	}
}

// TestFilesBesideThatLeadElsewhere: in a folder that was unpacked, what is written in its place may be another
// name of a file elsewhere, which stays as it is.
func TestFilesBesideThatLeadElsewhere(t *testing.T) {
	t.Parallel()
	links := map[string]func(old, link string) error{"hard": os.Link}
	if runtime.GOOS != "windows" {
		links["symbolic"] = os.Symlink
	}
	for kind, link := range links {
		for _, suffix := range []string{"", "-wal", "-shm", "-journal", ".lock"} {
			t.Run(kind+suffix, func(t *testing.T) {
				t.Parallel()
				path, victim := newPath(t), filepath.Join(t.TempDir(), "victim")
				l, err := Open(path)
				testkit.Must(t, err)
				closeLedger(t, l)
				if suffix == "" {
					testkit.Must(t, os.Rename(path, victim))
				} else {
					testkit.Write(t, victim, strings.Repeat("as it was", 10000))
				}
				was := testkit.Read(t, victim)
				testkit.Must(t, link(victim, path+suffix))
				for what, open := range map[string]func(string) (*Ledger, error){"Open": Open, "OpenExisting": OpenExisting, "OpenReadOnly": OpenReadOnly} {
					l, err := open(path)
					var refused *FileError
					switch {
					case what == "OpenReadOnly" && suffix == "" && err == nil: // it is only read
						closeLedger(t, l)
					case !errors.As(err, &refused) || !strings.Contains(err.Error(), path+suffix):
						t.Errorf("%s: %v", what, err)
					}
				}
				if testkit.Read(t, victim) != was {
					t.Error("what it leads to is changed")
				}
			})
		}
	}
}

func TestOpenWithoutFolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "missing", "session.db")
	var refused *FileError
	if _, err := Open(path); !errors.As(err, &refused) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open: %v", err)
	}
	if _, err := OpenReadOnly(path); !errors.As(err, &refused) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("OpenReadOnly: %v", err)
	}
}

// TestOpenGoesOnAfterCreation opens what a process leaves that was killed between
// making the file and its tables.
func TestOpenGoesOnAfterCreation(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	testkit.Must(t, os.WriteFile(path, nil, 0o600))
	if _, err := OpenReadOnly(path); err == nil {
		t.Error("an empty file was read as a session")
	}
	testkit.Must(t, errOf(openAt(t, path).Enqueue(t.Context(), manySpecs(1)...)))
}

// TestOpenCut cuts a session anywhere: it is refused, or read as a whole.
func TestOpenCut(t *testing.T) {
	t.Parallel()
	whole := newPath(t)
	l := openAt(t, whole)
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(200)...)))
	closeLedger(t, l)
	content, err := os.ReadFile(whole)
	testkit.Must(t, err)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 40 {
		length := 1 + random.IntN(len(content)-1)
		path := newPath(t)
		testkit.Must(t, os.WriteFile(path, content[:length], 0o600))
		var refused *FileError
		if l, err := Open(path); !errors.As(err, &refused) {
			t.Errorf("cut at %d of %d: %v", length, len(content), err)
			if err == nil {
				closeLedger(t, l)
			}
		}
	}
}

func writeText(t *testing.T, path string) {
	testkit.Must(t, os.WriteFile(path, []byte(strings.Repeat("po,amount\n", 1000)), 0o600))
}

func makeForeign(t *testing.T, path string) { execute(t, path, "CREATE TABLE notes (text TEXT)") }

func makeNewer(t *testing.T, path string) {
	closeLedger(t, openAt(t, path))
	execute(t, path, fmt.Sprintf("UPDATE ledger SET schema_version = %d", schemaVersion+1))
}

func makeDamaged(t *testing.T, path string) {
	l := openAt(t, path)
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(500)...)))
	closeLedger(t, l)
	content, err := os.ReadFile(path)
	testkit.Must(t, err)
	for i := len(content) / 2; i < len(content)/2+8192; i++ {
		content[i] = 0x5a
	}
	testkit.Must(t, os.WriteFile(path, content, 0o600))
}

func makeCut(t *testing.T, path string) {
	l := openAt(t, path)
	testkit.Must(t, errOf(l.Enqueue(t.Context(), manySpecs(500)...)))
	closeLedger(t, l)
	info, err := os.Stat(path)
	testkit.Must(t, err)
	testkit.Must(t, os.Truncate(path, info.Size()*2/3))
}

func execute(t testing.TB, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	testkit.Must(t, err)
	_, err = db.Exec(statement)
	testkit.Must(t, errors.Join(err, db.Close()))
}

// names returns what is beside the session file, itself included.
func names(t *testing.T, path string) []string {
	t.Helper()
	list, err := os.ReadDir(filepath.Dir(path))
	testkit.Must(t, err)
	var found []string
	for _, entry := range list {
		found = append(found, entry.Name())
	}
	return found
}

func wantAlone(t *testing.T, path string) {
	t.Helper()
	if found := names(t, path); len(found) != 1 || found[0] != filepath.Base(path) {
		t.Errorf("beside the session there is %v", found)
	}
}

func errOf(_ tasks.EnqueueResult, err error) error { return err }
