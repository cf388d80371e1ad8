package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// honestPage is an everyday page that must end well: a report that cries wolf is a
// report that nobody reads.
type honestPage struct {
	name string
	// why it is here: what about it could be taken for a page that lacks something.
	why  string
	body string
	// documents that are brought home; without any the order is no_attachments.
	documents []string
	// scripted: it shows nothing of itself until its scripts have run.
	scripted bool
	// auto: only the built-in recipe reads it, as its documents have no class.
	auto bool
}

// link is a document as the recipes of this test know it.
func link(name string) string {
	return `<a class=att href="/d/` + strings.ReplaceAll(name, " ", "%20") + `">` + name + `</a>`
}

func honestPages() []honestPage {
	a, b := link("Order.pdf"), link("Terms.pdf")
	both := []string{"Order.pdf", "Terms.pdf"}
	one := []string{"Order.pdf"}
	return []honestPage{
		{"an ERP page with tabs", "the panel of another tab is hidden, and in the page",
			`<div role=tablist><button role=tab aria-selected=true aria-controls=p1>Header</button><button role=tab aria-controls=p2>Documents (2)</button></div>
			<div role=tabpanel id=p1><dl><dt>Supplier<dd>ACME</dl></div><div role=tabpanel id=p2 hidden><ul><li>` + a + `<li>` + b + `</ul></div>`, both, false, false},
		{"a grid with menus in its heads", "what stands over a column sorts or filters that",
			`<dl><dt>Supplier<dd>ACME<dt>Buyer<dd>Jane<dt>Site<dd>Leeds</dl><section><h2>Documents</h2><div role=grid><div role=row><div role=columnheader>File name <button aria-label="File name column menu" aria-expanded=false>⋮</button></div></div></div><p class=none>No documents</p><div class=TablePagination><p>Rows per page:</p><div role=combobox>5</div><p>0–0 of 0</p></div></section>`, nil, false, false},
		{"tabs in a header", "the texts of tabs are no heading of the lines below",
			`<div class=x-tabs__header><div role=tablist tabindex=0><div role=tab id=tl aria-selected=true>Order lines</div><div role=tab id=td>Documents</div></div></div>
			<div role=tabpanel aria-labelledby=tl><div><p>5</p></div></div><div role=tabpanel aria-labelledby=td hidden><p class=none>No documents</p></div>`, nil, false, true},
		{"a tab in a shadow root", "its host names the panel, and a label stands in a shadow root, too",
			`<x-tab id=xt><template shadowrootmode=open><button role=tab title=Documents><slot></slot></button></template>Documents</x-tab><div role=tabpanel aria-labelledby=xt hidden><ul><li>` + a + `</ul></div>
			<x-f><template shadowrootmode=open><span class=field-label>Buyer</span><b>Jane</b></template></x-f>`, one, false, false},
		{"a count that is met", "the heading counts the documents", `<section><h2>Documents (2)</h2><ul><li>` + a + `<li>` + b + `</ul></section>`, both, false, false},
		{"counted in words", "the heading counts in words", `<section><h2>2 attachments</h2><ul><li>` + a + `<li>` + b + `</ul></section>`, both, false, false},
		{"lines with a pager of their own", "1-10 of 10 are order lines, and 1-10 of 92 the portal's orders",
			`<section><h2>Lines</h2><table><thead><tr><th>SKU<th>Qty<tbody><tr><td>A-1<td>3</table><p>1-10 of 10</p></section><section><h2>Documents</h2>` + a + " " + b + `</section>`, both, false, false},
		{"more lines than are shown", "the pager is the lines', and not the documents'",
			`<section><h2>Order lines</h2><table><tr><td>A-1<td>3</table><nav aria-label="Order lines"><span>1-25 of 92</span><button>Next</button></nav></section><section><h2>Documents</h2><ul><li>` + a + `</ul></section>`, one, false, false},
		{"an export button", "export makes a file of the page, and is no document", `<section><h2>Documents</h2>` + a + `<button>Export</button><button>Print</button></section>`, one, false, false},
		{"blocked analytics", "a foreign host that does not answer is none of the order's business",
			`<section><h2>Documents</h2>` + a + `</section><script>fetch("http://localhost:1/collect", {mode: "no-cors"}).catch(() => {})</script>`, one, false, false},
		{"a picture that is missing", "pictures do not count", `<section><h2>Documents</h2>` + a + `</section><img src="/status/500">`, one, false, false},
		{"a font and a style that are missing", "neither do fonts and styles", `<link rel=stylesheet href="/status/503"><section><h2>Documents</h2>` + a + `</section>`, one, false, false},
		{"a language file that is missing", "404 says that there is nothing", `<section><h2>Documents</h2>` + a + `</section><script>fetch("/status/404").then((r) => r.text())</script>`, one, false, false},
		{"a beacon that fails", "beacons do not count", `<section><h2>Documents</h2>` + a + `</section><script>navigator.sendBeacon("/status/500", "x")</script>`, one, false, false},
		{"a request that the page gives up", "the page itself has no use for it",
			`<section><h2>Documents</h2>` + a + `</section><script>const c = new AbortController(); fetch("/silent", {signal: c.signal}).catch(() => {}); onload = () => c.abort()</script>`, one, false, false},
		{"a second try", "the page tries again, and succeeds",
			`<section><h2>Documents</h2>` + a + `</section><script>const get = () => fetch("/second").then((r) => r.ok || setTimeout(get, 50)); get()</script>`, one, false, false},
		{"a chat's event stream", "it is open for ever, and brings no document",
			`<section><h2>Documents</h2>` + a + `</section><script>new EventSource("/stream")</script>`, one, false, false},
		{"a poll for messages", "it comes round for ever without changing the page",
			`<section><h2>Documents</h2>` + a + `</section><script>setInterval(() => fetch("/ok"), 400)</script>`, one, false, false},
		{"a clock", "it changes the page for ever, and is none of the order's",
			`<p id=clock></p><section><h2>Documents</h2>` + a + `</section><script>setInterval(() => { clock.textContent = "It is " + Date.now() }, 200)</script>`, one, false, false},
		{"a cookie banner", "More options is about cookies",
			`<div id=cookie-banner role=region aria-label="Cookies"><p>We use cookies.</p><button>Accept all</button><button>More options</button></div><section><h2>Documents</h2>` + a + `</section>`, one, false, false},
		{"a cookie dialog", "so is what a dialog offers",
			`<div role=dialog aria-label="Your privacy" style="position:fixed;bottom:0"><button>Show more</button><button>Reject</button></div><section><h2>Documents</h2>` + a + `</section>`, one, false, false},
		{"related orders", "their numbers stand on the page, and are not what it is about",
			`<section><h2>Documents</h2>` + a + `</section><aside><h2>Related orders</h2><ul><li><a href="/case/PO7000002">PO7000002</a><li><a href="/case/PO7000003">PO7000003</a></ul></aside>`, one, false, false},
		{"the previous and the next order", "they lead to other orders, not to more documents",
			`<div><a href="/x">Previous order</a> <a href="/y">Next order</a></div><section><h2>Documents</h2>` + a + `</section>`, one, false, false},
		{"Loading dock 3", "the word is a place", `<dl><dt>Deliver to<dd>Loading dock 3<dt>Port of loading<dd>Hamburg</dl><section><h2>Documents</h2>` + a + `</section>`, one, false, false},
		{"a document called Loading list", "so is a name", `<section><h2>Documents</h2>` + link("Loading list.pdf") + `</section>`, []string{"Loading list.pdf"}, false, false},
		{"a spinner elsewhere", "the news are loading for ever, and the order is there",
			`<aside><h3>News</h3><div class=spinner aria-busy=true>Loading…</div></aside><section><h2>Documents</h2>` + a + `</section>`, one, false, false},
		{"a German page", "its words are known",
			`<dl><dt>Lieferant<dd>Müller GmbH<dt>Ladehafen<dd>Rotterdam</dl><section><h2>Anlagen (2)</h2><ul><li>` + a + `<li>` + b + `</ul><button>Alle herunterladen</button></section><nav><a href="/z">Weiter zum Katalog</a></nav>`, both, false, false},
		{"a French page", "so are these",
			`<dl><dt>Fournisseur<dd>Dupont SA</dl><section><h2>Pièces jointes (1)</h2>` + a + `<a href="#haut">Haut de page</a></section>`, one, false, false},
		{"a Polish page without documents", "zero is a count, and a proof",
			`<dl><dt>Dostawca<dd>Kowalski</dl><section><h2>Załączniki (0)</h2><p class=none>Brak załączników</p></section>`, nil, false, false},
		{"a Spanish page without documents", "zero again", `<section><h2>Documentos (0)</h2><p class=none>No hay documentos</p></section>`, nil, false, false},
		{"an empty list that says so", "the portal's own marker", `<section><h2>Documents</h2><p class=none>There are no documents.</p></section>`, nil, false, false},
		{"a sentence on an order without documents", "its values are those of an order",
			`<dl><dt>Supplier<dd>ACME<dt>Total<dd>5.00</dl><p>Please deliver before noon.</p><section><h2>Documents</h2><p class=none>There are no documents.</p></section>`, nil, false, false},
		{"a marker above what comes into view", "the comments ask for their documents when they are scrolled to",
			`<section><h2>Documents</h2><p class=none>There are no documents.</p></section><div style="height: 5000px"></div><section id=s><h2>Comments</h2></section>
			<script>new IntersectionObserver((seen) => { if (seen[0].isIntersecting) s.innerHTML = '<h2>Comments</h2>` + a + `' }).observe(s)</script>`, one, true, false},
		{"the list twice", "for wide and for narrow screens",
			`<section><h2>Documents (2)</h2><div class=wide>` + a + b + `</div><div class=narrow style="display:none">` + a + b + `</div></section>`, both, false, false},
		{"terms on every order", "a document like any other", `<section><h2>Documents</h2>` + a + `</section><footer><a href="/d/privacy.html">Privacy</a> <a href="/imprint">Imprint</a></footer>`, one, false, false},
		{"a site menu with documents", "the menu's word is not a control of the list",
			`<nav><a href="/documents">Documents</a><a href="/orders">Orders</a><button>More</button></nav><section><h2>Documents</h2>` + a + `</section>`, one, false, false},
		{"download all beside the documents", "a second way to what is listed", `<section><h2>Documents</h2>` + a + b + `<button>Download all</button></section>`, both, false, false},
		{"a disabled pager", "there is no next page", `<section><h2>Documents</h2>` + a + `<div><button disabled>Previous</button><button disabled>Next</button><span>Page 1 of 1</span></div></section>`, one, false, false},
		{"a pager that is met", "1-2 of 2", `<section><h2>Documents</h2><ul><li>` + a + `<li>` + b + `</ul><p>1–2 of 2</p></section>`, both, false, false},
		{"an accordion", "what is folded is in the page", `<details><summary>Documents (2)</summary>` + a + b + `</details>`, both, false, false},
		{"upload and manage", "these add documents, and show none", `<section><h2>Attachments</h2>` + a + `<button>Add attachment</button><a href="/manage">Manage attachments</a><label>Upload<input type=file></label></section>`, one, false, false},
		{"a help link", "help is no document", `<section><h2>Documents</h2>` + a + `<a href="/help/documents">What are documents?</a></section>`, one, false, false},
		{"a password box in the header", "the order is shown, and so somebody is signed in",
			`<header><details><summary>Change password</summary><form><input type=password name=old></form></details></header><section><h2>Documents</h2>` + a + `</section>`, one, false, false},
		{"an alert about maintenance", "a banner is no refusal while the order is there",
			`<div role=alert>Scheduled maintenance on Sunday from 02:00 to 04:00.</div><section><h2>Documents</h2>` + a + `</section>`, one, false, false},
		{"a status that says not found", "it is the order's own text",
			`<dl><dt>Goods receipt<dd>Not found in warehouse system</dl><h3>Budget owner not found</h3><section><h2>Documents</h2>` + a + `</section>`, one, false, false},
		{"a document called Error log", "a name is no error", `<section><h2>Documents</h2>` + link("Error log.pdf") + " " + link("Access denied notice.pdf") + `</section>`, []string{"Error log.pdf", "Access denied notice.pdf"}, false, false},
		{"a maintenance contract", "it is what was ordered", `<h2>Maintenance contract for plant 4</h2><section><h2>Documents</h2>` + a + `</section>`, one, false, false},
		{"an order confirmation", "the noun is no command", `<section><h2>Documents</h2>` + link("Order confirmation.pdf") + `</section>`, []string{"Order confirmation.pdf"}, false, false},
		{"a history that can be shown", "the history has no documents", `<section><h2>Documents</h2>` + a + `</section><section><h2>History</h2><button>Show more</button><button>Load more</button></section>`, one, false, false},
		{"comments that can be shown", "a section of its own, folded and without documents", `<section><h2>Documents</h2>` + a + `</section><details><summary>Comments (3)</summary><p>Please deliver before noon.</p></details>`, one, false, false},
		{"mounted by a script", "the list comes late, with its count", `<section id=s><h2>Documents (…)</h2></section><script>setTimeout(() => { s.innerHTML = '<h2>Documents (1)</h2>` + a + `' }, 600)</script>`, one, true, false},
		{"a spinner that goes", "it was loading", `<section id=s><h2>Documents</h2><div class=spinner>Loading…</div></section><script>setTimeout(() => { s.innerHTML = '<h2>Documents</h2>` + a + `' }, 900)</script>`, one, true, false},
		{"rows counted for a screen reader", "aria-rowcount counts the header too", `<table aria-rowcount=3 aria-label=Documents><tr aria-rowindex=1><th>Name<tr aria-rowindex=2><td>` + a + `<tr aria-rowindex=3><td>` + b + `</table>`, both, false, false},
		{"links without a class", "the built-in recipe takes what looks like a file", `<section><h2>Documents</h2><a href="/d/Order.pdf">Order.pdf</a> <a href="/case/other">See the supplier</a></section>`, one, false, true},
		{"amounts and numbers in the text", "a year and an invoice's number are no order numbers", `<p>Year 2026, invoice INV-88123, contract 4500012345.</p><section><h2>Documents</h2>` + a + `</section>`, one, false, false},
		{"a preview with pages", "page 1 of 4 is the preview's", `<section><h2>Documents</h2><ul><li>` + a + `</ul></section><figure aria-label=Preview><img alt="" src="/ok"><figcaption>Page 1 of 4 <button>Next page</button></figcaption></figure>`, one, false, false},
	}
}

