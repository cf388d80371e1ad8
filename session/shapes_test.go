package session_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// heavy are orders whose documents are fetched, clicked, and sent as a download
// by Chrome itself.
func heavy() []portal.Variation {
	return []portal.Variation{portal.Several, portal.ScriptMount, portal.Blob, portal.TargetBlank, portal.InlinePDF, portal.NoneMarker}
}

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

func TestOneAndEightWorkersBringTheSameFiles(t *testing.T) {
	t.Parallel()
	variations := append(heavy(), portal.SameNameOtherBytes, portal.HostileNames, portal.ThirtyDocuments, portal.OctetStream,
		portal.Redirect, portal.JSONMount, portal.Truncated, portal.NotFound, portal.Plain, portal.SixtyLines)
	if os.Getenv(thorough) != "" {
		variations = quick()
	}
	p, sheet := startPortal(t, portal.Config{Orders: len(variations), Variations: variations})
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

func TestWorkersThatLiveForOneOrder(t *testing.T) {
	t.Parallel()
	_, sheet := startPortal(t, portal.Config{Orders: 6, Variations: []portal.Variation{portal.Plain}})
	cfg := config(t, sheet)
	cfg.Workers, cfg.Lifetime, cfg.Distribution = 2, session.Once, tasks.RoundRobin
	end, r := run(t, cfg)
	started := 0
	for _, e := range r.Events {
		if e.Type == tasks.EventWorkerStarted {
			started++
		}
	}
	if r.Totals.Completed != 6 || started < 6 {
		t.Errorf("%d orders completed by %d browsers", r.Totals.Completed, started)
	}
	checkCleared(t, end)
}

func TestBrowsersAreRecycled(t *testing.T) {
	t.Parallel()
	_, sheet := startPortal(t, portal.Config{Orders: 7, Variations: []portal.Variation{portal.Plain}})
	cfg := config(t, sheet)
	cfg.Workers, cfg.MaxOrders = 1, 2
	end, r := run(t, cfg)
	recycled := 0
	for _, e := range r.Events {
		if e.Type == tasks.EventWorkerRecycled {
			recycled++
		}
	}
	if r.Totals.Completed != 7 || recycled < 3 {
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
	p, sheet := startPortal(t, portal.Config{Orders: 40, Variations: []portal.Variation{portal.Plain}})
	cfg := config(t, sheet)
	cfg.Workers, cfg.RecipeFile = 4, filepath.Join(t.TempDir(), "recipe.yaml")
	recipe := "version: 1\nname: flat\nbase_url: http://127.0.0.1\nidentity: {selector: '#po-number'}\n" +
		"fields: {supplier: {selector: '#supplier'}}\nattachments: {item: '#attachments a.attachment', name: .filename}\nfolder: '{supplier}'\n"
	if err := os.WriteFile(cfg.RecipeFile, []byte(recipe), 0o600); err != nil {
		t.Fatal(err)
	}
	end, r := run(t, cfg)
	owners := map[string]string{}
	shared := 0
	for _, task := range r.Tasks {
		order, _ := p.Order(task.PO)
		order.Want.Fields = nil // the recipe names but one
		checkTask(t, end.Dir, p, order, order.Want, task)
		if other, taken := owners[task.Folder]; taken {
			t.Errorf("%s and %s share %s", task.PO, other, task.Folder)
		}
		owners[task.Folder] = task.PO
		if strings.Contains(task.Folder, "~") {
			shared++
		}
	}
	if shared == 0 {
		t.Error("no two suppliers were the same, so nothing was tested")
	}
}

func TestBadRowsStopNothing(t *testing.T) {
	t.Parallel()
	p, sheet := startPortal(t, portal.Config{Orders: 2, Variations: []portal.Variation{portal.Plain}})
	content, err := os.ReadFile(sheet)
	if err != nil {
		t.Fatal(err)
	}
	content = append(content, []byte(",no number,,,\n1.5E+07,digits lost,1,EUR,http://127.0.0.1/x\n")...)
	content = append(content, []byte(p.Orders()[0].Number+",again,,,\n")...)
	if err := os.WriteFile(sheet, content, 0o600); err != nil {
		t.Fatal(err)
	}
	end, r := run(t, alone(t, sheet))
	if end.ByOutcome[tasks.OutcomeInvalidInput] != 2 || r.Totals.Rows != 5 || r.Totals.Tasks != 4 || r.Totals.Completed != 2 {
		t.Errorf("got %+v, %+v", end.ByOutcome, r.Totals)
	}
	failed, err := os.ReadFile(filepath.Join(end.Dir, "failed.csv"))
	if err != nil || !strings.Contains(string(failed), "digits lost") || strings.Contains(string(failed), "again") {
		t.Errorf("failed.csv: %v\n%s", err, failed)
	}
}
