//go:build unix

package profiles

import "syscall"

// freeSpace returns how many bytes an ordinary user can still write there.
func freeSpace(path string) (int64, error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(path, &stat); err != nil {
		return 0, err
	}
	//nolint:unconvert // the type of Bsize is another on other systems
	return int64(stat.Bavail) * int64(stat.Bsize), nil
}
