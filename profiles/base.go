package profiles

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/poscrape/poscrape/internal/disk"
)

// baseDir is where the root keeps the base's essentials. No profile's directory
// has this name: theirs end in a number.
const baseDir = "base"

// essentials are what keeps a person signed in, and nothing else: no locks of
// the browser (Singleton*), no caches, no crash reports, no history.
var essentials = []string{
	"Local State",
	"Default/Preferences",
	"Default/Cookies*",
	"Default/Network/Cookies*",
	"Default/Local Storage",
	"Default/IndexedDB",
}

// copyBase copies the base's essentials into the root, once: all profiles then
// start from the same state, whatever becomes of the base meanwhile.
func (m *ProfileManager) copyBase() error {
	base, err := os.OpenRoot(m.cfg.Base)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBase, err)
	}
	defer func() { _ = base.Close() }()
	if err := checkUnused(base); err != nil {
		return err
	}
	files, err := listEssentials(base.FS())
	if err != nil {
		return err
	}
	size, isProfile := int64(0), false
	for _, f := range files {
		size += f.size
		isProfile = isProfile || f.mode.IsRegular()
	}
	if !isProfile {
		return fmt.Errorf("%w: neither \"Local State\" nor \"Default/Preferences\" nor cookies are in it; give the directory that holds \"Default\"", ErrBase)
	}
	if size > m.cfg.SizeLimit {
		return fmt.Errorf("%w: its essentials have %s, the limit is %s", ErrTooLarge, disk.Bytes(size), disk.Bytes(m.cfg.SizeLimit))
	}
	if err := m.checkSpace(size); err != nil {
		return err
	}
	if err := m.root.Mkdir(baseDir, 0o700); err != nil {
		return err
	}
	if err := copyEssentials(base.FS(), m.root, baseDir); err != nil {
		return err
	}
	return checkUnused(base) // a browser that was started meanwhile makes the copy worthless
}

type essential struct {
	path string
	mode fs.FileMode
	size int64
}

// listEssentials returns the directories and regular files among the
// essentials, directories before what is in them. Symbolic links and special
// files are left out.
func listEssentials(from fs.FS) ([]essential, error) {
	var found []essential
	for _, pattern := range essentials {
		matches, err := fs.Glob(from, pattern)
		if err != nil {
			return nil, err
		}
		for _, match := range matches {
			err := fs.WalkDir(from, match, func(path string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := d.Info()
				if err != nil {
					return err
				}
				switch {
				case info.IsDir():
					found = append(found, essential{path: path, mode: info.Mode()})
				case info.Mode().IsRegular():
					found = append(found, essential{path: path, mode: info.Mode(), size: info.Size()})
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// copyEssentials copies them into the directory to of root, all of it private.
func copyEssentials(from fs.FS, root *os.Root, to string) error {
	files, err := listEssentials(from)
	if err != nil {
		return err
	}
	for _, f := range files {
		target := path.Join(to, f.path)
		if f.mode.IsDir() {
			err = root.MkdirAll(target, 0o700)
		} else if err = root.MkdirAll(path.Dir(target), 0o700); err == nil {
			err = copyFile(from, f.path, root, target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from fs.FS, name string, root *os.Root, target string) (err error) {
	source, err := from.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	out, err := root.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, source)
	return err
}
