package ledger

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/gofrs/flock"
)

// OwnedError is returned by Open while another process, or another Ledger of
// this one, owns the session file.
type OwnedError struct {
	Path string
	// PID of the owner, and when it opened the file; 0 and zero if it has only
	// just begun.
	PID   int
	Since time.Time
}

func (e *OwnedError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("the session file %s is in use by another poscrape; wait for its end, or stop it", e.Path)
	}
	return fmt.Sprintf("the session file %s is in use by the process %d since %s; wait for its end, or stop it",
		e.Path, e.PID, e.Since.Local().Format(time.DateTime))
}

// Owner returns who owns the session file now, or nil. It changes nothing.
func Owner(path string) *OwnedError {
	name, err := beside(path, ".lock")
	if err == nil {
		_, err = os.Stat(name) // whoever owns the file has a lock beside it
	}
	if err == nil {
		file := flock.New(name, flock.SetFlag(os.O_RDWR))
		free, tried := file.TryLock()
		if tried == nil && !free {
			return ownedBy(path)
		}
		_ = file.Close()
	}
	return nil
}

// lock is the right to own a session file: a lock of the operating system on a
// file beside it, so that it does not meet SQLite's own locks, and goes with its
// process. The file is removed with the lock.
type lock struct {
	file *flock.Flock
}

// acquire returns the lock, or an *OwnedError.
func acquire(path string) (*lock, error) {
	name, err := beside(path, ".lock")
	if err != nil {
		return nil, err
	}
	for {
		file := flock.New(name, flock.SetFlag(os.O_RDWR|os.O_CREATE), flock.SetPermissions(0o600))
		got, err := file.TryLock()
		if err != nil {
			return nil, &FileError{Path: path, Problem: "cannot be locked; look at its folder", Err: err}
		}
		if !got {
			return nil, ownedBy(path)
		}
		if current(file, name) {
			return &lock{file: file}, nil
		}
		// The owner before removed the file after we had opened it.
		if err := file.Unlock(); err != nil {
			return nil, &FileError{Path: path, Problem: "cannot be locked; look at its folder", Err: err}
		}
	}
}

// current reports whether the locked file is still the one that others see.
func current(file *flock.Flock, name string) bool {
	locked, err := file.Stat()
	if err != nil {
		return false
	}
	seen, err := os.Stat(name)
	return err == nil && os.SameFile(locked, seen)
}

// release gives the lock back and removes its file. Elsewhere than on Windows
// the file is removed while the lock still holds, and whoever has it open by
// then finds in acquire that it is not current. Windows removes no file that is
// open, so there it is removed last, and stays if another has opened it.
func (l *lock) release() error {
	if runtime.GOOS == "windows" {
		err := l.file.Unlock()
		_ = os.Remove(l.file.Path())
		return err
	}
	var err error
	if current(l.file, l.file.Path()) { // else the folder was moved, and another may stand in its place
		err = os.Remove(l.file.Path())
	}
	return errors.Join(err, l.file.Unlock())
}

// ownedBy asks the session file who owns it.
func ownedBy(path string) *OwnedError {
	owned := &OwnedError{Path: path}
	db, err := connect(path, readOnly)
	if err != nil {
		return owned
	}
	defer db.Close()
	var pid int
	var since string
	row := db.QueryRowContext(background, "SELECT owner_pid, opened_at FROM ledger")
	if row.Scan(&pid, &since) == nil {
		owned.PID, owned.Since = pid, parse(since)
	}
	return owned
}
