//go:build unix

package browser_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
)

// TestADocumentWithoutEndStopsAtItsLimit brings documents that never end, by navigating to
// them and by a click: who brings them does not wait for more than little beyond the limit.
func TestADocumentWithoutEndStopsAtItsLimit(t *testing.T) {
	t.Parallel()
	// enough is what may be on its way when the limit is noticed: no more is sent.
	const limit, piece, enough = 1 << 20, 16 << 10, 18 << 20
	for name, header := range map[string]http.Header{
		"without a length":  {"Content-Type": {"application/pdf"}},
		"with a long one":   {"Content-Type": {"application/pdf"}, "Content-Length": {"1000000000"}},
		"as an attachment":  {"Content-Type": {"text/html"}, "Content-Disposition": {"attachment; filename=x.pdf"}},
		"shown as it comes": {"Content-Type": {"text/plain"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serve(t, map[string]http.HandlerFunc{
				"/page": html(`<a id=a download href=/endless>x</a>`),
				"/endless": func(w http.ResponseWriter, r *http.Request) {
					for key, values := range header {
						w.Header()[key] = values
					}
					for range enough / piece {
						if _, err := w.Write(make([]byte, piece)); err != nil || http.NewResponseController(w).Flush() != nil {
							return
						}
					}
					<-r.Context().Done() // who has not had enough by now waits for ever
				},
			})
			b := share(t)
			var failed *browser.DownloadError
			_, err := b.Fetch(t.Context(), browser.Request{URL: url + "/endless", MaxSize: limit, Allowed: func(string) bool { return true }})
			if !errors.As(err, &failed) || failed.Kind != browser.KindTooLarge {
				t.Errorf("fetched: %v", err)
			}
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
		})
	}
}
