//go:build unix && !linux

package browser

import (
	"os"
	"syscall"
)

func dieWithParent(*syscall.SysProcAttr) {}

// widen: the size of a pipe cannot be chosen here.
func widen([]*os.File) {}

// groupRuns: this system offers no cheap look at process states, so a group
// that can be signalled counts as running.
func groupRuns(int) bool { return true }

// sharedMemory: Chrome does not use /dev/shm here.
func sharedMemory() uint64 { return minSharedMemory }
