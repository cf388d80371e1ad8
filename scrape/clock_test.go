package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

const mount = `document.body.insertAdjacentHTML("beforeend", "<a href=/d.pdf>d.pdf</a>")`

// TestSettlingInVirtualTime reads pages that mount their document late, or never,
// in ways that the page's clock drives, or does not, or does not bear to be driven
// by: one after the other, and each twice, or three times where that is learnt of its kind.
func TestSettlingInVirtualTime(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		script string
		want   tasks.Outcome
		// realTime is why the page settles in real time, or empty.
		realTime string
	}{
		"nothing":               {``, tasks.OutcomeNoAttachments, ""},
		"after eight seconds":   {`setTimeout(() => { ` + mount + ` }, 8000)`, tasks.OutcomeComplete, ""},
		"in many small steps":   {`let n = 0; const step = () => { if (++n < 40) setTimeout(step, 50); else ` + mount + ` }; step()`, tasks.OutcomeComplete, ""},
		"after a slow answer":   {`setTimeout(() => fetch("/slow").then(() => { ` + mount + ` }), 2000)`, tasks.OutcomeComplete, ""},
		"after an animation":    {`document.body.animate([{opacity: 0.5}, {opacity: 1}], 900).finished.then(() => { ` + mount + ` })`, tasks.OutcomeComplete, ""},
		"out of a database":     {database, tasks.OutcomeComplete, ""},
		"out of a file":         {`const r = new FileReader(); r.onload = () => { ` + mount + ` }; r.readAsText(new Blob(["x".repeat(1 << 24)]))`, tasks.OutcomeComplete, ""},
		"after some arithmetic": {`(async () => { let d = new Uint8Array(1 << 22); for (let i = 0; i < 20; i++) d = await crypto.subtle.digest("SHA-512", d); ` + mount + ` })()`, tasks.OutcomeComplete, ""},
		"by a worker":           {`const w = new Worker("/worker.js"); w.onmessage = () => { ` + mount + ` }`, tasks.OutcomeComplete, "a web worker"},
		"by an event":           {`new EventSource("/events").onmessage = () => { ` + mount + ` }`, tasks.OutcomeComplete, "an event stream"},
		"by asking again":       {`const ask = () => fetch("/ready").then((r) => r.ok ? ` + mount + ` : setTimeout(ask, 500)); ask()`, tasks.OutcomeComplete, "again and again"},
		"by asking at once":     {`const ask = () => fetch("/ready?again").then((r) => r.ok ? ` + mount + ` : ask()); ask()`, tasks.OutcomeComplete, "again and again"},
		"after many requests":   {`const ask = (n) => fetch("/call", { method: "POST", body: '{"id": ' + n + '}' }).then(() => { if (n < 5) ask(n + 1); else ` + mount + ` }); ask(1); for (let i = 0; i < 9; i++) fetch("/icon")`, tasks.OutcomeComplete, ""},
		"beside a long answer":  {`fetch("/endless").then((r) => r.body.getReader().read()); setTimeout(() => { ` + mount + ` }, 1000)`, tasks.OutcomeComplete, ""},
	}
	begun := make(chan time.Time, 1)
	begun <- time.Time{}
	mux := http.NewServeMux()
	mux.HandleFunc("/case/{name}/{number}", func(w http.ResponseWriter, r *http.Request) {
		<-begun
		begun <- time.Now()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Order %[1]s</title><body><h1>Order %[1]s</h1><script>%[2]s</script>`,
			r.PathValue("number"), cases[r.PathValue("name")].script)
	})
	wait := func(r *http.Request, d time.Duration) {
		select {
		case <-time.After(d):
		case <-r.Context().Done():
		}
	}
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) { wait(r, 300*time.Millisecond) })
	mux.HandleFunc("/call", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/icon", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/worker.js", func(w http.ResponseWriter, r *http.Request) {
		wait(r, 300*time.Millisecond)
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `setTimeout(() => postMessage("go"), 700)`)
	})
	stream := func(kind, message string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			_ = http.NewResponseController(w).Flush() // where it fails, nobody listens
			wait(r, 700*time.Millisecond)
			fmt.Fprint(w, message)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	}
	mux.HandleFunc("/events", stream("text/event-stream", "data: go\n\n"))
	mux.HandleFunc("/endless", stream("text/plain", "go"))
	mux.HandleFunc("/ready", func(w http.ResponseWriter, _ *http.Request) {
		at := <-begun
		begun <- at
		if time.Since(at) < 1500*time.Millisecond {
			w.WriteHeader(http.StatusNotFound)
		}
	})
	mux.HandleFunc("/d.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 content")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe := scrape.AutoRecipe()
	recipe.Mode = scrape.ModeRender
	b := newBench(t, recipe)
	var told []string
	b.portal.OnEvent(func(e tasks.Event) { told = append(told, e.Type+" "+e.Detail) })
	for name, c := range cases {
		told = nil
		numbers := []string{"PO7000001", "PO7000002"}
		if c.realTime != "" {
			numbers = append(numbers, "PO7000003")
		}
		if os.Getenv(thorough) != "" {
			numbers = []string{"PO7000001", "PO7000002", "PO7000003", "PO7000004"}
		}
		for _, number := range numbers {
			task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: number, Digits: number[2:], Dir: uuid.NewString(),
				URL: server.URL + "/case/" + strings.ReplaceAll(name, " ", "%20") + "/" + number}}
			res, err := b.scraper.Do(t.Context(), task)
			if err != nil || res.Outcome != c.want {
				t.Errorf("%s: got %v, %v, want %s", name, res, err, c.want)
			}
		}
		switch all := strings.Join(told, "\n"); {
		case c.realTime == "" && all != "":
			t.Errorf("%s: unexpected events: %s", name, all)
		case c.realTime != "" && (len(told) != 2 || !strings.HasPrefix(all, tasks.EventRealTime+" ") || !strings.Contains(told[0], c.realTime) || !strings.Contains(told[1], " all pages like ")):
			t.Errorf("%s: got the events %q, want one for the first order and one for the third, with %q", name, told, c.realTime)
		}
	}
}

const database = `
	const open = indexedDB.open("orders", 1);
	open.onupgradeneeded = () => { const s = open.result.createObjectStore("s"); for (let i = 0; i < 500; i++) s.put("x", i) };
	open.onsuccess = () => {
		let seen = 0;
		const cursor = open.result.transaction("s").objectStore("s").openCursor();
		cursor.onsuccess = () => {
			if (cursor.result) { seen++; cursor.result.continue(); return }
			if (seen === 500) { ` + mount + ` }
		};
	};`

// TestLeavingAWorker reads an order whose page is left while its web worker starts, and
// another one after it.
func TestLeavingAWorker(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	page := func(script string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<!doctype html><title>Order PO7000001</title><body><h1>Order PO7000001</h1>%s`, script)
		}
	}
	shown := make(chan struct{}, 2)
	worker := page(`<script>new Worker("/worker.js").onmessage = () => { ` + mount + ` }</script><script src="/asked.js"></script>`)
	mux.HandleFunc("/worker/PO7000001", func(w http.ResponseWriter, r *http.Request) {
		worker(w, r)
		shown <- struct{}{}
	})
	mux.HandleFunc("/late/PO7000001", page(`<script>setTimeout(() => { `+mount+` }, 8000)</script>`))
	var once sync.Once
	asked := make(chan struct{})
	mux.HandleFunc("/call", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/icon", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/worker.js", func(w http.ResponseWriter, _ *http.Request) {
		once.Do(func() {
			close(asked)
			<-shown
			<-shown // it starts as long as the page is there
		})
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `postMessage("go")`)
	})
	mux.HandleFunc("/asked.js", func(_ http.ResponseWriter, r *http.Request) { // so the page is loaded after that
		select {
		case <-asked:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/d.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 content")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe := scrape.AutoRecipe()
	recipe.Mode = scrape.ModeRender
	b := newBench(t, recipe)
	var told []string
	b.portal.OnEvent(func(e tasks.Event) { told = append(told, e.Type+" "+e.Detail) })
	for _, kind := range []string{"worker", "late"} {
		task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO7000001", Digits: "7000001", Dir: uuid.NewString(),
			URL: server.URL + "/" + kind + "/PO7000001"}}
		if res, err := b.scraper.Do(t.Context(), task); err != nil || res.Outcome != tasks.OutcomeComplete {
			t.Errorf("%s: got %v, %v, want a complete order", kind, res, err)
		}
	}
	if len(told) != 1 || !strings.Contains(told[0], "a web worker") {
		t.Errorf("got the events %q, want one of the web worker", told)
	}
}

