package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestNotListedAnyMore reads an order again and again whose page lists less than before: what was brought home stays
// there, and the order has not ended well.
func TestNotListedAnyMore(t *testing.T) {
	t.Parallel()
	const made = `<button class=att onclick="const a = document.createElement('a'); a.href = window.URL.createObjectURL(new Blob(['%PDF-1.4 A'])); a.download = 'A.pdf'; a.click()">A.pdf</button>`
	const kept = "an earlier attempt brought home 1 document that the page does not list any more"
	var page atomic.Value
	mux := http.NewServeMux()
	mux.HandleFunc("/orders/{number}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>Order</title><h1>Order <b id=po>PO7001</b></h1><p id=note>Delivery on Monday</p>%s", page.Load())
	})
	for _, address := range []string{"/first/A.pdf", "/second/A.pdf", "/B.pdf"} {
		mux.HandleFunc(address, func(w http.ResponseWriter, r *http.Request) {
			if body, _ := page.Load().(string); !strings.Contains(body, r.URL.Path) {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/pdf")
			fmt.Fprint(w, "%PDF-1.4 ", strings.TrimSuffix(filepath.Base(r.URL.Path), ".pdf"))
		})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	b := newBenchOf(t, scrape.NewPortal(plainRecipe(t), nil))
	task := numberedTask(server.URL, 7001)
	for _, step := range []struct {
		name, page string
		outcome    tasks.Outcome
		why        string
	}{
		{"both", made + `<a class=att href=/B.pdf>B.pdf</a>`, tasks.OutcomeComplete, ""},
		{"none that is made by a click", `<a class=att href=/B.pdf>B.pdf</a>`, tasks.OutcomePartial, kept + `, so it may not list all; they are kept: "A.pdf"`},
		{"it at an address", `<a class=att href=/first/A.pdf>A.pdf</a><a class=att href=/B.pdf>B.pdf</a>`, tasks.OutcomeComplete, ""},
		{"it at another", `<a class=att href=/second/A.pdf>A.pdf</a><a class=att href=/B.pdf>B.pdf</a>`, tasks.OutcomeComplete, ""},
		{"not the other, which is gone", `<a class=att href=/second/A.pdf>A.pdf</a>`, tasks.OutcomePartial, kept + `, so it may not list all; they are kept: "B.pdf"`},
	} {
		page.Store(step.page)
		res, err := b.scraper.Do(t.Context(), task)
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		b.publish(t, task, res)
		task.Result = res
		if res.Outcome != step.outcome || step.why != "" && (res.Missing == nil || res.Missing.Message != step.why) {
			t.Errorf("%s: got %s, %v", step.name, res.Outcome, res.Missing)
		}
		names := map[string]bool{}
		for _, doc := range res.Attachments {
			text, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(doc.Path)))
			if want := "%PDF-1.4 " + strings.TrimSuffix(doc.Name, ".pdf"); err != nil || string(text) != want || doc.State != tasks.AttachmentDone {
				t.Errorf("%s: got %q, %v of %+v", step.name, text, err, doc)
			}
			names[doc.Name] = true
		}
		if len(res.Attachments) != 2 || !names["A.pdf"] || !names["B.pdf"] {
			t.Errorf("%s: got %+v", step.name, res.Attachments)
		}
	}
}
