package profiles

import "fmt"

// FreeSpace returns how many bytes this user can still write to the file system
// that path is on.
func FreeSpace(path string) (int64, error) {
	free, err := freeSpace(path)
	if err != nil {
		return 0, fmt.Errorf("measure the free space of %s: %w", path, err)
	}
	return free, nil
}
