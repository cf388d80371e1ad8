//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/poscrape/poscrape/internal/shell"
)

// foreign says why a file is not only its reader's own, and what to do about that, or nothing.
// A group of the reader's own, which has the user's number, may write it: many systems give each user
// one, and a umask that lets it.
func foreign(info fs.FileInfo, name string) (why, mend string) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	othersWrite := fs.FileMode(0o022)
	if ok && int(stat.Gid) == os.Geteuid() {
		othersWrite = 0o002
	}
	switch {
	case ok && int(stat.Uid) != os.Geteuid() && stat.Uid != 0:
		return fmt.Sprintf("it belongs to another user (%d)", stat.Uid), "make it your own"
	case info.Mode().Perm()&othersWrite != 0:
		return "other users can write it", "run 'chmod go-w " + shell.Word(name) + "'"
	}
	return "", ""
}
