//go:build unix

package browser_test

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
)

// TestADocumentWithoutEndStopsAtItsLimit brings documents that never end, by navigating to
// them and by a click: little more than the limit is ever sent.
func TestADocumentWithoutEndStopsAtItsLimit(t *testing.T) {
	t.Parallel()
	// most is what may be on its way on a busy machine.
	const limit, piece, most = 1 << 20, 16 << 10, 16 << 20
	for name, header := range map[string]http.Header{
		"without a length":  {"Content-Type": {"application/pdf"}},
		"with a long one":   {"Content-Type": {"application/pdf"}, "Content-Length": {"1000000000"}},
		"as an attachment":  {"Content-Type": {"text/html"}, "Content-Disposition": {"attachment; filename=x.pdf"}},
		"shown as it comes": {"Content-Type": {"text/plain"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sent atomic.Int64
			url := serve(t, map[string]http.HandlerFunc{
				"/page": html(`<a id=a download href=/endless>x</a>`),
				"/endless": func(w http.ResponseWriter, r *http.Request) {
					for key, values := range header {
						w.Header()[key] = values
					}
					for body := make([]byte, piece); r.Context().Err() == nil; {
						n, err := w.Write(body)
						sent.Add(int64(n))
						if err != nil || http.NewResponseController(w).Flush() != nil {
							return
						}
						select { // as fast as a connection of 100 Mbit/s
						case <-time.After(piece * time.Second / (12 << 20)):
						case <-r.Context().Done():
						}
					}
				},
			})
			b := launch(t)
			var failed *browser.DownloadError
			_, err := b.Fetch(t.Context(), browser.Request{URL: url + "/endless", MaxSize: limit, Allowed: func(string) bool { return true }})
			if !errors.As(err, &failed) || failed.Kind != browser.KindTooLarge {
				t.Errorf("fetched: %v", err)
			}
			if n := sent.Load(); n > 2*limit+most {
				t.Errorf("fetched: %d bytes were sent over a limit of %d", n, limit)
			}
			sent.Store(0)
			open(t, b.Tab(), url+"/page")
			expected := b.ExpectDownload()
			if err := b.Tab().Evaluate(t.Context(), `document.getElementById("a").click()`, nil); err != nil {
				t.Fatal(err)
			}
			d, err := expected.Begun(t.Context(), time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.Wait(t.Context(), d, limit); !errors.As(err, &failed) || failed.Kind != browser.KindTooLarge {
				t.Errorf("clicked: %v", err)
			}
			if n := sent.Load(); n > 2*limit+most {
				t.Errorf("clicked: %d bytes were sent over a limit of %d", n, limit)
			}
		})
	}
}
