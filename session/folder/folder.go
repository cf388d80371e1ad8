// Package folder is the session folder: made for a new session or taken over by the next
// run, by its one owner, closed to others, and seen to be still in its place.
package folder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/nofollow"
	"github.com/poscrape/poscrape/session/documents"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// The names of what is in a session folder, besides the report's files.
const (
	LedgerName = "session.db"
	LogName    = "poscrape.log"
)

// What others must not read: the session folder, and in it besides, in case it is
// copied, the ledger, the evidence and the log.
const (
	closedDir  fs.FileMode = 0o700
	closedFile fs.FileMode = 0o600
)

// ledgerFiles are all files of the ledger.
var ledgerFiles = []string{LedgerName, LedgerName + "-wal", LedgerName + "-shm", LedgerName + "-journal", LedgerName + ".lock"}

// Error says why a folder is no session that can be gone on with.
type Error struct {
	Dir     string
	Problem string
	Err     error
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s %s", e.Dir, e.Problem)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the error behind it.
func (e *Error) Unwrap() error { return e.Err }

// Folder is a session folder that this process owns.
type Folder struct {
	// Dir is its absolute path.
	Dir    string
	Root   *os.Root
	Ledger *ledger.Ledger
	log    io.Closer
	// made are the directories that Make has made, the innermost first.
	made []string
}

// Choose returns the absolute path of the folder of a new session, which is not made yet:
// that of out, or one below place, named for the time and the session's id. If it is there
// and not empty, it returns an error, which is a *ledger.OwnedError while someone works in it.
func Choose(out, place string, id uuid.UUID) (string, error) {
	if out == "" {
		out = filepath.Join(place, time.Now().Format("20060102-150405")+"-"+id.String()[30:])
	}
	dir, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return dir, nil
	case err != nil:
		return "", fmt.Errorf("%s cannot be used as a session folder: %s", out, Reason(err))
	case slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == LedgerName }):
		if owner := ledger.Owner(filepath.Join(dir, LedgerName)); owner != nil {
			return "", owner
		}
		return "", fmt.Errorf("%s holds a session already; go on with it by 'poscrape resume %s', or name a new folder", out, out)
	case len(entries) > 0:
		return "", fmt.Errorf("%s is not empty; name a new or an empty folder", out)
	}
	if why := others(dir); why != "" {
		return "", fmt.Errorf("%s %s, so what is put there is not only yours; name a new folder", out, why)
	}
	return dir, nil
}

// Reason returns an error's text without the path, which the message names already.
func Reason(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// MakeError says that a folder cannot be made.
type MakeError struct{ Err error }

func (e *MakeError) Error() string { return "cannot be made: " + Reason(e.Err) }

// Unwrap returns the error behind it.
func (e *MakeError) Unwrap() error { return e.Err }

// Make makes a folder, and what it is in, or takes over an empty one. It has no ledger yet.
// When it fails, what it has made is gone; where the folder cannot be made, the error is a *MakeError.
func Make(dir string) (_ *Folder, err error) {
	f := &Folder{Dir: dir}
	if f.made, err = makeDir(dir); err != nil {
		for _, name := range f.made {
			_ = os.Remove(name) // what was not made is not there, and what is in use by now stays
		}
		return nil, &MakeError{err}
	}
	if f.Root, err = os.OpenRoot(dir); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the session folder: %w", err), f.remove())
	}
	return f, nil
}

// MakeLedger makes the ledger of a new session. It returns a *ledger.OwnedError if another
// process has made one meanwhile.
func (f *Folder) MakeLedger() (err error) {
	f.Ledger, err = ledger.Open(filepath.Join(f.Dir, LedgerName))
	if errors.As(err, new(*ledger.OwnedError)) {
		f.made = nil // what is in the folder is another's
	}
	return err
}

// Take becomes the owner of the folder of a session. It returns an *Error, a
// *ledger.OwnedError while another process works on it, or a *ledger.FileError.
func Take(dir string) (_ *Folder, err error) {
	f := &Folder{Dir: dir}
	if err = refuseLinks(dir); err != nil {
		return nil, err
	}
	if f.Ledger, err = ledger.OpenExisting(filepath.Join(dir, LedgerName)); err != nil {
		return nil, err
	}
	if f.Root, err = os.OpenRoot(dir); err != nil {
		return nil, errors.Join(&Error{Dir: dir, Problem: "cannot be entered", Err: err}, f.Ledger.Close())
	}
	return f, nil
}

