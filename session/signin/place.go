package signin

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/poscrape/poscrape/internal/nofollow"
	"github.com/poscrape/poscrape/internal/shell"
	"github.com/poscrape/poscrape/scrape"
)

// FileFor returns the state file of a portal: the one that a person has named, or else the one beside
// the recipe, or none where there is no recipe.
func FileFor(named, recipe string, portal *scrape.Portal) *File {
	if named != "" || recipe == "" {
		return NewFile(named, portal)
	}
	return &File{path: PathFor(recipe), unnamed: true, portal: portal}
}

// foundThere returns a *FileError where a file that nobody has named is not a file of its own. A folder that
// was unpacked can have a link there, which leads to another portal's sign-in, or to what is no sign-in.
func foundThere(path string) error {
	info, err := os.Lstat(path)
	var is string
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return &FileError{Path: path, Message: "cannot be looked at: " + reason(err)}
	case info.Mode()&fs.ModeSymlink != 0:
		is = "is a link"
	case !info.Mode().IsRegular():
		is = "is not a file"
	case nofollow.Shared(path):
		is = "has another name too (a hard link)"
	default:
		return nil
	}
	return &FileError{Path: path, Message: is + ", and what lies beside a recipe may have come with it, so it is used only where you name it:" + shell.Flag("state", path)}
}

// target returns the file that is written to, or a *FileError where it must not be.
func (f *File) target() (string, error) {
	path := f.path
	if f.unnamed {
		if err := foundThere(path); err != nil {
			return "", err
		}
	} else if followed, err := filepath.EvalSymlinks(path); err == nil {
		path = followed
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	switch {
	case err != nil: // who writes there says what is wrong
		return path, nil //nolint:nilerr // see above
	case !info.Mode().IsRegular():
		err = errors.New("it is not a file")
	case info.Mode().Perm()&0o200 == 0:
		err = errReadOnly
	case !isState(path):
		err = errors.New("there is something else in it, which is not overwritten")
	}
	if err != nil {
		return "", unsaved(path, err)
	}
	return path, nil
}

// CanWrite returns a *FileError where Write could not write the file, as it looks now.
func (f *File) CanWrite() error {
	path, err := f.target()
	if err != nil {
		return err
	}
	probe, err := os.CreateTemp(filepath.Dir(path), ".poscrape-*.tmp")
	if err == nil {
		err = errors.Join(probe.Close(), os.Remove(probe.Name()))
	}
	if err != nil {
		return unsaved(path, err)
	}
	return nil
}

func unsaved(path string, err error) error {
	return &FileError{Path: path, Message: "the sign-in cannot be saved there: " + reason(err) + "; name another file with --state"}
}

var (
	stateKey   = regexp.MustCompile(`(?i)"(cookies|origins)"\s*:`)
	cookieLine = regexp.MustCompile(`(?im)^# (Netscape )?HTTP Cookie File|^(#HttpOnly_)?[^#\s]\S*\t(TRUE|FALSE)\t/[^\t]*\t(TRUE|FALSE)\t`)
)

// isState reports whether a file looks like a state file, be it damaged, or has nothing in it.
func isState(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxStateFile))
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
	switch {
	case err != nil:
		return false
	case len(text) == 0:
		return true
	case text[0] == '{':
		return stateKey.Match(text)
	}
	return cookieLine.Match(text)
}
