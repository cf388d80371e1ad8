package profiles

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Size returns the sum of the lengths of all regular files in the profile, its
// downloads included, in bytes. Symbolic links are not followed, and files that
// the browser removes meanwhile do not disturb. It returns ErrGone if the profile was removed meanwhile.
func (m *ProfileManager) Size(p *Profile) (int64, error) {
	if err := m.present(p); err != nil {
		return 0, fmt.Errorf("measure profile %s: %w", p.Name, err)
	}
	var size int64
	err := fs.WalkDir(m.root.FS(), p.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			var info fs.FileInfo
			if info, err = d.Info(); err == nil {
				size += info.Size()
			}
		}
		if path != p.dir {
			err = ignoreMissing(err)
		}
		return err
	})
	if err != nil {
		// It may have been removed meanwhile: that is why, then.
		return 0, fmt.Errorf("measure profile %s: %w", p.Name, cmp.Or(m.present(p), err))
	}
	return size, nil
}

// Validate returns nil if the profile is fit for a browser: it is the directory
// that was made, still there, private, and within SizeLimit. The error matches
// ErrGone, ErrForeign, ErrTampered or ErrTooLarge; the remedy is to remove the
// profile and to make another one.
func (m *ProfileManager) Validate(p *Profile) error {
	if err := m.validate(p); err != nil {
		return fmt.Errorf("profile %s (%s): %w", p.Name, p.Path, err)
	}
	return nil
}

func (m *ProfileManager) validate(p *Profile) error {
	if err := m.present(p); err != nil {
		return err
	}
	// By its path, as Chrome will find it.
	info, err := os.Lstat(p.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: it is not there any more", ErrTampered)
	case err != nil:
		return err
	case !os.SameFile(info, p.made):
		return fmt.Errorf("%w: something else is in its place", ErrTampered)
	}
	if err := private(info, m.cfg.UID); err != nil {
		return fmt.Errorf("%w: %w", ErrTampered, err)
	}
	if info, err := os.Lstat(p.Downloads); err != nil || !info.IsDir() {
		return fmt.Errorf("%w: its directory for downloads is not there any more", ErrTampered)
	}
	size, err := m.Size(p)
	if err != nil {
		return err
	}
	if size > m.cfg.SizeLimit {
		return fmt.Errorf("%w: it has %d bytes, the limit is %d", ErrTooLarge, size, m.cfg.SizeLimit)
	}
	return nil
}

// present returns an error if the profile is not one of ours that exists.
func (m *ProfileManager) present(p *Profile) error {
	if p.manager != m {
		return ErrForeign
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if p.state == removing || p.state == gone {
		return ErrGone
	}
	return nil
}
