package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

type twoStepPage struct {
	body, pick string
	// done is how many of the documents come; the others fail with the class. There are as many
	// as items, or two.
	done  int
	items int
	class tasks.Class
}

// listed is how many documents the page lists.
func (p twoStepPage) listed() int { return max(p.items, 2) }

// twoStepPages are pages whose documents take two clicks. pick(n) is what a click on the
// item of a number does. show(n) opens a menu with a link to its document, and hide closes it;
// chosen is what the menu brings, get begins that, and own, give and frame are as in clicked.
var twoStepPages = map[string]twoStepPage{
	"a menu":                       {pick: `show(n)`, done: 2},
	"a menu that closes":           {pick: `show(n, "hide()")`, done: 2},
	"a menu that opens late":       {pick: `setTimeout(() => show(n, "hide()"), 700)`, done: 2},
	"a menu from the server":       {pick: `fetch("/wait?ms=600").then(() => show(n, "hide()"))`, done: 2},
	"a menu that closes late":      {pick: `show(n, "setTimeout(hide, 1500)")`, done: 2},
	"a link without the attribute": {pick: `menu.innerHTML = '<a class=get href="' + own(n) + '">PDF</a>'`, done: 2},
	"a link in a new window":       {pick: `menu.innerHTML = '<a class=get target=_blank href="' + own(n) + '">PDF</a>'`, done: 2},
	"a blob":                       {pick: `menu.innerHTML = '<button class=get>PDF</button>'; menu.firstChild.onclick = () => { blob(n); hide() }`, done: 2},
	"a dialog":                     {body: `<dialog id=d><button class=get onclick="get(); d.close()">Download</button></dialog>`, pick: `chosen = n; d.showModal()`, done: 2},
	"a menu in a frame":            {body: `<iframe id=f srcdoc="<p>Menu</p>"></iframe>`, pick: `if (n < 0) return give(own(-n)); f.contentDocument.body.innerHTML = '<button class=get onclick="parent.pick(-' + n + ')">PDF</button>'`, done: 2},
	"a menu in a shadow root":      {body: `<div id=host></div>`, pick: `(host.shadowRoot || host.attachShadow({mode: "open"})).innerHTML = '<button class=get onclick="give(own(' + n + '))">PDF</button>'`, done: 2},
	"a menu in each row":           {body: `<ul>` + strings.Repeat(`<li hidden><button class=get onclick="give(own(1 + [...this.closest('ul').children].indexOf(this.parentNode)))">PDF</button></li>`, 2) + `</ul>`, pick: `document.querySelectorAll("li")[n - 1].hidden = false`, done: 2},
	"a button that gets enabled":   {body: `<button class=get disabled onclick="get()">Download</button>`, pick: `chosen = n; document.querySelector(".get").disabled = false`, done: 2},
	"an entry with a control":      {pick: `menu.innerHTML = '<li class=get><button onclick="give(own(' + n + '))">PDF</button></li>'`, done: 2},
	"one in another":               {pick: `menu.innerHTML = '<div class=get><a class=get download href="' + own(n) + '">PDF</a></div>'`, done: 2},
	"two to one address":           {pick: `menu.innerHTML = ('<a class=get download href="' + own(n) + '">PDF</a>').repeat(2)`, done: 2},
	"Save as":                      {pick: `show(n, "hide()", "Save as PDF…")`, done: 2},
	"a list drawn anew":            {pick: `list.innerHTML += ""; show(n, "hide()")`, done: 2},
	"at once":                      {pick: `give(own(n))`, done: 2},
	"at once or with a menu":       {pick: `n == 2 ? give(own(n)) : show(n)`, done: 2},
	"at once from a slow server":   {pick: `give(own(n) + "&slow=800")`, done: 2},
	// What is shown may be another document's for a while.
	"stale until the server says more": {body: `<button class=get hidden onclick="get(); this.hidden = true">PDF</button>`, pick: `document.querySelector(".get").hidden = false; fetch("/wait?ms=500").then(() => { chosen = n })`, done: 2},
	"stale until a timer":              {body: `<button class=get hidden onclick="get(); this.hidden = true">PDF</button>`, pick: `document.querySelector(".get").hidden = false; setTimeout(() => { chosen = n }, 700)`, done: 2},
	"stale, and it stays":              {body: `<button class=get hidden onclick="get()">PDF</button>`, pick: `document.querySelector(".get").hidden = false; setTimeout(() => { chosen = n }, 400)`, done: 2},
	"stale, and drawn anew":            {pick: `show(chosen); fetch("/wait?ms=400").then(() => { chosen = n; show(n) })`, done: 2},
	"downloads twice":                  {pick: `show(n, "give(own(" + n + ")); hide()")`, done: 2},
	"another file late":                {pick: `show(n, "hide(); setTimeout(() => give('/doc/other?order=' + order), 600)")`, done: 2},
	// What is not clear is no document.
	"nothing":                          {pick: ``, class: tasks.ClassAttachment},
	"an entry that is none":            {pick: `menu.innerHTML = '<a class=got download href="' + own(n) + '">PDF</a>'`, class: tasks.ClassAttachment},
	"a disabled entry":                 {pick: `menu.innerHTML = '<a class="get disabled" download href="' + own(n) + '">PDF</a>'`, class: tasks.ClassAttachment},
	"there before":                     {body: `<button class=get onclick="get()">Download</button>`, pick: `chosen = n`, class: tasks.ClassAttachment},
	"another's open before":            {pick: `show(n)`, body: `<script>addEventListener("load", () => show(2))</script>`, class: tasks.ClassAttachment},
	"two entries":                      {pick: `show(n); menu.innerHTML += '<a class=get download href="/doc/other">XML</a>'`, class: tasks.ClassAttachment},
	"another entry late":               {pick: `show(n, "hide()"); setTimeout(() => menu.insertAdjacentHTML("beforeend", '<a class=get download href="/doc/other">XML</a>'), 900)`, class: tasks.ClassAttachment},
	"an entry that does more":          {pick: `show(n, "", "Delete document")`, class: tasks.ClassNotClicked},
	"an entry that saves":              {pick: `show(n, "", "Save")`, class: tasks.ClassNotClicked},
	"an entry that saves a draft":      {pick: `show(n, "", "Save as draft")`, class: tasks.ClassNotClicked},
	"a download and a menu":            {pick: `give("/doc/other?order=" + order); show(n)`, class: tasks.ClassAttachment},
	"an item that leaves the page":     {pick: `location.href = "/elsewhere"`, class: tasks.ClassAttachment},
	"an entry that leaves the page":    {pick: `menu.innerHTML = '<a class=get href="/elsewhere">PDF</a>'`, class: tasks.ClassAttachment},
	"an entry that prints":             {pick: `menu.innerHTML = '<button class=get onclick="print()">PDF</button>'`, class: tasks.ClassAttachment},
	"an entry that asks":               {pick: `menu.innerHTML = '<button class=get onclick="confirm(1) && give(own(' + n + '))">PDF</button>'`, class: tasks.ClassAttachment},
	"an item that leads to a stranger": {pick: `location.href = "http://elsewhere.invalid/"`, class: tasks.ClassHost},
	"one item does nothing":            {pick: `n != 2 && show(n)`, done: 2, items: 3, class: tasks.ClassAttachment},
	"one item does nothing, unclosed":  {pick: `n != 2 && show(n, "hide()")`, done: 2, items: 3, class: tasks.ClassAttachment},
}

