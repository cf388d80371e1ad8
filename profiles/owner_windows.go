package profiles

import (
	"errors"
	"io/fs"
)

// On Windows the directory for temporary files lies in the user's own profile,
// whose access list keeps other users out; modes and owners play no part.

func isMe(int) bool { return true }

func canGiveTo(int) error {
	return errors.New("on Windows profiles cannot be given to another user; leave it 0")
}

func ownedByMe(fs.FileInfo) bool { return true }

func ownerOf(fs.FileInfo) int { return -1 }

func private(fs.FileInfo, int) error { return nil }

func canReach(string, int, int) error { return nil }
