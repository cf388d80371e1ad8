package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// dataPage lists one document; more is what a script makes another one of.
const dataPage = `<!doctype html><meta charset=utf-8><title>PO%[1]d</title>
<body><h1>Order <b id=po>PO%[1]d</b></h1><p id=note>Note %[1]d</p><div id=docs><a class=att href="/doc/%[1]d.pdf">first.pdf</a></div>%[2]s`

const make1 = `const add = (n) => { const a = document.createElement("a"); a.className = "att"; a.href = "/doc/" + n; a.textContent = n; docs.append(a) };`

// TestDataOfOtherShapes earns the trust of pages whose scripts mount documents from the
// page's own data, for orders that have none there. Then one that has more free text, or a
// longer list, is only fetched, and the document of one that has some is found.
func TestDataOfOtherShapes(t *testing.T) {
	t.Parallel()
	island := `<script type="application/json" id=data>%s</script><script>` + make1 + `for (const d of JSON.parse(data.textContent).files) add(d.name)</script>`
	cases := map[string]struct{ page, without, same, with string }{
		"a list":            {island, `{"lines":[{"qty":1}],"files":[]}`, `{"lines":[{"qty":2},{"qty":5}],"files":[]}`, `{"lines":[{"qty":1}],"files":[{"name":"x.pdf"}]}`},
		"a longer list":     {`<a class=att href="/doc/a.pdf">a.pdf</a>` + strings.ReplaceAll(island, ".files) add(d.name)", ".files.slice(1)) add(d.name)"), `{"files":[{"name":"a.pdf"}]}`, `{"files":[{"name":"a.pdf"}] }`, `{"files":[{"name":"a.pdf"},{"name":"x.pdf"}]}`},
		"a key":             {`<script type="application/json" id=data>%s</script><script>` + make1 + `const o = JSON.parse(data.textContent); if (o.contract) add("x")</script>`, `{"total":5}`, `{"total":7}`, `{"total":5,"contract":"x"}`},
		"true and false":    {`<script type="application/json" id=data>%s</script><script>` + make1 + `if (JSON.parse(data.textContent).signed) add("x")</script>`, `{"signed":false}`, ` {"signed": false}`, `{"signed":true}`},
		"null":              {`<script type="application/json" id=data>%s</script><script>` + make1 + `if (JSON.parse(data.textContent).by) add("x")</script>`, `{"by":null}`, `{"by": null}`, `{"by":"J. Doe"}`},
		"a number":          {`<script type="application/json" id=data>%s</script><script>` + make1 + `if (JSON.parse(data.textContent).n > 0) add("x")</script>`, `{"n":0,"m":3}`, `{"n":0,"m":41}`, `{"n":2,"m":3}`},
		"a state":           {`<p id=state data-state="%s"></p><script>` + make1 + `if (state.dataset.state === "signed") add("x")</script>`, `draft`, `draft`, `signed`},
		"a data attribute":  {`<p id=state data-note="Order 1" %s></p><script>` + make1 + `if (state.dataset.file) add(state.dataset.file)</script>`, ``, `title="some text"`, `data-file="x"`},
		"a class":           {`<p id=state class="row %s"></p><script>` + make1 + `if (state.classList.contains("has")) add("x")</script>`, ``, `row`, `has`},
		"hidden":            {`<p id=state %s></p><script>` + make1 + `if (!state.hidden) add("x")</script>`, `hidden`, `hidden=""`, ``},
		"a style":           {`<p id=state style="color: red; display: %s"></p><script>` + make1 + `if (state.style.display !== "none") add("x")</script>`, `none`, `none; top: 1px`, `block`},
		"a literal":         {`<script>` + make1 + `const files = %s; for (const n of files) add(n)</script>`, `[]`, `[]`, `["x"]`},
		"a literal's value": {`<script>` + make1 + `const o = { id: 7, file: %s }; if (o.file) add(o.file)</script>`, `""`, `''`, `"some file"`},
		"a hidden input":    {`<input type=hidden id=more value="%s"><script>` + make1 + `if (more.value) add(more.value)</script>`, ``, ``, `x`},
		"a template":        {`<template id=more>%s</template><script>docs.append(more.content.cloneNode(true))</script>`, ``, ` `, `<a class=att href="/doc/x">x</a>`},
		"a comment":         {`<div id=more><!-- %s --></div><script>docs.insertAdjacentHTML("beforeend", more.firstChild.data)</script>`, `none`, `nothing`, `<a class=att href="/doc/x">x</a>`},
		"noscript":          {`<noscript id=more>%s</noscript><script>docs.insertAdjacentHTML("beforeend", more.textContent)</script>`, ``, ` `, `<a class=att href="/doc/x">x</a>`},
		"an attribute":      {`<doc-list id=more items='%s'></doc-list><script>` + make1 + `for (const n of JSON.parse(more.getAttribute("items"))) add(n)</script>`, `[]`, ` []`, `["x"]`},
		"meta":              {`<meta name=files content="%s"><script>` + make1 + `const f = document.querySelector("meta[name=files]").content; if (f) add(f)</script>`, ``, ``, `x`},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/case/{name}/{number}", func(w http.ResponseWriter, r *http.Request) {
		var number int
		_, _ = fmt.Sscan(r.PathValue("number"), &number)
		c := cases[r.PathValue("name")]
		data := c.without
		switch {
		case number%10000 >= 3000:
			data = c.with
		case number%10000 >= 2000:
			data = c.same
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, dataPage, number, strings.ReplaceAll(c.page, "%s", data))
	})
	mux.HandleFunc("/doc/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 ", r.URL.Path)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	b := newBenchOf(t, scrape.NewPortal(plainRecipe(t), nil))
	own := 0 // no two cases share the number of an order, and so a document
	for _, name := range kinds(cases, "a list", "a longer list", "true and false", "a literal's value", "a hidden input", "a template", "an attribute") {
		own += 10000
		read := func(number int) *tasks.Result {
			text := fmt.Sprint(own + number)
			task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO" + text, Digits: text, Dir: uuid.NewString(), URL: server.URL + "/case/" + url.PathEscape(name) + "/" + text}}
			d := b.attempt(t.Context(), t, task)
			if d.Result == nil || d.Outcome != tasks.OutcomeComplete {
				t.Fatalf("%s: order %d: %s", name, number, gist(d))
			}
			return d.Result
		}
		listed := 0
		for n := range 5 {
			listed = len(read(1000 + n).Attachments)
		}
		if got := read(2000); got.Executor != tasks.ExecutorFetch || len(got.Attachments) != listed {
			t.Errorf("%s: another of the same shape has %d documents, by %s (%s)", name, len(got.Attachments), got.Executor, got.FellBack)
		}
		if got := read(3000); len(got.Attachments) != listed+1 {
			t.Errorf("%s: %d documents were found by %s, want %d", name, len(got.Attachments), got.Executor, listed+1)
		}
	}
}
