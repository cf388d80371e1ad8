package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// rooms is a disk that is asked for room.
type rooms struct {
	mu    sync.Mutex
	asked []int64
	full  bool
}

func (r *rooms) ask(bytes int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, bytes)
	if r.full {
		return fmt.Errorf("the disk of /somewhere has 3 MB left: %w", syscall.ENOSPC)
	}
	return nil
}

// serveDocument serves an order with one document.
func serveDocument(t *testing.T, item string, document http.HandlerFunc) *tasks.ProcessingTask {
	t.Helper()
	const number = "PO7000001"
	mux := http.NewServeMux()
	mux.HandleFunc("/order", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>Order %[1]s</title><h1>Order %[1]s</h1>%[2]s", number, item)
	})
	mux.HandleFunc("/doc.pdf", document)
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	return &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{Key: number, PO: number, Digits: number[2:], Dir: number, URL: server.URL + "/order"}}
}

// cutDocument announces more than it sends.
func cutDocument(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/pdf")
	w.Header().Set("Content-Length", "5000000")
	fmt.Fprint(w, "%PDF-1.7 ", strings.Repeat("x", 100_000))
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

func brokenDocument(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusInternalServerError)
}

// TestDocumentsWithoutRoom: where the disk is to blame, the order is given back,
// and where it is not, the document is what failed.
func TestDocumentsWithoutRoom(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	const link = `<a href="/doc.pdf">doc.pdf</a>`
	shared := newBench(t, scrape.AutoRecipe())
	for name, c := range map[string]struct {
		document http.HandlerFunc
		full     bool
		need     int64
	}{
		"cut on a full disk":    {cutDocument, true, 5_000_000},
		"cut by the network":    {cutDocument, false, 5_000_000},
		"broken on a full disk": {brokenDocument, true, 0},
		"broken by the portal":  {brokenDocument, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			disk := &rooms{full: c.full}
			full := *shared
			full.places.Room, full.places.Staging = disk.ask, t.TempDir()
			b := full.with(shared.portal)
			task := serveDocument(t, link, c.document)
			res, err := b.scraper.Do(t.Context(), task)
			if len(disk.asked) != 1 || disk.asked[0] != c.need {
				t.Errorf("it was asked for room for %v bytes, want %d", disk.asked, c.need)
			}
			if !c.full {
				if err != nil || res.Attachments[0].State != tasks.AttachmentFailed {
					t.Errorf("got %+v, %v", res, err)
				}
				return
			}
			wantGivenBack(t, b, task, err, "3 MB left")
		})
	}
}

// wantGivenBack checks that an order was released because of its storage, and
// that nothing of it is left in the staging directory.
func wantGivenBack(t *testing.T, b *bench, task *tasks.ProcessingTask, err error, says string) {
	t.Helper()
	f := tasks.AsFailure(err)
	if f == nil || f.Facts.Disk == nil || f.Class != tasks.ClassStorage || !strings.Contains(f.Message, says) {
		t.Errorf("got %#v", f)
	}
	if left, _ := os.ReadDir(b.places.Staging); len(left) > 0 {
		t.Errorf("left in the staging directory of %s: %v", task.PO, left)
	}
}

// TestSessionFolderGone takes the session folder away: nothing of it is made anew.
func TestSessionFolderGone(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]http.HandlerFunc{
		"with a document": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "some text") },
		"with evidence":   brokenDocument,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, scrape.AutoRecipe(), keepsEvidence)
			if err := os.RemoveAll(b.dir); err != nil {
				t.Fatal(err)
			}
			_, err := b.scraper.Do(t.Context(), serveDocument(t, `<a href="/doc.pdf">doc.pdf</a>`, document))
			if f := tasks.AsFailure(err); f == nil || f.Class != tasks.ClassStorage {
				t.Errorf("got %#v", f)
			}
			if _, err := os.Stat(b.dir); err == nil {
				t.Error("the session folder was made again")
			}
		})
	}
}
