package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestBlockedDownload: where Chrome blocks a download, its reason is told.
func TestBlockedDownload(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	page := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><title>Portal</title>"+text)
		}
	}
	mux.HandleFunc("/order", page(`<meta http-equiv=Content-Security-Policy content="form-action 'none'"><h1 id=po>PO1001</h1><form method=post action="/d.pdf"><button class=doc>Quote.pdf</button></form>`))
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe, err := scrape.ReadRecipe("r.yaml", strings.NewReader("version: 1\nidentity: {selector: '#po'}\nattachments: {item: .doc}\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, recipe)
	testkit.InVain(t, 3*time.Second, func(limit time.Duration) error {
		b.portal.SetClickTimeout(limit)
		d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: server.URL + "/order"}})
		if d.Failure == nil || d.Failure.Class != tasks.ClassAttachment || !strings.Contains(d.Failure.Message, "Chrome says: ") || !strings.Contains(d.Failure.Message, "Content Security Policy") {
			return fmt.Errorf("got %s: %s", d.Outcome, failureText(d))
		}
		return nil
	})
}
