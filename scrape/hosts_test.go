package scrape_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// led is a portal at one port, and a server at another that counts who asks it.
type led struct {
	portal, foreign string
	asked           atomic.Int64
}

// order is the number of every order of these portals.
const ledOrder = "PO7000001"

func newLed(t *testing.T, pages map[string]string) *led {
	t.Helper()
	l := &led{}
	away := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		l.asked.Add(1)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Order %[1]s</title><h1>Order %[1]s</h1><a href=/d.pdf>d.pdf</a>`, ledOrder)
	}))
	t.Cleanup(away.Close)
	l.foreign = away.URL
	mux := http.NewServeMux()
	mux.HandleFunc("/page/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Order %[1]s</title><body><h1>Order %[1]s</h1>%[2]s`, ledOrder,
			strings.ReplaceAll(pages[r.PathValue("name")], "FOREIGN", l.foreign))
	})
	mux.HandleFunc("/status/{code}", func(w http.ResponseWriter, r *http.Request) {
		var code int
		_, _ = fmt.Sscan(r.PathValue("code"), &code)
		http.Redirect(w, r, l.foreign+"/order", code)
	})
	mux.HandleFunc("/chain/{n}", func(w http.ResponseWriter, r *http.Request) {
		to := map[string]string{"3": "/chain/2", "2": "/chain/1", "1": l.foreign + "/order"}[r.PathValue("n")]
		http.Redirect(w, r, to, http.StatusFound)
	})
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", r.URL.Query().Get("u"))
		w.WriteHeader(http.StatusSeeOther)
	})
	mux.HandleFunc("/refresh", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Refresh", "0; url="+l.foreign)
		_, _ = io.WriteString(w, "one moment")
	})
	mux.HandleFunc("/d.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Disposition", "attachment")
		_, _ = io.WriteString(w, "%PDF-1.4 content\n%%EOF\n")
	})
	portal := httptest.NewServer(mux)
	t.Cleanup(portal.Close)
	l.portal = portal.URL
	return l
}

func ledTask(address string) *tasks.ProcessingTask {
	return &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: ledOrder, Digits: ledOrder[2:], Dir: uuid.NewString(), URL: address}}
}

// ledWays are the ways in which pages are read here, in one browser.
func ledWays(t *testing.T, run func(t *testing.T, shared *bench, recipe *scrape.Recipe)) {
	t.Helper()
	shared := newBench(t, scrape.AutoRecipe())
	for name, way := range map[string]struct {
		mode  scrape.Mode
		clock scrape.Clock
	}{"virtual": {scrape.ModeAuto, scrape.ClockVirtual}, "real": {scrape.ModeRender, scrape.ClockReal}} {
		t.Run(name, func(t *testing.T) {
			recipe := scrape.AutoRecipe()
			recipe.Mode, recipe.Ready.Clock, recipe.Ready.Timeout = way.mode, way.clock, patience
			run(t, shared, recipe)
		})
	}
}

