package documents

import (
	"cmp"

	"golang.org/x/sys/unix"
)

// setMark sets the attribute that Linux's desktops know (freedesktop.org, CommonExtendedAttributes).
func (s *Store) setMark(name, origin string) {
	if f, err := s.Root.Open(name); err == nil {
		_ = unix.Fsetxattr(int(f.Fd()), "user.xdg.origin.url", []byte(cmp.Or(origin, "about:internet")), 0)
		_ = f.Close()
	}
}
