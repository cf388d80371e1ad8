package session_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// quick are the variations that need no waiting.
func quick() []portal.Variation {
	return slices.DeleteFunc(portal.Variations(), func(v portal.Variation) bool {
		return slices.Contains([]portal.Variation{portal.EndlessSpinner, portal.Slow, portal.LateMount}, v)
	})
}

// files returns the hash of each file below the session's orders.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	root := filepath.Join(dir, "orders")
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == root {
			return nil // no order has any
		}
		if err == nil && !entry.IsDir() {
			found[strings.TrimPrefix(path, root)] = sum(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestOneAndEightWorkersBringTheSameFiles starts nine Chromes, for which two processors take long:
// make test does it with stand-ins.
func TestOneAndEightWorkersBringTheSameFiles(t *testing.T) {
	t.Parallel()
	if os.Getenv(thorough) == "" {
		synctest.Test(t, oneAndEightBringTheSame)
		return
	}
	variations := quick()
	p, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: len(variations), Variations: variations})
	sets := map[int]map[string]string{}
	for _, workers := range []int{1, 8} {
		p.Reset()
		cfg := config(t, sheet)
		cfg.Workers = workers
		end, r := run(t, cfg)
		checkAsMeant(t, p, end.Dir, r)
		checkCleared(t, end)
		sets[workers] = files(t, end.Dir)
		listed := 0
		for _, task := range r.Tasks {
			for _, a := range task.Attachments {
				if a.State == tasks.AttachmentDone {
					listed++
				}
			}
		}
		if listed != len(sets[workers]) {
			t.Errorf("%d workers: the report names %d files, and %d are there", workers, listed, len(sets[workers]))
		}
	}
	if !maps.Equal(sets[1], sets[8]) {
		t.Errorf("one worker brought %v, eight %v", sets[1], sets[8])
	}
}

func oneAndEightBringTheSame(t *testing.T) {
	sets := map[int]map[string]string{}
	for _, workers := range []int{1, 8} {
		on := &session.StandIns{Act: func(task *tasks.ProcessingTask) session.Act {
			n := task.Rows[0].Line
			act := session.Act{Takes: time.Duration(n%7) * 100 * time.Millisecond, Documents: map[string]string{}}
			for i := range n % 4 {
				act.Documents[fmt.Sprint(i, ".pdf")] = fmt.Sprint("%PDF-1.4 ", task.PO, i)
			}
			switch {
			case n%11 == 0 && len(task.History) == 0:
				act.Loses = true
			case n%5 == 0 && len(task.History) == 0:
				act.Err = tasks.Retry(tasks.ClassPage, "it broke")
			case n%4 == 0:
				act.Outcome = tasks.OutcomeNoAttachments
			}
			return act
		}}
		cfg := standing(t, 60)
		cfg.Workers = workers
		end, r := runOn(t, cfg, on)
		if !end.Well() || r.Totals.Completed != 60 || len(r.Workers) != workers {
			t.Errorf("%d workers: %+v", len(r.Workers), r.Totals)
		}
		checkCleared(t, end)
		checkCounts(t, r, 60)
		sets[workers] = files(t, end.Dir)
		if n := r.Totals.Attachments.Done; n != len(sets[workers]) || n < 60 {
			t.Errorf("%d workers: the report counts %d files, and %d are there", workers, n, len(sets[workers]))
		}
	}
	if !maps.Equal(sets[1], sets[8]) {
		t.Errorf("one worker brought %v, eight %v", sets[1], sets[8])
	}
}

func TestWorkersThatLiveForOneOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cfg := standing(t, 6)
		cfg.Lifetime, cfg.Distribution = session.Once, tasks.RoundRobin
		end, r := runOn(t, cfg, takes(time.Second))
		started := 0
		for _, e := range r.Events {
			if e.Type == tasks.EventWorkerStarted {
				started++
			}
		}
		if r.Totals.Completed != 6 || started < 6 {
			t.Errorf("%d orders completed by %d workers", r.Totals.Completed, started)
		}
		checkCleared(t, end)
	})
}

