package profiles

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockFile     = "owner.lock"
	ownerFile    = "owner.json"
	recordSuffix = ".json"
)

var rootName = regexp.MustCompile(`^poscrape-[0-9]+-[0-9]+$`)

// ownerRecord says whose a root directory is.
type ownerRecord struct {
	PID       int       `json:"pid"`
	StartedAt time.Time `json:"started_at"`
	BootID    string    `json:"boot_id,omitempty"`
}

// makeRoot makes a new root directory below parent, takes its lock, and only
// then writes the owner record: a directory with a record and a free lock is
// one whose owner is dead.
func makeRoot(parent string, mode fs.FileMode) (path string, root *os.Root, lock *flock.Flock, err error) {
	path, err = os.MkdirTemp(parent, fmt.Sprintf("poscrape-%d-", os.Getpid()))
	if err != nil {
		return "", nil, nil, fmt.Errorf("make a directory for profiles in %s: %w", parent, err)
	}
	defer func() {
		if err == nil {
			return
		}
		if root != nil {
			_ = root.Close()
		}
		if lock != nil {
			_ = lock.Close()
		}
		_ = os.RemoveAll(path)
	}()
	if err = os.Chmod(path, mode); err != nil {
		return "", nil, nil, fmt.Errorf("make %s private: %w", path, err)
	}
	if root, err = os.OpenRoot(path); err != nil {
		return "", nil, nil, fmt.Errorf("open the directory for profiles: %w", err)
	}
	lock = flock.New(filepath.Join(path, lockFile))
	locked, err := lock.TryLock()
	if err == nil && !locked {
		err = errors.New("another process holds it")
	}
	if err != nil {
		return "", nil, nil, fmt.Errorf("lock %s: %w; does this file system know locks? set TMPDIR to one that does", lock.Path(), err)
	}
	record, err := json.Marshal(ownerRecord{PID: os.Getpid(), StartedAt: time.Now(), BootID: bootID()})
	if err == nil {
		err = root.WriteFile(ownerFile, record, 0o600)
	}
	if err != nil {
		return "", nil, nil, fmt.Errorf("write %s: %w", filepath.Join(path, ownerFile), err)
	}
	return path, root, lock, nil
}

// removeRoot removes what makeRoot made, once nothing else is in it. The lock
// goes first: not every system removes a file that is open.
func removeRoot(path string, root *os.Root, lock *flock.Flock) error {
	err := errors.Join(lock.Close(), ignoreMissing(root.Remove(lockFile)), ignoreMissing(root.Remove(ownerFile)), root.Close())
	if err != nil {
		return err
	}
	return ignoreMissing(os.Remove(path))
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Left returns the root directories of managers below parent that are provably
// ours and whose owner is provably dead: made by this user, with an owner's
// record and a lock that nobody holds. An empty parent means the system's
// directory for temporary files. It removes nothing.
func Left(parent string) ([]string, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	entries, err := os.ReadDir(parent)
	if err != nil {
		return nil, fmt.Errorf("look for left profiles: %w", err)
	}
	var left []string
	for _, entry := range entries {
		path := filepath.Join(parent, entry.Name())
		if rootName.MatchString(entry.Name()) && ownerIsDead(path) {
			left = append(left, path)
		}
	}
	return left, nil
}

// ownerIsDead reports whether path is a root of ours that nobody holds. In
// doubt it is not.
func ownerIsDead(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() || !ownedByMe(info) {
		return false
	}
	for _, name := range []string{ownerFile, lockFile} {
		info, err := os.Lstat(filepath.Join(path, name))
		if err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	lock := flock.New(filepath.Join(path, lockFile), flock.SetFlag(os.O_RDWR))
	free, err := lock.TryLock()
	if err != nil || !free {
		return false
	}
	return lock.Close() == nil
}
