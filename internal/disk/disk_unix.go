//go:build unix

package disk

import (
	"fmt"
	"os"
	"syscall"
)

var faults = []known{{syscall.ENOSPC, Full}, {syscall.EDQUOT, Quota}, {syscall.EROFS, ReadOnly}, {syscall.EIO, Broken}, {syscall.EXDEV, Split}}

// Measure returns the room on the file system that holds path, which must exist.
func Measure(path string) (Space, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Space{}, err
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(path, &fs); err != nil {
		return Space{}, &os.PathError{Op: "statfs", Path: path, Err: err}
	}
	device := path
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		device = fmt.Sprint(stat.Dev)
	}
	//nolint:unconvert // the type is another on other systems
	block := int64(fs.Bsize)
	return Space{Device: device, Size: int64(fs.Blocks) * block, Free: int64(fs.Bavail) * block}, nil
}
