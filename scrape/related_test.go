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

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestRelated reads orders to which other pages belong.
func TestRelated(t *testing.T) {
	t.Parallel()
	const (
		none  = `<p class=none>No documents</p>`
		own   = `<a class=doc href="/d/Order.pdf">Order.pdf</a>`
		rec   = "attachments: {item: a.doc, none: .none}\nrelated: [{link: a.requisition, attachments: {item: a.doc}}]"
		click = `<button class=doc onclick="location='/d/%s'">%s</button>`
	)
	to := func(paths ...string) string {
		var links []string
		for _, path := range paths {
			links = append(links, `<a class=requisition href="`+path+`">Requisition</a>`)
		}
		return strings.Join(links, " ")
	}
	pages := map[string]string{
		"/r/one":     `<h1>Requisition RQ77</h1><a class=doc href="/d/Request.pdf">Request.pdf</a><a class=requisition href="/r/two">RQ78</a>`,
		"/r/two":     `<h1>Requisition RQ78</h1><a class=doc href="/d/Quote.pdf">Quote.pdf</a>`,
		"/r/both":    `<h1>Requisition RQ79</h1>` + own + `<a class=doc href="/d/Request.pdf">Request.pdf</a>`,
		"/r/empty":   `<h1>Requisition RQ80</h1><p>nothing</p>`,
		"/r/name":    `<h1>Requisition RQ81</h1><a class=doc href="/d/other/Order.pdf">Order.pdf</a>`,
		"/r/click":   `<h1>Requisition RQ82</h1>` + fmt.Sprintf(click, "Request.pdf", "Request.pdf"),
		"/r/login":   `<h1>Sign in</h1><form><input name=u><input type=password></form>`,
		"/r/error":   `<h1>Something went wrong</h1><p>An error occurred</p>`,
		"/r/more":    `<h1>Requisition RQ83</h1><h2>Documents (3)</h2><a class=doc href="/d/Request.pdf">Request.pdf</a>`,
		"/r/script":  `<h1>Requisition RQ84</h1><div id=l></div><script>setTimeout(() => { l.innerHTML = '<a class=doc href="/d/Request.pdf">Request.pdf</a>' }, 900)</script>`,
		"/r/broken":  `<h1>Requisition RQ85</h1><script>fetch("/status/500")</script>`,
		"/r/another": `<h1>Order PO9999</h1><a class=doc href="/d/Request.pdf">Request.pdf</a>`,
		"/r/cut":     `<h1>Requisition RQ86</h1><a class=doc href="/d/cut.pdf">Cut.pdf</a>`,
	}
	cases := map[string]struct {
		recipe, body string
		outcome      tasks.Outcome
		done         []string
		failed       int
		class        tasks.Class
		proof        tasks.ProofKind
	}{
		"only there":                {body: none + to("/r/one"), outcome: tasks.OutcomeComplete, done: []string{"Request.pdf"}},
		"on both":                   {body: own + to("/r/one"), outcome: tasks.OutcomeComplete, done: []string{"Order.pdf", "Request.pdf"}},
		"the same on both":          {body: own + to("/r/both"), outcome: tasks.OutcomeComplete, done: []string{"Order.pdf", "Request.pdf"}},
		"one name on both":          {body: own + to("/r/name"), outcome: tasks.OutcomeComplete, done: []string{"Order.pdf", "Order~2.pdf"}},
		"no link":                   {body: own, outcome: tasks.OutcomeComplete, done: []string{"Order.pdf"}},
		"no link and none":          {body: none, outcome: tasks.OutcomeNoAttachments, proof: tasks.ProofMarker},
		"nothing there":             {body: own + to("/r/empty"), outcome: tasks.OutcomeComplete, done: []string{"Order.pdf"}},
		"nothing anywhere":          {body: none + to("/r/empty"), outcome: tasks.OutcomeNoAttachments, proof: tasks.ProofMarker},
		"two of them":               {body: own + to("/r/one", "/r/two", "/r/one", "/r/one#top"), outcome: tasks.OutcomeComplete, done: []string{"Order.pdf", "Request.pdf", "Quote.pdf"}},
		"a link back":               {body: own + to("@self", "#top"), outcome: tasks.OutcomeComplete, done: []string{"Order.pdf"}},
		"mounted there":             {body: none + to("/r/script"), outcome: tasks.OutcomeComplete, done: []string{"Request.pdf"}},
		"another order's page":      {body: none + to("/r/another"), outcome: tasks.OutcomeComplete, done: []string{"Request.pdf"}},
		"hidden, beside a visible":  {body: own + `<div hidden>` + to("/r/two") + `</div>` + to("/r/one"), outcome: tasks.OutcomeComplete, done: []string{"Order.pdf", "Request.pdf"}},
		"clicked there":             {recipe: strings.Replace(rec, "{item: a.doc}}", "{item: button.doc}}", 1), body: own + to("/r/click"), outcome: tasks.OutcomeComplete, done: []string{"Order.pdf", "Request.pdf"}},
		"clicked here and there":    {recipe: strings.ReplaceAll(rec, "a.doc", "button.doc"), body: fmt.Sprintf(click, "Order.pdf", "Order.pdf") + to("/r/click"), outcome: tasks.OutcomeComplete, done: []string{"Order.pdf", "Request.pdf"}},
		"not there":                 {body: own + to("/r/nowhere"), outcome: tasks.OutcomePartial, done: []string{"Order.pdf"}, class: tasks.ClassPageIncomplete},
		"not there, and none":       {body: none + to("/r/nowhere"), outcome: tasks.OutcomePartial, class: tasks.ClassPageIncomplete},
		"one of two is not there":   {body: own + to("/r/nowhere", "/r/one"), outcome: tasks.OutcomePartial, done: []string{"Order.pdf", "Request.pdf"}, class: tasks.ClassPageIncomplete},
		"a sign-in there":           {body: own + to("/r/login"), outcome: tasks.OutcomePartial, done: []string{"Order.pdf"}, class: tasks.ClassPageIncomplete},
		"an error there":            {body: own + to("/r/error"), outcome: tasks.OutcomePartial, done: []string{"Order.pdf"}, class: tasks.ClassPageIncomplete},
		"a part that does not load": {body: own + to("/r/broken"), outcome: tasks.OutcomePartial, done: []string{"Order.pdf"}, class: tasks.ClassPageIncomplete},
		"more than are listed":      {body: own + to("/r/more"), outcome: tasks.OutcomePartial, done: []string{"Order.pdf", "Request.pdf"}, class: tasks.ClassPageIncomplete},
		"a document fails there":    {body: own + to("/r/cut"), outcome: tasks.OutcomePartial, done: []string{"Order.pdf"}, failed: 1, class: tasks.ClassHTTPStatus},
		"on another host":           {body: own + to("http://elsewhere.example/r"), outcome: tasks.OutcomePartial, done: []string{"Order.pdf"}, class: tasks.ClassPageIncomplete},
		"led to another host":       {body: own + to("/away"), outcome: tasks.OutcomePartial, done: []string{"Order.pdf"}, class: tasks.ClassPageIncomplete},
		"led back":                  {body: own + to("/back?to=@self"), outcome: tasks.OutcomePartial, done: []string{"Order.pdf"}, class: tasks.ClassPageIncomplete},
		"no address":                {body: own + `<button class=requisition>Requisition</button>`, recipe: strings.ReplaceAll(rec, "a.requisition", ".requisition"), outcome: tasks.OutcomePartial, done: []string{"Order.pdf"}, class: tasks.ClassPageIncomplete},
		"a link that does more":     {body: own + `<a class=requisition href="/r/one">Cancel requisition</a>`, outcome: tasks.OutcomePartial, done: []string{"Order.pdf"}, class: tasks.ClassPageIncomplete},
		"too many": {body: own + to(slices.Collect(func(yield func(string) bool) {
			for i := range 30 {
				if !yield(fmt.Sprintf("/r/empty?n=%d", i)) {
					return
				}
			}
		})...), outcome: tasks.OutcomePartial, done: []string{"Order.pdf"}, class: tasks.ClassPageIncomplete},
		"a slip in its own item": {recipe: "attachments: {item: a.dco}\nrelated: [{link: a.requisition, attachments: {item: a.doc}}]", body: own + to("/r/one"), outcome: tasks.OutcomePartial, done: []string{"Request.pdf"}, class: tasks.ClassUnproven},
		"there alone":            {recipe: "related: [{link: a.requisition, attachments: {item: a.doc}}]", body: own + to("/r/one"), outcome: tasks.OutcomeComplete, done: []string{"Request.pdf"}},
		"there alone, no link":   {recipe: "related: [{link: a.requisiton, attachments: {item: a.doc}}]", body: own + to("/r/one"), outcome: tasks.OutcomePartial, class: tasks.ClassUnproven},
		"containers there":       {recipe: "attachments: {item: a.doc, none: .none}\nrelated: [{link: a.requisition, attachments: {item: h1, link: a, where: {selector: b}}}, {link: a.requisition, attachments: {item: a.doc, save_as: '{n} {name}'}}]", body: none + to("/r/one"), outcome: tasks.OutcomeNoAttachments, proof: tasks.ProofMarker},
	}
	var mu sync.Mutex
	opened := map[string]int{}
	var server *httptest.Server
	mux := http.NewServeMux()
	show := func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Portal</title>`+body)
	}
	mux.HandleFunc("/case/{name}", func(w http.ResponseWriter, r *http.Request) {
		show(w, `<h1>Order <b id=po>PO1001</b></h1>`+strings.ReplaceAll(cases[r.PathValue("name")].body, "@self", r.URL.EscapedPath()))
	})
	mux.HandleFunc("/r/{name}", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		opened[r.URL.Path+" from "+r.Referer()]++
		mu.Unlock()
		if body, there := pages[r.URL.Path]; there {
			show(w, body)
			return
		}
		w.WriteHeader(http.StatusNotFound)
	})
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://elsewhere.example/", http.StatusFound)
	})
	mux.HandleFunc("/back", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.FormValue("to"), http.StatusFound) })
	mux.HandleFunc("/status/500", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	mux.HandleFunc("/d/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/d/cut.pdf" {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Disposition", "attachment")
		fmt.Fprint(w, "%PDF-1.4 content of "+r.URL.Path)
	})
	server = httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	base := newBench(t, scrape.AutoRecipe())
	for _, name := range oneIn(2, kinds(cases, "only there", "the same on both", "one name on both", "no link and none", "two of them", "a link back", "mounted there", "clicked here and there",
		"not there, and none", "one of two is not there", "a sign-in there", "more than are listed", "a document fails there", "on another host", "led back", "no address",
		"a link that does more", "too many", "a slip in its own item", "there alone, no link", "containers there")) {
		c := cases[name]
		if c.recipe == "" {
			c.recipe = rec
		}
		recipe, err := scrape.ReadRecipe("related.yaml", strings.NewReader("version: 1\nready: {selector: '#po'}\nidentity: {selector: '#po'}\n"+c.recipe+"\n"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p := scrape.NewPortal(recipe, nil)
		b := &bench{portal: p, scraper: p.Scraper(base.browser, base.places), browser: base.browser, dir: base.dir}
		if err := p.CheckSelectors(t.Context(), b.browser); err != nil {
			t.Error(err)
		}
		d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: server.URL + "/case/" + name}})
		if d.Result == nil {
			t.Errorf("%s: %s, %s", name, d.Outcome, failureText(d))
			continue
		}
		if d.Result.Outcome != c.outcome || c.class != "" && (d.Failure == nil || d.Failure.Class != c.class) {
			t.Errorf("%s: got %s, want %s and %s (%s)", name, d.Result.Outcome, c.outcome, c.class, failureText(d))
		}
		var done []string
		failed := 0
		for _, doc := range d.Result.Attachments {
			if doc.State == tasks.AttachmentDone {
				done = append(done, path.Base(doc.Path))
				if at := strings.Contains(doc.Source, "/r/"); at != !strings.HasPrefix(doc.Name, "Order") && name != "one name on both" {
					t.Errorf("%s: %s is said to be on %s", name, doc.Name, doc.Source)
				}
				continue
			}
			failed++
		}
		if !slices.Equal(done, c.done) || failed != c.failed {
			t.Errorf("%s: got %q and %d failures, want %q and %d (%s)", name, done, failed, c.done, c.failed, failureText(d))
		}
		if c.outcome == tasks.OutcomeComplete && c.proof == "" {
			c.proof = tasks.ProofListed
		}
		if by := d.Result.Proof; (by == nil) != (c.proof == "") || by != nil && by.By != c.proof {
			t.Errorf("%s: the proof is %+v, want %q", name, by, c.proof)
		}
		for _, look := range d.Result.Looks {
			if strings.HasPrefix(look.Where, "related") && look.Mark == "" {
				t.Errorf("%s: %s has no mark", name, look.Where)
			}
		}
	}
}

// TestRelatedOfSearched visits another page of an order that was searched for: there is no
// searching there.
func TestRelatedOfSearched(t *testing.T) {
	t.Parallel()
	url := serveText(t, map[string]string{
		"/search": `<form action=/list><input id=q name=q><button id=go>Go</button></form>`,
		"/list":   `<a class=r href="/order?q=QUERY">QUERY</a>`,
		"/order":  `<h1 id=po>Order QUERY</h1><a class=doc href=/doc/own.pdf>own.pdf</a><a class=requisition href=/other>RQ</a>`,
		"/other":  `<h1>Requisition RQ</h1><a class=doc href=/doc/other.pdf>other.pdf</a>`,
	})
	b := newBench(t, recipeOf(t, url, `
open: {search: {url: "{base_url}/search", input: "#q", submit: "#go", result: ".r"}}
identity: {selector: "#po"}
attachments: {item: a.doc}
related: [{link: a.requisition, attachments: {item: a.doc}}]
`))
	d := b.work(t, orderAt("PO1001", url+"/search"))
	if d.Outcome != tasks.OutcomeComplete || len(d.Result.Attachments) != 2 {
		t.Errorf("got %s, %s, %+v", d.Outcome, failureText(d), d.Result)
	}
}
