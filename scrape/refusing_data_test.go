package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestDataThatRefuses: the status of an answer that the page gets says that there is no such order, or that it is not
// for this user, where the recipe says so; where it does not, the message says how to.
func TestDataThatRefuses(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/orders/{number}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><h1>Order <b id=po>PO%[1]s</b></h1><ul id=list></ul><script>
			fetch("/api/orders/%[1]s").then((r) => r.ok ? r.json() : []).then((all) => { for (const a of all) list.innerHTML += "<li><a class=att href=" + a + ">a.pdf</a>" })</script>`, r.PathValue("number"))
	})
	mux.HandleFunc("/api/orders/{number}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if status, _ := strconv.Atoi(r.PathValue("number")[1:]); status > 200 {
			w.WriteHeader(status)
		}
		fmt.Fprint(w, `["/a.pdf"]`)
	})
	mux.HandleFunc("/a.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 a")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	const told = `not_found: {json: "/api/orders/{digits}", status: [404]}
access_denied: {json: "/api/orders/*", status: [403]}
`
	for _, c := range []struct {
		recipe, number string
		want           tasks.Outcome
		says           string
	}{
		{told, "7200", tasks.OutcomeComplete, ""},
		{told, "7404", tasks.OutcomeNotFound, `there is no such order: "status 404 from GET /api/orders/7404"`},
		{told, "7403", tasks.OutcomeAccessDenied, `not allowed to see the order: "status 403 from GET /api/orders/7403"`},
		{told, "7500", tasks.OutcomePartial, "was answered with status 500"},
		{"", "7403", tasks.OutcomePartial, "under access_denied or not_found, as {json: ADDRESS, status: [...]}"},
	} {
		recipe := recipeOf(t, server.URL, c.recipe+"identity: {selector: '#po'}\nattachments: {item: .att}\n")
		b := newBenchOf(t, scrape.NewPortal(recipe, nil))
		task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO" + c.number, Digits: c.number, Dir: "PO" + c.number, URL: server.URL + "/orders/" + c.number}}
		d := b.attempt(t.Context(), t, task)
		if said := failureText(d); d.Outcome != c.want || !strings.Contains(said, c.says) {
			t.Errorf("%s: got %s, %q; want %s, %q", c.number, d.Outcome, said, c.want, c.says)
		}
	}
}