// TestDocumentsByTheClock clicks documents whose download begins some time after
// the click, on the server's part and on the page's, in a tab whose clock has run
// ahead.
func TestDocumentsByTheClock(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	asked := make(chan time.Time, 1)
	mux.HandleFunc("/orders/PO7000001", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Order PO7000001</title><body><h1>Order PO7000001</h1>
			<button>Invoice.pdf</button><script>
			const ask = () => fetch("/made").then((r) => r.ok ? location.assign("/d.pdf") : setTimeout(ask, 1000));
			document.querySelector("button").onclick = () => setTimeout(ask, 500)</script>`)
	})
	mux.HandleFunc("/made", func(w http.ResponseWriter, _ *http.Request) {
		select {
		case at := <-asked:
			asked <- at
			if time.Since(at) > 2*time.Second {
				return
			}
		default:
			asked <- time.Now()
		}
		w.WriteHeader(http.StatusNotFound)
	})
	mux.HandleFunc("/d.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Disposition", "attachment")
		fmt.Fprint(w, "%PDF-1.4 content")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	b := newBench(t, scrape.AutoRecipe())
	task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO7000001", Digits: "7000001", Dir: "x", URL: server.URL + "/orders/PO7000001"}}
	if res, err := b.scraper.Do(t.Context(), task); err != nil || res.Outcome != tasks.OutcomeComplete {
		t.Errorf("got %v, %v, want a complete order", res, err)
	}
}
