package report

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
)

// TestFullDiskLeavesTheEarlierReport writes a report to a disk that has room for
// a part of it only, for many sizes of that part: the earlier one stays, whole.
func TestFullDiskLeavesTheEarlierReport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m")
	if errors.Is(err, syscall.EPERM) {
		t.Skip("making a small file system needs root:", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { testkit.Unmount(t, dir) })
	if _, err := WriteFiles(t.Context(), dir, finished()); err != nil {
		t.Fatal(err)
	}
	before := contents(t, dir)
	changed := finished()
	changed.session.Host = "another"
	failed, step := 0, int64(12)
	if thorough() {
		step = 4
	}
	left := int64(0)
	for ; left < 140; left += step {
		filler := filepath.Join(dir, "filler")
		fillBut(t, filler, left<<10)
		_, err := WriteFiles(t.Context(), dir, changed)
		if rmErr := os.Remove(filler); rmErr != nil {
			t.Fatal(rmErr)
		}
		if err == nil {
			break
		}
		failed++
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("with %d KB left: %v", left, err)
		}
		if after := contents(t, dir); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("with %d KB left, the folder holds %q", left, names(t, dir))
		}
	}
	if failed < 3 || left >= 140 {
		t.Errorf("%d writes failed: the disk was never full, or always", failed)
	}
}

// fillBut writes noise until so many bytes are left.
func fillBut(t *testing.T, path string, left int64) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var fs syscall.Statfs_t
	if err := syscall.Statfs(path, &fs); err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(f, rand.NewChaCha8([32]byte{}), int64(fs.Bavail)*fs.Bsize-left); err != nil {
		t.Fatal(err)
	}
}
