package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// openedPage is a page whose documents are the pages that its items open. item stands for each
// of them, with %d for its number; script is that of the page.
type openedPage struct {
	item, script string
	// list: they are rows of a list of orders, of which PO1001 is the first.
	list bool
	// blank: none of them shows a value, so none is waited for.
	blank bool
	items int
	done  []string
	class tasks.Class
	says  string
}

const (
	formThere = `<form method=post action="/post/%[1]d"><input type=hidden name=token value=t><input class=open type=submit value="Invoice %[1]d"></form>`
	clickable = `<button class=open onclick="go(%[1]d)">Invoice %[1]d</button>`
)

// openedPages are pages of order PO1001 that open others. go(n) is what the item of a number does.
var openedPages = map[string]openedPage{
	"a link":                     {item: `<a class=open href="/bill/%[1]d">Invoice %[1]d</a>`, items: 2, done: []string{"Invoice 1.pdf", "Invoice 2.pdf"}},
	"a link in a new tab":        {item: `<a class=open target=_blank href="/bill/%[1]d">Invoice %[1]d</a>`, items: 2, done: []string{"Invoice 1.pdf", "Invoice 2.pdf"}},
	"a form's POST":              {item: formThere, items: 2, done: []string{"Invoice 1.pdf", "Invoice 2.pdf"}},
	"a form's POST in a new tab": {item: strings.Replace(formThere, "<form", "<form target=_blank", 1), items: 2, done: []string{"Invoice 1.pdf", "Invoice 2.pdf"}},
	"a form in a named window": {item: clickable, items: 1, done: []string{"Invoice 1.pdf"},
		script: `const go = (n) => { window.open("", "bill"); const f = document.createElement("form"); f.method = "post"; f.action = "/post/" + n; f.target = "bill"; f.innerHTML = "<input name=token value=t>"; document.body.append(f); f.submit() }`},
	"its number in the address":   {item: `<a class=open href="/bill/PO100%[1]d">Invoice %[1]d</a>`, items: 1, done: []string{"Invoice 1.pdf"}},
	"a window of a script":        {item: clickable, script: `const go = (n) => { window.open("/bill/" + n) }`, items: 1, done: []string{"Invoice 1.pdf"}},
	"a window that is led on":     {item: clickable, script: `const go = (n) => { const w = window.open("/loading"); fetch("/wait?ms=900").then(() => { w.location = "/bill/" + n }) }`, items: 1, done: []string{"Invoice 1.pdf"}},
	"an application's route":      {item: clickable, script: `const go = (n) => { history.pushState(0, "", "/bill/" + n); bill.textContent = "Loading…"; setTimeout(() => { bill.textContent = "Invoice " + n }, 300) }`, items: 2, done: []string{"Invoice 1.pdf", "Invoice 2.pdf"}},
	"a route that is not its own": {item: clickable, script: `const go = (n) => { history.pushState(0, "", "/bill/1"); bill.textContent = "Invoice " + n }`, items: 2, done: []string{"Invoice 1.pdf"}, class: tasks.ClassAttachment, says: `shows "Invoice 2" there after the click, but "Invoice 1" when`},
	"a route that shows nothing":  {item: clickable, script: `const go = (n) => { history.pushState(0, "", "/bill/1") }`, items: 1, class: tasks.ClassAttachment, says: "did not show attachments.shows"},
	"one page for two":            {item: `<a class=open href="/bill/1?%[1]d" onclick="location = '/bill/1'; return false">Invoice %[1]d of 2</a>`, items: 2, class: tasks.ClassAttachment, says: "opened one and the same page"},
	"a page that loads":           {item: `<a class=open href="/slow/%[1]d">Invoice %[1]d</a>`, items: 1, done: []string{"Invoice 1.pdf"}},
	"a download":                  {item: `<a class=open href="/file/%[1]d">Invoice %[1]d</a>`, items: 1, done: []string{"Invoice 1.pdf"}},
	"a download in a new tab":     {item: `<a class=open target=_blank href="/file/%[1]d">Invoice %[1]d</a>`, items: 1, done: []string{"Invoice 1.pdf"}},
	"nothing":                     {item: clickable, script: `const go = () => {}`, items: 1, class: tasks.ClassAttachment, says: "changed nothing on its page"},
	"a dialog":                    {item: clickable, script: `const go = (n) => { document.body.insertAdjacentHTML("beforeend", "<dialog open>Invoice</dialog>") }`, items: 1, class: tasks.ClassAttachment, says: "changed the page that it is on"},
	"a window that is filled":     {item: clickable, script: `const go = (n) => { const w = window.open("", "_blank"); w.document.write("<h1>Invoice</h1>"); w.document.close() }`, items: 1, class: tasks.ClassAttachment, says: "scripts fill in"},
	"another order's":             {item: `<a class=open href="/bill/%[1]d?for=PO2002">Invoice %[1]d</a>`, items: 1, class: tasks.ClassIdentity, says: "the number of another order"},
	"an error":                    {item: `<a class=open target=_blank href="/status/500">Invoice %[1]d</a>`, items: 1, class: tasks.ClassHTTPStatus, says: "500"},
	"an error with status 200":    {item: `<a class=open href="/oops">Invoice %[1]d</a>`, items: 1, class: tasks.ClassPortalError, says: "error"},
	"an unknown error":            {item: `<a class=open target=_blank href="/unknown">Invoice %[1]d</a>`, items: 1, class: tasks.ClassNotReady, says: "attachments.shows"},
	"no value":                    {item: `<a class=open href="/blank/%[1]d">Invoice %[1]d</a>`, items: 4, blank: true, class: tasks.ClassNotReady, says: "with a value in it"},
	"another item's":              {item: `<a class=open href="/bill/INV-2026-1001?for=INV-2026-1004">INV-2026-100%[1]d</a>`, items: 2, done: []string{"INV-2026-1001.pdf"}, class: tasks.ClassIdentity, says: "the number of another document"},
	"a sign-in":                   {item: `<a class=open target=_blank href="/login">Invoice %[1]d</a>`, items: 1, class: tasks.ClassLogin, says: "sign-in"},
	"another host":                {item: `<a class=open href="http://127.0.0.2:9/">Invoice %[1]d</a>`, items: 1, class: tasks.ClassHost, says: "127.0.0.2"},
	"another host's window":       {item: `<a class=open target=_blank href="http://127.0.0.2:9/">Invoice %[1]d</a>`, items: 1, class: tasks.ClassHost, says: "127.0.0.2"},
	"by way of another host":      {item: `<a class=open target=_blank href="/away">Invoice %[1]d</a>`, items: 1, class: tasks.ClassHost, says: "127.0.0.2"},
	"its own page":                {item: formThere, script: `for (const f of document.forms) f.action = location.href`, items: 1, class: tasks.ClassPageIncomplete, says: "led back"},
	"a page like it":              {item: `<a class=open href="/like">Invoice %[1]d</a>`, items: 1, class: tasks.ClassPageIncomplete, says: "has items too"},
	"two windows":                 {item: clickable, script: `const go = (n) => { window.open("/bill/1"); window.open("/bill/2") }`, items: 1, class: tasks.ClassAttachment, says: "more than one window"},
	"a window and a download":     {item: clickable, script: `const go = (n) => { window.open("/bill/1"); location = "/file/1" }`, items: 1, class: tasks.ClassAttachment, says: ""},
	"what does more":              {item: `<form method=post action="/bill/%[1]d"><input class=open type=submit value="Accept invoice"></form>`, items: 1, class: tasks.ClassNotClicked, says: "Accept"},
	"a blob":                      {item: clickable, script: `const go = (n) => { window.open(URL.createObjectURL(new Blob(["<h1>Invoice</h1>"], {type: "text/html"}))) }`, items: 1, class: tasks.ClassAttachment},
}

