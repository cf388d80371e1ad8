package testkit

import (
	"syscall"
	"testing"
)

// Unmount fails the test where something still uses what is mounted there. A process that is just being started has
// all open files for a moment.
func Unmount(t testing.TB, dir string) {
	t.Helper()
	var err error
	if !Holds(func() bool { err = syscall.Unmount(dir, 0); return err == nil }) {
		t.Errorf("something still uses what is mounted at %s: %v", dir, err)
	}
}
