package scrape_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// sloppyPages are pages that nobody has written with care, or that mean no good. ORDER is the order's
// number and OTHER another's; doc(n) in scripts, and DOC1 and so on, are links to documents. BARE: the
// page has a heading of its own.
var sloppyPages = map[string]struct {
	page string
	want []string // the documents that the order has
	none bool     // the page is not the order's
	well bool     // without a recipe, all of them come
	auto bool     // a recipe that names the heading is to blame itself
}{
	"late by a timer":         {page: `<ul id=l>XDOC9</ul><script>setTimeout(() => { l.innerHTML = doc(1) }, 6000)</script>`, want: []string{"1"}, well: true},
	"late by a long timer":    {page: `<h2>Documents</h2><p>No documents</p><ul id=l></ul><script>setTimeout(() => { l.innerHTML = doc(1) }, 40000)</script>`, want: []string{"1"}, well: true},
	"late by idle":            {page: `<ul id=l>XDOC9</ul><script>requestIdleCallback(() => { l.innerHTML = doc(1) }, {timeout: 3000})</script>`, want: []string{"1"}, well: true},
	"one more by events":      {page: `<ul id=l>DOC1</ul><script>new EventSource("/events?soon=1").onmessage = () => { l.innerHTML += doc(2) }</script>`, want: []string{"1", "2"}, well: true},
	"late by events":          {page: `<ul id=l></ul><script>const e = new EventSource("/events"); e.onmessage = () => { l.innerHTML = doc(1) }</script>`, want: []string{"1"}},
	"late by a shared worker": {page: `<ul id=l></ul><script>const w = new SharedWorker("/shared.js"); w.port.onmessage = () => { l.innerHTML = doc(1) }; w.port.start()</script>`, want: []string{"1"}},
	"late by a channel":       {page: `<ul id=l></ul><script>new BroadcastChannel("c").onmessage = () => { l.innerHTML = doc(1) }; new Worker(URL.createObjectURL(new Blob(["setTimeout(() => new BroadcastChannel('c').postMessage(1), 2000)"])))</script>`, want: []string{"1"}},
	"recently viewed":         {page: `BARE<h1>Order OTHER</h1><aside><h2>Recently viewed</h2><a href="/x">ORDER</a></aside>DOC9`, none: true},
	"recently viewed, before": {page: `BARE<aside><h2>Recently viewed</h2><p>Order ORDER</p></aside><main><h1>Order OTHER</h1>DOC9</main>`, none: true},
	"a trail":                 {page: `BARE<nav>Orders / ORDER</nav><h1>Order OTHER</h1>DOC9`, none: true},
	"a search's words":        {page: `BARE<form><label>Order number <input name=q value="ORDER"></label></form><h2>Results</h2><p>Order OTHER</p>DOC9`, none: true},
	"results for":             {page: `BARE<h1>Results for ORDER</h1><ul><li>DOC9</li></ul>`, none: true, auto: true},
	"a message":               {page: `BARE<h1>Order OTHER</h1><p role=status>Order ORDER was saved.</p>DOC9`, none: true},
	"a copy of ours":          {page: `BARE<h1>Copy of order ORDER: OTHER</h1>DOC9`, none: true},
	"a copy, headed":          {page: `BARE<h1>Kopie von Bestellung ORDER</h1><p>Bestellnummer: OTHER</p>DOC9`, none: true},
	"a successor of ours":     {page: `BARE<h1>Successor of ORDER</h1><dl><dt>Number<dd>OTHER</dl>DOC9`, none: true},
	"a copy that is ours":     {page: `BARE<h1>Copy of order ORDER</h1>DOC1`, want: []string{"1"}, well: true},
	"two orders":              {page: `BARE<h1>Orders ORDER and OTHER</h1>DOC9`, none: true},
	"two orders, one number":  {page: `BARE<h1>Orders ORDER and OTHER</h1><dl><dt>Order number<dd>ORDER</dl>DOC1`, want: []string{"1"}, well: true},
	"a longer number":         {page: `BARE<h1>Order ORDER0</h1>DOC9`, none: true},
	"a number with a dash":    {page: `BARE<h1>Order ORDER-2</h1>DOC9`, none: true},
	"a virtual list":          {page: `<h2>Documents</h2><div id=box style="height:100px;overflow:auto"><div id=all style="height:800px;position:relative"></div></div><script>const draw = () => { const at = Math.floor(box.scrollTop / 20); all.innerHTML = ""; for (let i = at; i < Math.min(at + 6, 40); i++) all.innerHTML += '<div style="position:absolute;top:' + 20 * i + 'px">' + doc(i + 1) + "</div>" }; box.onscroll = draw; draw()</script>`, want: numbers(40)},
	"a virtual page":          {page: `<h2>Documents</h2><div id=all style="height:8000px;position:relative"></div><script>const draw = () => { const at = Math.max(0, Math.floor((scrollY - 100) / 200)); all.innerHTML = ""; for (let i = at; i < Math.min(at + 6, 40); i++) all.innerHTML += '<div style="position:absolute;top:' + 200 * i + 'px">' + doc(i + 1) + "</div>" }; onscroll = draw; draw()</script>`, want: numbers(40)},
	"a short virtual list":    {page: `<h2>Documents</h2><div id=box style="height:90px;overflow:auto"><div id=all style="height:120px;position:relative"></div></div><script>const draw = () => { const at = Math.floor(box.scrollTop / 20); all.innerHTML = ""; for (let i = at; i < 6; i++) all.innerHTML += '<div style="position:absolute;top:' + 20 * i + 'px">' + doc(i + 1) + "</div>" }; box.onscroll = () => requestAnimationFrame(draw); draw()</script>`, want: numbers(6), well: true},
	"sizes on scroll":         {page: `<h2>Documents</h2><ul id=l style="height:60px;overflow:auto"></ul><script>for (let i = 1; i <= 6; i++) l.innerHTML += "<li>" + doc(i); l.onscroll = () => { l.onscroll = null; for (const a of l.querySelectorAll("a")) a.textContent += " (2 KB)" }</script>`, want: numbers(6), well: true},
	"scrolled script links":   {page: `<h2>Documents</h2><ul id=l style="height:100px;overflow:auto"></ul><script>let n = 0; const give = (n) => { const a = document.createElement("a"); a.href = "/doc/" + n + "?o=ORDER"; a.download = n + ".pdf"; a.click() }; const more = () => { for (let i = 0; i < 6 && n < 18; i++) { n++; l.innerHTML += '<li style="height:30px"><a class=doc href="#" onclick="give(' + n + '); return false">' + n + '.pdf</a>' } }; l.onscroll = () => { if (l.scrollTop + l.clientHeight > l.scrollHeight - 5) more() }; more()</script>`, want: numbers(18)},
	"scrolled box between":    {page: `<h2>Documents</h2><ul>DOC1</ul><ul id=l style="height:100px;overflow:auto"></ul><ul id=e></ul><script>let n = 1; const more = () => { for (let i = 0; i < 10 && n < 21; i++) l.innerHTML += "<li>" + doc(++n) }; l.onscroll = () => { if (l.scrollTop + l.clientHeight > l.scrollHeight - 5) more() }; more(); e.innerHTML = "<li>" + doc(22)</script>`, want: numbers(22), well: true},
	"more on scroll, page":    {page: `<h2>Documents</h2><ul id=l></ul><script>let n = 0; const more = () => { for (let i = 0; i < 30 && n < 60; i++) l.innerHTML += "<li style='height:60px'>" + doc(++n) }; onscroll = () => { if (scrollY + innerHeight > document.documentElement.scrollHeight - 50) more() }; more()</script>`, want: numbers(60), well: true},
	"more on scroll, box":     {page: `<h2>Documents</h2><ul id=l style="height:100px;overflow:auto"></ul><script>let n = 0; const more = () => { for (let i = 0; i < 10 && n < 20; i++) l.innerHTML += "<li>" + doc(++n) }; l.onscroll = () => { if (l.scrollTop + l.clientHeight > l.scrollHeight - 5) more() }; more()</script>`, want: numbers(20), well: true},
	"more on scroll, slow":    {page: `<h2>Documents</h2><ul id=l style="height:100px;overflow:auto"></ul><script>let n = 0; const more = () => { for (let i = 0; i < 2 && n < 12; i++) l.innerHTML += "<li style='height:70px'>" + doc(++n) }; let due; l.onscroll = () => { if (!due && l.scrollTop + l.clientHeight > l.scrollHeight - 5) due = setTimeout(() => { due = 0; more() }, 3000) }; more()</script>`, want: numbers(12), well: true},
	"one more, meanwhile":     {page: `<h2>Documents</h2><ul id=l><a class=doc href="/held/1?o=ORDER">1.pdf</a></ul><script>new EventSource("/pushed?o=ORDER").onmessage = () => { l.innerHTML += doc(2); fetch("/heard?o=ORDER") }</script>`, want: []string{"1", "2"}},
	"more in view, page":      {page: `<h2>Documents</h2><ul id=l></ul><p id=end>.</p><script>let n = 0; const more = () => { for (let i = 0; i < 30 && n < 60; i++) l.innerHTML += "<li style='height:60px'>" + doc(++n) }; new IntersectionObserver((e) => { if (e.some((x) => x.isIntersecting)) more() }).observe(end); more()</script>`, want: numbers(60), well: true},
	"more in view, box":       {page: `<h2>Documents</h2><div style="height:100px;overflow:auto"><ul id=l></ul><p id=end>.</p></div><script>let n = 0; const more = () => { for (let i = 0; i < 10 && n < 20; i++) l.innerHTML += "<li>" + doc(++n) }; new IntersectionObserver((e) => { if (e.some((x) => x.isIntersecting)) more() }).observe(end); more()</script>`, want: numbers(20), well: true},
	"a flash of none":         {page: `<h2>Documents</h2><div id=l><p class=none>No documents</p></div><script>fetch("/slow").then(() => { l.innerHTML = doc(1) })</script>`, want: []string{"1"}, well: true},
	"a flash of 0":            {page: `<h2>Documents (<b id=n>0</b>)</h2><div id=l></div><script>setTimeout(() => fetch("/slow").then(() => { n.textContent = 1; l.innerHTML = doc(1) }), 900)</script>`, want: []string{"1"}},
	"a flash, on load":        {page: `<h2>Documents</h2><div id=l><p class=none>No documents</p></div><img src=/slow onerror="l.innerHTML = doc(1)" onload="l.innerHTML = doc(1)">`, want: []string{"1"}},
	"a badge too low":         {page: `<h2>Documents (1)</h2>DOC1DOC2`, want: []string{"1", "2"}, well: true},
	"a badge too high":        {page: `<h2>Documents (3)</h2>DOC1DOC2`, want: []string{"1", "2", "3"}},
	"one name":                {page: `<h2>Documents</h2><a class=doc download="a.pdf" href="/doc/1?o=ORDER">a.pdf</a> <a class=doc download="a.pdf" href="/doc/2?o=ORDER">a.pdf</a>`, want: []string{"1", "2"}, well: true},
	"a sign-in page":          {page: `<h2>Documents</h2><a class=doc href="/kind/login/1.pdf?o=ORDER">1.pdf</a>`, want: []string{"1"}},
	"by another order's":      {page: `<h2>Documents</h2><a class=doc href="/through/ORDER/1.pdf">1.pdf</a>`},
	"an empty file":           {page: `<h2>Documents</h2><a class=doc href="/kind/empty/1.pdf?o=ORDER">1.pdf</a>`, want: []string{"1"}},
	"an empty text":           {page: `<h2>Documents</h2><a class=doc href="/kind/empty/1.txt?o=ORDER">1.txt</a>`, want: []string{"1"}},
	"a length too long":       {page: `<h2>Documents</h2><a class=doc href="/kind/long/1.txt?o=ORDER">1.txt</a>`, want: []string{"1"}},
	"a length too short":      {page: `<h2>Documents</h2><a class=doc href="/kind/short/1.txt?o=ORDER">1.txt</a>`, want: []string{"1"}},
	"no last chunk":           {page: `<h2>Documents</h2><a class=doc href="/kind/chunk/1.txt?o=ORDER">1.txt</a>`, want: []string{"1"}},
	"gzip twice":              {page: `<h2>Documents</h2><a class=doc href="/kind/gzip2/1.txt?o=ORDER">1.txt</a>`, want: []string{"1"}},
	"gzip that is none":       {page: `<h2>Documents</h2><a class=doc href="/kind/nogzip/1.txt?o=ORDER">1.txt</a>`, want: []string{"1"}},
	"cut gzip":                {page: `<h2>Documents</h2><a class=doc href="/kind/cutgzip/1.txt?o=ORDER">1.txt</a>`, want: []string{"1"}},
	"a part of it":            {page: `<h2>Documents</h2><a class=doc href="/kind/206/1.txt?o=ORDER">1.txt</a>`, want: []string{"1"}},
	"no content":              {page: `<h2>Documents</h2><a class=doc href="/kind/204/1.txt?o=ORDER">1.txt</a>`, want: []string{"1"}},
	"an error in JSON":        {page: `<h2>Documents</h2><a class=doc href="/kind/json/1.pdf?o=ORDER">1.pdf</a>`, want: []string{"1"}},
	"an error in a text":      {page: `<h2>Documents</h2><a class=doc href="/kind/expired/1.txt?o=ORDER">1.txt</a>`, want: []string{"1"}},
	"half a PDF, announced":   {page: `<h2>Documents</h2><a class=doc href="/kind/half/1.pdf?o=ORDER">1.pdf</a>`, want: []string{"1"}},
	"a PDF without an end":    {page: `<h2>Documents</h2><a class=doc href="/kind/noend/1.pdf?o=ORDER">1.pdf</a>`, want: []string{"1"}},
	"a span that turns":       {page: `<h2>Documents</h2><ul id=l>DOC1</ul><span class=page>1</span> <span class=page style="cursor:pointer" onclick="l.innerHTML = doc(2)">2</span>`, want: []string{"1", "2"}},
	"a closed tab":            {page: `<div role=tablist><button role=tab aria-selected=true>Details</button><button role=tab onclick="l.innerHTML = doc(1)">Documents</button></div><div id=l></div>`, want: []string{"1"}},
	"another order's beside":  {page: `<section><h2>Documents</h2>DOC1</section><section><h2>Documents of order OTHER</h2><a class=other href="/doc/9?o=OTHER">9.pdf</a></section>`, want: []string{"1"}, well: true},
	"never drawn below":       {page: `<h2>Documents</h2>DOC1<div style="content-visibility:auto">DOC2</div>`, want: []string{"1", "2"}},
	"a panel to point, set":   {page: `<span id=m>Files</span><div id=l></div><script>m.onmouseover = () => { l.innerHTML = doc(1) }</script>`, want: []string{"1"}},
	"and 3 more":              {page: `<h2>Documents</h2><ul>DOC1<li onclick="this.outerHTML = doc(2) + doc(3) + doc(4)" style="cursor:pointer">and 3 more</ul>`, want: []string{"1", "2", "3", "4"}},
}

