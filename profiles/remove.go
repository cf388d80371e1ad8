package profiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// The waits between two attempts to remove a directory.
const (
	firstWait = 10 * time.Millisecond
	maxWait   = 250 * time.Millisecond
)

// Remove removes a profile, with everything in it. Its browser must have ended
// before. Files that are locked or busy are tried again, and directories that
// cannot be written to are made writable, until CleanupTimeout; then the error
// says what is in the way, the profile still counts, and Remove can be called
// again. Removing a profile that is gone is no error.
func (m *ProfileManager) Remove(p *Profile) error {
	if p.manager != m {
		return fmt.Errorf("remove profile %s: %w", p.Name, ErrForeign)
	}
	_, err := m.remove(p, m.deadline())
	return err
}

// RemoveAll removes all profiles at once, side by side, as Remove does, and
// returns how many. The errors name each one that is still there.
func (m *ProfileManager) RemoveAll() (int, error) {
	deadline := m.deadline()
	all := m.existing()
	removed := make([]bool, len(all))
	errs := make([]error, len(all))
	var wg sync.WaitGroup
	for i, p := range all {
		wg.Go(func() { removed[i], errs[i] = m.remove(p, deadline) })
	}
	wg.Wait()
	n := 0
	for _, ok := range removed {
		if ok {
			n++
		}
	}
	return n, errors.Join(errs...)
}

// Close removes all profiles, the root directory, and with it the owner's lock;
// Create is refused from then on. It blocks until that is done, for
// CleanupTimeout at most plus the time that a Create in progress needs. The
// error names what could not be removed; Close can then be called again, and
// the next run's sweep finds it. After a Close without an error, further ones
// do nothing.
func (m *ProfileManager) Close() error {
	m.mu.Lock()
	m.closed = true
	for m.closing {
		m.changed.Wait()
	}
	if m.rootGone {
		m.mu.Unlock()
		return nil
	}
	m.closing = true
	m.mu.Unlock()

	err := m.removeEverything()

	m.mu.Lock()
	defer m.mu.Unlock()
	m.closing = false
	m.rootGone = err == nil
	m.changed.Broadcast()
	return err
}

func (m *ProfileManager) removeEverything() error {
	if _, err := m.RemoveAll(); err != nil {
		return fmt.Errorf("close the profiles in %s: %w", m.path, err)
	}
	if err := m.removeTree(baseDir, m.deadline()); err != nil {
		return fmt.Errorf("remove the copy of the base profile %s: %w", filepath.Join(m.path, baseDir), err)
	}
	if m.cfg.Keep {
		if err := keepRoot(m.root, m.lock); err != nil {
			return fmt.Errorf("keep the directory of the profiles %s: %w", m.path, err)
		}
		return nil
	}
	if err := removeRoot(m.path, m.root, m.lock); err != nil {
		return fmt.Errorf("remove the directory of the profiles %s: %w", m.path, err)
	}
	return nil
}

func (m *ProfileManager) deadline() time.Time { return time.Now().Add(m.cfg.CleanupTimeout) }

func (m *ProfileManager) existing() []*Profile {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([]*Profile, 0, len(m.profiles))
	for p := range m.profiles {
		all = append(all, p)
	}
	return all
}

// remove reports whether it was this call that removed the profile.
func (m *ProfileManager) remove(p *Profile, deadline time.Time) (bool, error) {
	if !m.take(p, removing) {
		return false, nil
	}
	if m.cfg.Keep {
		m.settle(p, gone)
		return false, nil
	}
	if err := m.removeWithin(p, deadline); err != nil {
		m.settle(p, ready)
		return false, fmt.Errorf("remove profile %s (%s): %w", p.Name, p.Path, err)
	}
	m.settle(p, gone)
	return true, nil
}

// removeWithin removes the profile's directory, then its record.
func (m *ProfileManager) removeWithin(p *Profile, deadline time.Time) error {
	if err := m.removeTree(p.dir, deadline); err != nil {
		return err
	}
	return errors.Join(
		ignoreMissing(m.root.Remove(p.dir+recordSuffix)),
		ignoreMissing(m.root.Remove(p.dir+recordSuffix+".tmp")))
}

// removeTree removes a directory of the root, again and again until deadline.
func (m *ProfileManager) removeTree(name string, deadline time.Time) error {
	if err := removeTree(m.root, m.removeAll, name, deadline); err != nil {
		return fmt.Errorf("it is still in use or locked after %v; end what uses it and remove it: %w", m.cfg.CleanupTimeout, err)
	}
	return nil
}

// removeTree removes name and all in it, again and again until deadline, and
// makes writable what keeps it from that.
func removeTree(root *os.Root, removeAll func(name string) error, name string, deadline time.Time) error {
	wait := firstWait
	for {
		err := removeAll(name)
		if err == nil || time.Until(deadline) < wait {
			return err
		}
		makeWritable(root, name)
		time.Sleep(wait)
		wait = min(2*wait, maxWait)
	}
}

// makeWritable gives back to the owner the right to change what is below name.
// What fails here shows when removing is tried again.
func makeWritable(root *os.Root, name string) {
	_ = fs.WalkDir(root.FS(), name, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case d.IsDir():
			_ = root.Chmod(path, 0o700)
		case runtime.GOOS == "windows" && d.Type().IsRegular():
			_ = root.Chmod(path, 0o600)
		}
		return nil
	})
}
