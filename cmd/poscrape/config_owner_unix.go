//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// foreign says why a file is not only its reader's own, and what to do about that, or nothing.
func foreign(info fs.FileInfo, name string) (why, mend string) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case ok && int(stat.Uid) != os.Geteuid() && stat.Uid != 0:
		return fmt.Sprintf("it belongs to another user (%d)", stat.Uid), "make it your own"
	case info.Mode().Perm()&0o022 != 0:
		return "other users can write it", "run 'chmod go-w " + shellWord(name) + "'"
	}
	return "", ""
}
