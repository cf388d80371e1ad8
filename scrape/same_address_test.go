package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestNamesAtOneAddress reads documents that have one address: scripts of the page tell the server which one is
// wanted.
func TestNamesAtOneAddress(t *testing.T) { //nolint:tparallel // one browser after the other
	t.Parallel()
	links := func(attributes string) (all string) {
		for _, n := range []string{"a", "b", "c"} {
			all += `<li><a class=doc href="/download" ` + strings.ReplaceAll(attributes, "N", n) + `>` + n + `.pdf</a>`
		}
		return all
	}
	const submits = `<form id=f action="/download"><input type=hidden name=n></form><script>for (const a of document.querySelectorAll(".doc")) a.addEventListener("click", (e) => { e.preventDefault(); f.n.value = a.textContent[0]; f.submit() })</script>`
	const fetches = `<script>list.onclick = async (e) => { e.preventDefault(); const a = document.createElement("a"); a.href = URL.createObjectURL(await (await fetch("/download?n=" + e.target.textContent[0])).blob()); a.download = e.target.textContent; a.click() }</script>`
	for name, c := range map[string]struct {
		body   string
		recipe string
		want   string
	}{
		"a cookie":                     {body: links(`onclick="document.cookie = 'n=N; path=/'"`), want: "a b c"},
		"a hidden field":               {body: links("") + submits, want: "a b c"},
		"fetched":                      {body: links("") + fetches, want: "a b c"},
		"a cookie, without a recipe":   {body: links(`onclick="document.cookie = 'n=N; path=/'"`), recipe: "auto", want: "a b c"},
		"no script":                    {body: links(""), want: "? ? ?"},
		"a script of something else":   {body: links("") + `<script>document.title += ""</script>`, want: "? ? ?"},
		"addresses of their own":       {body: `<a class=doc href="/download?n=a">a.pdf</a><a class=doc href="/download?n=b">b.pdf</a><script>document.title += ""</script>`, want: "a b"},
		"one name, for wide and small": {body: `<a class=doc href="/download?n=a">a.pdf</a><a class=doc href="/download?n=a">a.pdf</a><script>document.title += ""</script>`, want: "a a"},
	} {
		t.Run(name, func(t *testing.T) {
			mux := http.NewServeMux()
			mux.HandleFunc("/orders/PO1001", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				fmt.Fprint(w, `<!doctype html><title>Portal</title><h1 id=po>Order PO1001</h1><section><h2>Documents</h2><ul id=list>`+c.body+`</ul></section>`)
			})
			mux.HandleFunc("/download", func(w http.ResponseWriter, r *http.Request) {
				n := r.FormValue("n")
				if cookie, err := r.Cookie("n"); err == nil && n == "" {
					n = cookie.Value
				}
				if n == "" {
					n = "?"
				}
				w.Header().Set("Content-Type", "application/pdf")
				w.Header().Set("Content-Disposition", "attachment; filename=download.pdf")
				fmt.Fprintf(w, "%%PDF-1.4 %s\n%%%%EOF", n)
			})
			server := httptest.NewServer(mux)
			t.Cleanup(func() { testkit.EndServer(server) })
			recipe := scrape.AutoRecipe()
			if c.recipe == "" {
				recipe = recipeOf(t, server.URL, "identity: {selector: '#po'}\nattachments: {item: a.doc}\n")
			}
			b := newBench(t, recipe)
			d := b.with(scrape.NewPortal(recipe, nil)).attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: server.URL + "/orders/PO1001"}})
			if d.Result == nil {
				t.Fatalf("got %s (%s)", d.Outcome, failureText(d))
			}
			var got []string
			for _, doc := range d.Result.Attachments {
				content, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(doc.Path)))
				if err != nil {
					t.Fatal(err, failureText(d))
				}
				of, _, _ := strings.Cut(strings.TrimPrefix(string(content), "%PDF-1.4 "), "\n")
				if got = append(got, of); of != "?" && doc.Name != of+".pdf" {
					t.Errorf("%s has the bytes of %s", doc.Name, of)
				}
			}
			if strings.Join(got, " ") != c.want || d.Outcome != tasks.OutcomeComplete {
				t.Errorf("got %q, want %q; %s (%s)", got, c.want, d.Outcome, failureText(d))
			}
		})
	}
}
