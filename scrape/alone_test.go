package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestWhatAFetchedPageProves reads orders with --mode fetch, the first of which is rendered
// to get the tab there. A page whose scripts or styles may show something else than its
// text proves nothing, unless one like it was the same both ways.
func TestWhatAFetchedPageProves(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	shared := newBench(t, scrape.AutoRecipe())
	const (
		two    = `<ul><li><a class=doc href="/d/a.pdf">a.pdf</a><li><a class=doc href="/d/b.pdf">b.pdf</a></ul>`
		one    = `<ul id=l><li><a class=doc href="/d/a.pdf">a.pdf</a></ul>`
		marker = `<p class=none>No documents</p>`
		hides  = `<link rel=stylesheet href="/style.css">`
		idle   = `<script>document.title += "!"</script>`
		adds   = `<script>l.insertAdjacentHTML("beforeend", '<li><a class=doc href="/d/b.pdf">b.pdf</a>')</script>`
		fills  = `<h2 id=h>Documents (0)</h2><div id=d></div><script src="/fill.js"></script>`
	)
	const complete, none, partial = tasks.OutcomeComplete, tasks.OutcomeNoAttachments, tasks.OutcomePartial
	cases := map[string]struct {
		recipe, first, next string
		want                tasks.Outcome
	}{
		"documents in plain text":                    {"attachments: {item: .doc}", two, two, complete},
		"documents of a page with styles":            {"attachments: {item: .doc}", hides + two, hides + two, complete},
		"one document, and scripts that add another": {"attachments: {item: .doc}", two, one + adds, partial},
		"scripts that were seen to add one":          {"attachments: {item: .doc}", one + adds, one + adds, partial},
		"scripts that are not known":                 {"attachments: {item: .doc}", two, two + idle, partial},
		"scripts that were seen to change nothing":   {"attachments: {item: .doc}", two + idle, two + idle, complete},
		"data for scripts":                           {"attachments: {item: .doc}", two, two + `<script type="application/ld+json">{"a": 1}</script>`, complete},
		"what a person has to click":                 {"attachments: {item: .doc}", two, two + `<button onclick="window.print()">Print</button>`, complete},
		"a picture that is missing runs a script":    {"attachments: {item: .doc}", two, one + `<img src=/no onerror="l.innerHTML = ''">`, partial},
		"a marker in plain text":                     {"attachments: {item: .doc, none: .none}", two, marker, none},
		"a marker that styles hide":                  {"attachments: {item: .dco, none: .none}", hides + `<div class=any>` + marker + `</div>`, hides + `<div class=some>` + marker + two + `</div>`, partial},
		"a marker that scripts hide":                 {"attachments: {item: .doc, none: .none}", two, marker + `<script>document.querySelector(".none").remove()</script>`, partial},
		"a marker beside styles that hide nothing":   {"attachments: {item: .doc, none: .none}", two, `<style>p { color: red }</style>` + marker, none},
		"a marker that was seen both ways":           {"attachments: {item: .doc, none: .none}", hides + marker, hides + marker, none},
		"a count in plain text":                      {"attachments: {item: .doc}", two, `<h2>Documents (0)</h2>`, none},
		"a count in plain text, built in":            {"", two, `<h2>Documents (0)</h2>`, none},
		"a count that scripts fill in":               {"attachments: {item: .doc}", two, fills, partial},
		"a count that scripts fill in, built in":     {"", two, fills, partial},
		"a count that scripts were seen to fill in":  {"", fills, fills, partial},
		"fields alone":                               {"fields: {total: {selector: '#t', required: true}}", `<p id=t>1</p>`, `<p id=t>0</p><script>t.textContent = 2</script>`, partial},
	}
	for _, name := range kinds(cases, "documents of a page with styles", "one document, and scripts that add another", "scripts that were seen to add one", "scripts that are not known",
		"scripts that were seen to change nothing", "data for scripts", "a picture that is missing runs a script", "a marker in plain text", "a marker that styles hide", "a marker that was seen both ways",
		"a count in plain text, built in", "a count that scripts fill in", "fields alone") {
		c := cases[name]
		t.Run(name, func(t *testing.T) {
			recipe := scrape.AutoRecipe()
			if c.recipe != "" {
				var err error
				if recipe, err = scrape.ReadRecipe("r.yaml", strings.NewReader("version: 1\nready: {timeout: 60s}\nidentity: {selector: h1}\n"+c.recipe+"\n")); err != nil {
					t.Fatal(err)
				}
			}
			recipe.Mode = scrape.ModeFetch
			b := shared.with(scrape.NewPortal(recipe, nil))
			url := serveAlone(t, c.first, c.next)
			do := func(n int) tasks.Decision {
				po := fmt.Sprintf("PO700000%d", n)
				return b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: po, Digits: po[2:], Dir: po, URL: url + "/orders/" + po}})
			}
			if d := do(1); d.Result == nil || d.Result.Executor != tasks.ExecutorRender {
				t.Fatalf("the first is %s", gist(d))
			}
			if d := do(2); d.Outcome != c.want || d.Result.Executor != tasks.ExecutorFetch {
				t.Errorf("got %s, want %s: %s", gist(d), c.want, failureText(d))
			}
		})
	}
}

// serveAlone serves the body of the first order, and that of the others.
func serveAlone(t *testing.T, first, next string) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/orders/{number}", func(w http.ResponseWriter, r *http.Request) {
		body, number := next, r.PathValue("number")
		if number == "PO7000001" {
			body = first
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>Order %[1]s</title><body><h1>Order %[1]s</h1>%[2]s", number, strings.ReplaceAll(body, "/d/", "/d/"+number+"/"))
	})
	mux.HandleFunc("/style.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css")
		fmt.Fprint(w, ".some .none { display: none }")
	})
	mux.HandleFunc("/fill.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `h.textContent = "Documents (2)"; d.innerHTML = '<a class=doc href="/d/1/a.pdf" download>a.pdf</a> <a class=doc href="/d/1/b.pdf" download>b.pdf</a>'`)
	})
	mux.HandleFunc("/d/{number}/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprintf(w, "%%PDF-1.4\n%s\n%%%%EOF\n", r.URL.Path)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(s) })
	return s.URL
}