// TestPagesThatLeadAway reads orders whose pages lead to a host that is not allowed: each
// fails for that, and the host is not asked.
func TestPagesThatLeadAway(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	pages := map[string]string{
		"honest":               ``,
		"meta":                 `<meta http-equiv=refresh content="0; url=FOREIGN">`,
		"meta, later":          `<meta http-equiv=refresh content="1; url=FOREIGN">`,
		"at once":              `<script>location = "FOREIGN"</script>`,
		"replaced":             `<script>location.replace("FOREIGN")</script>`,
		"later":                `<script>setTimeout(() => { location.href = "FOREIGN" }, 700)</script>`,
		"when loaded":          `<script>onload = () => location.assign("FOREIGN")</script>`,
		"again and again":      `<script>setInterval(() => { location = "FOREIGN" }, 50)</script>`,
		"through the portal":   `<script>location = "/chain/2"</script>`,
		"a form":               `<form id=f method=post action="FOREIGN"><input name=a value=b></form><script>f.submit()</script>`,
		"a form that is sent":  `<form id=f method=post action="/status/307"><input name=a value=b></form><script>f.submit()</script>`,
		"a link":               `<a id=a href="FOREIGN">home</a><script>a.click()</script>`,
		"from a frame":         `<iframe srcdoc="<script>top.location = 'FOREIGN'</script>"></iframe>`,
		"a window of its own":  `<script>open("FOREIGN", "_self")</script>`,
		"to a page and on":     `<script>location = "/page/at once"</script>`,
		"the cloud's own data": `<script>location = "http://169.254.169.254/latest/meta-data/"</script>`,
	}
	paths := map[string]bool{}
	for _, path := range []string{"/status/301", "/status/302", "/status/303", "/status/307", "/status/308", "/chain/3", "/refresh", "/to?u=http://169.254.169.254/latest/"} {
		paths[path] = true
	}
	for name := range pages {
		if name != "honest" {
			paths["/page/"+strings.ReplaceAll(name, " ", "%20")] = true
		}
	}
	ledWays(t, func(t *testing.T, shared *bench, recipe *scrape.Recipe) {
		l := newLed(t, pages)
		b := shared.with(scrape.NewPortal(recipe, nil))
		for _, path := range rows(recipe.Ready.Clock, paths, "/status/307", "/chain/3", "/refresh", "/page/meta", "/page/again%20and%20again", "/page/through%20the%20portal",
			"/page/a%20form%20that%20is%20sent", "/page/from%20a%20frame", "/page/the%20cloud's%20own%20data") {
			if res, err := b.scraper.Do(t.Context(), ledTask(l.portal+"/page/honest")); err != nil || res.Outcome != tasks.OutcomeNoAttachments {
				t.Fatalf("an honest page before %s: got %v, %v", path, res, err)
			}
			d := b.attempt(t.Context(), t, ledTask(l.portal+path))
			if d.Outcome != tasks.OutcomeFailed || d.Failure == nil || d.Failure.Class != tasks.ClassHost {
				t.Errorf("%s: got %s (%v), want failed for its host", path, d.Outcome, failureText(d))
			}
			if n := l.asked.Swap(0); n != 0 {
				t.Errorf("%s: the foreign host was asked %d times", path, n)
			}
		}
	})
}

// TestPagesThatStay reads orders whose pages lead nowhere else, though something of them
// is of, or points to, other hosts.
func TestPagesThatStay(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	pages := map[string]string{
		"a fragment":        `<script>location.hash = "#/orders/1"; setTimeout(() => { location.hash = "#/orders/2" }, 300)</script>`,
		"the history":       `<script>history.pushState({}, "", "/orders/1"); history.replaceState({}, "", "/orders/2"); history.back()</script>`,
		"itself, once":      `<script>if (!sessionStorage.n) { sessionStorage.n = 1; location.reload() }</script>`,
		"a page of its own": `<script>if (!location.search) location = "?again"</script>`,
		"a redirect":        `<script>if (!location.search) location = "/to?u=" + encodeURIComponent("/page/a%20redirect?again")</script>`,
		"a form":            `<form id=f><input name=again value=1></form><script>if (!location.search) f.submit()</script>`,
		"a mail":            `<a id=a href="mailto:a@supplier.example">mail</a><script>a.click()</script>`,
		"no servers":        `<a id=a href="file:///etc/passwd">x</a><script>a.click(); location = "data:text/html,away"; location = "file:///etc/passwd"; location = "chrome://version"; open("file:///etc/passwd")</script>`,
		"a window":          `<script>open("FOREIGN")</script>`,
		"windows":           `<a id=a href="FOREIGN" target=_blank>x</a><script>a.click(); const w = open("about:blank"); w.location = "FOREIGN"; open("/to?u=FOREIGN")</script>`,
		"a fetch":           `<script>fetch("FOREIGN", { mode: "no-cors" })</script>`,
	}
	loads := map[string]bool{"a fetch": true}
	ledWays(t, func(t *testing.T, shared *bench, recipe *scrape.Recipe) {
		l := newLed(t, pages)
		b := shared.with(scrape.NewPortal(recipe, nil))
		for _, name := range rows(recipe.Ready.Clock, pages, "a fragment", "a redirect", "no servers", "windows", "a fetch") {
			d := b.work(t, ledTask(l.portal+"/page/"+strings.ReplaceAll(name, " ", "%20")))
			if d.Outcome != tasks.OutcomeNoAttachments {
				t.Errorf("%s: got %s (%v), want no attachments", name, d.Outcome, failureText(d))
			}
			if n := l.asked.Swap(0); (n != 0) != loads[name] {
				t.Errorf("%s: the foreign host was asked %d times", name, n)
			}
		}
	})
}

