package browser

import (
	"os"

	"golang.org/x/sys/unix"
)

// pipeSize in bytes is what a pipe to Chrome holds: the most that a program without
// privileges may ask for, unless /proc/sys/fs/pipe-max-size says otherwise.
const pipeSize = 1 << 20

// widen lets pipes hold more. A message that does not fit has its writer and its reader
// take turns for every few kilobytes of it: without this it was 70 orders a second with two
// documents of 100 KB, and not 75. Where it is refused the pipes stay as they are.
func widen(pipes []*os.File) {
	for _, pipe := range pipes {
		if conn, err := pipe.SyscallConn(); err == nil {
			_ = conn.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeSize) })
		}
	}
}
