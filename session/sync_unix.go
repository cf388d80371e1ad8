//go:build !windows

package session

import "os"

func syncFile(dir *os.File) error { return dir.Sync() }
