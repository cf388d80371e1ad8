package nofollow

import (
	"os"
	"syscall"
)

// Shared reports whether a file has other names besides this path, which may be anywhere on its
// disk: whoever writes to it changes what they lead to. What cannot be looked at has none.
func Shared(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var about syscall.ByHandleFileInformation
	return syscall.GetFileInformationByHandle(syscall.Handle(f.Fd()), &about) == nil && about.NumberOfLinks > 1
}
