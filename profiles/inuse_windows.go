package profiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// checkUnused returns ErrBaseInUse if a Chrome runs in the user data directory.
// A running Chrome keeps the file "lockfile" open and lets nobody else open it.
func checkUnused(base *os.Root) error {
	file, err := base.OpenFile("lockfile", os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: close the Chrome that uses it: %w", ErrBaseInUse, err)
	}
	return file.Close()
}
