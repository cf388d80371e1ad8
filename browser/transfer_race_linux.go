//go:build race

package browser

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// transfer reads or writes once, until no signal comes between. These calls tell the race
// detector that what was done before a message was written comes before what Chrome then
// does with this program, such as to ask a test's server.
func transfer(call, fd uintptr, b []byte) (int, syscall.Errno) {
	once := syscall.Read
	if call == unix.SYS_WRITE {
		once = syscall.Write
	}
	for len(b) > 0 {
		n, err := once(int(fd), b)
		var errno syscall.Errno
		errors.As(err, &errno)
		if errno != unix.EINTR {
			return max(n, 0), errno
		}
	}
	return 0, 0
}
