// Package nofollow reads and writes below a folder that others may have had their hands
// in: it follows no link that stands there, neither for a file nor for a directory on
// the way to it.
package nofollow

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// LinkError says that something below a folder is a link, or no directory or file
// where one is needed.
type LinkError struct {
	// Name below the folder.
	Name string
	// Is says what stands there: "a link", "no directory".
	Is string
}

func (e *LinkError) Error() string {
	return fmt.Sprintf("%s is %s, which is not followed; remove it", filepath.ToSlash(e.Name), e.Is)
}

// walk returns a *LinkError if something on the way to name, or name itself, is a link.
// What is not there is none.
func walk(root *os.Root, name string) error {
	for i, c := range name + "/" {
		if c != '/' && c != filepath.Separator {
			continue
		}
		at, last := name[:i], i == len(name)
		info, err := root.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case info.Mode()&(os.ModeSymlink|os.ModeIrregular) != 0:
			return &LinkError{at, "a link"}
		case !last && !info.IsDir():
			return &LinkError{at, "no directory"}
		}
	}
	return nil
}

// MkdirAll makes a directory and those that it is in. It returns a *LinkError if one of
// them is there as something else.
func MkdirAll(root *os.Root, name string, perm fs.FileMode) error {
	name = filepath.FromSlash(name)
	if err := walk(root, name); err != nil {
		return err
	}
	if info, err := root.Lstat(name); err == nil && !info.IsDir() {
		return &LinkError{name, "no directory"}
	}
	return root.MkdirAll(name, perm)
}

// Lstat describes a file, as os.Lstat does. It returns a *LinkError if a directory on
// the way to it is a link.
func Lstat(root *os.Root, name string) (fs.FileInfo, error) {
	name = filepath.FromSlash(name)
	if err := walk(root, parent(name)); err != nil {
		return nil, err
	}
	return root.Lstat(name)
}

// Create makes a new file. What is in its place is removed, unless it is a directory with
// something in it.
func Create(root *os.Root, name string, perm fs.FileMode) (*os.File, error) {
	name = filepath.FromSlash(name)
	if err := walk(root, parent(name)); err != nil {
		return nil, err
	}
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm)
}

// WriteFile writes a new file, or none: what it could not write whole is removed again.
func WriteFile(root *os.Root, name string, content []byte, perm fs.FileMode) error {
	f, err := Create(root, name, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, root.Remove(filepath.FromSlash(name)))
	}
	return nil
}

// Append opens a file to write behind what it holds. A link in its place is removed. Where the file
// has other names, it becomes a copy first, so that they keep what they lead to.
func Append(root *os.Root, name string, perm fs.FileMode) (*os.File, error) {
	name = filepath.FromSlash(name)
	if err := walk(root, parent(name)); err != nil {
		return nil, err
	}
	if info, err := root.Lstat(name); err == nil && info.Mode().Type() != 0 {
		if err := root.Remove(name); err != nil {
			return nil, err
		}
	}
	if Shared(filepath.Join(root.Name(), name)) {
		if err := unshare(root, name, perm); err != nil {
			return nil, err
		}
	}
	f, err := root.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, perm)
	if err != nil {
		return nil, err
	}
	return f, f.Chmod(perm)
}

// unshare puts a copy of a file in its place.
func unshare(root *os.Root, name string, perm fs.FileMode) error {
	in, err := root.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // it was only read
	staged := name + ".tmp"
	out, err := Create(root, staged, perm)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close(), in.Close()); err == nil { // Windows replaces no file that is open
		err = root.Rename(staged, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(staged))
	}
	return nil
}

// Holds reports whether a regular file of that size is there.
func Holds(root *os.Root, name string, size int64) bool {
	info, err := Lstat(root, name)
	return err == nil && info.Mode().IsRegular() && info.Size() == size
}

func parent(name string) string {
	if i := strings.LastIndexByte(name, filepath.Separator); i >= 0 {
		return name[:i]
	}
	return "."
}
