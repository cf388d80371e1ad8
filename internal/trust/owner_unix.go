//go:build unix

package trust

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Others says why a file or directory is not only this user's own, or returns "": it must belong to
// the user or to root, and not be writable for everybody.
func Others(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case ok && int(stat.Uid) != os.Geteuid() && stat.Uid != 0:
		return fmt.Sprintf("belongs to another user (%d)", stat.Uid)
	case info.Mode().Perm()&0o002 != 0:
		return "can be written by everybody"
	}
	return ""
}
