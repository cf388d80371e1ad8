package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// relatedMade are orders whose other pages are at addresses that stand in data, or are made. Each page of an
// order has the document own.pdf, and /i/N the document N.pdf; DOCS says where that is.
var relatedMade = map[string]struct {
	related, page string
	outcome       tasks.Outcome
	class         tasks.Class
	says          string
	done          []string
	// asked are addresses, and how often they are asked for.
	asked map[string]int
}{
	"in data":           {related: `{json: {get: "/api/orders/{po}", items: "$.invoices[*]", link: $.url}, DOCS}`, outcome: tasks.OutcomeComplete, done: []string{"own.pdf", "1.pdf", "2.pdf"}, asked: map[string]int{"/i/1": 1, "/i/2": 1, "/api/orders/PO1001": 1}},
	"in an answer":      {related: `{json: {url: /api/orders/PO1001, items: $.invoices, link: "/i/{$.id}"}, DOCS}`, page: `<script>setTimeout(() => fetch("/api/orders/PO1001"), 300)</script>`, outcome: tasks.OutcomeComplete, done: []string{"own.pdf", "1.pdf", "2.pdf"}},
	"in a script":       {related: `{json: {script: "#d", items: "$.invoices[*]", link: "/i/{$.id}"}, DOCS}`, page: `<script id=d type="application/json">{"order": "PO1001", "invoices": [{"id": 3}]}</script>`, outcome: tasks.OutcomeComplete, done: []string{"own.pdf", "3.pdf"}},
	"some of them":      {related: `{json: {get: "/api/orders/{po}", items: "$.invoices[*]", link: $.url, where: {path: $.id, text: "2"}}, DOCS}`, outcome: tasks.OutcomeComplete, done: []string{"own.pdf", "2.pdf"}, asked: map[string]int{"/i/1": 0}},
	"with a field":      {related: `{json: {get: "/api/orders/{id}", items: "$.invoices[*]", link: $.url}, DOCS}`, page: `<b id=id>PO1001</b>`, outcome: tasks.OutcomeComplete, done: []string{"own.pdf", "1.pdf", "2.pdf"}},
	"beside a link":     {related: `{link: a.invoice, attachments: {item: a.doc}}, {json: {get: "/api/orders/{po}", items: "$.invoices[*]", link: $.url}, DOCS}`, page: `<a class=invoice href="/i/2">2</a>`, outcome: tasks.OutcomeComplete, done: []string{"own.pdf", "2.pdf", "1.pdf"}, asked: map[string]int{"/i/2": 1}},
	"on another host":   {related: `{json: {get: "/api/orders/{po}", items: "$.hosted[*]", link: $.url}, DOCS}`, outcome: tasks.OutcomeComplete, done: []string{"own.pdf", "pay.pdf"}},
	"printed":           {related: `{json: {get: "/api/orders/{po}", items: "$.hosted[*]", link: $.url}, attachments: {print: true, shows: "#total"}}`, outcome: tasks.OutcomeComplete, done: []string{"own.pdf", "PO1001.pdf"}},
	"an empty list":     {related: `{json: {get: "/api/orders/{po}", items: "$.none[*]", link: $.url}, DOCS}`, outcome: tasks.OutcomeComplete, done: []string{"own.pdf"}},
	"made":              {related: `{url: "/orders/{po}/documents", DOCS}`, outcome: tasks.OutcomeComplete, done: []string{"own.pdf", "more.pdf"}},
	"made of a field":   {related: `{url: "{base_url}/i/{id}", DOCS}`, page: `<b id=id>4</b>`, outcome: tasks.OutcomeComplete, done: []string{"own.pdf", "4.pdf"}},
	"made, and its own": {related: `{url: "/case/{column:none}{po}", DOCS}, {url: "/orders/{po}/documents", DOCS}`, outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete, says: "{column:none}", done: []string{"own.pdf", "more.pdf"}},

	"no list":              {related: `{json: {get: "/api/orders/{po}", items: "$.invoice[*]", link: $.url}, DOCS}`, outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete, says: "the order's other pages are not known (related[0].json)", done: []string{"own.pdf"}},
	"no answer":            {related: `{json: {url: "/api/orders/{po}", items: "$.invoices[*]", link: $.url}, DOCS}`, outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete, says: "no answer matched", done: []string{"own.pdf"}},
	"an answer of errors":  {related: `{json: {get: "/api/errors/{po}", items: "$.invoices[*]", link: $.url}, DOCS}`, outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete, says: "errors", done: []string{"own.pdf"}},
	"one without":          {related: `{json: {get: "/api/orders/{po}", items: "$.drafts[*]", link: $.url}, DOCS}`, outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete, says: "found no address of a page", done: []string{"own.pdf", "1.pdf"}},
	"a script's":           {related: `{json: {get: "/api/orders/{po}", items: "$.odd[*]", link: $.script}, DOCS}`, outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete, says: "found no address of a page", done: []string{"own.pdf"}},
	"data's":               {related: `{json: {get: "/api/orders/{po}", items: "$.odd[*]", link: $.data}, DOCS}`, outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete, says: "no address of a page", done: []string{"own.pdf"}},
	"a foreign host":       {related: `{json: {get: "/api/orders/{po}", items: "$.odd[*]", link: $.away}, DOCS}`, outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete, says: "other.example", done: []string{"own.pdf"}},
	"led to a foreign one": {related: `{url: "/away/{po}", DOCS}`, outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete, says: "other.example", done: []string{"own.pdf"}},
	"what does more":       {related: `{json: {get: "/api/orders/{po}", items: "$.odd[*]", link: $.cancel}, DOCS}`, outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete, says: `"cancel"`, done: []string{"own.pdf"}, asked: map[string]int{"/orders/x/cancel": 0}},
	"another's address":    {related: `{json: {get: "/api/orders/{po}", items: "$.odd[*]", link: $.other}, DOCS}`, outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete, says: "a page of another order than PO1001", done: []string{"own.pdf"}, asked: map[string]int{"/orders/PO1002/documents": 0}},
	"another's page":       {related: `{url: "/moved/{po}", DOCS}`, outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete, says: `another order than PO1001, and not its own: "PO1002"`, done: []string{"own.pdf"}},
	"another's element":    {related: `{json: {get: "/api/orders/{po}", items: "$.both[*]", link: "/i/{$.id}"}, DOCS}`, outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete, says: "another order's", done: []string{"own.pdf", "5.pdf"}},
	"not found":            {related: `{url: "/nowhere/{po}", DOCS}`, outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete, says: "404", done: []string{"own.pdf"}},
	"no value":             {related: `{url: "/i/{id}", DOCS}`, outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete, says: "that field has no value", done: []string{"own.pdf"}},
	"back to its own":      {related: `{url: "/back/{po}", DOCS}`, outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete, says: "led back", done: []string{"own.pdf"}},
}

