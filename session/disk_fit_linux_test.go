package session_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/tasks"
)

// TestDocumentDoesNotFit: a document is larger than the room for it, on the disk
// to which it is downloaded. Where Chrome writes it, Chrome only says that the
// download has ended, and has removed what there was of it.
func TestDocumentDoesNotFit(t *testing.T) {
	body := append([]byte("%PDF-1.7 "), make([]byte, 12_000_000)...)
	for name, announce := range map[string]bool{"written by poscrape": true, "written by Chrome": false} {
		t.Run(name, func(t *testing.T) {
			small := smallDisk(t, 24)
			filler := filepath.Join(small, "filler")
			t.Setenv("TMPDIR", small)
			sheet := serveOrders(t, func(w http.ResponseWriter) {
				w.Header().Set("Content-Type", "application/pdf")
				w.Header().Set("Content-Disposition", "attachment; filename=drawing.pdf")
				if announce {
					w.Header().Set("Content-Length", strconv.Itoa(len(body)))
				}
				fillDisk(t, filler, 6_000_000)
				pace := time.NewTicker(20 * time.Millisecond) // Chrome says every half a second how much has arrived
				defer pace.Stop()
				for part := range slices.Chunk(body, 64<<10) {
					if _, err := w.Write(part); err != nil {
						return
					}
					<-pace.C
				}
			})
			cfg := config(t, sheet)
			cfg.MinFree, cfg.Workers = 1, 1
			end, r := run(t, cfg)
			checkTrue(t, nil, end)
			if !strings.Contains(end.Reason, "the disk of "+small+" (--temp-dir) ") {
				t.Errorf("the reason is %q", end.Reason)
			}
			if task := r.Tasks[0]; releasedAttempts(task) != 1 || task.Attempts[0].Error.Class != tasks.ClassStorage {
				t.Errorf("the order's attempts are %+v, %+v", task.Attempts, task.Attempts[0].Error)
			}
			if err := os.Remove(filler); err != nil {
				t.Error(err)
			}
		})
	}
}

// serveOrders serves orders with one document, and returns their sheet.
func serveOrders(t *testing.T, document func(http.ResponseWriter)) (sheet string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/orders/{po}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>Order %[1]s</title><h1>Order %[1]s</h1><a href=/drawing.pdf>drawing.pdf</a>", r.PathValue("po"))
	})
	mux.HandleFunc("/drawing.pdf", func(w http.ResponseWriter, _ *http.Request) { document(w) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	sheet = filepath.Join(t.TempDir(), "pos.csv")
	rows := "po,url\n"
	for _, po := range []string{"PO4500001001", "PO4500001002"} {
		rows += po + "," + server.URL + "/orders/" + po + "\n"
	}
	if err := os.WriteFile(sheet, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	return sheet
}
