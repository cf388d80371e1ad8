package space

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/poscrape/poscrape/tasks/ledger"
)

// TestExplainedFaults: one message names the disk, what is wrong with it, what to
// do, and the write that failed.
func TestExplainedFaults(t *testing.T) {
	t.Parallel()
	w := newWatched(t)
	file := filepath.Join(w.out, ".staging", "x")
	profile := filepath.Join(w.temp, "poscrape-1-2", "browser-00001-1", "Local State")
	out, temp := "the disk of "+w.out+" ", "the disk of "+w.temp+" (--temp-dir) "
	write := func(path string, err error) error { return &os.PathError{Op: "write", Path: path, Err: err} }
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"full":           {write(file, syscall.ENOSPC), out + "is full; free some space there"},
		"over its quota": {write("orders/PO1", syscall.EDQUOT), out + "has no room left for this user"},
		"read-only":      {write(file, syscall.EROFS), out + "is read-only; see to it that it can be written to"},
		"broken":         {write(file, syscall.EIO), out + "reports an error"},
		"split":          {write(file, syscall.EXDEV), out + "is not one disk any more: another one is mounted in that folder; see to it that the folder"},
		"browsers'":      {write(profile, syscall.ENOSPC), temp + "is full; free some space there, or name a directory on another disk with --temp-dir"},
		"ledger in use":  {&ledger.FileError{Path: "session.db", Problem: "is in use by another program"}, "the session in " + w.out + " cannot be written to"},
		"too large":      {w.Guard.Room(30_000_000), out + "has too little room left"},
	} {
		err := w.Guard.Explain(fmt.Errorf("storing a document: %w", c.err))
		var environment *EnvironmentError
		text := err.Error()
		if !errors.As(err, &environment) || !errors.Is(err, c.err) || !strings.HasPrefix(text, c.want) ||
			!strings.Contains(text, "then go on with: poscrape resume "+w.out+": storing a document: ") {
			t.Errorf("%s: %v\nwant %s", name, err, c.want)
		}
	}
	// Whatever failed on a full disk, the disk is the reason.
	w.free[w.temp] = 200_000
	if err := w.Guard.Explain(syscall.EIO); !strings.HasPrefix(err.Error(), temp+"is full") || !strings.Contains(err.Error(), "200 kB are left") {
		t.Errorf("on a full disk: %v", err)
	}
}
