package session_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
)

// TestNoneIsNotBelieved runs recipes whose item, none or count has stopped to meet what it was written for: what they
// say of none is not confirmed.
func TestNoneIsNotBelieved(t *testing.T) {
	t.Parallel()
	const (
		item    = `<li><a class=%s href="/d/%d.pdf">%d.pdf</a></li>`
		nothing = `<p class="%s">No documents</p>`
	)
	suppliers := []string{"Alder Works", "Birch Mills", "Cedar Tools", "Doveton Steel", "Elm Foundry", "Fenwick Glass"}
	docs := func(class string, n int) string { return "<ul>" + fmt.Sprintf(item, class, n, n) + "</ul>" }
	none := func(class string) string { return fmt.Sprintf(nothing, class) }
	comments := func(empty bool) string {
		if empty {
			return `<section><h2>Comments</h2><p class=empty>No comments yet</p></section>`
		}
		return `<section><h2>Comments</h2><p>Deliver on Monday</p></section>`
	}
	for name, c := range map[string]struct {
		recipe    string
		page      func(n int) string // of the n-th order, without what shows whose it is
		confirmed string             // the numbers of the orders that are
	}{
		"as it was written": {recipe: "item: a.doc, none: .none", confirmed: "[1 3 5]", page: func(n int) string {
			if n%2 == 0 {
				return docs("doc", n)
			}
			return none("none")
		}},
		"a class that was renamed": {recipe: "item: a.doc, none: .none", confirmed: "[]", page: func(n int) string {
			if n%2 == 0 {
				return docs("document", n)
			}
			return none("none")
		}},
		"thorough: none meets the comments' empty text": {recipe: "item: a.doc, none: .empty", confirmed: "[]", page: func(n int) string {
			return docs("document", n) + comments(true)
		}},
		"thorough: so it does on some pages, beside documents": {recipe: "item: a.doc, none: .empty", confirmed: "[]", page: func(n int) string {
			if n < 3 {
				return docs("doc", n) + comments(n == 0)
			}
			return docs("document", n) + comments(true)
		}},
		"a count of something else": {recipe: "item: a.doc, count: .n", confirmed: "[]", page: func(n int) string {
			return docs("document", n) + `<section><h2>Comments (<span class=n>0</span>)</h2></section>`
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			longOnly(t, name)
			mux := http.NewServeMux()
			mux.HandleFunc("/orders/{n}", func(w http.ResponseWriter, r *http.Request) {
				var n int
				if _, err := fmt.Sscan(r.PathValue("n"), &n); err != nil {
					t.Error(err)
				}
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				fmt.Fprintf(w, `<!doctype html><title>Portal</title><h1 id=po>PO%[1]d</h1><dl><dt>Supplier<dd>%[3]s</dl><section><h2>Documents</h2>%[2]s</section>`, n, c.page(n-1000), suppliers[n-1000])
			})
			mux.HandleFunc("/d/{name}", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/pdf")
				fmt.Fprintf(w, "%%PDF-1.4 %s\n%%%%EOF", r.PathValue("name"))
			})
			server := httptest.NewServer(mux)
			t.Cleanup(func() { testkit.EndServer(server) })
			dir := t.TempDir()
			cfg := session.DefaultConfig()
			cfg.File, cfg.Out, cfg.RecipeFile, cfg.NoScale, cfg.AllowLocal, cfg.Workers = filepath.Join(dir, "pos.csv"), filepath.Join(dir, "out"), filepath.Join(dir, "recipe.yaml"), true, true, 2
			rows := "po,url,supplier\n"
			for n := range suppliers {
				rows += fmt.Sprintf("PO%[1]d,%[2]s/orders/%[1]d,%[3]s\n", 1000+n, server.URL, suppliers[n])
			}
			testkit.Write(t, cfg.File, rows)
			testkit.Write(t, cfg.RecipeFile, "version: 1\nidentity: {selector: '#po'}\nattachments: {"+c.recipe+"}\n")
			_, r := run(t, cfg)
			confirmed := []int{}
			for n, task := range r.Tasks {
				if task.Confirmed != nil && *task.Confirmed {
					confirmed = append(confirmed, n)
				}
				if task.Outcome == tasks.OutcomeNoAttachments != (len(task.Attachments) == 0) && task.Outcome != tasks.OutcomePartial {
					t.Errorf("%s: got %s", task.PO, task.Outcome)
				}
			}
			if got := fmt.Sprint(confirmed); got != c.confirmed {
				var said []string
				for _, task := range r.Tasks {
					said = append(said, fmt.Sprintf("%s %s %+v", task.PO, task.Outcome, task.Proof))
				}
				t.Errorf("confirmed are %s, want %s:\n%s", got, c.confirmed, strings.Join(said, "\n"))
			}
		})
	}
}
