package trust

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func at(dir string) *Store { return &Store{dir: dir} }

// A code shows that who has the key has made it, of this kind and of these parts.
func TestCodes(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "state")
	made := at(dir).Code("session", "ab", "c")
	again := at(dir)
	if made == "" || !again.Made(made, "session", "ab", "c") {
		t.Errorf("%q is not known again", made)
	}
	for _, parts := range [][]string{{"session", "a", "bc"}, {"session", "abc"}, {"other", "ab", "c"}, {"session", "ab", "c", ""}} {
		if again.Made(made, parts[0], parts[1:]...) {
			t.Errorf("the code is also that of %q", parts)
		}
	}
	if again.Made("", "session", "ab", "c") || at(t.TempDir()).Made(made, "session", "ab", "c") {
		t.Error("no code, or one made with another key, is taken")
	}
}

// What only looks makes no key.
func TestLookingMakesNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	s := at(dir)
	if _, ok := s.Kept("recipe", "x"); ok || s.Made("00", "session") {
		t.Error("something was made here before")
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the state directory was made")
	}
	if s.Err() != nil || s.Code("session") == "" {
		t.Error("having looked, the store makes no key")
	}
}

// Of many processes that make the key at once, and keep one thing, all have the same.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	codes, kept := make([]string, 16), make([]string, 16)
	var all sync.WaitGroup
	for i := range codes {
		all.Go(func() {
			s := at(dir)
			codes[i] = s.Code("session", "x")
			kept[i], _ = s.Keep(string(rune('a'+i)), "origin", "x")
		})
	}
	all.Wait()
	for i := range codes {
		if codes[i] == "" || codes[i] != codes[0] || kept[i] == "" || kept[i] != kept[0] {
			t.Errorf("got %q and %q", codes, kept)
			break
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*", ".new-*"))
	if more, _ := filepath.Glob(filepath.Join(dir, ".new-*")); err != nil || len(left)+len(more) > 0 {
		t.Errorf("left behind: %q %q", left, more)
	}
}

// A key that cannot be kept, or that others may know or have put there, makes no codes.
func TestNoKey(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes are not kept")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	known, open, short := t.TempDir(), t.TempDir(), t.TempDir()
	for _, dir := range []string{known, open} {
		if err := at(dir).Err(); err != nil {
			t.Fatal(err)
		}
	}
	for path, mode := range map[string]os.FileMode{filepath.Join(known, keyName): 0o644, open: 0o777} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(short, keyName), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"below a file": filepath.Join(file, "state"), "known to others": known, "in an open directory": open, "short": short} {
		s := at(dir)
		if s.Err() == nil || s.Code("session") != "" || s.Made("", "session") {
			t.Errorf("%s: the key is used", name)
		}
		if _, err := s.Keep("x", "y"); err == nil || !strings.Contains(err.Error(), Variable) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestInside(t *testing.T) {
	t.Parallel()
	dir, out := t.TempDir(), t.TempDir()
	for name, to := range map[string]string{"away": out, "gone": filepath.Join(out, "none", "x"), "here": dir} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	for path, want := range map[string]bool{
		"": true, "a": true, "a/b/../c": true, "here/a": true, "..a": true,
		"..": false, "../x": false, "a/../../x": false, "away": false, "away/x": false, "gone": false,
	} {
		if got := Inside(dir, filepath.Join(dir, filepath.FromSlash(path))); got != want {
			t.Errorf("%q: got %v", path, got)
		}
	}
	if Inside(dir, filepath.Dir(dir)) || Inside(dir, dir+"x") {
		t.Error("what lies above or beside is inside")
	}
}

func TestDirectory(t *testing.T) {
	t.Parallel()
	get := func(set map[string]string) func(string) string { return func(name string) string { return set[name] } }
	own := t.TempDir()
	if dir, err := directory(get(map[string]string{Variable: own, "XDG_STATE_HOME": "/x"})); dir != own || err != nil {
		t.Errorf("got %s, %v", dir, err)
	}
	if runtime.GOOS != "linux" {
		return
	}
	if dir := place(get(map[string]string{"XDG_STATE_HOME": "/x"}), "/home/u"); dir != "/x/poscrape" {
		t.Errorf("got %s", dir)
	}
	if dir := place(get(map[string]string{"XDG_STATE_HOME": "x"}), "/home/u"); dir != "/home/u/.local/state/poscrape" {
		t.Errorf("a relative path counts: got %s", dir)
	}
}