// TestFramesOfOtherHosts reads orders with frames of other hosts: these are not the
// order's page, and load.
func TestFramesOfOtherHosts(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	ledWays(t, func(t *testing.T, shared *bench, recipe *scrape.Recipe) {
		l := newLed(t, map[string]string{
			"one":  `<a href=/d.pdf>d.pdf</a><iframe src="FOREIGN" width=80 height=80></iframe>`,
			"deep": `<a href=/d.pdf>d.pdf</a><iframe srcdoc="<iframe src='FOREIGN'></iframe>" width=80 height=80></iframe>`,
		})
		b := shared.with(scrape.NewPortal(recipe, nil))
		for _, name := range []string{"one", "deep"} {
			d := b.work(t, ledTask(l.portal+"/page/"+name))
			if n := l.asked.Swap(0); d.Outcome != tasks.OutcomeComplete || n == 0 {
				t.Errorf("%s: got %s (%v), and the frame's host was asked %d times", name, d.Outcome, failureText(d), n)
			}
		}
	})
}

// TestAllowedHosts reads orders that lead to hosts that are allowed, and by way of these to
// one that is not, be it the machine itself.
func TestAllowedHosts(t *testing.T) {
	t.Parallel()
	l := newLed(t, map[string]string{"here": ""})
	port := l.portal[strings.LastIndex(l.portal, ":"):]
	recipe := scrape.AutoRecipe()
	recipe.BaseURL, recipe.AllowedHosts = "http://orders.localhost"+port, []string{"*.files.localhost" + port}
	b := newBench(t, recipe)
	to := func(hosts ...string) string {
		address := ""
		for i := len(hosts) - 1; i >= 0; i-- {
			path := "/page/here"
			if address != "" {
				path = "/to?u=" + strings.NewReplacer("%", "%25", "?", "%3F", "&", "%26").Replace(address)
			}
			address = "http://" + hosts[i] + port + path
		}
		return address
	}
	for _, address := range []string{"file:///etc/passwd", "file://orders.localhost/etc/passwd", "chrome://version"} {
		if d := b.work(t, ledTask(address)); d.Outcome != tasks.OutcomeInvalidInput {
			t.Errorf("%s: got %s (%v), want invalid input", address, d.Outcome, failureText(d))
		}
	}
	for _, c := range []struct {
		hosts []string
		want  tasks.Outcome
	}{
		{[]string{"orders.localhost"}, tasks.OutcomeNoAttachments},
		{[]string{"orders.localhost", "a.files.localhost"}, tasks.OutcomeNoAttachments},
		{[]string{"orders.localhost", "a.files.localhost", "orders.localhost"}, tasks.OutcomeNoAttachments},
		{[]string{"orders.localhost", "127.0.0.1"}, tasks.OutcomeFailed},
		{[]string{"orders.localhost", "localhost"}, tasks.OutcomeFailed},
		{[]string{"orders.localhost", "a.files.localhost", "127.0.0.1"}, tasks.OutcomeFailed},
		{[]string{"orders.localhost", "files.localhost", "orders.localhost"}, tasks.OutcomeFailed},
	} {
		d := b.attempt(t.Context(), t, ledTask(to(c.hosts...)))
		if d.Outcome != c.want || c.want == tasks.OutcomeFailed && d.Failure.Class != tasks.ClassHost {
			t.Errorf("%v: got %s (%v), want %s", c.hosts, d.Outcome, failureText(d), c.want)
		}
	}
}

// TestClickedDocumentsElsewhere clicks on documents of a host that is not allowed: they are
// skipped, that host is not asked, and those beside them are had.
func TestClickedDocumentsElsewhere(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	clicks := map[string]string{
		"the page leads there":   `location = 'FOREIGN/d.pdf'`,
		"the portal leads there": `location = '/to?u=FOREIGN/d.pdf'`,
		"a window":               `window.open('FOREIGN/d.pdf')`,
		"a link that saves":      `Object.assign(document.createElement('a'), { href: 'FOREIGN/d.pdf', download: '' }).click()`,
		"a link that is sent on": `Object.assign(document.createElement('a'), { href: '/to?u=FOREIGN/d.pdf', download: '' }).click()`,
	}
	pages := map[string]string{}
	for name, click := range clicks {
		pages[name] = `<button class=doc onclick="` + click + `">first.pdf</button><button class=doc onclick="location = '/d.pdf'">second.pdf</button>`
	}
	ledWays(t, func(t *testing.T, shared *bench, recipe *scrape.Recipe) {
		recipe.Auto = false
		recipe.Attachments = &scrape.AttachmentsRule{Item: ".doc"}
		l := newLed(t, pages)
		b := shared.with(scrape.NewPortal(recipe, nil))
		for _, name := range rows(recipe.Ready.Clock, pages) {
			testkit.InVain(t, 2*time.Second, func(limit time.Duration) error {
				b.portal.SetClickTimeout(limit)
				res, err := b.scraper.Do(t.Context(), ledTask(l.portal+"/page/"+strings.ReplaceAll(name, " ", "%20")))
				if n := l.asked.Swap(0); n != 0 {
					t.Errorf("%s: the foreign host was asked %d times", name, n)
				}
				if err != nil || len(res.Attachments) != 2 {
					return fmt.Errorf("%s: got %v, %w, want two documents", name, res, err)
				}
				first, second := res.Attachments[0], res.Attachments[1]
				if first.State == tasks.AttachmentDone {
					t.Errorf("%s: the first document was brought", name)
				}
				if first.State != tasks.AttachmentSkipped || first.Error.Class != tasks.ClassHost {
					return fmt.Errorf("%s: the first document is %s (%w), want it skipped for its host", name, first.State, first.Error)
				}
				if second.State == tasks.AttachmentFailed || second.State == tasks.AttachmentSkipped {
					return fmt.Errorf("%s: the second document is %s (%w)", name, second.State, second.Error)
				}
				return nil
			})
		}
	})
}

