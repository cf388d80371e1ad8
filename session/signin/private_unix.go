//go:build unix

package signin

import (
	"fmt"
	"io/fs"
)

// openToOthers says that others than the file's owner can reach it, or returns "".
func openToOthers(path string, mode fs.FileMode) string {
	if mode.Perm()&0o077 == 0 {
		return ""
	}
	return fmt.Sprintf("%s holds a sign-in, and others on this machine can read or change it; close it to them with: chmod 600 %[1]s", path)
}
