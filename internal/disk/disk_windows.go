package disk

import (
	"os"
	"path/filepath"
	"syscall"
	"unsafe"
)

// The system's codes (winerror.h); ENOSPC and EDQUOT are what Go makes of none
// of them, but what other code may return.
const (
	errNotSameDevice  = syscall.Errno(17)
	errWriteProtect   = syscall.Errno(19)
	errHandleDiskFull = syscall.Errno(39)
	errDiskFull       = syscall.Errno(112)
	errIODevice       = syscall.Errno(1117)
	errQuotaExceeded  = syscall.Errno(1816)
)

var faults = []known{
	{errDiskFull, Full}, {errHandleDiskFull, Full}, {syscall.ENOSPC, Full}, {errQuotaExceeded, Quota}, {syscall.EDQUOT, Quota},
	{errWriteProtect, ReadOnly}, {syscall.EROFS, ReadOnly}, {errIODevice, Broken}, {syscall.EIO, Broken},
	{errNotSameDevice, Split}, {syscall.EXDEV, Split},
}

var getDiskFreeSpace = syscall.NewLazyDLL("kernel32.dll").NewProc("GetDiskFreeSpaceExW")

// Measure returns the room on the volume that holds path, which must exist.
func Measure(path string) (Space, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return Space{}, err
	}
	name, err := syscall.UTF16PtrFromString(full)
	if err != nil {
		return Space{}, err
	}
	var free, size uint64
	ok, _, err := getDiskFreeSpace.Call(uintptr(unsafe.Pointer(name)),
		uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&size)), 0)
	if ok == 0 {
		return Space{}, &os.PathError{Op: "GetDiskFreeSpaceEx", Path: path, Err: err}
	}
	return Space{Device: filepath.VolumeName(full), Size: int64(min(size, 1<<62)), Free: int64(min(free, 1<<62))}, nil
}