// TestThen brings documents that a click on their item only shows the way to: each is the
// item's own, or a failure.
func TestThen(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/page/{case}/{order}", func(w http.ResponseWriter, r *http.Request) {
		c := twoStepPages[r.PathValue("case")]
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>%[1]s</title><h1 id=po>%[1]s</h1><script>
			const order = %[1]q;
			let chosen = 1;
			const own = (n) => "/doc/" + n + "?order=" + order;
			const give = (url) => { const a = document.createElement("a"); a.href = url; a.download = "file"; a.click() };
			const get = () => give(own(chosen));
			const blob = (n) => fetch(own(n)).then((r) => r.blob()).then((b) => give(URL.createObjectURL(b)));
			const hide = () => { menu.innerHTML = "" };
			const show = (n, also = "", text = "PDF") => { menu.innerHTML = "<button class=get>" + text + "</button>"; menu.firstChild.onclick = () => { give(own(n)); eval(also) } };
			window.pick = (n) => { %[2]s };
			</script><div id=list>`, r.PathValue("order"), c.pick)
		for n := range c.listed() {
			fmt.Fprintf(w, "<button class=doc onclick='pick(%d)'>File %d.pdf</button>", n+1, n+1)
		}
		fmt.Fprint(w, "</div><div id=menu></div>"+c.body)
	})
	mux.HandleFunc("/elsewhere", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<h1>Elsewhere</h1><a class=get download href="/doc/other">PDF</a>`)
	})
	mux.HandleFunc("/wait", func(_ http.ResponseWriter, r *http.Request) {
		d, _ := time.ParseDuration(r.FormValue("ms") + "ms")
		delay(r, d)
	})
	mux.HandleFunc("/doc/{n}", func(w http.ResponseWriter, r *http.Request) {
		if slow, err := time.ParseDuration(r.FormValue("slow") + "ms"); err == nil {
			delay(r, slow)
		}
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Disposition", "attachment; filename=file.pdf")
		fmt.Fprintf(w, "%%PDF-1.4 %s of %s\n%%%%EOF\n", r.PathValue("n"), r.FormValue("order"))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	const keys = "identity: {selector: '#po'}\nattachments: {item: .doc, then: .get}\n"
	shared := newBench(t, recipeOf(t, server.URL, keys))
	for _, clock := range []scrape.Clock{scrape.ClockVirtual, scrape.ClockReal} {
		recipe := recipeOf(t, server.URL, "ready: {clock: "+string(clock)+"}\n"+keys)
		for _, name := range oneIn(2, rows(clock, twoStepPages, "a menu from the server", "a blob", "a menu in a frame", "a menu in a shadow root", "at once or with a menu",
			"stale until the server says more", "nothing", "there before", "another's open before", "two entries", "an entry that does more",
			"a download and a menu", "an item that leaves the page", "an entry that asks", "an item that leads to a stranger", "one item does nothing")) {
			c := twoStepPages[name]
			t.Run(name+" "+string(clock), func(t *testing.T) {
				first := 5 * time.Second
				if c.done == 0 && c.class == tasks.ClassAttachment { // which is waited for in vain
					first = 1500 * time.Millisecond
				}
				testkit.InVain(t, first, func(limit time.Duration) (wrong error) {
					p := scrape.NewPortal(recipe, nil)
					p.SetClickTimeout(limit)
					b := shared.with(p)
					order := "PO7000001"
					d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: order, Digits: order[2:], Dir: order + uuid.NewString(), URL: server.URL + "/page/" + name + "/" + order}})
					if d.Result == nil || len(d.Result.Attachments) != c.listed() {
						return fmt.Errorf("got %s, %v", d.Outcome, failureText(d))
					}
					done := 0
					for n, doc := range d.Result.Attachments {
						if doc.State != tasks.AttachmentDone {
							if doc.Error.Class != c.class {
								wrong = fmt.Errorf("%s: %w, want %s", doc.Name, doc.Error, c.class)
							}
							continue
						}
						done++
						got, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(doc.Path)))
						if want := fmt.Sprintf("%%PDF-1.4 %d of %s\n%%%%EOF\n", n+1, order); err != nil || string(got) != want {
							t.Errorf("%s holds %q, %v, want %q", doc.Name, got, err, want)
						}
					}
					if done > c.done {
						t.Errorf("got %d documents, want %d", done, c.done)
					}
					if done != c.done || (d.Result.Outcome == tasks.OutcomeComplete) != (c.done == c.listed()) {
						wrong = fmt.Errorf("got %d documents and %s, want %d: %s", done, d.Result.Outcome, c.done, failureText(d))
					}
					return wrong
				})
			})
		}
	}
}