// TestHonestPages reads everyday pages with the built-in recipe and with recipes, by
// rendering and by fetching, and expects each to end well with its documents.
func TestHonestPages(t *testing.T) {
	t.Parallel()
	pages := honestPages()
	if len(pages) < 40 {
		t.Errorf("only %d pages", len(pages))
	}
	url := serveHonest(t, pages)
	for turn, recipe := range []string{"auto", "marked", "unmarked"} {
		t.Run(recipe, func(t *testing.T) {
			t.Parallel()
			shared := newBench(t, honestRecipe(t, recipe))
			for _, mode := range []scrape.Mode{scrape.ModeRender, scrape.ModeFetch} {
				r := honestRecipe(t, recipe)
				r.Mode = mode
				b := shared.with(scrape.NewPortal(r, nil))
				for i, p := range pages {
					mine := i%3 == turn || p.auto || len(p.documents) == 0
					if !mine && os.Getenv(thorough) == "" {
						continue // another one reads it
					}
					// What scripts could have changed is not proven by a fetch alone.
					scripted := p.scripted || strings.Contains(p.body, "<script>")
					if p.auto && recipe != "auto" || scripted && mode == scrape.ModeFetch ||
						len(p.documents) == 0 && (recipe == "unmarked" || recipe == "auto" && mode == scrape.ModeFetch) {
						continue
					}
					task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO7000001", Digits: "7000001", Dir: "x" + uuid.NewString(), URL: fmt.Sprintf("%s/case/%d", url, i)}}
					d := b.work(t, task)
					want := tasks.OutcomeComplete
					if len(p.documents) == 0 {
						want = tasks.OutcomeNoAttachments
					}
					var got []string
					if d.Result != nil {
						for _, a := range d.Result.Attachments {
							got = append(got, a.Name)
						}
					}
					if d.Outcome != want || !slices.Equal(got, p.documents) || task.Attempts != 1 {
						t.Errorf("%s, %s (%s): got %s with %q at attempt %d, want %s with %q: %s", mode, p.name, p.why, d.Outcome, got, task.Attempts, want, p.documents, failureText(d))
					}
				}
			}
		})
	}
}

