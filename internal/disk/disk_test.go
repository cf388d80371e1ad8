package disk_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/poscrape/poscrape/internal/disk"
)

func TestMeasure(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	here, err := disk.Measure(dir)
	if err != nil || here.Device == "" || here.Size <= 0 || here.Free <= 0 || here.Free > here.Size {
		t.Errorf("%+v, %v", here, err)
	}
	below := filepath.Join(dir, "below")
	if err := os.Mkdir(below, 0o700); err != nil {
		t.Fatal(err)
	}
	if there, err := disk.Measure(below); err != nil || there.Device != here.Device || there.Size != here.Size {
		t.Errorf("two directories of one file system: %+v and %+v, %v", here, there, err)
	}
	if runtime.GOOS == "linux" {
		if proc, err := disk.Measure("/proc"); err != nil || proc.Device == here.Device {
			t.Errorf("two file systems: %+v and %+v, %v", here, proc, err)
		}
	}
	if _, err := disk.Measure(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a directory that is not there was measured")
	}
}

func TestFaultOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want disk.Fault
	}{
		{nil, ""},
		{errors.New("no space left on device"), ""},
		{os.ErrNotExist, ""},
		{os.ErrPermission, ""},
		{syscall.EPIPE, ""},
		{&os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, disk.Full},
		{&os.LinkError{Op: "rename", Err: syscall.EDQUOT}, disk.Quota},
		{fmt.Errorf("storing: %w", errors.Join(os.ErrClosed, syscall.EROFS)), disk.ReadOnly},
		{os.NewSyscallError("read", syscall.EIO), disk.Broken},
		{&os.LinkError{Op: "rename", Err: syscall.EXDEV}, disk.Split},
	} {
		if got := disk.FaultOf(c.err); got != c.want {
			t.Errorf("%v: got %q, want %q", c.err, got, c.want)
		}
	}
}

// TestFullDevice asks a device that is always full what it says.
func TestFullDevice(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full:", err)
	}
	defer full.Close()
	if _, err := full.WriteString("x"); disk.FaultOf(err) != disk.Full {
		t.Errorf("got %v", err)
	}
}
