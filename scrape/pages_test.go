package scrape_test

import (
	"compress/gzip"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// shapes are pages beyond those of the demo portal: what each lists, and how.
var shapes = map[string]struct {
	body string
	want []string // names of the documents
}{
	"in a frame":                  {`<iframe src="/framed"></iframe>`, []string{"framed.pdf"}},
	"in a frame's own text":       {`<iframe srcdoc='<a class=att href="/doc/srcdoc.pdf">srcdoc.pdf</a>'></iframe>`, []string{"srcdoc.pdf"}},
	"in a shadow root, late":      {`<div id=h></div><script>const r = h.attachShadow({mode: "open"}); setTimeout(() => r.innerHTML = '<a class=att href="/doc/shadow.pdf">shadow.pdf</a>', 400)</script>`, []string{"shadow.pdf"}},
	"by a window that opens":      {`<a class=att href="#" onclick="window.open('/doc/opened.pdf'); return false">opened.pdf</a>`, []string{"opened.pdf"}},
	"by a form":                   {`<form method=post action="/posted"><button class=att>posted.pdf</button></form>`, []string{"posted.pdf"}},
	"by a button in a row":        {`<div class=att><button onclick="location = '/doc/made.pdf'">made.pdf</button></div>`, []string{"made.pdf"}},
	"without an announced size":   {`<a class=att href="/chunked.pdf">chunked.pdf</a><a class=att href="/compressed.csv">compressed.csv</a>`, []string{"chunked.pdf", "compressed.csv"}},
	"in its own address":          {`<a class=att download="note.txt" href="data:text/plain;base64,SGVsbG8=">note.txt</a>`, []string{"note.txt"}},
	"in a folded section":         {`<details><a class=att href="/doc/folded.pdf">folded.pdf</a></details><a class=att href="/doc/shown.pdf">shown.pdf</a>`, []string{"folded.pdf", "shown.pdf"}},
	"hidden beside a visible":     {`<a class=att hidden href="/doc/earlier.pdf">earlier.pdf</a><a class=att href="/doc/shown.pdf">shown.pdf</a>`, []string{"earlier.pdf", "shown.pdf"}},
	"after an interval":           {`<script>let n = 0; const i = setInterval(() => { if (++n == 3) { clearInterval(i); add("interval") } }, 300)</script>`, []string{"interval.pdf"}},
	"after awaited timers":        {`<script>(async () => { for (let i = 0; i < 4; i++) await new Promise(r => setTimeout(r, 250)); add("awaited") })()</script>`, []string{"awaited.pdf"}},
	"one by one":                  {`<script>let n = 0; (function step() { add("step" + n); if (++n < 7) setTimeout(step, 350) })()</script>`, []string{"step0.pdf", "step1.pdf", "step2.pdf", "step3.pdf", "step4.pdf", "step5.pdf", "step6.pdf"}},
	"by a script that is late":    {`<script>onload = () => { const s = document.createElement("script"); s.src = "/late.js"; document.body.append(s) }</script>`, []string{"late.pdf"}},
	"by a worker":                 {`<script>new Worker(window.URL.createObjectURL(new Blob(["setTimeout(() => postMessage(1), 500)"]))).onmessage = () => add("worker")</script>`, []string{"worker.pdf"}},
	"by a worker's own file":      {`<script>new Worker("/worker.js").onmessage = () => add("file")</script>`, []string{"file.pdf"}},
	"by an old request":           {`<script>const x = new XMLHttpRequest(); x.onload = () => add(x.responseText); x.open("GET", "/name"); x.send()</script>`, []string{"named.pdf"}},
	"under a changed address":     {`<script>history.pushState({}, "", "/other"); setTimeout(() => add("pushed"), 200)</script>`, []string{"pushed.pdf"}},
	"on a page that leads on":     {`<meta http-equiv=refresh content="0;url=/moved">`, []string{"moved.pdf"}},
	"beside a clock":              {`<p id=c></p><script>setInterval(() => c.textContent = Date.now(), 50); add("clock")</script>`, []string{"clock.pdf"}},
	"beside a stream of events":   {`<script>new EventSource("/stream"); add("stream")</script>`, []string{"stream.pdf"}},
	"only with the page's cookie": {`<a class=att href="/guarded.pdf">guarded.pdf</a>`, []string{"guarded.pdf"}},
	"none":                        {`<p>nothing</p>`, nil},
}

func servePages(t *testing.T) string {
	t.Helper()
	const add = `<script>function add(name) { document.body.insertAdjacentHTML("beforeend", '<a class=att href="/doc/' + name + '.pdf">' + name + '.pdf</a>') }</script>`
	document := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 ", strings.Repeat("x", 3000))
	}
	page := func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "1", HttpOnly: true, SameSite: http.SameSiteStrictMode, Path: "/"})
		fmt.Fprintf(w, `<!doctype html><title>PO7000001</title><body><h1>Order <b id=po>PO7000001</b></h1>%s%s`, add, body)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/shape/{name}", func(w http.ResponseWriter, r *http.Request) { page(w, shapes[r.PathValue("name")].body) })
	mux.HandleFunc("/framed", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<a class=att href="/doc/framed.pdf">framed.pdf</a>`)
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, _ *http.Request) {
		page(w, `<a class=att href="/doc/moved.pdf">moved.pdf</a>`)
	})
	mux.HandleFunc("/doc/{name}", document)
	mux.HandleFunc("POST /posted", document)
	mux.HandleFunc("/guarded.pdf", func(w http.ResponseWriter, r *http.Request) {
		if _, err := r.Cookie("sid"); err != nil {
			http.Error(w, "sign in", http.StatusForbidden)
			return
		}
		document(w, r)
	})
	mux.HandleFunc("/chunked.pdf", func(w http.ResponseWriter, r *http.Request) {
		for range 3 {
			document(w, r)
			w.(http.Flusher).Flush()
		}
	})
	mux.HandleFunc("/compressed.csv", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		fmt.Fprint(z, strings.Repeat("a;b\n", 500))
		z.Close()
	})
	mux.HandleFunc("/late.js", func(w http.ResponseWriter, r *http.Request) {
		delay(r, 500*time.Millisecond)
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `add("late")`)
	})
	mux.HandleFunc("/worker.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `setTimeout(() => postMessage(1), 500)`)
	})
	mux.HandleFunc("/name", func(w http.ResponseWriter, r *http.Request) {
		delay(r, 500*time.Millisecond)
		fmt.Fprint(w, "named")
	})
	mux.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: 1\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	s := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(s) })
	return s.URL
}

func delay(r *http.Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
}

// TestShapesOfPages reads pages that list documents in every way that comes to
// mind, with a recipe and without one.
func TestShapesOfPages(t *testing.T) {
	t.Parallel()
	recipe, err := scrape.ReadRecipe("shapes.yaml", strings.NewReader("version: 1\nname: shapes\nidentity: {selector: '#po'}\nattachments: {item: .att}\n"))
	if err != nil {
		t.Fatal(err)
	}
	url := servePages(t)
	for name, recipe := range map[string]*scrape.Recipe{"auto": scrape.AutoRecipe(), "recipe": recipe} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, recipe)
			for i, name := range slices.Sorted(maps.Keys(shapes)) {
				shape := shapes[name]
				if len(shape.want) > 0 && !inTurn(i, recipe.Auto) {
					continue // the other one reads it
				}
				task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO7000001", Dir: "x" + uuid.NewString(), URL: url + "/shape/" + name}}
				d := b.work(t, task)
				var got []string
				if d.Result != nil {
					for _, a := range d.Result.Attachments {
						got = append(got, a.Name)
					}
				}
				want := tasks.OutcomeComplete
				switch {
				case len(shape.want) == 0 && recipe.Auto:
					want = tasks.OutcomeNoAttachments
				case len(shape.want) == 0: // no other page has its kind of address, so its item may be wrong
					want = tasks.OutcomePartial
				}
				if d.Outcome != want || !slices.Equal(got, shape.want) {
					t.Errorf("%s: got %s with %v, want %v (%v)", name, d.Outcome, got, shape.want, failureText(d))
				}

			}
		})
	}
}
