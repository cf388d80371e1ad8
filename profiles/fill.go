package profiles

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/poscrape/poscrape/internal/disk"
)

// fill makes the profile's directory and puts in it what a browser starts with.
func (m *ProfileManager) fill(p *Profile) error {
	if err := m.checkSpace(0); err != nil {
		return err
	}
	if err := m.writeRecord(p); err != nil {
		return err
	}
	for _, dir := range []string{p.dir, p.dir + "/Default", p.dir + "/" + downloadsDir} {
		if err := m.root.Mkdir(dir, 0o700); err != nil {
			return err
		}
	}
	if m.cfg.Base != "" {
		base, err := fs.Sub(m.root.FS(), baseDir)
		if err != nil {
			return err
		}
		if err := copyEssentials(base, m.root, p.dir); err != nil {
			return fmt.Errorf("copy the base profile: %w", err)
		}
	}
	if err := m.writePreferences(p); err != nil {
		return err
	}
	return m.give(p.dir)
}

// checkSpace returns ErrNoSpace where fewer than MinFree bytes would be free
// after more bytes were written.
func (m *ProfileManager) checkSpace(more int64) error {
	free, err := m.freeSpace(m.path)
	if err != nil {
		return fmt.Errorf("measure the free space of %s: %w", m.cfg.Parent, err)
	}
	if need := m.cfg.MinFree + more; free < need {
		return fmt.Errorf("%w: %s has %s free and a profile needs %s; free some, or name a directory on another disk with --temp-dir",
			ErrNoSpace, m.cfg.Parent, disk.Bytes(free), disk.Bytes(need))
	}
	return nil
}

// freeSpace returns how many bytes this user can still write there.
func freeSpace(path string) (int64, error) {
	space, err := disk.Measure(path)
	return space.Free, err
}

// give hands a directory and all that is in it to the user whom Chrome runs as.
// The directory itself comes last: until then that user cannot get in.
func (m *ProfileManager) give(dir string) error {
	if m.cfg.UID <= 0 {
		return nil
	}
	var paths []string
	err := fs.WalkDir(m.root.FS(), dir, func(path string, _ fs.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	})
	if err != nil {
		return err
	}
	for _, path := range slices.Backward(paths) {
		if err := m.root.Lchown(path, m.cfg.UID, m.cfg.GID); err != nil {
			return fmt.Errorf("give the profile to user %d: %w", m.cfg.UID, err)
		}
	}
	return nil
}
