//go:build unix

package worker

import (
	"runtime"
	"syscall"
)

// openFiles is the hard limit: Go's runtime and Chrome raise the soft one to that.
func openFiles() (uint64, bool) {
	var r syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r)
	return limited(uint64(r.Max), err) //nolint:unconvert // on FreeBSD it is signed
}

func userProcesses() (uint64, bool) {
	// The package syscall does not name it.
	number := map[string]int{"linux": 6, "darwin": 7, "freebsd": 7, "netbsd": 7, "openbsd": 7}[runtime.GOOS]
	if number == 0 {
		return 0, false
	}
	return softLimit(number)
}

func addressSpace() (uint64, bool) { return softLimit(syscall.RLIMIT_AS) }

func fileSize() (uint64, bool) { return softLimit(syscall.RLIMIT_FSIZE) }

func softLimit(number int) (uint64, bool) {
	var r syscall.Rlimit
	err := syscall.Getrlimit(number, &r)
	return limited(uint64(r.Cur), err) //nolint:unconvert // on FreeBSD it is signed
}

func limited(n uint64, err error) (uint64, bool) { return n, err == nil && n < 1<<62 }
