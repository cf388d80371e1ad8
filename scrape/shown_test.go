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

// TestCounts reads what pages and answers say of how many documents their lists have.
func TestCounts(t *testing.T) { //nolint:tparallel // one browser after the other
	t.Parallel()
	doc := func(names ...string) (all string) {
		for _, name := range names {
			all += `<li><a class=doc href="/d/` + name + `.pdf">` + name + `.pdf</a>`
		}
		return "<ul>" + all + "</ul>"
	}
	const (
		data   = `attachments: {json: {url: /api/files, items: "$.files[*]", link: $.href, name: $.name}}`
		posts  = `<script>fetch("/api/files", {method: "POST", body: '{"pageSize": %d}'}).then(r => r.json())</script>`
		number = "<h1 id=po>PO1001</h1>"
		paged  = "attachments: {item: a.doc, next: a.next}"
	)
	for name, c := range map[string]struct {
		recipe, page string
		pages        map[string]string // others, by path
		want         string
	}{
		"a heading":                      {recipe: "attachments: {item: a.doc}", page: "<section><h2>Documents (2)</h2>" + doc("a", "b") + "</section>", want: "2 of 2 Documents (2)"},
		"a size that the page asked for": {recipe: "attachments: {item: a.doc}", page: "<section><h2>Documents (2)</h2>" + doc("a", "b") + `</section><script>fetch("/api/files?page_size=2")</script>`, want: "2 of 2 Documents (2) (asked)"},
		"a list with the order alone":    {recipe: "attachments: {item: a.doc}", page: `<h1>Orders</h1><table><tr><th>Order number<th>File<tr><td id=po>PO1001<td><a class=doc href="/d/a.pdf">PDF</a></table><p>1-1 of 1</p>`, want: "1"},
		"no count":                       {recipe: "attachments: {item: a.doc}", page: "<section><h2>Documents</h2>" + doc("a", "b") + "</section>", want: "2"},
		"the answer":                     {recipe: data, page: fmt.Sprintf(posts, 50), want: "2 of 2 total: 2"},
		"as many as were asked for":      {recipe: data, page: fmt.Sprintf(posts, 2), want: "2 of 2 total: 2 (asked)"},
		"the answer, and another's":      {recipe: data, page: fmt.Sprintf(posts, 50) + "<section><h2>Comments (0)</h2></section>", want: "2 of 2 total: 2"},
		"the recipe's, of an answer":     {recipe: data[:len(data)-1] + ", count: '#n'}", page: strings.Replace(fmt.Sprintf(posts, 50), "/files", "/files?bare", 1) + "<p id=n>2</p>", want: "2 of 2 2"},
		"no count is to be read":         {recipe: data[:len(data)-1] + ", count: off}", page: fmt.Sprintf(posts, 50), want: "2"},
		"the recipe's count alone":       {recipe: data[:len(data)-1] + ", count: '#n'}", page: fmt.Sprintf(posts, 50) + "<p id=n>1</p>", want: "2"},
		"the last page":                  {recipe: paged, page: "<section><h2>Documents</h2>" + doc("a", "b") + `<p>Page 1 of 2</p><a class=next href="/p/2">Next</a></section>`, pages: map[string]string{"/p/2": "<section><h2>Documents</h2>" + doc("c") + "<p>Page 2 of 2</p></section>"}, want: "3 of 3 Page 1 of 2"},
		"all pages":                      {recipe: paged, page: "<section><h2>Documents</h2>" + doc("a", "b") + `<p>1-2 of 3</p><a class=next href="/p/2">Next</a></section>`, pages: map[string]string{"/p/2": "<section><h2>Documents</h2>" + doc("c") + "<p>3-3 of 3</p></section>"}, want: "3 of 3 1-2 of 3"},
		"each page":                      {recipe: paged, page: "<section><h2>Documents (1)</h2>" + doc("a") + `<a class=next href="/p/2">Next</a></section>`, pages: map[string]string{"/p/2": "<section><h2>Documents (1)</h2>" + doc("c") + "</section>"}, want: "2"},
		"a related page":                 {recipe: "attachments: {item: a.doc}\nrelated: [{link: a.more, attachments: {item: a.doc}}]", page: "<section><h2>Documents (1)</h2>" + doc("a") + `</section><a class=more href="/p/r">Requisition</a>`, pages: map[string]string{"/p/r": "<section><h2>Documents (2)</h2>" + doc("b", "c") + "</section>"}, want: "1 of 1 Documents (1); /p/r 2 of 2 Documents (2)"},
		"a related page alone":           {recipe: "related: [{link: a.more, attachments: {item: a.doc}}]", page: `<a class=more href="/p/r">Requisition</a>`, pages: map[string]string{"/p/r": "<section><h2>Documents (2)</h2>" + doc("b", "c") + "</section>"}, want: "/p/r 2 of 2 Documents (2)"},
		"a frame":                        {recipe: "allowed_hosts: [localhost]\nattachments: {item: a.doc}", page: "<section><h2>Documents (1)</h2>" + doc("a") + `</section><iframe src="FRAME/p/f"></iframe>`, pages: map[string]string{"/p/f": "<section><h2>Documents (2)</h2>" + doc("b", "c") + "</section>"}, want: "1 of 1 Documents (1); /p/f 2 of 2 Documents (2)"},
		"a frame of another's count":     {recipe: "allowed_hosts: [localhost]\nattachments: {item: a.doc}", page: doc("a") + `<iframe src="FRAME/p/f"></iframe>`, pages: map[string]string{"/p/f": "<section><h2>Documents (2)</h2>" + doc("b", "c") + "</section>"}, want: "1; /p/f 2 of 2 Documents (2)"},
		"the frame of the documents":     {recipe: "allowed_hosts: [localhost]\nattachments: {item: a.doc, frame: iframe}", page: `<iframe src="FRAME/p/f"></iframe>`, pages: map[string]string{"/p/f": "<section><h2>Documents (2)</h2>" + doc("b", "c") + "</section>"}, want: "/p/f 2 of 2 Documents (2)"},
		"a frame that says that none":    {recipe: "allowed_hosts: [localhost]\nattachments: {item: a.doc, none: .none}", page: `<iframe src="FRAME/p/f"></iframe>`, pages: map[string]string{"/p/f": "<section><h2>Documents</h2><p class=none>No documents</p></section>"}, want: "0; /p/f 0 none"},
		"a frame beside one that does":   {recipe: "allowed_hosts: [localhost]\nattachments: {item: a.doc, none: .none}", page: doc("a") + `<iframe src="FRAME/p/f"></iframe>`, pages: map[string]string{"/p/f": "<section><h2>Documents</h2><p class=none>No documents</p></section>"}, want: "1; /p/f 0 none"},
	} {
		t.Run(name, func(t *testing.T) {
			mux := http.NewServeMux()
			page := func(body string) http.HandlerFunc {
				return func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", "text/html; charset=utf-8")
					_, port, _ := strings.Cut(r.Host, ":")
					top := number
					if strings.Contains(body, "id=po") {
						top = ""
					}
					fmt.Fprint(w, "<!doctype html><title>Portal</title>"+top+strings.ReplaceAll(body, "FRAME", "http://localhost:"+port))
				}
			}
			mux.Handle("/orders/PO1001", page(c.page))
			for path, body := range c.pages {
				mux.Handle(path, page(body))
			}
			mux.HandleFunc("/d/{name}", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/pdf")
				fmt.Fprintf(w, "%%PDF-1.4 %s\n%%%%EOF", r.PathValue("name"))
			})
			mux.HandleFunc("/api/files", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				total := `, "total": 2`
				if r.URL.RawQuery != "" {
					total = ""
				}
				fmt.Fprintf(w, `{"files": [{"href": "/d/a.pdf", "name": "a.pdf"}, {"href": "/d/b.pdf", "name": "b.pdf"}]%s}`, total)
			})
			server := httptest.NewServer(mux)
			t.Cleanup(func() { testkit.EndServer(server) })
			b := newBench(t, recipeOf(t, server.URL, "identity: {selector: '#po'}\n"+c.recipe+"\n"))
			p := scrape.NewPortal(recipeOf(t, server.URL, "identity: {selector: '#po'}\n"+c.recipe+"\n"), nil)
			d := b.with(p).attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: server.URL + "/orders/PO1001"}})
			if d.Result == nil || d.Result.Shown == nil {
				t.Fatalf("got %s (%s)", d.Outcome, failureText(d))
			}
			var got []string
			for _, l := range d.Result.Shown.Lists {
				_, path, _ := strings.Cut(strings.TrimPrefix(l.Page, "http://"), "/")
				text := strings.TrimSpace(fmt.Sprint(strings.TrimSuffix("/"+path, "/"), " ", l.Met))
				if l.Count != nil {
					text += fmt.Sprint(" of ", l.Count.N, " ", l.Count.Text)
					if l.Count.Asked {
						text += " (asked)"
					}
				}
				if l.None != "" {
					text += " none"
				}
				got = append(got, text)
			}
			if strings.Join(got, "; ") != c.want {
				t.Errorf("got %q, want %q; %s (%s)", strings.Join(got, "; "), c.want, d.Outcome, failureText(d))
			}
		})
	}
}
