package profiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// makingTakes is far longer than an owner needs to make its root: one that has
// no record after that was left in the making.
const makingTakes = time.Minute

// claim is the root directory of a dead owner, whose lock this process holds:
// two sweepers never work in the same one.
type claim struct {
	path string
	root *os.Root
	lock *flock.Flock
}

// candidates returns the paths below all parents that have a root's name, sorted, each
// once and without symbolic links in it. What they are is still to be seen. The error
// names the parents that cannot be read.
func candidates(parents []string) ([]string, error) {
	if len(parents) == 0 {
		parents = []string{""}
	}
	var all []string
	var failed error
	for _, parent := range parents {
		paths, err := rootsBelow(parent)
		all, failed = append(all, paths...), errors.Join(failed, err)
	}
	slices.Sort(all)
	return slices.Compact(all), failed
}

func rootsBelow(parent string) (paths []string, err error) {
	if parent == "" {
		parent = os.TempDir()
	}
	if parent, err = filepath.Abs(parent); err == nil {
		parent, err = filepath.EvalSymlinks(parent)
	}
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(parent)
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), rootPrefix) && rootName.MatchString(entry.Name()) {
			paths = append(paths, filepath.Join(parent, entry.Name()))
		}
	}
	return paths, err
}

// claimRoot takes the root at path if it is provably ours and its owner provably
// dead: a directory of this user, with an owner's record and a lock that nobody
// holds. The owner writes its record while it holds the lock, so one that is
// just being made has no record. Without a claim, why says what a person should
// know of the directory, if anything: nothing is said of those that are others',
// or whose owner lives.
func claimRoot(path string) (c *claim, why string) {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() || !ownedByMe(info) {
		return nil, ""
	}
	root, err := os.OpenRoot(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "" // another sweeper was faster
	}
	if err != nil {
		return nil, fmt.Sprintf("it cannot be opened: %v", err)
	}
	c = &claim{path: path, root: root, lock: flock.New(filepath.Join(path, lockFile), flock.SetFlag(os.O_RDWR))}
	dead, why := c.prove(info)
	if !dead {
		c.release()
		return nil, why
	}
	return c, ""
}

// prove takes the lock, if all else that makes a root is there.
func (c *claim) prove(seen fs.FileInfo) (dead bool, why string) {
	opened, err := c.root.Stat(".")
	if err != nil || !os.SameFile(seen, opened) {
		return false, "" // something else took its place
	}
	missing, foreign := c.marks()
	switch {
	case foreign:
		return false, ""
	case missing != "":
		return false, c.halfMade(missing)
	}
	free, err := c.lock.TryLock()
	if errors.Is(err, fs.ErrNotExist) {
		return false, ""
	}
	if err != nil {
		return false, fmt.Sprintf("its lock cannot be taken: %v", err)
	}
	if !free {
		return false, ""
	}
	// Another sweeper, or its owner, may have removed it since.
	held, err := c.lock.Stat()
	if err != nil {
		return false, ""
	}
	named, err := c.root.Lstat(lockFile)
	return err == nil && os.SameFile(held, named), ""
}

// halfMade says what to do about a directory without one of the owner's files,
// unless an owner or another sweeper is just at it.
func (c *claim) halfMade(missing string) string {
	now, err := c.root.Stat(".")
	if err != nil || time.Since(now.ModTime()) < makingTakes {
		return ""
	}
	return fmt.Sprintf("it has no %s, so nothing proves what it is; look at it and remove it by hand", missing)
}

// marks checks the files that make a directory a root: whether one is missing,
// and whether one is something that no owner makes.
func (c *claim) marks() (missing string, foreign bool) {
	for _, name := range []string{ownerFile, lockFile} {
		info, err := c.root.Lstat(name)
		switch {
		case err != nil:
			missing = name
		case !info.Mode().IsRegular() || !ownedByMe(info):
			foreign = true
		}
	}
	return missing, foreign
}

func (c *claim) release() {
	_ = c.lock.Close() // only read from
	_ = c.root.Close()
}
