package session_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// TestWorkersSayWhatTheyDo: the report of a session that runs names the orders that each
// worker holds; that of one that has ended counts them, and when the last thing was done.
func TestWorkersSayWhatTheyDo(t *testing.T) {
	t.Parallel()
	asked, answer := make(chan struct{}, 2), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/favicon.ico" {
			return
		}
		select {
		case asked <- struct{}{}:
		default: // it is fetched as well
		}
		select {
		case <-answer:
		case <-r.Context().Done():
		}
		if r.URL.Path == "/PO1001" {
			w.WriteHeader(http.StatusNotFound)
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Purchase order PO1000</title><h1>Purchase order PO1000</h1><p>No attachments</p>")
	}))
	t.Cleanup(server.Close)
	sheet := filepath.Join(t.TempDir(), "pos.csv")
	if err := os.WriteFile(sheet, fmt.Appendf(nil, "po,url\nPO1000,%[1]s/PO1000\nPO1001,%[1]s/PO1001\n", server.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg := config(t, sheet)
	cfg.Workers, cfg.Mode = 2, session.ModeRender
	s, err := session.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var answered time.Time
	seen := make(chan struct{})
	go func() {
		defer close(seen)
		defer close(answer)
		<-asked
		<-asked
		held := heldBy(t, cfg.Out, 2)
		slices.Sort(held)
		if !slices.Equal(held, []string{"PO1000", "PO1001"}) {
			t.Errorf("the workers hold %q", held)
		}
		answered = time.Now()
	}()
	end, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	<-seen
	r := readReport(t, end.Dir)
	var succeeded, failed int
	for _, w := range r.Workers {
		succeeded, failed = succeeded+w.Succeeded, failed+w.Failed
		if len(w.Tasks) != 0 || w.Processed != 1 || !w.LastActivity.After(answered) {
			t.Errorf("in the end: %+v, answered at %v", w, answered)
		}
	}
	if succeeded != 1 || failed != 1 {
		t.Errorf("%d succeeded and %d failed, want one of each", succeeded, failed)
	}
}

// heldBy waits until the report of a session that runs has so many workers that hold orders,
// and returns those.
func heldBy(t *testing.T, dir string, workers int) (held []string) {
	l, err := ledger.OpenReadOnly(filepath.Join(dir, "session.db"))
	if err != nil {
		t.Error(err)
		return nil
	}
	defer l.Close()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		r, err := report.Build(t.Context(), l)
		if err != nil {
			t.Error(err)
			return nil
		}
		idle := func(w report.Worker) bool { return len(w.Tasks) == 0 }
		if len(r.Workers) < workers || slices.ContainsFunc(r.Workers, idle) {
			<-tick.C
			continue
		}
		for _, w := range r.Workers {
			if len(w.Tasks) != 1 || w.Task != w.Tasks[0] {
				t.Errorf("%s holds %q, %q first", w.ID, w.Tasks, w.Task)
			}
			held = append(held, w.Tasks...)
		}
		return held
	}
}
