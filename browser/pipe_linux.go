package browser

import (
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// pipeSize in bytes is what a pipe to Chrome holds: the most that a program without
// privileges may ask for, unless /proc/sys/fs/pipe-max-size says otherwise.
const pipeSize = 1 << 20

// widen lets a pipe hold more. A message that does not fit has its writer and its reader
// take turns for every few kilobytes of it. Where that is refused it stays as it is.
func widen(pipe *os.File) {
	if conn, err := pipe.SyscallConn(); err == nil {
		_ = conn.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeSize) })
	}
}

// rawPipe is an end of a pipe that is read and written by system calls of which Go's
// scheduler is not told. None of them waits, so it need not know; and after a moment in
// which nothing was done, as before nearly every message of Chrome's, to be told wakes its
// monitoring thread, which then takes a millisecond to find out that it is not needed.
type rawPipe struct {
	file *os.File
	conn syscall.RawConn
}

// unwatched returns a pipe's end for messages.
func unwatched(pipe *os.File) (io.ReadWriteCloser, error) {
	conn, err := pipe.SyscallConn()
	if err != nil {
		return nil, err
	}
	polled := false
	err = conn.Control(func(fd uintptr) {
		flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		polled = err == nil && flags&unix.O_NONBLOCK != 0
	})
	if err != nil {
		return nil, err
	}
	if !polled { // its system calls wait
		return pipe, nil
	}
	return rawPipe{pipe, conn}, nil
}

func (p rawPipe) Close() error { return p.file.Close() }

func (p rawPipe) Read(b []byte) (int, error) {
	var n int
	var errno syscall.Errno
	err := p.conn.Read(func(fd uintptr) (done bool) {
		n, errno = transfer(unix.SYS_READ, fd, b)
		return errno != unix.EAGAIN
	})
	switch {
	case err != nil:
		return 0, err
	case errno != 0:
		return 0, os.NewSyscallError("read", errno)
	case n == 0 && len(b) > 0:
		return 0, io.EOF
	}
	return n, nil
}

func (p rawPipe) Write(b []byte) (int, error) {
	written := 0
	var errno syscall.Errno
	err := p.conn.Write(func(fd uintptr) (done bool) {
		for written < len(b) {
			var n int
			if n, errno = transfer(unix.SYS_WRITE, fd, b[written:]); errno != 0 {
				return errno != unix.EAGAIN
			}
			written += n
		}
		return true
	})
	if err == nil && errno != 0 {
		err = os.NewSyscallError("write", errno)
	}
	return written, err
}
