package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// sameAddress are pages that get something at one address for all orders, how it is had, and the path of
// that.
var sameAddress = map[string]struct{ page, recipe, path string }{
	"a link":           {`<a class=doc href="/current.pdf">Invoice.pdf</a>`, `attachments: {item: .doc}`, "/current.pdf"},
	"a blob":           {`<button class=doc onclick="fetch('/current.pdf').then(r => r.blob()).then(b => { const a = document.createElement('a'); a.href = window.URL.createObjectURL(b); a.download = 'Invoice.pdf'; a.click() })">Invoice.pdf</button>`, `attachments: {item: .doc}`, "/current.pdf"},
	"a navigation":     {`<button class=doc onclick="location = '/current.pdf'">Invoice.pdf</button>`, `attachments: {item: .doc}`, "/current.pdf"},
	"a window":         {`<button class=doc onclick="window.open('/current.pdf')">Invoice.pdf</button>`, `attachments: {item: .doc}`, "/current.pdf"},
	"a printed page":   {`<a class=doc href="/current">Invoice</a>`, `related: [{link: .doc, attachments: {print: true, shows: .total}}]`, "/current"},
	"a page of a page": {`<a class=doc href="/current">Invoice</a>`, `attachments: {item: .doc, print: true, shows: .total}`, "/current"},
	"a page's data":    {`<a class=doc href="/shell">Invoice</a>`, `attachments: {item: .doc, print: true, shows: .total}`, "/current.pdf"},
	"a window's page":  {`<a class=doc target=_blank href="/current">Invoice</a>`, `attachments: {item: .doc, print: true, shows: .total}`, "/current"},
	"a related page":   {`<a class=all href="/current">All</a>`, `related: [{link: .all, attachments: {item: .file}}]`, "/current"},
	"a frame":          {`<iframe src="/current"></iframe>`, `attachments: {item: .file, frame: iframe}`, "/current"},
	"what it fetches":  {fetched("default"), `attachments: {item: .doc}`, "/current.json"},
	"what it keeps":    {fetched("force-cache"), `attachments: {item: .doc}`, "/current.json"},
	"what it requests": {`<p id=list></p><script>const x = new XMLHttpRequest(); x.open("GET", "/current.json"); x.onload = () => show(x.response); x.responseType = "json"; x.send()</script>`, `attachments: {item: .doc}`, "/current.json"},
	"pictures besides": {fetched("default") + `<script>const x = new XMLHttpRequest(); x.open("GET", "/picture.svg"); x.send()</script>`, `attachments: {item: .doc}`, "/current.json"},
	"data":             {fetched("default"), `attachments: {json: {url: /current.json, items: "$[*]", link: $.url}}`, "/current.json"},
	"the order":        {`<a class=doc href="/of/it.pdf">Invoice.pdf</a>`, `attachments: {item: .doc}`, "/order"},
}

// fetched returns a page that lists what it fetches, by a request of its own with such a cache.
func fetched(cache string) string {
	return `<p id=list></p><script>fetch(new Request("/current.json", {cache: "` + cache + `"})).then((r) => r.json()).then(show)</script>`
}

// TestCached reads two orders that get something at one address, which may be kept by Chrome: each asks
// for its own.
func TestCached(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked, last := map[string]int{}, "" // last is the order that is being read
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Cache-Control", "private, max-age=600")
		mu.Lock()
		defer mu.Unlock()
		asked[r.URL.Path]++
		switch r.URL.Path {
		case "/order":
			fmt.Fprintf(w, `<!doctype html><h1>Order %s</h1><script src="/show.js"></script>%s`, last, sameAddress[r.FormValue("case")].page)
		case "/show.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `const show = ([{url}]) => { list.innerHTML = '<a class=doc href="' + url + '">Invoice.pdf</a>' }`)
		case "/picture.svg":
			w.Header().Set("Content-Type", "image/svg+xml")
			fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg"/>`)
		case "/shell":
			fmt.Fprintf(w, `<!doctype html><h1>Invoice for %s</h1><p class=total></p><script>fetch("/current.pdf").then(() => { document.querySelector(".total").textContent = "9.00" })</script>`, last)
		case "/current":
			fmt.Fprintf(w, `<!doctype html><h1>Invoice for %s</h1><p class=total>9.00<p><a class=file href="/of/%[1]s.pdf">Invoice.pdf</a>`, last)
		case "/current.json":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `[{"url": "/of/%s.pdf"}]`, last)
		default:
			w.Header().Set("Content-Disposition", "attachment")
			sendDocument(w, r.URL.Path)
		}
	}))
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe := func(text string) *scrape.Portal {
		return scrape.NewPortal(recipeOf(t, server.URL, "identity: {selector: h1}\n"+text), nil)
	}
	base := newBenchOf(t, recipe(sameAddress["data"].recipe), ownChrome)
	for _, name := range kinds(sameAddress, "a link", "a window", "a printed page", "a page's data", "a related page", "what it fetches", "what it keeps", "pictures besides", "data", "the order") {
		c := sameAddress[name]
		b := base.with(recipe(c.recipe))
		for _, po := range []string{"PO1001", "PO1002"} {
			mu.Lock()
			before, pages := asked[c.path], asked["/order"]
			last = po
			mu.Unlock()
			d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: po, Digits: po[2:], Dir: "x" + uuid.NewString(),
				URL: server.URL + "/order?case=" + strings.ReplaceAll(name, " ", "+")}})
			mu.Lock()
			if d.Outcome != tasks.OutcomeComplete || asked[c.path] == before {
				t.Errorf("%s: %s ended %s (%s), and the server was asked for %s %d times", name, po, d.Outcome, failureText(d), c.path, asked[c.path]-before)
			}
			if n := asked["/order"] - pages; name == "pictures besides" && po == "PO1002" && n != 1 {
				t.Errorf("%s: the page of %s was opened %d times", name, po, n)
			}
			mu.Unlock()
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if n := asked["/show.js"]; n > 5 {
		t.Errorf("the server was asked for a script that may be kept %d times", n)
	}
}
