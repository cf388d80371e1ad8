package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/poscrape/poscrape/internal/trust"
)

// Find returns the absolute path of a folder that holds a ledger, or an *Error.
func Find(name string) (string, error) {
	dir, err := filepath.Abs(name)
	if err != nil {
		return "", &Error{Dir: name, Problem: "cannot be found", Err: err}
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", &Error{Dir: name, Problem: "does not exist; name the folder of a session, as below poscrape-out"}
	case err != nil:
		return "", &Error{Dir: name, Problem: "cannot be used", Err: errors.New(Reason(err))}
	case !info.IsDir():
		return "", &Error{Dir: name, Problem: "is no folder; name the folder of a session, as below poscrape-out"}
	}
	switch _, err := os.Stat(filepath.Join(dir, LedgerName)); {
	case errors.Is(err, fs.ErrPermission):
		return "", &Error{Dir: name, Problem: "cannot be entered: the session is another user's"}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", &Error{Dir: name, Problem: "cannot be used", Err: errors.New(Reason(err))}
	case err != nil:
		return "", &Error{Dir: name, Problem: fmt.Sprintf("is not the folder of a session: there is no %s in it; %s", LedgerName, instead(name))}
	}
	return dir, nil
}

// instead says which folder to name in place of one that is no session's.
func instead(dir string) string {
	for _, up := range []string{"..", filepath.Join("..", "..")} {
		around := filepath.Join(dir, up)
		if _, err := os.Stat(filepath.Join(around, LedgerName)); err == nil {
			return "it lies in one, so name " + around
		}
	}
	below := ""
	for _, pattern := range []string{"*/" + LedgerName, "poscrape-out/*/" + LedgerName} {
		found, _ := fs.Glob(os.DirFS(dir), pattern) // only a malformed pattern is an error
		if len(found) > 0 {
			below = filepath.Join(dir, filepath.Dir(filepath.FromSlash(found[len(found)-1]))) // names begin with the time
		}
	}
	if below != "" {
		return "name one below it, such as " + below
	}
	return "name the folder of a session, as below poscrape-out"
}

// FindOwn is Find for a session that is gone on with, or taken from: the folder and its ledger must
// be this user's or root's, and not writable for everybody, where their file system keeps that.
func FindOwn(name string) (string, error) {
	dir, err := Find(name)
	if err != nil {
		return "", err
	}
	paths := []string{dir}
	for _, file := range ledgerFiles {
		paths = append(paths, filepath.Join(dir, file))
	}
	for _, path := range paths {
		if why := others(path); why != "" {
			return "", &Error{Dir: name, Problem: fmt.Sprintf("is not only yours: %s %s; what others can change is not gone on with", path, why)}
		}
	}
	return dir, nil
}

// others says why a file or directory is not only this user's, or returns "". What is not there is.
func others(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	why := trust.Others(info)
	if why == "" || !keepsOwners(path, info.IsDir()) {
		return ""
	}
	return why
}

// keepsOwners reports whether the file system that a path is in keeps owners and modes: whether what
// this process makes there is its own, and closed to others. Where that cannot be tried, it does.
func keepsOwners(path string, isDir bool) bool {
	if !isDir {
		path = filepath.Dir(path)
	}
	probe, err := os.CreateTemp(path, ".poscrape-*") // 0600
	if err != nil {
		return true
	}
	info, err := probe.Stat()
	_ = errors.Join(probe.Close(), os.Remove(probe.Name())) // who left it there, if not we, does not matter
	return err != nil || trust.Others(info) == "" && info.Mode().Perm()&0o077 == 0
}