func TestBrowsersAreRecycled(t *testing.T) {
	t.Parallel()
	_, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: 5, Variations: []portal.Variation{portal.Plain}})
	cfg := config(t, sheet)
	cfg.Workers, cfg.MaxOrders = 1, 2
	end, r := run(t, cfg)
	recycled := 0
	for _, e := range r.Events {
		if e.Type == tasks.EventWorkerRecycled {
			recycled++
		}
	}
	if r.Totals.Completed != 5 || recycled < 2 {
		t.Errorf("%d orders completed, %d browsers recycled", r.Totals.Completed, recycled)
	}
	checkBrowserIDs(t, end.Dir, r)
	checkCleared(t, end)
}

// checkBrowserIDs checks the ids in a session with one slot: each browser has its own,
// under which it starts and ends, in the report and in the log.
func checkBrowserIDs(t *testing.T, dir string, r wholeReport) {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(dir, "poscrape.log"))
	if err != nil {
		t.Fatal(err)
	}
	var last uuid.UUID
	open := false
	for _, e := range r.Events {
		switch e.Type {
		case tasks.EventWorkerStarted:
			if open || e.BrowserID.Version() != 7 || e.BrowserID.String() <= last.String() {
				t.Errorf("the browser %s was started after %s, which was open: %t", e.BrowserID, last, open)
			}
			last, open = e.BrowserID, true
		case tasks.EventWorkerRecycled, tasks.EventWorkerStopped:
			if !open || e.BrowserID != last {
				t.Errorf("%s: the browser is %s, want %s", e.Type, e.BrowserID, last)
			}
			open = false
		default:
			continue
		}
		if n := bytes.Count(log, []byte(`"browser_id":"`+e.BrowserID.String()+`"`)); n != 2 {
			t.Errorf("the log names the browser %s %d times, want 2", e.BrowserID, n)
		}
	}
	if w := r.Workers[0]; open || w.ID != "worker_001" || w.BrowserID != last {
		t.Errorf("the worker %s has the browser %s, want %s", w.ID, w.BrowserID, last)
	}
}

func TestTwoOrdersNeverShareAFolder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cfg := standing(t, 40)
		cfg.Workers = 4
		on := &session.StandIns{Act: func(task *tasks.ProcessingTask) session.Act {
			return session.Act{Takes: time.Second, Folder: []string{"Acme", "ACME", "Globex"}[task.Rows[0].Line%3]}
		}}
		end, r := runOn(t, cfg, on)
		if n := checkBrought(t, end.Dir, r); n != 40 {
			t.Errorf("%d orders have ended", n)
		}
		owners := map[string]string{}
		shared := 0
		for _, task := range r.Tasks {
			key := strings.ToLower(task.Folder) // not every disk tells cases apart
			if other, taken := owners[key]; taken {
				t.Errorf("%s and %s share %s", task.PO, other, task.Folder)
			}
			owners[key] = task.PO
			if strings.Contains(task.Folder, "~") {
				shared++
			}
		}
		if shared != 38 {
			t.Errorf("%d folders have a name of their own, want all but one for each supplier", shared)
		}
	})
}

func TestBadRowsStopNothing(t *testing.T) {
	t.Parallel()
	cfg := standing(t, 0)
	rows := "po,url,note\n" + "PO1001,https://portal.example/1,\nPO1002,https://portal.example/2,\n" +
		",,no number\n1.5E+07,http://127.0.0.1/x,digits lost\nPO1001,,again\n"
	testkit.Write(t, cfg.File, rows)
	end, r := runOn(t, cfg, takes(0))
	if end.ByOutcome[tasks.OutcomeInvalidInput] != 2 || r.Totals.Rows != 5 || r.Totals.Tasks != 4 || r.Totals.Completed != 2 {
		t.Errorf("got %+v, %+v", end.ByOutcome, r.Totals)
	}
	failed, err := os.ReadFile(filepath.Join(end.Dir, "failed.csv"))
	if err != nil || !strings.Contains(string(failed), "digits lost") || strings.Contains(string(failed), "again") {
		t.Errorf("failed.csv: %v\n%s", err, failed)
	}
}
