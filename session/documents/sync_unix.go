//go:build !windows

package documents

import "os"

func syncFile(dir *os.File) error { return dir.Sync() }