// numbers are those from 1 on.
func numbers(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprint(i+1))
	}
	return all
}

// happened is something that has happened once, and is awaited.
type happened struct {
	c    chan struct{}
	once sync.Once
}

func (h *happened) fire() { h.once.Do(func() { close(h.c) }) }

func (h *happened) await(r *http.Request) {
	select {
	case <-h.c:
	case <-r.Context().Done():
	}
}

func serveSloppy(t *testing.T) string {
	t.Helper()
	other := func(order string) string { return strings.Replace(order, "70", "80", 1) }
	body := func(name, order string) []byte {
		text := fmt.Sprintf("%s of %s\n%s", strings.TrimSuffix(strings.TrimSuffix(name, ".txt"), ".pdf"), order, strings.Repeat("line of text\n", 200))
		if strings.HasSuffix(name, ".txt") {
			return []byte(text)
		}
		return []byte("%PDF-1.4 " + text + "%%EOF\n")
	}
	zip := func(b []byte) []byte {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		_, _ = z.Write(b)
		_ = z.Close()
		return out.Bytes()
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/case/{case}/{order}", func(w http.ResponseWriter, r *http.Request) {
		order := r.PathValue("order")
		c := sloppyPages[r.PathValue("case")]
		page, bare := strings.CutPrefix(c.page, "BARE")
		if !bare {
			page = "<h1 id=po>Order ORDER</h1>" + page
		} else {
			page = strings.Replace(page, "<h1", "<h1 id=po", 1)
		}
		page = strings.ReplaceAll(page, "XDOC9", `<a class=doc href="/doc/9?o=OTHER">9.pdf</a>`)
		for _, n := range []string{"1", "2", "9"} {
			page = strings.ReplaceAll(page, "DOC"+n, `<a class=doc href="/doc/`+n+`?o=ORDER" download="`+n+`.pdf">`+n+`.pdf</a>`)
		}
		page = strings.NewReplacer("ORDER", order, "OTHER", other(order)).Replace(page)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Portal</title><body><script>const doc = (n) => '<a class=doc href="/doc/' + n + '?o=%s" download="' + n + '.pdf">' + n + '.pdf</a> '</script>%s`, order, page)
	})
	mux.HandleFunc("/doc/{n}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = w.Write(body(r.PathValue("n"), r.FormValue("o")))
	})
	mux.HandleFunc("/through/{order}/{n}", func(w http.ResponseWriter, r *http.Request) {
		next := "/through/" + other(r.PathValue("order")) + "/1.pdf"
		if own, is := strings.CutPrefix(r.PathValue("order"), "PO80"); is {
			next = "/doc/1?o=PO70" + own
		}
		http.Redirect(w, r, next, http.StatusFound)
	})
	mux.HandleFunc("/kind/{kind}/{n}", func(w http.ResponseWriter, r *http.Request) {
		b := body(r.PathValue("n"), r.FormValue("o"))
		w.Header().Set("Content-Type", "application/octet-stream")
		raw := func(head string, content []byte) {
			conn, buf, err := w.(http.Hijacker).Hijack()
			if err != nil {
				return
			}
			fmt.Fprintf(buf, "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nConnection: close\r\n%s\r\n\r\n%s", head, content)
			_ = buf.Flush()
			_ = conn.Close()
		}
		switch r.PathValue("kind") {
		case "login":
			w.Header().Set("Content-Type", "application/pdf")
			fmt.Fprint(w, `<html><h1>Sign in</h1><form><input type=password></form>`)
		case "empty":
		case "long":
			raw(fmt.Sprintf("Content-Length: %d", len(b)+100), b)
		case "short":
			raw(fmt.Sprintf("Content-Length: %d", len(b)-100), b)
		case "chunk":
			raw("Transfer-Encoding: chunked", []byte(fmt.Sprintf("%x\r\n%s\r\n", len(b), b)))
		case "gzip2":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(zip(zip(b)))
		case "nogzip":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(b)
		case "cutgzip":
			w.Header().Set("Content-Encoding", "gzip")
			z := zip(b)
			_, _ = w.Write(z[:len(z)-12])
		case "206":
			w.Header().Set("Content-Range", fmt.Sprintf("bytes 0-99/%d", len(b)))
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(b[:100])
		case "204":
			w.WriteHeader(http.StatusNoContent)
		case "json":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"error":"no such file"}`)
		case "expired":
			fmt.Fprint(w, "Session expired. Please sign in again.")
		case "half":
			fmt.Fprintf(w, "%%PDF-1.4\n1 0 obj\n<<>>\n%s", b)
		case "noend":
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = w.Write(b[:len(b)-6])
		}
	})
	// A document is held until the page has heard of another one.
	var asked, heard sync.Map
	signal := func(of *sync.Map, r *http.Request) *happened {
		h, _ := of.LoadOrStore(r.FormValue("o"), &happened{c: make(chan struct{})})
		return h.(*happened)
	}
	mux.HandleFunc("/held/{n}", func(w http.ResponseWriter, r *http.Request) {
		signal(&asked, r).fire()
		signal(&heard, r).await(r)
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = w.Write(body(r.PathValue("n"), r.FormValue("o")))
	})
	mux.HandleFunc("/heard", func(_ http.ResponseWriter, r *http.Request) { signal(&heard, r).fire() })
	mux.HandleFunc("/pushed", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		signal(&asked, r).await(r)
		fmt.Fprint(w, "data: 1\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) { delay(r, 1500e6) })
	mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		delay(r, map[bool]time.Duration{true: 1e9, false: 2500e6}[r.FormValue("soon") != ""])
		fmt.Fprint(w, "data: 1\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/shared.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `onconnect = (e) => fetch("/slow").then(() => e.ports[0].postMessage(1))`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	return server.URL
}

// TestSloppyPages reads pages that hide what they have, or show what they have not, and documents that
// are not what they should be: none ends well but with exactly what the order has.
func TestSloppyPages(t *testing.T) {
	t.Parallel()
	server := serveSloppy(t)
	base := newBench(t, scrape.AutoRecipe())
	for i, name := range oneIn(2, kinds(sloppyPages, "late by a timer", "one more by events", "late by events", "late by a shared worker", "late by a channel", "recently viewed, before", "results for",
		"a copy that is ours", "two orders, one number", "a virtual list", "a short virtual list", "sizes on scroll", "scrolled script links",
		"more on scroll, slow", "one more, meanwhile", "a flash of none", "a badge too high", "one name",
		"a sign-in page", "by another order's", "an empty file", "a part of it", "an error in a text", "a PDF without an end", "a span that turns",
		"a closed tab", "another order's beside", "never drawn below", "and 3 more")) {
		c := sloppyPages[name]
		byRecipe := recipeOf(t, server, "identity: {selector: '#po'}\nattachments: {item: a.doc, none: .none}\n")
		for _, recipe := range []*scrape.Recipe{scrape.AutoRecipe(), byRecipe} {
			mine := inTurn(i, recipe.Auto)
			if c.auto || c.well {
				mine = recipe.Auto || mine && !c.auto
			}
			if !mine {
				continue
			}
			recipe.Ready.Timeout = patience // none of these pages keeps it waiting
			for _, mode := range sloppyModes(recipe) {
				recipe.Mode = mode
				b := base.with(scrape.NewPortal(recipe, nil))
				orders := 1
				if mode == scrape.ModeAuto { // which needs some to earn trust
					orders = 7
				}
				for i := range orders {
					order := fmt.Sprintf("PO70%05d", i+1)
					d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: order, Digits: order[2:], Dir: order + uuid.NewString(), URL: server + "/case/" + url.PathEscape(name) + "/" + order}})
					got := b.contents(t, d, order)
					if d.Outcome.Well() && (c.none || !slices.Equal(got, c.want)) {
						t.Errorf("%s, auto %t, %s: %s with %q, want %q", name, recipe.Auto, mode, d.Outcome, got, c.want)
					}
					if c.well && recipe.Auto && mode == scrape.ModeRender && d.Outcome != tasks.OutcomeComplete {
						t.Errorf("%s: %s with %q, want all of %q: %s", name, d.Outcome, got, c.want, failureText(d))
					}
				}
			}
		}
	}
}

// sloppyModes are the modes in which each page is read: all of them where the test is to be thorough.
func sloppyModes(recipe *scrape.Recipe) []scrape.Mode {
	switch {
	case os.Getenv(thorough) != "":
		return scrape.Modes()
	case recipe.Auto:
		return []scrape.Mode{scrape.ModeRender}
	}
	return []scrape.Mode{scrape.ModeFetch}
}

// contents says which documents of a page were stored, by their bytes: the number of each, and what is
// wrong with it.
func (b *bench) contents(t *testing.T, d tasks.Decision, order string) []string {
	t.Helper()
	var got []string
	if d.Result == nil {
		return nil
	}
	for _, doc := range d.Result.Attachments {
		if doc.State != tasks.AttachmentDone {
			continue
		}
		text, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(doc.Path)))
		if err != nil {
			t.Error(err)
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(string(text), "%PDF-1.4 "), "\n")
		n, of, _ := strings.Cut(first, " of ")
		if of != order || len(text) < 2000 {
			n += " of " + of + ", " + fmt.Sprint(len(text)) + " bytes"
		}
		got = append(got, n)
	}
	return got
}
