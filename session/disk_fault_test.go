package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/poscrape/poscrape/internal/storage"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// TestExplainedFaults: one message names the disk, what is wrong with it, what to
// do, and the write that failed.
func TestExplainedFaults(t *testing.T) {
	t.Parallel()
	w := newWatched(t)
	file := filepath.Join(w.out, ".staging", "x")
	profile := filepath.Join(w.temp, "poscrape-1-2", "browser-00001-1", "Local State")
	out, temp := "the disk of "+w.out+" ", "the disk of "+w.temp+" (TMPDIR) "
	write := func(path string, err error) error { return &os.PathError{Op: "write", Path: path, Err: err} }
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"full":           {write(file, syscall.ENOSPC), out + "is full; free some space there"},
		"over its quota": {write("orders/PO1", syscall.EDQUOT), out + "has no room left for this user"},
		"read-only":      {write(file, syscall.EROFS), out + "is read-only; see to it that it can be written to"},
		"broken":         {write(file, syscall.EIO), out + "reports an error"},
		"browsers'":      {write(profile, syscall.ENOSPC), temp + "is full; free some space there, or set TMPDIR"},
		"ledger in use":  {&ledger.FileError{Path: "session.db", Problem: "is in use by another program"}, "the session in " + w.out + " cannot be written to"},
		"too large":      {w.disk.room(30_000_000), out + "has too little room left"},
	} {
		err := w.disk.explain(fmt.Errorf("storing a document: %w", c.err))
		var environment *EnvironmentError
		text := err.Error()
		if !errors.As(err, &environment) || !errors.Is(err, c.err) || !strings.HasPrefix(text, c.want) ||
			!strings.Contains(text, "then go on with: poscrape resume "+w.out+": storing a document: ") {
			t.Errorf("%s: %v\nwant %s", name, err, c.want)
		}
	}
	// Whatever failed on a full disk, the disk is the reason.
	w.free[w.temp] = 200_000
	if err := w.disk.explain(syscall.EIO); !strings.HasPrefix(err.Error(), temp+"is full") || !strings.Contains(err.Error(), "0.2 MB are left") {
		t.Errorf("on a full disk: %v", err)
	}
}

func TestRoom(t *testing.T) {
	t.Parallel()
	w := newWatched(t)
	w.free[w.temp] = 5_000_000
	for bytes, fits := range map[int64]bool{0: true, 4_000_000: true, 4_000_001: false} {
		err := w.disk.room(bytes)
		if (err == nil) != fits || !fits && storage.FaultOf(err) != storage.Full {
			t.Errorf("%d bytes: %v", bytes, err)
		}
	}
	w.free[w.out] = exhausted - 1
	if err := w.disk.room(0); storage.FaultOf(err) != storage.Full {
		t.Errorf("nothing is left: %v", err)
	}
}

func TestReserveFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	path := filepath.Join(dir, reserveName)
	var r reserve
	r.spend() // before there is one
	for _, c := range []struct{ orders, free, want int64 }{
		{100, 1 << 40, 4_400_000},
		{10_000, 1 << 40, 44_000_000},
		{10_000, 8_000_000, 2_000_000}, // and what a killed session has left is replaced
	} {
		if err := r.fill(root, int(c.orders), c.free); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(path)
		if err != nil || int64(len(content)) != c.want || !strings.HasPrefix(string(content), reserveText) {
			t.Errorf("for %d orders it has %d bytes, want %d: %v", c.orders, len(content), c.want, err)
		}
	}
	r.spend()
	r.spend()
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}
