package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestPagesThatChangeLater reads pages whose second document comes later: they load themselves again, or ask their
// server until it is there. Those that go on so for ever are read as well.
func TestPagesThatChangeLater(t *testing.T) {
	t.Parallel()
	const (
		one  = `<li><a class=doc href="/d/a.pdf">a.pdf</a>`
		both = one + `<li><a class=doc href="/d/b.pdf">b.pdf</a>`
		poll = `<script>let n = 0; const poll = setInterval(() => fetch("/state").then((r) => r.text()).then((is) => { if (++n === %d) { clearInterval(poll); list.insertAdjacentHTML("beforeend", '<li><a class=doc href="/d/b.pdf">b.pdf</a>') } }), %d)</script>`
	)
	cases := map[string]struct {
		head, script string
		header       string
		after        int32 // how often it is loaded until it has both
		done         int
	}{
		"a refresh":                {head: `<meta http-equiv=refresh content=1>`, after: 3, done: 2},
		"a refresh to itself":      {head: `<meta http-equiv=refresh content="1; url=?">`, after: 3, done: 2},
		"a refresh's header":       {header: "1", after: 3, done: 2},
		"a timer":                  {script: `<script>setTimeout(() => location.reload(), 1000)</script>`, after: 3, done: 2},
		"an interval":              {script: `<script>setInterval("location.reload()", 2500)</script>`, after: 2, done: 2},
		"a poll":                   {script: fmt.Sprintf(poll, 7, 700), done: 2},
		"a poll of a second":       {script: fmt.Sprintf(poll, 6, 1000), done: 2},
		"a refresh for ever":       {head: `<meta http-equiv=refresh content=3>`, after: 1000, done: 1},
		"a timer for ever":         {script: `<script>setTimeout(() => location.reload(), 3000)</script>`, after: 1000, done: 1},
		"a poll for ever":          {script: fmt.Sprintf(poll, 1000, 200), done: 1},
		"a refresh after a minute": {head: `<meta http-equiv=refresh content=60>`, after: 2, done: 1},
		"a timer that may not":     {script: `<script>setInterval(() => { if (window.stale) location.reload() }, 2500)</script>`, after: 2, done: 1},
	}
	for _, name := range kinds(cases, "a refresh", "a refresh's header", "a timer", "a poll", "a refresh for ever", "a poll for ever", "a timer that may not") {
		c := cases[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var loads atomic.Int32
			mux := http.NewServeMux()
			mux.HandleFunc("/orders/PO1001", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				head, script, list := "", "", both
				if n := loads.Add(1); n <= c.after || c.after == 0 {
					head, script, list = c.head, c.script, one
					if c.header != "" {
						w.Header().Set("Refresh", c.header)
					}
				}
				fmt.Fprint(w, `<!doctype html><title>Portal</title>`+head+`<h1 id=po>PO1001</h1><section><h2>Documents</h2><ul id=list>`+list+`</ul></section>`+script)
			})
			mux.HandleFunc("/d/{name}", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/pdf")
				fmt.Fprintf(w, "%%PDF-1.4 %s\n%%%%EOF", r.PathValue("name"))
			})
			mux.HandleFunc("/state", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "waiting") })
			server := httptest.NewServer(mux)
			t.Cleanup(func() { testkit.EndServer(server) })
			b := newBench(t, recipeOf(t, server.URL, "identity: {selector: '#po'}\nattachments: {item: a.doc}\n"), ownChrome)
			p := scrape.NewPortal(recipeOf(t, server.URL, "identity: {selector: '#po'}\nattachments: {item: a.doc}\n"), nil)
			d := b.with(p).attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: server.URL + "/orders/PO1001"}})
			if d.Outcome != tasks.OutcomeComplete || len(d.Result.Attachments) != c.done {
				t.Errorf("got %s (%s), %+v", d.Outcome, failureText(d), d.Result)
			}
		})
	}
}
