package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// sameAddress are pages whose document has one address for all orders, and how it is had.
var sameAddress = map[string]struct{ page, recipe string }{
	"a link":           {`<a class=doc href="/current.pdf">Invoice.pdf</a>`, `attachments: {item: .doc}`},
	"a blob":           {`<button class=doc onclick="fetch('/current.pdf').then(r => r.blob()).then(b => { const a = document.createElement('a'); a.href = window.URL.createObjectURL(b); a.download = 'Invoice.pdf'; a.click() })">Invoice.pdf</button>`, `attachments: {item: .doc}`},
	"a navigation":     {`<button class=doc onclick="location = '/current.pdf'">Invoice.pdf</button>`, `attachments: {item: .doc}`},
	"a window":         {`<button class=doc onclick="window.open('/current.pdf')">Invoice.pdf</button>`, `attachments: {item: .doc}`},
	"a related page":   {`<a class=doc href="/current">Invoice</a>`, `related: [{link: .doc, attachments: {print: true, shows: .total}}]`},
	"a page of a page": {`<a class=doc href="/current">Invoice</a>`, `attachments: {item: .doc, print: true, shows: .total}`},
	"a page's data":    {`<a class=doc href="/shell">Invoice</a>`, `attachments: {item: .doc, print: true, shows: .total}`},
	"a window's page":  {`<a class=doc target=_blank href="/current">Invoice</a>`, `attachments: {item: .doc, print: true, shows: .total}`},
}

// TestCached reads two orders whose documents have one address, and may be kept by Chrome: each gets
// its own.
func TestCached(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked, last := 0, "" // which order was opened last
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, of, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		w.Header().Set("Content-Type", "text/html")
		mu.Lock()
		defer mu.Unlock()
		switch path {
		case "orders":
			last = of
			fmt.Fprintf(w, `<!doctype html><h1>Order %s</h1>%s`, of, sameAddress[r.FormValue("case")].page)
			return
		case "shell":
			fmt.Fprintf(w, `<!doctype html><h1>Invoice for %s</h1><p class=total></p><script>fetch("/current.pdf").then(() => { document.querySelector(".total").textContent = "9.00" })</script>`, last)
			return
		}
		asked++
		w.Header().Set("Cache-Control", "private, max-age=600")
		if path == "current" {
			fmt.Fprintf(w, `<!doctype html><h1>Invoice for %s</h1><p class=total>9.00`, last)
			return
		}
		w.Header().Set("Content-Disposition", "attachment")
		sendDocument(w, path)
	}))
	t.Cleanup(server.Close)
	recipe := func(text string) *scrape.Portal {
		return scrape.NewPortal(recipeOf(t, server.URL, "identity: {selector: h1}\n"+text), nil)
	}
	base := newBenchOf(t, recipe(sameAddress["a link"].recipe))
	for name, c := range sameAddress {
		b := base.with(recipe(c.recipe))
		for _, po := range []string{"PO1001", "PO1002"} {
			mu.Lock()
			before := asked
			mu.Unlock()
			d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: po, Digits: po[2:], Dir: "x" + uuid.NewString(),
				URL: server.URL + "/orders/" + po + "?case=" + strings.ReplaceAll(name, " ", "+")}})
			mu.Lock()
			if d.Outcome != tasks.OutcomeComplete || asked == before {
				t.Errorf("%s: %s ended %s (%s), and the server was asked for its document %d times", name, po, d.Outcome, failureText(d), asked-before)
			}
			mu.Unlock()
		}
	}
}
