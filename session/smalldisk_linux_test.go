package session_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// smallDisk returns a directory with a file system of its own, of so many
// megabytes.
func smallDisk(t *testing.T, megabytes int) string {
	t.Helper()
	dir := testkit.OpenTempDir(t)
	err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dm,mode=1777", megabytes))
	if errors.Is(err, syscall.EPERM) {
		t.Skip("making a small file system needs root:", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { testkit.Unmount(t, dir) })
	return dir
}

// fill writes a file until the disk has only so many bytes left.
func fillDisk(t *testing.T, path string, left int64) {
	t.Helper()
	var fs syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(path), &fs); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, fs.Bsize)
	for n := int64(fs.Bavail) - left/fs.Bsize; n > 0; n-- {
		if _, err := f.Write(block); err != nil {
			return // somebody else has written, too
		}
	}
}

// checkTrue holds a stopped session against the portal, or nil for stand-ins, and the disk: it ended
// because of the machine, its ledger is in order, all that the report says is
// there, no order was charged for the disk, and those that are open can be begun.
func checkTrue(t *testing.T, p *portal.Portal, end session.End) wholeReport {
	t.Helper()
	if end.Status != tasks.SessionInterrupted || end.Cause != session.CauseEnvironment {
		t.Errorf("it ended as %s, cause %q: %s", end.Status, end.Cause, end.Reason)
	}
	checkCleared(t, end)
	r := readReport(t, end.Dir)
	if r.Session.Status != end.Status || r.Session.Reason != end.Reason {
		t.Errorf("the report says %s: %s", r.Session.Status, r.Session.Reason)
	}
	checkRecords(t, p, end.Dir, r.Tasks)
	l := checkLedger(t, end.Dir)
	if l.Ready != r.Totals.Pending || l.ByState[tasks.StateCompleted] != r.Totals.Completed || l.Total != r.Totals.Tasks {
		t.Errorf("the ledger has %+v, the report %+v", l, r.Totals)
	}
	return r
}

// checkRecords holds orders against the portal that they come from, or nil for stand-ins.
func checkRecords(t *testing.T, p *portal.Portal, dir string, list []report.Task) {
	t.Helper()
	for _, task := range list {
		switch task.State {
		case tasks.StateCompleted:
			if p == nil {
				continue // stand-ins have brought it
			}
			order, _ := p.Order(task.PO)
			if released := releasedAttempts(task); released == 0 {
				checkTask(t, dir, p, order, order.Want, task)
			}
		case tasks.StatePending:
			// What was only fetched is put back with what it has, to be read again.
			if released := releasedAttempts(task); released != len(task.Attempts) || len(task.Attachments) > 0 && task.Executor != tasks.ExecutorFetch {
				t.Errorf("%s was charged: %+v, %+v", task.PO, task.Attempts, task.Error)
			}
		default:
			t.Errorf("%s is %s: %+v", task.PO, task.State, task.Error)
		}
	}
}

func releasedAttempts(task report.Task) int {
	n := 0
	for _, a := range task.Attempts {
		if a.Released {
			n++
		}
	}
	return n
}

// checkLedger opens the ledger as the next run would, and returns what is in it.
func checkLedger(t *testing.T, dir string) tasks.Stats {
	t.Helper()
	l, err := ledger.OpenExisting(filepath.Join(dir, "session.db"))
	if err != nil {
		t.Fatal(err)
	}
	stats, err := l.Stats(t.Context())
	if err := errors.Join(err, l.Close()); err != nil {
		t.Error(err)
	}
	return stats
}
