package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestChecksOfTheBrowser opens orders behind a page with a status that refuses: one that every browser passes by itself
// leads to the order, and no other does.
func TestChecksOfTheBrowser(t *testing.T) {
	t.Parallel()
	const passes = `<!doctype html><title>Just a moment</title><script>setTimeout(() => { document.cookie = "passed=1; path=/orders/%s"; location.reload() }, 300)</script>`
	const refuses = `<!doctype html><title>Refused</title><p>Not for you, %s.</p><script>setTimeout(() => { document.title = "no" }, 300)</script>`
	const again = `<!doctype html><title>Just a moment</title><p>%s<script>setTimeout(() => { location.reload() }, 300)</script>`
	checks := map[string]struct {
		status int
		page   string
		want   tasks.Outcome
	}{
		"7001": {http.StatusForbidden, passes, tasks.OutcomeComplete},
		"7002": {http.StatusMethodNotAllowed, passes, tasks.OutcomeComplete},
		"7003": {http.StatusForbidden, refuses, tasks.OutcomeAccessDenied},
		"7004": {http.StatusMethodNotAllowed, refuses, tasks.OutcomeFailed},
		"7005": {http.StatusForbidden, again, tasks.OutcomeAccessDenied},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/orders/{number}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		number := r.PathValue("number")
		if _, err := r.Cookie("passed"); err != nil {
			w.WriteHeader(checks[number].status)
			fmt.Fprintf(w, checks[number].page, number)
			return
		}
		fmt.Fprintf(w, `<!doctype html><h1 id=po>PO%s</h1><p id=note>Monday</p><a class=att href=/a.pdf>a.pdf</a>`, number)
	})
	mux.HandleFunc("/a.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 a")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	b := newBenchOf(t, scrape.NewPortal(plainRecipe(t), nil))
	for number, c := range checks {
		task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO" + number, Digits: number, Dir: "PO" + number, URL: server.URL + "/orders/" + number}}
		if d := b.attempt(t.Context(), t, task); d.Outcome != c.want {
			t.Errorf("%s: got %s, %v; want %s", number, d.Outcome, d.Failure, c.want)
		}
	}
}
