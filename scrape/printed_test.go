package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestPrintedPages reads orders whose document is their own page, or one that it links to.
func TestPrintedPages(t *testing.T) {
	t.Parallel()
	const (
		order = `<h1>Order <b id=po>PO1001</b></h1><h2>Documents (3)</h2>`
		login = `<h1>Sign in</h1><form><input name=u><input type=password></form>`
		lines = `<pre>Line 1: a bolt
Line 2: a nut
Line 3: a bolt
Line 4: a nut</pre>`
		// ordinary is what is around many a page, and keeps none of it off paper.
		ordinary = `<style>.sr { position: absolute; left: -9999px } .only { position: absolute; width: 1px; height: 1px; overflow: hidden }
			.menu { position: fixed; top: 0; left: 0; right: 0; height: 50px; background: #fff } .off { position: fixed; left: 100%; width: 200px } body { padding-top: 60px }
			td { overflow: hidden; text-overflow: ellipsis } @media print { .print, nav { display: none } }</style>
			<div id=app><header class=menu>ACME <nav>Orders Invoices Help</nav></header></div><h4 style="text-indent: 100%; width: 90px; overflow: hidden; white-space: nowrap; background: url(data:image/svg+xml,x)">ACME Inc</h4><a class=sr href="#po">Skip to the order</a><span class=only>for readers of screens</span><div class=off>Help</div>
			<button class=print>Print this page</button><p style="max-height: 0; overflow: hidden">A part that is closed</p><input value="London"><select><option>EUR<option>USD</select>
			<textarea>Ring twice</textarea><iframe srcdoc="<p>A remark" height=90></iframe><footer>ACME, London</footer>`
		own  = "attachments: {print: true}"
		bill = "related: [{link: a.bill, attachments: {print: true, shows: 'h1, pre', save_as: 'Invoice {digits}'}}]"
	)
	cases := map[string]struct {
		recipe, body string
		status       int
		outcome      tasks.Outcome
		done         []string
		says         string
		failed       int
	}{
		"its own page":       {body: order, outcome: tasks.OutcomeComplete, done: []string{"PO1001.pdf"}},
		"under another name": {recipe: "attachments: {print: true, save_as: 'Invoice {po} {n}'}", body: order, outcome: tasks.OutcomeComplete, done: []string{"Invoice PO1001 1.pdf"}},
		"styles for print":   {body: `<style>@media print { nav, h2 { display: none } }</style><nav>Home</nav>` + order, outcome: tasks.OutcomeComplete, done: []string{"PO1001.pdf"}},
		"hidden in print":    {body: `<style>@media print { h1 { display: none } }</style>` + order, outcome: tasks.OutcomeFailed, failed: 1, says: "styles for print hide the order's number"},
		"another by its print": {body: order + `<script>matchMedia("print").onchange = () => { po.textContent = "PO2002" }</script>`, outcome: tasks.OutcomeFailed, failed: 1,
			says: "as it is printed, the page is about another order"},
		"leads on when printed": {body: order + `<script>onbeforeprint = () => { location = "/case/login" }</script>`, outcome: tasks.OutcomeSessionExpired, says: "as it is printed"},
		"changed in print": {body: order + `<script>onbeforeprint = () => { po.textContent = "PO2002" }; onafterprint = () => { po.textContent = "PO1001" }</script>`,
			outcome: tasks.OutcomeFailed, failed: 1, says: "scripts change it as it is printed"},
		"hidden as printed": {body: order + `<script>onbeforeprint = () => { document.body.hidden = true }; onafterprint = () => { document.body.hidden = false }</script>`,
			outcome: tasks.OutcomeFailed, failed: 1, says: "would be blank"},
		"scrolls in itself": {body: `<main class=content style="height: 200px; overflow: auto">` + order + `<pre>` + strings.Repeat("a line\n", 50) + `</pre><p>Total 5</main>`,
			outcome: tasks.OutcomeFailed, failed: 1, says: "main.content is smaller than the text in it"},
		"whole on paper": {body: `<style>main, p { height: 200px; overflow: auto } @media print { main { height: auto; overflow: visible } }
			h6 { height: 60px; overflow: hidden } h6 div { height: 900px } b { overflow: hidden; white-space: nowrap } span { position: absolute; width: 1px; height: 1px; overflow: hidden }</style>
			<main>` + order + `<pre>` + strings.Repeat("a line\n", 50) + `</pre></main><p hidden>` + strings.Repeat("hidden<br>", 50) + `</p><h6>Photo<div></div></h6><span>for readers</span>
			<nav style="height: 60px; overflow: auto">` + strings.Repeat("Menu<br>", 50) + `</nav><img width=1 height=1 src="/gone.png"><img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'/>">`,
			outcome: tasks.OutcomeComplete, done: []string{"PO1001.pdf"}},
		"a picture lacks": {body: order + `<img src="/gone.png">`, outcome: tasks.OutcomeFailed, failed: 1, says: "a picture or frame of the page did not come"},
		"a picture is blocked": {recipe: own + "\nblock: {hosts: ['127.0.0.2']}", body: order + `<img src="http://127.0.0.2:9/gone.png">`,
			outcome: tasks.OutcomeComplete, done: []string{"PO1001.pdf"}},
		"a PDF within": {body: order + `<object id=bill data="/a.pdf" width=300 height=300></object>`, outcome: tasks.OutcomeFailed, failed: 1, says: "object#bill shows a PDF"},
		"keeps its print to itself": {body: order + `<script>addEventListener("beforeprint", (e) => e.stopImmediatePropagation())</script>`,
			outcome: tasks.OutcomeFailed, failed: 1, says: "it is unclear what its print shows"},
		"prints itself":         {body: order + `<script>onafterprint = () => print(); print(); alert("printed")</script>`, outcome: tasks.OutcomeComplete, done: []string{"PO1001.pdf"}},
		"an ordinary page":      {body: ordinary + order + `<div style="overflow-x: auto"><table style="width: 100%">` + strings.Repeat("<tr><td>A bolt<td>12.00", 60) + `</table></div>`, outcome: tasks.OutcomeComplete, done: []string{"PO1001.pdf"}},
		"a wide page that fits": {body: order + `<table style="width: 1050px"><tr><td>A bolt<td style="text-align: right">12.00</table>`, outcome: tasks.OutcomeComplete, done: []string{"PO1001.pdf"}},
		"on wide paper":         {body: `<style>@page { size: A4 landscape }</style>` + order + `<table style="width: 1400px"><tr><td>A bolt<td style="text-align: right">12.00</table>`, outcome: tasks.OutcomeComplete, done: []string{"PO1001.pdf"}},
		"most is hidden in print": {body: `<style>@media print { main { display: none } p { display: block !important } } p { display: none }</style><main>` + order + lines + `</main><p>PO1001 cannot be printed`,
			outcome: tasks.OutcomeFailed, failed: 1, says: "hide 19 of its 20 words"},
		"off the paper":                    {body: `<style>@media print { main { position: absolute; left: -9999px } }</style><main>` + order + `</main><p>It cannot be printed`, outcome: tasks.OutcomeFailed, failed: 1, says: "styles for print hide the order's number"},
		"no height":                        {body: `<style>@media print { main { height: 0; overflow: hidden } }</style><main>` + order + `</main><p>It cannot be printed`, outcome: tasks.OutcomeFailed, failed: 1, says: "styles for print hide the order's number"},
		"wider than paper":                 {body: order + `<table style="width: 1400px"><tr><td>A bolt<td style="text-align: right">12.00</table>`, outcome: tasks.OutcomeFailed, failed: 1, says: "wider than its paper"},
		"scrolls sideways":                 {body: order + `<div class=wide style="overflow-x: auto"><table style="width: 1000px"><tr><td>A bolt<td style="text-align: right">12.00</table></div>`, outcome: tasks.OutcomeFailed, failed: 1, says: "div.wide is smaller"},
		"a low box":                        {body: order + `<div style="height: 30px; overflow: auto">` + lines + `</div>`, outcome: tasks.OutcomeFailed, failed: 1, says: "div is smaller"},
		"clamped lines":                    {body: order + `<div style="display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden">` + strings.Repeat("terms and conditions ", 60) + `</div>`, outcome: tasks.OutcomeFailed, failed: 1, says: "div is smaller"},
		"in a shadow root":                 {body: order + `<div><template shadowrootmode=open><div class=in style="height: 30px; overflow: auto">` + lines + `</div></template></div>`, outcome: tasks.OutcomeFailed, failed: 1, says: "div.in is smaller"},
		"a picture lacks in a shadow root": {body: order + `<div><template shadowrootmode=open><img src="/gone.png" width=90 height=90></template></div>`, outcome: tasks.OutcomeFailed, failed: 1, says: "/gone.png"},
		"a background lacks":               {body: order + `<div style="height: 90px; background: url(/gone.png)"></div>`, outcome: tasks.OutcomeFailed, failed: 1, says: "/gone.png"},
		"a frame that scrolls":             {body: order + `<iframe height=60 srcdoc="` + lines + `"></iframe>`, outcome: tasks.OutcomeFailed, failed: 1, says: "iframe is smaller"},
		"a long remark":                    {body: order + `<textarea rows=2>` + strings.Repeat("not before noon\n", 9) + `</textarea>`, outcome: tasks.OutcomeFailed, failed: 1, says: "textarea is smaller"},
		"a long value":                     {body: order + `<input id=to size=20 value="` + strings.Repeat("a long address ", 9) + `">`, outcome: tasks.OutcomeFailed, failed: 1, says: "input#to is smaller"},
		"several options":                  {body: order + `<select multiple size=2>` + strings.Repeat("<option selected>One", 9) + `</select>`, outcome: tasks.OutcomeFailed, failed: 1, says: "select is smaller"},
		"covered":                          {body: order + lines + `<div id=wall style="position: fixed; inset: 0; background: #fff">We use cookies</div>`, outcome: tasks.OutcomeFailed, failed: 1, says: "div#wall covers text"},
		"an empty frame":                   {body: order + `<iframe id=bill width=300 height=200></iframe>`, outcome: tasks.OutcomeFailed, failed: 1, says: "iframe#bill shows nothing"},
		"a frame that fails":               {body: order + `<iframe src="http://127.0.0.2:9/bill"></iframe>`, outcome: tasks.OutcomeFailed, failed: 1, says: "127.0.0.2"},
		"a PDF by its answer":              {body: order + `<iframe id=bill src="/doc" width=300 height=200></iframe>`, outcome: tasks.OutcomeFailed, failed: 1, says: "iframe#bill shows"},
		"made of frames":                   {body: `<frameset rows="*"><frame src="/case/its%20own%20page"></frameset>`, outcome: tasks.OutcomeFailed, failed: 1, says: "made of frames"},
		"hidden in print there":            {recipe: bill, body: order + `<a class=bill href="/noprint">Invoice</a>`, outcome: tasks.OutcomeFailed, failed: 1, says: "attachments.shows"},
		"a part that loads":                {recipe: own + "\nready: {timeout: 600ms}", body: order + `<section><h2>Lines</h2><p>Loading…</section>`, outcome: tasks.OutcomeFailed, failed: 1, says: "still says that it is loading"},
		"a part that is busy":              {recipe: own + "\nready: {timeout: 600ms}", body: `<section>` + order + `</section><section aria-busy=true><h2>Lines</h2></section>`, outcome: tasks.OutcomeFailed, failed: 1, says: "still says that it is loading"},
		"a skeleton":                       {recipe: own + "\nready: {timeout: 600ms}", body: `<section>` + order + `</section><section><h2>Lines</h2><div class=skeleton style="height: 40px"></div></section>`, outcome: tasks.OutcomeFailed, failed: 1, says: "a spinner"},
		"a template":                       {recipe: own + "\nready: {timeout: 600ms}", body: `<section>` + order + `</section><section><p>{{line.name}} {{line.total}}</section>`, outcome: tasks.OutcomeFailed, failed: 1, says: "{{line.name}}"},
		"lines that failed":                {body: `<section>` + order + `</section><section><h2>Lines</h2><p>Lines could not be loaded.</section>`, outcome: tasks.OutcomeFailed, failed: 1, says: "Lines could not be loaded"},
		"a message that it fails":          {body: order + `<div role=alert class="toast error">Could not load lines: network error</div>`, outcome: tasks.OutcomeFailed, failed: 1, says: "Could not load lines"},
		"an advert that fails":             {body: `<section>` + order + `</section><p>Port of loading: Hamburg</p><aside>Could not load our offers</aside>`, outcome: tasks.OutcomeComplete, done: []string{"PO1001.pdf"}},
		"a part of its lines":              {body: order + lines + `<p>Showing 1-4 of 92 lines</p><button>Next</button>`, outcome: tasks.OutcomeFailed, failed: 1, says: "the page says \"Showing 1-4 of 92 lines\""},
		"a grid of some rows":              {body: order + `<table aria-rowcount=92><tr><td>A bolt<td>12.00</table>`, outcome: tasks.OutcomeFailed, failed: 1, says: "aria-rowcount=92"},
		"pages of lines":                   {body: order + lines + `<ul class=pagination><li><button disabled>‹</button><li><button>1</button><li><button>›</button></ul>`, outcome: tasks.OutcomeFailed, failed: 1, says: "the page says \"›\""},
		"all of its lines":                 {body: order + lines + `<p>Showing 1-4 of 4 lines</p><p>Delivered: 5 of 10 pieces, line 2 of 4</p><a href="/case/x">Next order</a><ul class=pagination><li class=disabled><a href="#">›</a></ul>`, outcome: tasks.OutcomeComplete, done: []string{"PO1001.pdf"}},
		"lines that come": {body: order + `<div id=v></div><p id=end>The end</p><script>const more = () => { for (let i = 0; i < 30; i++) v.insertAdjacentHTML("beforeend", "<p>A bolt") };
			new IntersectionObserver((es) => es.some((e) => e.isIntersecting) && v.children.length < 150 && setTimeout(more, 50)).observe(end); more();
			onbeforeprint = () => { if (v.children.length < 150) document.body.hidden = true }</script>`, outcome: tasks.OutcomeComplete, done: []string{"PO1001.pdf"}},
		"lines that go": {body: order + `<div id=v style="position: relative; height: 6000px"></div><script>const draw = () => { const from = Math.floor(scrollY / 40); v.innerHTML = "";
			for (let i = from; i < from + 30 && i < 150; i++) v.insertAdjacentHTML("beforeend", "<p style='position: absolute; top: " + i * 40 + "px'>Bolt-" + i) }; onscroll = draw; draw()</script>`, outcome: tasks.OutcomeFailed, failed: 1, says: "only those of its parts that are in view"},
		"not found":                {body: `<h1>Order not found</h1>`, status: 404, outcome: tasks.OutcomeNotFound},
		"login":                    {body: login, outcome: tasks.OutcomeSessionExpired},
		"another order's":          {body: `<h1>Order <b id=po>PO2002</b></h1>`, outcome: tasks.OutcomeIdentityMismatch},
		"a part that fails":        {body: order + `<script>fetch("/status/500")</script>`, outcome: tasks.OutcomeFailed, failed: 1, says: "/status/500"},
		"a page that it links to":  {recipe: bill, body: order + `<a class=bill href="/bill">Invoice</a>`, outcome: tasks.OutcomeComplete, done: []string{"Invoice 1001.pdf"}},
		"both":                     {recipe: own + "\n" + bill, body: order + `<a class=bill href="/bill">Invoice</a>`, outcome: tasks.OutcomeComplete, done: []string{"PO1001.pdf", "Invoice 1001.pdf"}},
		"a sign-in there":          {recipe: own + "\n" + bill, body: order + `<a class=bill href="/case/login">Invoice</a>`, outcome: tasks.OutcomePartial, done: []string{"PO1001.pdf"}, says: "sign-in"},
		"another order's there":    {recipe: own + "\n" + bill, body: order + `<a class=bill href="/case/another%20order's">Invoice</a>`, outcome: tasks.OutcomePartial, done: []string{"PO1001.pdf"}, failed: 1, says: "another order"},
		"another's number there":   {recipe: bill, body: order + `<a class=bill href="/bill?for=PO2002">Invoice</a>`, outcome: tasks.OutcomeFailed, failed: 1, says: "the number of another order than PO1001"},
		"another's in other words": {recipe: bill, body: order + `<a class=bill href="/bill?for=order+no.+2002">Invoice</a>`, outcome: tasks.OutcomeFailed, failed: 1, says: "the number of another order than PO1001"},
		"its own beside another":   {recipe: bill, body: order + `<a class=bill href="/bill?for=PO2002,+PO1001">Invoice</a>`, outcome: tasks.OutcomeComplete, done: []string{"Invoice 1001.pdf"}},
		"blank on paper there":     {recipe: bill, body: order + `<a class=bill href="/shell">Invoice</a>`, outcome: tasks.OutcomeFailed, failed: 1, says: "would be blank"},
		"a file there":             {recipe: bill, body: order + `<a class=bill href="/data.json">Invoice</a>`, outcome: tasks.OutcomeFailed, failed: 1, says: "only an HTML page is printed"},
		"no page there":            {recipe: bill, body: order, outcome: tasks.OutcomePartial, says: "related[0].link has not met anything"},
	}
	mux := http.NewServeMux()
	show := func(w http.ResponseWriter, status int, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(max(status, http.StatusOK))
		fmt.Fprint(w, `<!doctype html><title>Portal</title>`+body)
	}
	mux.HandleFunc("/case/{name}", func(w http.ResponseWriter, r *http.Request) {
		c := cases[r.PathValue("name")]
		show(w, c.status, c.body)
	})
	mux.HandleFunc("/bill", func(w http.ResponseWriter, r *http.Request) {
		show(w, 0, `<h1>Invoice 77</h1><p>Remark: `+r.FormValue("for"))
	})
	mux.HandleFunc("/shell", func(w http.ResponseWriter, _ *http.Request) {
		show(w, 0, `<style>@media print { body { display: none } }</style><h1>Invoice 77</h1>`)
	})
	mux.HandleFunc("/noprint", func(w http.ResponseWriter, _ *http.Request) {
		show(w, 0, `<style>p { display: none } @media print { main { display: none } p { display: block } }</style><main><h1>Invoice 77</h1></main><p>It cannot be printed`)
	})
	mux.HandleFunc("/data.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"invoice": 77}`)
	})
	mux.HandleFunc("/doc", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 ")
	})
	mux.HandleFunc("/a.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 ")
	})
	mux.HandleFunc("/status/500", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	portal := func(t *testing.T, text string) *scrape.Portal {
		recipe, err := scrape.ReadRecipe("print.yaml", strings.NewReader("version: 1\nidentity: {selector: '#po'}\n"+text+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		return scrape.NewPortal(recipe, nil)
	}
	first := newBenchOf(t, portal(t, own))
	for _, name := range oneIn(2, kinds(cases, "its own page", "hidden in print", "another by its print", "leads on when printed", "changed in print", "scrolls in itself", "whole on paper", "a picture lacks",
		"a PDF within", "keeps its print to itself", "prints itself", "an ordinary page", "most is hidden in print", "wider than paper", "clamped lines",
		"a frame that scrolls", "covered", "an empty frame", "made of frames", "a part that loads", "a template", "lines that failed", "an advert that fails",
		"a part of its lines", "all of its lines", "lines that come", "a part that fails", "both", "a sign-in there", "another order's there", "another's number there",
		"blank on paper there", "a file there", "no page there")) {
		c := cases[name]
		if c.recipe == "" {
			c.recipe = own
		}
		b := first.with(portal(t, c.recipe))
		task := func() *tasks.ProcessingTask {
			return &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: server.URL + "/case/" + name}}
		}
		one := task()
		d := b.attempt(t.Context(), t, one)
		if name == "leads on when printed" && d.Outcome == tasks.OutcomeFailed { // it left before Chrome had printed it
			c.outcome, c.says, c.failed = d.Outcome, "navigated away", 1
		}
		if d.Outcome != c.outcome || !strings.Contains(failureText(d), c.says) {
			t.Errorf("%s: got %s (%s), want %s and %q", name, d.Outcome, failureText(d), c.outcome, c.says)
		}
		var done []string
		failed := 0
		if d.Result != nil {
			for _, doc := range d.Result.Attachments {
				if doc.State != tasks.AttachmentDone {
					failed++
					continue
				}
				done = append(done, path.Base(doc.Path))
				content, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(doc.Path)))
				if err != nil || !strings.HasPrefix(string(content), "%PDF-") || !strings.HasPrefix(doc.Source, server.URL) {
					t.Errorf("%s: %v, %.10q from %s", name, err, content, doc.Source)
				}
			}
		}
		if strings.Join(done, "|") != strings.Join(c.done, "|") || failed != c.failed {
			t.Errorf("%s: got %q and %d failed, want %q and %d", name, done, failed, c.done, c.failed)
		}
		if name == "its own page" {
			again := b.attempt(t.Context(), t, task())
			if again.Result == nil || again.Result.Attachments[0].SHA256 != d.Result.Attachments[0].SHA256 {
				t.Errorf("a second print has other bytes: %+v", again.Result)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(b.places.Staging, one.ID.String()+"*", "*")); len(left) > 0 {
			t.Errorf("%s: left in the staging directory: %v", name, left)
		}
	}
}
