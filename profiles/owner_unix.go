//go:build unix

package profiles

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// isMe reports whether this process runs as the user.
func isMe(uid int) bool { return uid == os.Geteuid() }

// canGiveTo returns an error if this process may not give files to the user.
func canGiveTo(uid int) error {
	if os.Geteuid() == 0 || isMe(uid) {
		return nil
	}
	return fmt.Errorf("only root can give profiles to another user; this is user %d", os.Geteuid())
}

// ownedByMe reports whether the file belongs to the user of this process.
func ownedByMe(info fs.FileInfo) bool { return isMe(ownerOf(info)) }

// ownerOf returns the user that the file belongs to, or -1.
func ownerOf(info fs.FileInfo) int {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return -1
	}
	return int(stat.Uid)
}

// private returns an error if the directory belongs to someone else than uid
// (-1: this process's user), or if others have any right to it.
func private(info fs.FileInfo, uid int) error {
	if uid < 0 {
		uid = os.Geteuid()
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != uid {
		return fmt.Errorf("it belongs to user %d, not to user %d", stat.Uid, uid)
	}
	if open := info.Mode().Perm() & 0o077; open != 0 {
		return fmt.Errorf("others can enter it (its mode is %v)", info.Mode().Perm())
	}
	return nil
}

// canReach returns an error that names the first directory on the way to path
// that the user may not enter.
func canReach(path string, uid, gid int) error {
	if parent := filepath.Dir(path); parent != path {
		if err := canReach(parent, uid, gid); err != nil {
			return err
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	enter := fs.FileMode(0o001)
	switch {
	case int(stat.Uid) == uid:
		enter = 0o100
	case int(stat.Gid) == gid:
		enter = 0o010
	}
	if info.Mode().Perm()&enter == 0 {
		return fmt.Errorf("user %d, whom Chrome runs as, cannot enter %s (mode %v)", uid, path, info.Mode().Perm())
	}
	return nil
}
