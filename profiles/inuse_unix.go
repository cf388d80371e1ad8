//go:build unix

package profiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// checkUnused returns ErrBaseInUse if a Chrome runs in the user data directory.
// Chrome marks one by a symbolic link "SingletonLock" to "<host>-<pid>". A mark
// of this host whose process is dead is stale; one of another host may be alive.
func checkUnused(base *os.Root) error {
	mark, err := base.Readlink("SingletonLock")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: its SingletonLock cannot be read: %w", ErrBaseInUse, err)
	}
	cut := strings.LastIndexByte(mark, '-')
	pid, err := strconv.Atoi(mark[cut+1:])
	if cut < 0 || err != nil || pid <= 0 {
		return fmt.Errorf("%w: its SingletonLock says %q; close that Chrome, or remove the file SingletonLock if there is none", ErrBaseInUse, mark)
	}
	if host, err := os.Hostname(); err == nil && host == mark[:cut] && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return nil
	}
	return fmt.Errorf("%w: by the Chrome with process id %d on %s; close it, or remove the file SingletonLock if it does not run", ErrBaseInUse, pid, mark[:cut])
}