// TestRelatedMade visits them.
func TestRelatedMade(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	var mu sync.Mutex
	asked := map[string]int{}
	show := func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Portal</title>`+body)
	}
	doc := func(name string) string { return `<a class=doc href="/d/` + name + `">` + name + `</a>` }
	var base, pay string
	handle := func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path]++
		mu.Unlock()
		dir, name := path.Split(r.URL.Path)
		switch {
		case dir == "/case/":
			show(w, `<h1>Order <b id=po>PO1001</b></h1>`+doc("own.pdf")+relatedMade[name].page)
		case dir == "/i/":
			show(w, `<h1>Invoice INV-`+name+`</h1>`+doc(name+".pdf"))
		case r.URL.Path == "/orders/PO1001/documents":
			show(w, `<h1>Documents</h1>`+doc("more.pdf")+`<p>Others: PO1001, PO1002`)
		case r.URL.Path == "/hosted":
			show(w, `<h1>Invoice</h1><p id=total>12.00</p>`+doc("pay.pdf"))
		case dir == "/away/":
			http.Redirect(w, r, "http://other.example/", http.StatusFound)
		case dir == "/moved/":
			http.Redirect(w, r, "/orders/PO1002/documents", http.StatusFound)
		case r.URL.Path == "/orders/PO1002/documents":
			show(w, `<h1>Order PO1002</h1>`+doc("other.pdf"))
		case dir == "/back/":
			http.Redirect(w, r, "/case/back%20to%20its%20own", http.StatusFound)
		case r.URL.Path == "/api/orders/PO1001":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"invoices": [{"id": 1, "url": "/i/1"}, {"id": 2, "url": "%[1]s/i/2"}], "hosted": [{"url": "%[2]s/hosted"}], "none": [], "drafts": [{"url": "/i/1"}, {"url": null}],
				"odd": [{"script": "javascript:1", "data": "data:text/html,x", "away": "http://other.example/i", "cancel": "/orders/x/cancel", "other": "/orders/PO1002/documents"}],
				"both": [{"order": "PO1001", "id": 5}, {"order": "PO1002", "id": 6}]}`, base, pay)
		case r.URL.Path == "/api/errors/PO1001":
			fmt.Fprint(w, `{"errors": ["down"], "invoices": []}`)
		case dir == "/d/":
			w.Header().Set("Content-Type", "application/pdf")
			fmt.Fprint(w, "%PDF-1.4 "+name)
		default:
			http.NotFound(w, r)
		}
	}
	served := func() string {
		s := httptest.NewServer(http.HandlerFunc(handle))
		t.Cleanup(func() { testkit.EndServer(s) })
		return s.URL
	}
	base, pay = served(), served()
	recipe := func(related string) *scrape.Recipe {
		related = strings.ReplaceAll(related, "DOCS", "attachments: {item: a.doc}")
		return recipeOf(t, base, "allowed_hosts: ['"+strings.TrimPrefix(pay, "http://")+"']\nidentity: {selector: '#po'}\nfields: {id: {selector: '#id'}}\nattachments: {item: a.doc}\nrelated: ["+related+"]\n")
	}
	shared := newBench(t, recipe(relatedMade["in data"].related))
	for _, name := range kinds(relatedMade, "in data", "with a field", "on another host", "printed", "made of a field", "made, and its own", "no list", "an answer of errors", "one without", "data's",
		"led to a foreign one", "what does more", "another's page", "another's element", "back to its own") {
		c := relatedMade[name]
		t.Run(name, func(t *testing.T) {
			mu.Lock()
			clear(asked)
			mu.Unlock()
			p := scrape.NewPortal(recipe(c.related), nil)
			d := shared.with(p).attempt(t.Context(), t, orderAt("PO1001", base+"/case/"+strings.ReplaceAll(name, " ", "%20")))
			if d.Result == nil || d.Outcome != c.outcome || c.class != "" && (d.Failure == nil || d.Failure.Class != c.class) || !strings.Contains(failureText(d), c.says) {
				t.Fatalf("got %s, %s, want %s: %s", d.Outcome, failureText(d), c.outcome, c.says)
			}
			var done []string
			for _, doc := range d.Result.Attachments {
				if doc.State == tasks.AttachmentDone {
					done = append(done, path.Base(doc.Path))
				}
			}
			if !slices.Equal(done, c.done) {
				t.Errorf("got %q, want %q", done, c.done)
			}
			for _, look := range d.Result.Looks {
				if strings.HasPrefix(look.Where, "related") && look.Mark == "" {
					t.Errorf("%s has no mark", look.Where)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			for at, want := range c.asked {
				if asked[at] != want {
					t.Errorf("%s was asked for %d times, want %d", at, asked[at], want)
				}
			}
		})
	}
}
