package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// goCase is the page of PO1001, and the step that leads from there; and how the order ends: as complete with the
// page at to, or with a failure. PAY is another host that the recipe allows, and AWAY one that it does not.
type goCase struct {
	page, step string
	to         string
	class      tasks.Class
	outcome    tasks.Outcome
	says       string
	// asked are the addresses that were asked for besides.
	asked map[string]int
	quick bool
}

const (
	ofFrame = `{selector: iframe, attr: src, match: 'session=(\w+)', url: "PAY/p?id={1}"}`
	frameOf = `<iframe src="/frame?session=%s"></iframe>`
)

var goCases = map[string]goCase{
	"of a frame":               {page: fmt.Sprintf(frameOf, "s1001"), step: ofFrame, to: "PAY/p?id=s1001"},
	"of a hidden frame":        {page: `<div hidden>` + fmt.Sprintf(frameOf, "s1001") + `</div>`, step: ofFrame, to: "PAY/p?id=s1001"},
	"a frame that comes":       {page: `<script>setTimeout(() => document.body.insertAdjacentHTML("beforeend", '<iframe src="/frame?session=s1001"></iframe>'), 900)</script>`, step: ofFrame, to: "PAY/p?id=s1001"},
	"a frame that is led":      {page: fmt.Sprintf(frameOf, "early") + `<script>setTimeout(() => { document.querySelector("iframe").src = "/frame?session=s1001" }, 900)</script>`, step: ofFrame, to: "PAY/p?id=s1001"},
	"a frame led by an answer": {page: fmt.Sprintf(frameOf, "early") + `<script>fetch("/slow").then(() => { document.querySelector("iframe").src = "/frame?session=s1001" })</script>`, step: ofFrame, to: "PAY/p?id=s1001"},
	"beside other frames":      {page: `<iframe src="/frame?x=1"></iframe>` + fmt.Sprintf(frameOf, "s1001") + `<iframe></iframe>`, step: ofFrame, to: "PAY/p?id=s1001"},
	"the same twice":           {page: strings.Repeat(fmt.Sprintf(frameOf, "s1001"), 2), step: ofFrame, to: "PAY/p?id=s1001"},
	"a visible one":            {page: `<div hidden>` + fmt.Sprintf(frameOf, "s1002") + `</div>` + fmt.Sprintf(frameOf, "s1001"), step: ofFrame, to: "PAY/p?id=s1001"},
	"in a frame":               {page: `<iframe id=f src="/inner?s1001"></iframe>`, step: `{selector: a, frame: "#f"}`, to: "PAY/p?id=s1001"},
	"in a frame of another":    {page: `<iframe id=f src="PAY/inner?s1001"></iframe>`, step: `{selector: a, frame: "#f"}`, to: "PAY/p?id=s1001"},
	"where a link leads":       {page: `<p><a href="PAY/p?id=s1001">Details</a></p>`, step: `p`, to: "PAY/p?id=s1001"},
	"a text":                   {page: `<b id=s>Session s1001.</b>`, step: `{selector: "#s", attr: text, match: '(?P<no>s\d+)', url: "PAY/p?id={no}&order={po}"}`, to: "PAY/p?id=s1001&order=PO1001"},
	"an input":                 {page: `<input type=hidden value="p?id=s1001">`, step: `{selector: input, attr: value, url: "PAY/{+value}"}`, to: "PAY/p?id=s1001"},
	"of a base":                {page: `<base href="PAY/"><i data-to="p?id=s1001">x</i>`, step: `{selector: i, attr: data-to}`, to: "PAY/p?id=s1001"},
	"a route":                  {page: `<a href="PAY/app#/s1001">Details</a>`, step: `a`, to: "PAY/app#/s1001"},
	"by way of a redirect":     {page: `<a href="/led-on?s1001">Details</a>`, step: `a`, to: "PAY/p?id=s1001"},
	"from a get":               {step: `{get: /api/session, path: $.url}`, to: "PAY/p?id=s1001", asked: map[string]int{"/api/session": 1}},
	"from a get by number":     {step: `{get: "/api/session?of={po}", path: "$.all[?@.number=='{po}'].id", url: "PAY/p?id={value}"}`, to: "PAY/p?id=s1001"},
	"from a get with a header": {page: `<script>fetch("/api/me", {headers: {Authorization: "Bearer tok-1001-xyz"}})</script>`, step: `{get: "/api/session?token", headers: [Authorization], path: $.url}`, to: "PAY/p?id=s1001"},
	"from an answer":           {page: `<script>setTimeout(() => fetch("/api/session"), 600)</script>`, step: `{json: /api/session, path: $.url}`, to: "PAY/p?id=s1001"},

	"nothing":              {step: ofFrame, class: tasks.ClassStep, says: `open.steps[0] go "iframe": nothing met it within LIMIT`, quick: true},
	"nothing that fits":    {page: `<iframe src="/frame?x=1"></iframe>`, step: ofFrame, class: tasks.ClassStep, says: `go.match "session=(\\w+)" finds nothing in "/frame?x=1" within LIMIT`, quick: true},
	"an empty value":       {page: `<iframe src=""></iframe>`, step: `{selector: iframe, attr: src}`, class: tasks.ClassStep, says: `go found no src in it`, quick: true},
	"an empty group":       {page: `<iframe src="/frame?session="></iframe>`, step: strings.Replace(ofFrame, `\w+`, `\w*`, 1), class: tasks.ClassStep, says: `no part of an address`, quick: true},
	"several":              {page: fmt.Sprintf(frameOf, "s1001") + fmt.Sprintf(frameOf, "s1003"), step: ofFrame, class: tasks.ClassStep, says: "it has 2 different addresses", quick: true},
	"a script":             {page: `<a href="javascript:document.title='x'">Details</a>`, step: `a`, class: tasks.ClassStep, says: "no address of a page", quick: true},
	"data":                 {page: `<a href="data:text/html,<h1>PO1001</h1>">Details</a>`, step: `a`, class: tasks.ClassStep, says: "no address of a page", quick: true},
	"a file":               {page: `<a href="file:///etc/passwd">Details</a>`, step: `a`, class: tasks.ClassStep, says: "no address of a page", quick: true},
	"another host":         {page: `<a href="http://other.example/p">Details</a>`, step: `a`, class: tasks.ClassHost, outcome: tasks.OutcomeFailed, says: "other.example"},
	"another port":         {page: `<a href="AWAY/p?id=s1001">Details</a>`, step: `a`, class: tasks.ClassHost, outcome: tasks.OutcomeFailed, says: "AWAY", asked: map[string]int{"away": 0}},
	"another host's value": {page: `<i data-to="@AWAY/">x</i>`, step: `{selector: i, attr: data-to, url: "PAY/{+value}"}`, class: tasks.ClassStep, says: "status 404", asked: map[string]int{"away": 0}},
	"led to another host":  {page: `<a href="/to-away">Details</a>`, step: `a`, class: tasks.ClassHost, outcome: tasks.OutcomeFailed, says: "AWAY", asked: map[string]int{"away": 0}},
	"a label":              {page: `<a href="PAY/p?id=s1001">Cancel order</a>`, step: `a`, class: tasks.ClassNotClicked, says: "cancel order", asked: map[string]int{"/p": 0}},
	"an address's words":   {page: `<iframe src="/orders/7/approve?session=1"></iframe>`, step: `{selector: iframe, attr: src}`, class: tasks.ClassNotClicked, says: `"approve"`},
	"a query's words":      {page: `<i data-to="/orders?action=deleteOrder">x</i>`, step: `{selector: i, attr: data-to}`, class: tasks.ClassNotClicked, says: `"deleteOrder"`, asked: map[string]int{"/orders": 0}},
	"another order":        {page: fmt.Sprintf(frameOf, "s1002"), step: ofFrame, class: tasks.ClassIdentity, outcome: tasks.OutcomeIdentityMismatch, says: "PO1002"},
	"not found":            {page: `<a href="/nowhere">Details</a>`, step: `a`, class: tasks.ClassStep, says: "open.steps[0] go: the page that it leads to was answered with status 404"},
	"refused":              {page: `<a href="/status/403">Details</a>`, step: `a`, class: tasks.ClassStep, says: "status 403"},
	"a sign-in":            {page: `<a href="/status/401">Details</a>`, step: `a`, class: tasks.ClassLogin, says: "sign-in"},
	"a sign-in first":      {page: `<form><input name=u><input type=password name=p><button>Sign in</button></form>`, step: `a`, class: tasks.ClassLogin, says: "sign-in"},
	"a document":           {page: `<a href="/file.pdf">Details</a>`, step: `a`, class: tasks.ClassStep, says: "leads to a document and no page"},
	"its own page":         {page: `<a href="#top">Details</a>`, step: `a`, class: tasks.ClassStep, says: "led back to the page that it is on"},
	"led back":             {page: `<a href="/back?to=SELF">Details</a>`, step: `a`, class: tasks.ClassStep, says: "led back to the page that it is on"},
	"a get without it":     {step: `{get: /api/none, path: $.url}`, class: tasks.ClassStep, says: "what is at $.url has no value", asked: map[string]int{"/api/none": 1}},
	"a get of several":     {step: `{get: "/api/session?of={po}", path: "$.twice[*]", url: "PAY/p?id={value}"}`, class: tasks.ClassStep, says: "has several values"},
	"a get elsewhere":      {step: `{get: /api/elsewhere, path: $.url}`, class: tasks.ClassHost, outcome: tasks.OutcomeFailed, says: "other.example"},
	"a get of another":     {step: `{get: /api/session, path: "$.all[1].id", url: "PAY/p?id={value}"}`, class: tasks.ClassStep, says: "another order"},
	"no answer":            {step: `{json: /api/session, path: $.url}`, class: tasks.ClassStep, says: "no answer matched", quick: true},
}

