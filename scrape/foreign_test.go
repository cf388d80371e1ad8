package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// foreignPages are orders with frames of other hosts. FRAME stands for the address of a page of
// this portal by another name of its host, STRANGER for one that no recipe allows.
var foreignPages = map[string]struct {
	page, recipe string
	outcome      tasks.Outcome
	names        string // of the documents
	fields       string
	why          string
}{
	"documents":         {page: `<iframe src="FRAME/two"></iframe>`, outcome: "complete", names: "[A.pdf B.pdf]"},
	"on both":           {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe src="FRAME/two"></iframe>`, outcome: "complete", names: "[C.pdf A.pdf B.pdf]"},
	"a small one":       {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe src="FRAME/two" height=20></iframe>`, outcome: "complete", names: "[C.pdf A.pdf B.pdf]"},
	"a count outside":   {page: `<h2>Documents (2)</h2><iframe src="FRAME/two"></iframe>`, outcome: "complete", names: "[A.pdf B.pdf]"},
	"late":              {page: `<iframe src="FRAME/late"></iframe>`, outcome: "complete", names: "[A.pdf]"},
	"to click":          {page: `<iframe src="FRAME/click"></iframe>`, outcome: "complete", names: "[A.pdf]"},
	"one in another":    {page: `<iframe src="FRAME/nested"></iframe>`, outcome: "complete", names: "[A.pdf B.pdf]"},
	"a named one":       {page: `<iframe class=f src="FRAME/two"></iframe><iframe src="FRAME/other"></iframe>`, recipe: "frame: .f", outcome: "complete", names: "[A.pdf B.pdf]"},
	"a field":           {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe src="FRAME/fields"></iframe>`, outcome: "complete", names: "[C.pdf]", fields: "ACME 12.50"},
	"none, by a marker": {page: `<iframe src="FRAME/none"></iframe>`, recipe: "none: .none", outcome: "no_attachments", names: "[]"},
	"none, and no word": {page: `<iframe src="FRAME/none"></iframe>`, outcome: "partial", names: "[]", why: "nothing proves"},
	"a count within":    {page: `<iframe src="FRAME/more"></iframe>`, outcome: "partial", names: "[A.pdf]", why: "Documents (3)"},
	"a count that is 3": {page: `<h2>Documents (3)</h2><iframe src="FRAME/two"></iframe>`, outcome: "partial", names: "[A.pdf B.pdf]", why: "Documents (3)"},
	"fewer alone":       {page: `<iframe src="FRAME/framed"></iframe>`, outcome: "partial", names: "[A.pdf]", why: "opened alone"},
	"broken":            {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe src="FRAME/broken"></iframe>`, outcome: "partial", names: "[C.pdf]", why: "500"},
	"a stranger":        {page: `<iframe src="STRANGER/two"></iframe>`, outcome: "partial", names: "[]", why: "a frame of another host"},
	"a stranger beside": {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe src="STRANGER/two"></iframe>`, outcome: "complete", names: "[C.pdf]"},
}

// TestReadForeignFrames reads what stands in frames of other hosts that the recipe allows.
func TestReadForeignFrames(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	doc := func(name string) string { return `<a class=doc href="/doc/` + name + `">` + name + `</a> ` }
	frames := map[string]string{
		"two": doc("A.pdf") + doc("B.pdf"), "other": doc("X.pdf"), "none": `<p class=none>No documents</p>`,
		"late":   `<div id=l></div><script>setTimeout(() => { l.innerHTML = '` + doc("A.pdf") + `' }, 1500)</script>`,
		"click":  `<button class=doc onclick="const a = document.createElement('a'); a.href = '/doc/A.pdf'; a.download = 'A.pdf'; a.click()">A.pdf</button>`,
		"more":   `<h2>Documents (3)</h2>` + doc("A.pdf"),
		"framed": doc("A.pdf") + `<script>if (parent !== window) document.body.insertAdjacentHTML("beforeend", '` + doc("B.pdf") + `')</script>`,
		"fields": `<p id=supplier>ACME</p><dl><dt>Total<dd>12.50</dl>`,
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/frame/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		body := frames[r.PathValue("name")]
		switch r.PathValue("name") {
		case "nested":
			_, port, _ := strings.Cut(r.Host, ":")
			body = `<iframe src="http://127.0.0.1:` + port + `/frame/two"></iframe>`
		case "broken":
			w.WriteHeader(http.StatusInternalServerError)
		}
		fmt.Fprint(w, "<!doctype html><body>"+body)
	})
	mux.HandleFunc("/order/{case}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, port, _ := strings.Cut(r.Host, ":")
		at := strings.NewReplacer("FRAME", "http://localhost:"+port+"/frame", "STRANGER", "http://127.0.0.2:"+port+"/frame")
		fmt.Fprint(w, "<!doctype html><h1 id=po>PO7000001</h1>"+at.Replace(foreignPages[r.PathValue("case")].page))
	})
	mux.HandleFunc("/doc/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprintf(w, "%%PDF-1.4 %s\n%%%%EOF\n", r.PathValue("name"))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	shared := newBench(t, recipeOf(t, server.URL, "attachments: {item: .doc}\n"))
	for name, c := range foreignPages {
		t.Run(name, func(t *testing.T) {
			text := "allowed_hosts: [localhost]\nidentity: {selector: '#po'}\nfields: {supplier: {selector: '#supplier'}, total: {label: Total, type: amount, locale: en}}\nattachments: {item: .doc"
			if c.recipe != "" {
				text += ", " + c.recipe
			}
			b := shared.with(scrape.NewPortal(recipeOf(t, server.URL, text+"}\n"), nil))
			d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO7000001", Digits: "7000001", Dir: "PO7000001" + uuid.NewString(), URL: server.URL + "/order/" + url.PathEscape(name)}})
			if d.Result == nil {
				t.Fatalf("got %s, %v", d.Outcome, failureText(d))
			}
			names, missing := []string{}, ""
			for _, doc := range d.Result.Attachments {
				if doc.State == tasks.AttachmentDone {
					names = append(names, doc.Name)
				}
			}
			if d.Result.Missing != nil {
				missing = d.Result.Missing.Message
			}
			fields := strings.TrimSpace(d.Result.Fields["supplier"].Value + " " + d.Result.Fields["total"].Value)
			if d.Result.Outcome != c.outcome || fmt.Sprint(names) != c.names || fields != c.fields || !strings.Contains(missing, c.why) {
				t.Errorf("got %s, %v, %q, %s; want %s, %s", d.Result.Outcome, names, fields, missing, c.outcome, c.names)
			}
		})
	}
}