// Close frees the folder and leaves it as it is.
func (f *Folder) Close() error {
	var err error
	if f.Ledger != nil {
		err = f.Ledger.Close()
	}
	if f.log != nil {
		err = errors.Join(err, f.log.Close())
	}
	return errors.Join(err, f.Root.Close())
}

// Undo frees the folder, and removes it where Make has made it.
func (f *Folder) Undo() error {
	err := f.Close()
	if f.made != nil {
		err = errors.Join(err, f.remove())
	}
	return err
}

// makeDir makes dir, closed to others, and what it is in, and returns the directories
// that it has made, the innermost first.
func makeDir(dir string) ([]string, error) {
	made := []string{}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); !errors.Is(err, os.ErrNotExist) {
			break
		}
		made = append(made, at)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return made, err
	}
	if err := os.Mkdir(dir, closedDir); err != nil && !errors.Is(err, os.ErrExist) {
		return made, err
	}
	return made, nil
}

// remove removes what a new session has made in its folder, and the directories that Make
// has made for it.
func (f *Folder) remove() (err error) {
	for _, name := range append([]string{LogName, documents.StagingName}, ledgerFiles...) {
		path := filepath.Join(f.Dir, name)
		if _, there := os.Stat(path); there == nil { // a read-only disk refuses to remove even what is not there
			err = errors.Join(err, os.RemoveAll(path))
		}
	}
	for _, dir := range f.made {
		err = errors.Join(err, os.Remove(dir))
	}
	return err
}

// OpenLog returns a log that goes to a file, JSON lines, or where that is "" to the folder's
// own, and to another log, or nil. Its error names the file.
func (f *Folder) OpenLog(file string, also *slog.Logger) (*slog.Logger, error) {
	path := file
	var out *os.File
	var err error
	if file == "" {
		path = filepath.Join(f.Dir, LogName)
		out, err = nofollow.Append(f.Root, LogName, closedFile)
	} else {
		out, err = os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, closedFile)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %s", path, Reason(err))
	}
	f.log = out
	var handler slog.Handler = slog.NewJSONHandler(out, &slog.HandlerOptions{Level: slog.LevelDebug})
	if also != nil {
		handler = slog.NewMultiHandler(handler, also.Handler())
	}
	return slog.New(handler), nil
}

// InPlace returns an error if the folder, or its ledger, is not where it was. What is
// written to it then is lost, and what stands in its place belongs to somebody else.
func (f *Folder) InPlace() error {
	own, rootErr := f.Root.Stat(".")
	there, pathErr := os.Stat(f.Dir)
	switch {
	case rootErr != nil || pathErr != nil:
		return errors.Join(rootErr, pathErr)
	case !os.SameFile(own, there):
		return errors.New("another folder is in its place")
	}
	return f.Ledger.InPlace()
}

// refuseLinks returns an *Error if a file of the ledger is a link, or no file.
func refuseLinks(dir string) error {
	for _, name := range ledgerFiles {
		info, err := os.Lstat(filepath.Join(dir, name))
		if err == nil && !info.Mode().IsRegular() {
			return &Error{Dir: dir, Problem: fmt.Sprintf("has something else than a file in place of %s, which is not followed; put the file there, or remove it", name)}
		}
	}
	return nil
}

// CloseToOthers closes to others the folder, its ledger, and all below a directory in it, or
// returns what it could not close. Those that are not there need not be, and those with other names may be
// others' files.
func (f *Folder) CloseToOthers(below string) error {
	errs := []error{f.Root.Chmod(".", closedDir)}
	closeFile := func(name string, perm fs.FileMode) {
		info, err := f.Root.Lstat(name)
		if err == nil && info.Mode().Type()&^fs.ModeDir == 0 && info.Mode().Perm()&^perm != 0 && !nofollow.Shared(filepath.Join(f.Dir, name)) {
			errs = append(errs, f.Root.Chmod(name, perm))
		}
	}
	for _, name := range ledgerFiles {
		closeFile(name, closedFile)
	}
	_ = fs.WalkDir(f.Root.FS(), below, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil: // there is none, or another has removed it
			return nil //nolint:nilerr // what is not there needs not be closed
		case entry.IsDir():
			closeFile(filepath.FromSlash(name), closedDir)
		case entry.Type().IsRegular():
			closeFile(filepath.FromSlash(name), closedFile)
		}
		return nil
	})
	return errors.Join(errs...)
}

// ReadOnly opens the ledger of the session in a folder to read it, also while the session runs,
// and closes it after do.
func ReadOnly(ctx context.Context, dir string, do func(context.Context, *ledger.Ledger) error) (err error) {
	l, err := ledger.OpenReadOnly(filepath.Join(dir, LedgerName))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return do(ctx, l)
}
