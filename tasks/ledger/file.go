package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/poscrape/poscrape/internal/nofollow"
)

const (
	// applicationID marks a SQLite file as a session of poscrape: "posc".
	applicationID = 0x706f7363
	// busyTimeout in milliseconds bounds the wait for another process that
	// reads or writes the file, such as a person's sqlite3 shell.
	busyTimeout = 5000
	// maxReaders is how many readers share the file at once.
	maxReaders = 4
)

// Problems of session files.
const (
	damaged = "is damaged; restore it from a copy, or start a new session"
	foreign = "is not a session of poscrape, or is damaged; name the folder of a session"
)

// FileError is returned for a session file that cannot be used: it is missing,
// no session, damaged, or of a newer version.
type FileError struct {
	Path string
	// Problem says what is wrong with it and what to do.
	Problem string
	// Err is the error behind it, or nil.
	Err error
}

func (e *FileError) Error() string {
	text := fmt.Sprintf("the session file %s %s", e.Path, e.Problem)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the error behind it.
func (e *FileError) Unwrap() error { return e.Err }

// Is makes a disk that is full, read-only or broken known by the system's name.
func (e *FileError) Is(target error) bool {
	var code *sqlite.Error
	if !errors.As(e.Err, &code) {
		return false
	}
	switch code.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return target == syscall.ENOSPC
	case sqlite3.SQLITE_READONLY:
		return target == syscall.EROFS
	case sqlite3.SQLITE_IOERR:
		return target == syscall.EIO
	}
	return false
}

// fileError says what an error of SQLite means for the file.
func fileError(path string, err error) error {
	var known *FileError
	if errors.As(err, &known) {
		return err
	}
	problem := "cannot be used"
	var code *sqlite.Error
	if errors.As(err, &code) {
		switch code.Code() & 0xff {
		case sqlite3.SQLITE_NOTADB:
			problem = foreign
		case sqlite3.SQLITE_CORRUPT:
			problem = damaged
		case sqlite3.SQLITE_FULL:
			problem = "cannot be written: the disk is full"
		case sqlite3.SQLITE_BUSY:
			problem = "is in use by another program; close that and try again"
		case sqlite3.SQLITE_IOERR:
			problem = "cannot be read or written: its disk reports an error"
		case sqlite3.SQLITE_READONLY:
			problem = "cannot be written: the file, or its disk, is read-only"
		case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
			problem = "cannot be opened; look at the permissions of the file and its folder"
		}
	}
	return &FileError{Path: path, Problem: problem, Err: err}
}

func isSQLite(err error) bool {
	var code *sqlite.Error
	return errors.As(err, &code)
}

func isBusy(err error) bool {
	var code *sqlite.Error
	return errors.As(err, &code) && code.Code()&0xff == sqlite3.SQLITE_BUSY
}

// create makes an empty file for its user alone, unless there is one.
func create(path string) (created bool, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, exists(path)
	}
	if err != nil {
		return false, &FileError{Path: path, Problem: "cannot be created", Err: err}
	}
	return true, f.Close()
}

// beingWritten ends the names of the files beside a session file that are written in their place.
var beingWritten = []string{"-wal", "-shm", "-journal", ".lock"}

// checkLinks returns a *FileError where something that is written in its place is a link, has other names,
// or is no file: what it leads to would be changed too. To read, only the files beside the session file are
// written.
func checkLinks(path string, a access) error {
	var files []string
	if a == readWrite {
		files = append(files, path)
	}
	for _, suffix := range beingWritten {
		files = append(files, path+suffix)
	}
	for _, file := range files {
		info, err := os.Lstat(file)
		switch {
		case err != nil: // there is none, or SQLite says what is wrong
		case !info.Mode().IsRegular():
			return &FileError{Path: file, Problem: "is not a file, or a link to one, which is not followed; put the file there, or remove it"}
		case nofollow.Shared(file):
			return &FileError{Path: file, Problem: "has other names (hard links), and what they lead to would be changed with it; copy the folder, as with cp -a, and go on with the copy"}
		}
	}
	return nil
}

func exists(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return &FileError{Path: path, Problem: "cannot be opened", Err: err}
	}
	if !info.Mode().IsRegular() {
		return &FileError{Path: path, Problem: "is not a file; name the session.db in it"}
	}
	return nil
}

type access string

const (
	readWrite access = "rw"
	readOnly  access = "ro"
)

// connect prepares connections to the file, one to write or several to read.
func connect(path string, a access) (*sql.DB, error) {
	abs, err := beside(path, "")
	if err != nil {
		return nil, err
	}
	name := filepath.ToSlash(abs)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // C:/dir of Windows
	}
	query := url.Values{
		"mode":    {string(a)},
		"_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTimeout), "fullfsync(1)", "checkpoint_fullfsync(1)"},
	}
	file := url.URL{Scheme: "file", Path: name, RawQuery: query.Encode()}
	db, err := sql.Open("sqlite", file.String())
	if err != nil {
		return nil, fileError(path, err)
	}
	if a == readWrite {
		db.SetMaxOpenConns(1)
	} else {
		db.SetMaxOpenConns(maxReaders)
		db.SetMaxIdleConns(maxReaders)
	}
	return db, nil
}
