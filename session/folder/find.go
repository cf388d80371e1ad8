package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