// openedPortal serves openedPages, and what they open.
func openedPortal(t *testing.T) *httptest.Server {
	mux := http.NewServeMux()
	var posted sync.Map // what was sent by POST, and from where
	show := func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Portal</title>`+body)
	}
	items := func(c openedPage) string {
		var b strings.Builder
		for n := range c.items {
			item := strings.ReplaceAll(c.item, "%[1]d", fmt.Sprint(n+1))
			if c.list {
				item = fmt.Sprintf("<tr><td class=no>%s<td>%s", []string{"PO1001", "700200300", "700200301"}[n], item)
			}
			b.WriteString(item)
		}
		if c.list {
			return "<table>" + b.String() + "</table>"
		}
		return b.String()
	}
	mux.HandleFunc("/case/{name}", func(w http.ResponseWriter, r *http.Request) {
		c := openedPages[r.PathValue("name")]
		head := `<h1 id=bill>Order <b id=po>PO1001</b></h1>`
		if c.list {
			head = `<h1 id=bill>Invoices</h1>`
		}
		show(w, `<body>`+head+items(c)+`<script>`+c.script+`</script>`)
	})
	mux.HandleFunc("/like", func(w http.ResponseWriter, _ *http.Request) {
		show(w, `<h1 id=bill>Invoices</h1><a class=open href="/bill/7">Invoice 7</a>`)
	})
	mux.HandleFunc("/bill/{n}", func(w http.ResponseWriter, r *http.Request) {
		show(w, `<h1 id=bill>Invoice `+strings.TrimPrefix(r.PathValue("n"), "PO100")+`</h1><p>Remark: `+r.FormValue("for"))
	})
	mux.HandleFunc("POST /post/{n}", func(w http.ResponseWriter, r *http.Request) {
		body := `<h1 id=bill>Invoice ` + r.PathValue("n") + `</h1>`
		if _, again := posted.LoadOrStore(r.Referer()+r.URL.Path, true); again || r.FormValue("token") != "t" {
			body = `<h1>Sent twice, or without its data</h1>`
		}
		show(w, body)
	})
	mux.HandleFunc("/slow/{n}", func(w http.ResponseWriter, r *http.Request) {
		show(w, `<h1>Invoice</h1><p id=t></p><script>fetch("/wait?ms=900").then(() => { t.textContent = "Total 5"; t.id = "bill" })</script>`)
	})
	mux.HandleFunc("/loading", func(w http.ResponseWriter, _ *http.Request) { show(w, `<p>One moment</p>`) })
	mux.HandleFunc("/wait", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(900 * time.Millisecond):
		case <-r.Context().Done():
		}
		fmt.Fprint(w, "ok")
	})
	mux.HandleFunc("/file/{n}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Disposition", "attachment; filename=a.pdf")
		fmt.Fprint(w, "%PDF-1.4 "+r.PathValue("n")+"\n%%EOF\n")
	})
	mux.HandleFunc("/oops", func(w http.ResponseWriter, _ *http.Request) {
		show(w, `<h1>An error has occurred</h1><p>Please try again later.`)
	})
	mux.HandleFunc("/blank/{n}", func(w http.ResponseWriter, r *http.Request) {
		blank := []string{"", "{{bill.number}}", "Loading…", "Total: –"}
		n, _ := strconv.Atoi(r.PathValue("n"))
		show(w, `<h1>Invoice</h1><p id=bill>`+blank[n-1]+`</p>`)
	})
	mux.HandleFunc("/unknown", func(w http.ResponseWriter, _ *http.Request) { show(w, `<p>Blorp.`) })
	mux.HandleFunc("/login", func(w http.ResponseWriter, _ *http.Request) {
		show(w, `<h1>Sign in</h1><form><input name=u><input type=password></form>`)
	})
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.2:9/", http.StatusFound)
	})
	mux.HandleFunc("/status/500", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	return server
}

// TestOpenedPages reads orders whose documents are the pages that a click on their items opens.
func TestOpenedPages(t *testing.T) {
	t.Parallel()
	server := openedPortal(t)
	portal := func(t *testing.T, c openedPage, limit time.Duration) *scrape.Portal {
		by := "identity: {selector: '#po'}"
		if c.list {
			by = "list: {row: tr, number: .no}"
		}
		ready := "timeout: " + patience.String()
		if c.blank {
			ready = "timeout: 300ms, quiet: 100ms"
		}
		recipe, err := scrape.ReadRecipe("opened.yaml", strings.NewReader("version: 1\nready: {"+ready+"}\n"+by+"\nattachments: {item: '.open', print: true, shows: '#bill'}\n"))
		if err != nil {
			t.Fatal(err)
		}
		p := scrape.NewPortal(recipe, nil)
		p.SetClickTimeout(limit)
		return p
	}
	shared := newBenchOf(t, portal(t, openedPage{}, patience))
	for _, name := range oneIn(2, kinds(openedPages, "a link", "a form's POST", "a window that is led on", "a route that is not its own", "one page for two", "a page that loads", "nothing", "a window that is filled",
		"another order's", "an error with status 200", "no value", "another item's", "a page like it", "two windows", "what does more")) {
		c := openedPages[name]
		first := 10 * time.Second
		if c.done == nil { // which is waited for in vain
			first = 2 * time.Second
		}
		testkit.InVain(t, first, func(limit time.Duration) error {
			b := shared.with(portal(t, c, limit))
			d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: server.URL + "/case/" + name}})
			done, failed, said := printedDocuments(t, b, d)
			slices.Sort(done)
			if !slices.Equal(done, c.done) || c.class != "" && failed != c.items-len(c.done) && d.Result != nil || !strings.Contains(said, c.says) || !strings.Contains(said, string(c.class)) {
				return fmt.Errorf("%s: got %s, %q, %d failed: %s; want %q, %s %q", name, d.Outcome, done, failed, said, c.done, c.class, c.says)
			}
			return nil
		})
	}
}

// printedDocuments returns the names of the documents that are there, how many are not, and what is
// said of them.
func printedDocuments(t *testing.T, b *bench, d tasks.Decision) (done []string, failed int, said string) {
	said = failureText(d)
	if d.Result == nil {
		return nil, 0, said
	}
	for _, doc := range d.Result.Attachments {
		if doc.State != tasks.AttachmentDone {
			failed++
			said += "; " + string(doc.Error.Class) + ": " + doc.Error.Message
			continue
		}
		done = append(done, path.Base(doc.Path))
		content, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(doc.Path)))
		if err != nil || !strings.HasPrefix(string(content), "%PDF-") {
			t.Errorf("%s: %v, %.10q", doc.Name, err, content)
		}
	}
	return done, failed, said
}