// TestGo opens pages by addresses that orders' pages show.
func TestGo(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	var mu sync.Mutex
	asked := map[string]int{}
	count := func(path string) {
		mu.Lock()
		defer mu.Unlock()
		asked[path]++
	}
	served := func(handle http.HandlerFunc) string {
		s := httptest.NewServer(handle)
		t.Cleanup(func() { testkit.EndServer(s) })
		return s.URL
	}
	show := func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Portal</title>`+body)
	}
	away := served(func(http.ResponseWriter, *http.Request) { count("away") })
	var pay string
	pay = served(func(w http.ResponseWriter, r *http.Request) {
		count(r.URL.Path)
		switch r.URL.Path {
		case "/p":
			show(w, `<h1 id=po>Order PO`+strings.TrimPrefix(r.FormValue("id"), "s")+`</h1><a class=doc href="/file.pdf">file.pdf</a>`)
		case "/app":
			show(w, `<h1 id=po></h1><a class=doc href="/file.pdf">file.pdf</a><script>po.textContent = location.hash.replace("#/s", "Order PO")</script>`)
		case "/list":
			show(w, `<button id=all onclick="rows.hidden = false">All</button><table id=rows hidden><tr><td class=no>PO1001<td><a class=doc href="/file.pdf">1.pdf</a><tr><td class=no>PO1002<td><a class=doc href="/file.pdf?2">2.pdf</a></table>`)
		case "/inner":
			show(w, `<a href="`+pay+`/p?id=`+r.URL.RawQuery+`">Details</a>`)
		case "/file.pdf":
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = w.Write([]byte("%PDF-1.4\n%%EOF\n"))
		default:
			http.NotFound(w, r)
		}
	})
	base := served(func(w http.ResponseWriter, r *http.Request) {
		count(r.URL.Path)
		switch name, is := strings.CutPrefix(r.URL.Path, "/case/"); {
		case is:
			show(w, `<h1>Order PO1001</h1>`+strings.NewReplacer("PAY", pay, "AWAY", away, "SELF", r.URL.EscapedPath()).Replace(goCases[name].page))
		case r.URL.Path == "/frame" || r.URL.Path == "/orders/7/approve":
			show(w, `<p>Frame`)
		case r.URL.Path == "/inner":
			show(w, `<a href="`+pay+`/p?id=`+r.URL.RawQuery+`">Details</a>`)
		case r.URL.Path == "/slow":
			select {
			case <-time.After(700 * time.Millisecond):
			case <-r.Context().Done():
			}
		case r.URL.Path == "/api/session":
			if r.URL.RawQuery == "token" && r.Header.Get("Authorization") == "" {
				w.WriteHeader(http.StatusForbidden)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"url": "%s/p?id=s1001", "all": [{"number": "PO1001", "id": "s1001"}, {"number": "PO1002", "id": "s1002"}], "twice": ["s1001", "s1003"]}`, pay)
		case r.URL.Path == "/api/me":
			fmt.Fprint(w, `{}`)
		case r.URL.Path == "/api/none":
			fmt.Fprint(w, `{"state": "new"}`)
		case r.URL.Path == "/api/elsewhere":
			fmt.Fprint(w, `{"url": "http://other.example/p"}`)
		case r.URL.Path == "/led-on":
			http.Redirect(w, r, pay+"/p?id="+r.URL.RawQuery, http.StatusFound)
		case r.URL.Path == "/to-away":
			http.Redirect(w, r, away, http.StatusFound)
		case r.URL.Path == "/back":
			http.Redirect(w, r, r.FormValue("to"), http.StatusFound)
		case strings.HasPrefix(r.URL.Path, "/status/"):
			status := 0
			_, _ = fmt.Sscan(r.URL.Path[len("/status/"):], &status)
			w.WriteHeader(status)
		case r.URL.Path == "/file.pdf":
			w.Header().Set("Content-Type", "application/pdf")
			w.Header().Set("Content-Disposition", "attachment")
			_, _ = w.Write([]byte("%PDF-1.4\n%%EOF\n"))
		default:
			http.NotFound(w, r)
		}
	})
	named := strings.NewReplacer("PAY", pay, "AWAY", strings.TrimPrefix(away, "http://"))
	recipe := func(c goCase, timeout time.Duration) *scrape.Recipe {
		return recipeOf(t, base, "allowed_hosts: ['"+strings.TrimPrefix(pay, "http://")+"']\nready: {timeout: "+timeout.String()+"}\nopen: {url: '{base_url}/case/x', steps: [{go: "+
			named.Replace(c.step)+"}]}\nidentity: {selector: '#po'}\nattachments: {item: a.doc}\n")
	}
	shared := newBench(t, recipe(goCases["from a get with a header"], patience))
	t.Run("a list", func(t *testing.T) {
		b := shared.with(scrape.NewPortal(recipeOf(t, base, "allowed_hosts: ['"+strings.TrimPrefix(pay, "http://")+`']
open:
  url: "{base_url}/case/where%20a%20link%20leads"
  steps: [{go: {selector: a, url: "`+pay+`/list?of={value}"}}, {click: "#all"}, {wait: tr}]
list: {row: tr, number: td.no}
attachments: {item: a.doc}
`), nil))
		for po, name := range map[string]string{"PO1001": "1.pdf", "PO1002": "2.pdf"} {
			d := b.attempt(t.Context(), t, orderAt(po, base+"/case/where%20a%20link%20leads"))
			if d.Outcome != tasks.OutcomeComplete || len(d.Result.Attachments) != 1 || d.Result.Attachments[0].Name != name {
				t.Errorf("%s: got %s, %s, %+v", po, d.Outcome, failureText(d), d.Result)
			}
		}
	})
	for _, name := range oneIn(2, kinds(goCases, "a frame led by an answer", "in a frame of another", "where a link leads", "a text", "of a base", "from a get by number", "from a get with a header",
		"from an answer", "nothing", "several", "a script", "another host", "led to another host", "a label", "another order", "not found", "a sign-in", "a document",
		"its own page", "a get elsewhere", "a get of another", "no answer")) {
		c := goCases[name]
		t.Run(name, func(t *testing.T) {
			first := patience
			if c.quick { // which waits in vain
				first = time.Second
			}
			testkit.InVain(t, first, func(limit time.Duration) (wrong error) {
				mu.Lock()
				clear(asked)
				mu.Unlock()
				d := shared.with(scrape.NewPortal(recipe(c, limit), nil)).attempt(t.Context(), t, orderAt("PO1001", base+"/case/"+strings.ReplaceAll(name, " ", "%20")))
				mu.Lock()
				defer mu.Unlock()
				for path, want := range c.asked {
					if asked[path] != want {
						wrong = fmt.Errorf("%s was asked for %d times, want %d", path, asked[path], want)
					}
					if asked[path] > want {
						t.Error(wrong)
					}
				}
				if c.to != "" {
					if d.Outcome != tasks.OutcomeComplete || d.Result.URL != named.Replace(c.to) || len(d.Result.Attachments) != 1 {
						wrong = fmt.Errorf("got %s, %s, %+v", d.Outcome, failureText(d), d.Result)
					}
					return wrong
				}
				if f := d.Failure; f == nil || f.Class != c.class || c.outcome != "" && d.Outcome != c.outcome || !strings.Contains(f.Message, strings.ReplaceAll(named.Replace(c.says), "LIMIT", limit.String())) {
					wrong = fmt.Errorf("got %s, %w, want %s: %s", d.Outcome, f, c.class, c.says)
				}
				return wrong
			})
		})
	}
}