// TestRecipesThatLeadAway reads orders on the ways that a recipe knows besides an address, each
// of which leads to a host that is not allowed: that host is not asked, and the order is not well.
func TestRecipesThatLeadAway(t *testing.T) {
	t.Parallel()
	const (
		order   = "identity: {selector: h1}\nattachments: {item: a.doc}\n"
		search  = "open: {search: {url: '{base_url}/page/search', input: '#q', submit: '#go', result: .r}}\n" + order
		steps   = "open: {steps: [{click: '#go'}, {wait: '#never'}]}\nready: {timeout: 1s}\n" + order
		related = order + "related: [{link: a.more, attachments: {item: a.doc}}]\n"
		doc     = `<a class=doc href=/d.pdf>d.pdf</a>`
	)
	cases := map[string]struct{ page, recipe string }{
		"a result":                    {`<input id=q><button id=go>Go</button><a class=r href="FOREIGN">` + ledOrder + `</a>`, search},
		"a result's script":           {`<input id=q><button id=go>Go</button><div class=r onclick="location = 'FOREIGN'">` + ledOrder + `</div>`, search},
		"a search that is sent there": {`<form action="FOREIGN"><input id=q name=q><button id=go>Go</button></form>`, search},
		"a step":                      {doc + `<a id=go href="FOREIGN">Go</a>`, steps},
		"a step, by the portal":       {doc + `<a id=go href="/status/302">Go</a>`, steps},
		"a related page":              {doc + `<a class=more href="FOREIGN">Requisition</a>`, related},
		"a related page, on the way":  {doc + `<a class=more href="/chain/3">Requisition</a>`, related},
		"data":                        {doc, order + "fields: {a: {get: '/status/302?po={po}', path: $.a, required: true}}\n"},
		"a document":                  {doc + `<a class=doc href="FOREIGN/e.pdf">e.pdf</a>`, order},
		"a document, on the way":      {doc + `<a class=doc href="/chain/3">e.pdf</a>`, order},
		"a document of this machine":  {doc + `<a class=doc href="file:///etc/passwd">e.pdf</a>`, order},
		"a document of the cloud":     {doc + `<a class=doc href="http://169.254.169.254/latest/e.pdf">e.pdf</a>`, order},
		"what is opened first":        {doc + `<button id=go onclick="location = 'FOREIGN'">Go</button>`, "attachments: {item: a.doc, expand: ['#go']}\n"},
	}
	pages := map[string]string{}
	for name, c := range cases {
		pages[name] = c.page
	}
	l := newLed(t, pages)
	b := newBench(t, scrape.AutoRecipe())
	for name, c := range cases {
		path := l.portal + "/page/" + strings.NewReplacer(" ", "%20", "'", "%27").Replace(name)
		recipe := recipeOf(t, l.portal, strings.ReplaceAll(c.recipe, "{base_url}/page/search", path))
		d := b.with(scrape.NewPortal(recipe, nil)).attempt(t.Context(), t, ledTask(path))
		if d.Outcome == tasks.OutcomeComplete || d.Outcome == tasks.OutcomeNoAttachments || d.Failure == nil {
			t.Errorf("%s: got %s (%v)", name, d.Outcome, failureText(d))
		}
		if n := l.asked.Swap(0); n != 0 {
			t.Errorf("%s: the foreign host was asked %d times", name, n)
		}
	}
}
