//go:build !race

package browser

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// transfer reads or writes once, until no signal comes between.
func transfer(call, fd uintptr, b []byte) (int, syscall.Errno) {
	for len(b) > 0 {
		//nolint:gosec // G103: the call itself holds b, as package unsafe asks of a system call
		n, _, errno := unix.RawSyscall(call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
		if errno != unix.EINTR {
			return int(n), errno
		}
	}
	return 0, 0
}