func honestRecipe(t *testing.T, name string) *scrape.Recipe {
	t.Helper()
	if name == "auto" {
		r := scrape.AutoRecipe()
		r.Ready.Timeout = patience
		return r
	}
	none := ""
	if name == "marked" {
		none = ", none: .none"
	}
	r, err := scrape.ReadRecipe("honest.yaml", strings.NewReader("version: 1\nidentity: {selector: '#po'}\nready: {timeout: 60s}\nattachments: {item: .att"+none+"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func serveHonest(t *testing.T, pages []honestPage) string {
	t.Helper()
	mux := http.NewServeMux()
	for i, p := range pages {
		mux.HandleFunc(fmt.Sprintf("/case/%d", i), func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<!doctype html><title>Order PO7000001</title><body><main><h1>Purchase order <b id=po>PO7000001</b></h1>%s</main>`, p.body)
		})
	}
	mux.HandleFunc("/d/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprintf(w, "%%PDF-1.4\n%s\n%%%%EOF\n", r.PathValue("name"))
	})
	tries := make(chan struct{}, 1000)
	mux.HandleFunc("/second", func(w http.ResponseWriter, _ *http.Request) {
		tries <- struct{}{}
		if len(tries)%2 == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	mux.HandleFunc("/ok", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: hello\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	for _, status := range []int{404, 500, 503} {
		mux.HandleFunc(fmt.Sprintf("/status/%d", status), func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	}
	s := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(s) })
	return s.URL
}
