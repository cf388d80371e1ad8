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

	"github.com/poscrape/poscrape/internal/proc"
)

const (
	lockFile     = "owner.lock"
	ownerFile    = "owner.json"
	keptFile     = "kept"
	recordSuffix = ".json"
	rootPrefix   = "poscrape-"
)

var rootName = regexp.MustCompile(`^` + rootPrefix + `[0-9]+-[0-9]+$`)

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
	path, err = os.MkdirTemp(parent, fmt.Sprintf("%s%d-", rootPrefix, os.Getpid()))
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
		return "", nil, nil, fmt.Errorf("lock %s: %w; does this file system know locks? name a directory on one that does with --temp-dir", lock.Path(), err)
	}
	record, err := json.Marshal(ownerRecord{PID: os.Getpid(), StartedAt: time.Now(), BootID: proc.Boot()})
	if err == nil {
		err = root.WriteFile(ownerFile, record, 0o600)
	}
	if err != nil {
		return "", nil, nil, fmt.Errorf("write %s: %w", filepath.Join(path, ownerFile), err)
	}
	return path, root, lock, nil
}

// keepRoot leaves a root to be looked at, and lets go of its lock.
func keepRoot(root *os.Root, lock *flock.Flock) error {
	return errors.Join(root.WriteFile(keptFile, nil, 0o600), lock.Close(), root.Close())
}

// removeRoot removes what makeRoot made, once nothing else is in it. The lock's
// file goes while it is held, so that whoever waits for the lock finds that the
// root is gone; where a file that is open cannot be removed (Windows), after.
func removeRoot(path string, root *os.Root, lock *flock.Flock) error {
	early := root.Remove(lockFile)
	err := errors.Join(ignoreMissing(root.Remove(ownerFile)), lock.Close())
	if early != nil {
		err = errors.Join(err, ignoreMissing(root.Remove(lockFile)))
	}
	if err = errors.Join(err, root.Close()); err != nil {
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
