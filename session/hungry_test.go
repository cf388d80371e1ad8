package session_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/poscrape/poscrape/session"
)

// hungry is a portal of pages that take more than is good.
type hungry struct {
	server *httptest.Server
	// let is closed when pages that wait for it may be done with loading.
	let     chan struct{}
	letOnce sync.Once
	// asked is called when a page begins to wait, if it is not nil.
	asked func()
}

// What a page does besides showing its order.
const (
	tame = ""
	// eats takes 300 MB.
	eats = `window.kept = []; for (let i = 0; i < 30; i++) kept.push(new Uint8Array(10e6).fill(i + 1));`
	// burns keeps a processor busy, and the page itself free.
	burns = `new Worker(URL.createObjectURL(new Blob(["for (;;) {}"])));`
	// waits is not done with loading until that is let.
	waits = `fetch("/let");`
)

// newHungry serves orders PO1000, PO1001, ... whose pages do these things, and
// returns a session's configuration for them, with one worker and quick looks.
func newHungry(t *testing.T, scripts ...string) (*hungry, session.Config) {
	t.Helper()
	h := &hungry{let: make(chan struct{})}
	h.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch name := strings.TrimPrefix(r.URL.Path, "/"); {
		case name == "let":
			if h.asked != nil {
				h.asked()
			}
			select {
			case <-h.let:
			case <-r.Context().Done():
			}
		case strings.HasSuffix(name, ".pdf"):
			w.Header().Set("Content-Type", "application/pdf")
			fmt.Fprintf(w, "%%PDF-1.4\n%s\n%%%%EOF\n", name)
		default:
			var n int
			if _, err := fmt.Sscanf(name, "PO%d", &n); err != nil || n-1000 >= len(scripts) {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<title>Purchase order %[1]s</title><h1>Purchase order %[1]s</h1>
				<a href="/%[1]s.pdf" download>%[1]s.pdf</a><script>%[2]s</script>`, name, scripts[n-1000])
		}
	}))
	t.Cleanup(h.server.Close)
	t.Cleanup(h.letGo)
	sheet := filepath.Join(t.TempDir(), "pos.csv")
	text := "po,url\n"
	for i := range scripts {
		text += fmt.Sprintf("PO%d,%s/PO%d\n", 1000+i, h.server.URL, 1000+i)
	}
	if err := os.WriteFile(sheet, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg := config(t, sheet)
	cfg.Workers, cfg.UsageInterval = 1, quickLooks
	return h, cfg
}

// letGo lets pages be done.
func (h *hungry) letGo() { h.letOnce.Do(func() { close(h.let) }) }
