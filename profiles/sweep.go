package profiles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"
)

// sweepTimeout bounds the wait for processes that were ended, and once more the
// removal of one root.
const sweepTimeout = 10 * time.Second

// Swept says what a sweep has done.
type Swept struct {
	// Removed are the roots that are gone, with the processes that were ended.
	Removed []Leftover
	// Left are those that are still there, each with the Reason.
	Left []Leftover
}

// Sweep ends and removes what dead owners left below the parents: the process groups
// of their browsers, then the directories. An empty parent, or none, means the system's
// directory for temporary files. Only what Leftovers names is examined; while a
// root is being swept its owner's lock is held, so that sweepers may meet.
//
// Processes are ended where it is proven that they are the browsers' (Linux
// only; elsewhere a Chrome ends by itself when its owner has, and a directory
// that it still uses is left). A root whose browsers may still run is left as it
// is. All roots are swept side by side; Sweep blocks until that is done, twenty
// seconds at the most, and some milliseconds where there is nothing to do. Once
// ctx has ended, no other root is begun.
//
// What was kept (Config.Keep) is left, and not told of. The error is that of reading the parents; what
// went wrong with a root is its Reason.
func Sweep(ctx context.Context, parents ...string) (Swept, error) {
	return sweepBelow(ctx, parents, false)
}

// SweepAll is Sweep, and removes what was kept, too.
func SweepAll(ctx context.Context, parents ...string) (Swept, error) {
	return sweepBelow(ctx, parents, true)
}

func sweepBelow(ctx context.Context, parents []string, kept bool) (Swept, error) {
	paths, err := candidates(parents)
	if err != nil {
		err = fmt.Errorf("sweep up what earlier runs left: %w", err)
	}
	found := make([]*Leftover, len(paths))
	var wg sync.WaitGroup
	for i, path := range paths {
		wg.Go(func() { found[i] = sweepRoot(ctx, path, kept) })
	}
	wg.Wait()
	var s Swept
	for _, l := range found {
		switch {
		case l == nil:
		case l.Reason == "":
			s.Removed = append(s.Removed, *l)
		default:
			s.Left = append(s.Left, *l)
		}
	}
	return s, err
}

// sweepRoot returns nil where there is nothing to say of the path.
func sweepRoot(ctx context.Context, path string, kept bool) *Leftover {
	if ctx.Err() != nil {
		return nil
	}
	c, why := claimRoot(path)
	if c == nil {
		if why == "" {
			return nil
		}
		return &Leftover{Path: path, Reason: why}
	}
	defer c.release()
	l, records := c.read()
	if l.Kept && !kept {
		return nil
	}
	f, err := endFamily(ctx, c.path, records, c.users(), time.Now().Add(sweepTimeout))
	l.note(f, err)
	if l.Reason == "" {
		if err := c.remove(ctx, time.Now().Add(sweepTimeout)); err != nil {
			l.Reason = fmt.Sprintf("it cannot be removed: %v", err)
		}
	}
	return &l
}

// remove removes the root with all that is in it. The owner's files go last, and
// only when nothing else is left, so that another sweep finds what this one
// could not remove.
func (c *claim) remove(ctx context.Context, deadline time.Time) error {
	_ = c.root.Chmod(".", 0o700) // what fails here shows below
	for {
		contents, err := c.contents()
		if err != nil {
			return err
		}
		if len(contents) == 0 {
			return removeRoot(c.path, c.root, c.lock)
		}
		var errs []error
		for _, name := range contents {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			errs = append(errs, removeTree(c.root, c.root.RemoveAll, name, deadline))
		}
		if err := errors.Join(errs...); err != nil {
			return err
		}
		if time.Now().After(deadline) {
			return errors.New("something writes to it again and again")
		}
	}
}

// contents returns what is in the root besides the owner's files.
func (c *claim) contents() ([]string, error) {
	entries, err := fs.ReadDir(c.root.FS(), ".")
	var names []string
	for _, entry := range entries {
		if entry.Name() != lockFile && entry.Name() != ownerFile {
			names = append(names, entry.Name())
		}
	}
	return names, err
}
