// Package trust tells what this user has made or allowed here from what came from elsewhere.
//
// It keeps a random key in the user's state directory, which nothing that is sent contains. A code
// made with the key shows later that the same user made it. What a user allows is kept beside the
// key, by such a code of it. The package does not know what its codes are of.
package trust

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
)

// Variable names the state directory in place of the system's usual one.
const Variable = "POSCRAPE_STATE_DIR"

const (
	keyName  = "key"
	keySize  = 32
	keptName = "kept"
)

// Store is a user's state directory. Its methods may be called by any goroutine, and several
// processes may use one directory at once.
type Store struct {
	dir string

	mu  sync.Mutex
	key []byte
	err error
}

// Open returns the state directory of this user. Nothing is read or made before it is needed.
func Open() *Store {
	dir, err := directory(os.Getenv)
	return &Store{dir: dir, err: err}
}

// Dir returns its path, or "" where the system names none.
func (s *Store) Dir() string { return s.dir }

// Err makes the key if there is none, and returns why it cannot be kept, or nil.
func (s *Store) Err() error {
	_, err := s.secret(true)
	return err
}

// Code returns the code of a kind of thing that consists of parts, or "" where no key can be kept.
// It makes the key if there is none.
func (s *Store) Code(kind string, parts ...string) string {
	key, err := s.secret(true)
	if err != nil {
		return ""
	}
	return code(key, kind, parts)
}

// Made reports whether a code is the one that Code returns. It makes no key.
func (s *Store) Made(made, kind string, parts ...string) bool {
	key, err := s.secret(false)
	return err == nil && hmac.Equal([]byte(made), []byte(code(key, kind, parts)))
}

// Keep keeps a text for a thing, unless one is kept for it already, and returns the text that is kept.
func (s *Store) Keep(text, kind string, parts ...string) (kept string, err error) {
	key, err := s.secret(true)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(s.dir, keptName)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", s.cannot(err)
	}
	if err := makeOnce(filepath.Join(dir, code(key, kind, parts)), []byte(text)); err != nil {
		return "", s.cannot(err)
	}
	kept, _ = s.Kept(kind, parts...)
	return kept, nil
}

// Kept returns the text that is kept for a thing, and whether there is one. It makes no key.
func (s *Store) Kept(kind string, parts ...string) (text string, ok bool) {
	key, err := s.secret(false)
	if err != nil {
		return "", false
	}
	kept, err := os.ReadFile(filepath.Join(s.dir, keptName, code(key, kind, parts)))
	return string(kept), err == nil
}

// code is an HMAC-SHA-256. The length before each part keeps parts from running into each other.
func code(key []byte, kind string, parts []string) string {
	mac := hmac.New(sha256.New, key)
	for _, part := range append([]string{kind}, parts...) {
		mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		mac.Write([]byte(part))
	}
	return hex.EncodeToString(mac.Sum(nil))
}

// secret returns the key, and keeps it in memory, so that what one process does fits together
// whatever happens to the file meanwhile.
func (s *Store) secret(make bool) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.key != nil || s.err != nil {
		return s.key, s.err
	}
	key, err := readKey(s.dir)
	if errors.Is(err, fs.ErrNotExist) && make {
		if err = makeKey(s.dir); err == nil {
			key, err = readKey(s.dir)
		}
	}
	if err != nil {
		if err = s.cannot(err); make {
			s.err = err
		}
		return nil, err
	}
	s.key = key
	return key, nil
}

func (s *Store) cannot(err error) error {
	return fmt.Errorf("the state directory %s cannot be used: %w; %s names another one", s.dir, err, Variable)
}

func makeKey(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	key := make([]byte, keySize)
	_, _ = rand.Read(key) // it never fails
	return makeOnce(filepath.Join(dir, keyName), key)
}

// readKey returns the key of a state directory that nobody else can have put it into.
func readKey(dir string) ([]byte, error) {
	for _, path := range []string{dir, filepath.Join(dir, keyName)} {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if why := Others(info); why != "" {
			return nil, fmt.Errorf("%s %s", path, why)
		}
	}
	path := filepath.Join(dir, keyName)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file; remove it, and what was made here before counts as made elsewhere", path)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("others can read %s, so that it shows nothing; remove it, and what was made here before counts as made elsewhere", path)
	}
	key, err := os.ReadFile(path)
	if err == nil && len(key) != keySize {
		err = fmt.Errorf("%s is damaged; remove it, and what was made here before counts as made elsewhere", path)
	}
	return key, err
}

// makeOnce makes a file with this content, for its user alone, unless it is there. No process ever
// sees a part of it.
func makeOnce(path string, content []byte) (err error) {
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // 0600
	if err != nil {
		return err
	}
	defer func() {
		if gone := os.Remove(f.Name()); err == nil && gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = gone
		}
	}()
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	switch err = os.Link(f.Name(), path); {
	case err == nil, errors.Is(err, fs.ErrExist):
		return nil
	}
	return os.Rename(f.Name(), path) // where there are no hard links
}

// directory returns the state directory, by the variables that get returns.
func directory(get func(string) string) (string, error) {
	if dir := get(Variable); dir != "" {
		return filepath.Abs(dir)
	}
	home, err := os.UserHomeDir()
	dir := place(get, home)
	if dir == "" && err == nil {
		err = errors.New("the system names no place for it")
	}
	if dir == "" {
		return "", fmt.Errorf("there is no state directory: %w; %s names one", err, Variable)
	}
	return dir, nil
}

// below returns a path below a directory, or "" where that is none.
func below(dir string, names ...string) string {
	if !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Join(dir, filepath.Join(names...))
}

// Inside reports whether a path leads to a directory or what is below it, links followed as far as
// the path is there.
func Inside(dir, path string) bool {
	at, err := resolved(dir)
	to, err2 := resolved(path)
	if err != nil || err2 != nil {
		return false
	}
	rel, err := filepath.Rel(at, to)
	return err == nil && filepath.IsLocal(rel)
}

// resolved returns an absolute path without links, as far as it is there. A link to what is not
// there is an error.
func resolved(path string) (string, error) {
	at, err := filepath.Abs(path)
	rest := ""
	for err == nil {
		if _, missing := os.Lstat(at); !errors.Is(missing, fs.ErrNotExist) || at == filepath.Dir(at) {
			at, err = filepath.EvalSymlinks(at)
			return filepath.Join(at, rest), err
		}
		rest, at = filepath.Join(filepath.Base(at), rest), filepath.Dir(at)
	}
	return "", err
}
