//go:build unix

package monitor

import "golang.org/x/sys/unix"

// softLimits returns how many files this process may open and how many processes its
// user may have; 0 for no limit.
func softLimits() (openFiles, processes int64) {
	return softLimit(unix.RLIMIT_NOFILE), softLimit(unix.RLIMIT_NPROC)
}

func softLimit(resource int) int64 {
	var r unix.Rlimit
	if err := unix.Getrlimit(resource, &r); err != nil || r.Cur >= 1<<62 {
		return 0
	}
	return int64(r.Cur)
}
