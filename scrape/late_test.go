package scrape_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestWhatComesLate reads pages that list a document, and have another one come when
// something has ended that no timer of the page drives.
func TestWhatComesLate(t *testing.T) {
	t.Parallel()
	cases := map[string]addition{}
	for name, script := range map[string]string{
		"a module":                `import("/late.js").then(more)`,
		"a style sheet":           `const l = document.createElement("link"); l.rel = "stylesheet"; l.href = "/late.css"; l.onload = more; document.head.append(l)`,
		"a style sheet after":     `onload = () => setTimeout(() => { const l = document.createElement("link"); l.rel = "stylesheet"; l.href = "/late.css"; l.onload = more; document.head.append(l) }, 50)`,
		"a module after":          `onload = () => setTimeout(() => import("/late.js").then(more), 50)`,
		"a frame within":          `onload = () => setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<p><iframe src=/late.html></iframe></p>"), 50)`,
		"a lazy frame within":     `onload = () => setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<p><iframe loading=lazy src=/late.html></iframe></p>"), 50)`,
		"a script while it moves": `const h = document.querySelector("h1"); h.style.transition = "opacity 500ms"; getComputedStyle(h).opacity; h.style.opacity = 0.5; onload = () => setTimeout(() => { const s = document.createElement("script"); s.src = "/late.js"; s.onload = more; document.body.append(s) }, 50)`,
		"a lazy frame":            `document.body.insertAdjacentHTML("beforeend", "<iframe loading=lazy src=/late.html></iframe>")`,
		"a frame that is led on":  `const f = document.createElement("iframe"); document.body.append(f); onload = () => setTimeout(() => { f.contentWindow.location = "/late.html" }, 50)`,
		"a piece that comes late": `fetch("/pieces").then((r) => r.body.pipeThrough(new TextDecoderStream())).then(async (s) => { const b = s.getReader(); while (!(await b.read()).done); more() })`,
		"a font":                  `new FontFace("x", "url(/late.woff2)").load().then(more, more)`,
		"a font of a sheet":       `document.head.insertAdjacentHTML("beforeend", "<style>@font-face { font-family: x; src: url(/late.woff2) }</style>"); document.fonts.load("12px x").then(more, more)`,
		"a task":                  `scheduler.postTask(more)`,
		"a later task":            `scheduler.postTask(more, { delay: 1500 })`,
		"a lock":                  `navigator.locks.request("l", async () => {}).then(more)`,
		"a lock that is kept":     `navigator.locks.request("l", () => { more(); return new Promise(() => {}) })`,
		"a permission":            `navigator.permissions.query({ name: "notifications" }).then(more)`,
		"a cookie":                `cookieStore.get("x").then(more)`,
		"an estimate":             `navigator.storage.estimate().then(more)`,
		"a directory":             `navigator.storage.getDirectory().then(more, more)`,
		"a registration":          `navigator.serviceWorker.getRegistration().then(more, more)`,
		"a body in pieces":        `fetch("/pieces").then(async (r) => { const b = r.body.getReader(); while (!(await b.read()).done); more() })`,
		"a body in a loop":        `fetch("/pieces").then(async (r) => { for await (const x of r.body); more() })`,
		"much work":               `let n = 0; const t0 = performance.now(), c = new MessageChannel(); c.port1.onmessage = () => { let x = 0; for (let i = 0; i < 2e6; i++) x += Math.sqrt(i); if (++n < 100 && performance.now() - t0 < 600) c.port2.postMessage(0); else more() }; onload = () => c.port2.postMessage(0)`,
		"much work with rests":    `onload = async () => { const t0 = performance.now(); for (let n = 0; n < 100 && performance.now() - t0 < 600; n++) { let x = 0; for (let i = 0; i < 2e6; i++) x += Math.sqrt(i); await scheduler.yield() } more() }`,
		"a blob of a canvas":      `new OffscreenCanvas(9, 9).convertToBlob().catch(() => 0).then(more)`,
		"the agent":               `navigator.userAgentData.getHighEntropyValues(["platformVersion"]).then(more)`,
		"another hash":            `onhashchange = more; onload = () => setTimeout(() => { location.hash = "x" }, 50)`,
		"the way back":            `onpopstate = more; onload = () => setTimeout(() => { history.pushState(1, "", "?a"); history.back() }, 50)`,
		"a message":               `onmessage = more; postMessage(0, "*")`,
		"a broadcast":             `new BroadcastChannel("x").onmessage = more; new BroadcastChannel("x").postMessage(0)`,
		"access to storage":       `document.hasStorageAccess().then(more)`,
		"the rest":                `scheduler.yield().then(more)`,
		"a navigation":            `navigation.navigate("#y").finished.then(more, more)`,
		"a promise replaced":      `window.Promise = class extends Promise {}; caches.open("x").then((c) => c.add("/late.js")).then(more)`,
		"a deferred fetch":        `navigator.permissions.query({ name: "notifications" }).then(() => fetch("/slow")).then(more)`,
	} {
		cases[name] = addition{strings.NewReplacer("more", "(() => { "+more+" })").Replace(script), 2}
	}
	bring(t, cases, 1, "a style sheet after", "a module after", "a lazy frame within", "a script while it moves", "a frame that is led on", "a piece that comes late", "a font of a sheet",
		"a later task", "a lock that is kept", "a permission", "a body in a loop", "much work with rests", "a blob of a canvas", "the way back", "a message", "a broadcast",
		"the rest", "a navigation", "a promise replaced", "a deferred fetch")
}

// TestSilentHost reads pages that ask a host which never answers: each is read when its
// time is over, and it is told once what they waited for.
func TestSilentHost(t *testing.T) {
	t.Parallel()
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(func() { silent.CloseClientConnections(); silent.Close() })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Order %[1]s</title><h1>Order %[1]s</h1><a href=data:text/plain,text download>x.txt</a><script async src="%[2]s/count.js?key=secret"></script>`,
			strings.TrimPrefix(r.URL.Path, "/"), silent.URL)
	}))
	t.Cleanup(func() { testkit.EndServer(server) })
	for _, clock := range []scrape.Clock{scrape.ClockVirtual, scrape.ClockReal} {
		t.Run(string(clock), func(t *testing.T) {
			t.Parallel()
			recipe := scrape.AutoRecipe()
			recipe.Mode, recipe.Ready.Clock, recipe.Ready.Timeout = scrape.ModeRender, clock, 5*time.Second
			b := newBench(t, recipe)
			var told []string
			b.portal.OnEvent(func(e tasks.Event) { told = append(told, e.Type+" "+e.Detail) })
			for _, number := range []string{"PO7000001", "PO7000002"} {
				task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: number, Digits: number[2:], Dir: uuid.NewString(), URL: server.URL + "/" + number}}
				res, err := b.scraper.Do(t.Context(), task)
				if err != nil || res.Outcome != tasks.OutcomeComplete {
					t.Errorf("got %+v, %v", res, err)
				}
			}
			host := strings.TrimPrefix(silent.URL, "http://")
			if len(told) != 1 || !strings.HasPrefix(told[0], tasks.EventNotice+" order PO7000001 waited 5s for http://"+host+"/count.js") || strings.Contains(told[0], "secret") {
				t.Errorf("told %q, want once what was waited for", told)
			}
		})
	}
}

// TestHungElsewhere reads pages without documents which wait for what does not count, in
// vain: they are read without it. What comes with the load event is not missed.
func TestHungElsewhere(t *testing.T) {
	t.Parallel()
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(func() { silent.CloseClientConnections(); silent.Close() })
	cases := map[string]struct {
		body string
		want tasks.Outcome
	}{
		"picture":          {`<img src="%s/pixel.gif">`, tasks.OutcomeNoAttachments},
		"script":           {`<script async src="%s/count.js"></script>`, tasks.OutcomeNoAttachments},
		"fetch":            {`<script>fetch("%s/collect").catch(() => {})</script>`, tasks.OutcomeNoAttachments},
		"style":            {`<script>document.head.insertAdjacentHTML("beforeend", '<link rel=stylesheet href="%s/font.css?key=1">')</script>`, tasks.OutcomeNoAttachments},
		"own-picture":      {`<img src="/silent">`, tasks.OutcomeNoAttachments},
		"own-fetch":        {`<script>fetch("/silent")</script>`, tasks.OutcomePartial},
		"frame":            {`<iframe src="%s/documents"></iframe>`, tasks.OutcomePartial},
		"picture-and-list": {`<img src="%s/pixel.gif"><script>onload = () => document.body.insertAdjacentHTML("beforeend", "<a href=data:text/plain,text download>x.txt</a>")</script>`, tasks.OutcomeComplete},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/case/{name}/{number}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Order %[1]s</title><h1>Order %[1]s</h1>%[2]s`, r.PathValue("number"), strings.ReplaceAll(cases[r.PathValue("name")].body, "%s", silent.URL))
	})
	mux.HandleFunc("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	for _, clock := range []scrape.Clock{scrape.ClockVirtual, scrape.ClockReal} {
		t.Run(string(clock), func(t *testing.T) {
			t.Parallel()
			recipe := scrape.AutoRecipe()
			recipe.Mode, recipe.Ready.Clock, recipe.Ready.Timeout = scrape.ModeRender, clock, 5*time.Second
			b := newBench(t, recipe)
			for _, name := range rows(clock, cases, "script", "own-picture", "own-fetch", "frame", "picture-and-list") {
				c := cases[name]
				const number = "PO7000001"
				task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: number, Digits: number[2:], Dir: uuid.NewString(), URL: fmt.Sprintf("%s/case/%s/%s", server.URL, name, number)}}
				res, err := b.scraper.Do(t.Context(), task)
				if err != nil || res.Outcome != c.want {
					t.Errorf("%s: got %+v, %v, want %s", c.body, res, err, c.want)
				}
			}
		})
	}
}

// TestHungPictures reads pages whose own host never answers for more pictures than Chrome
// makes connections to it, and one that goes on asking for frames: when their time is over,
// their documents are brought all the same.
func TestHungPictures(t *testing.T) {
	t.Parallel()
	const more = "PO7000003"
	mux := http.NewServeMux()
	mux.HandleFunc("/orders/{number}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Order %[1]s</title><h1>Order %[1]s</h1><a href=/d.pdf>d.pdf</a>`, r.PathValue("number"))
		for i := range 8 {
			fmt.Fprintf(w, `<img src="/picture?%d">`, i)
		}
		if r.PathValue("number") == more {
			fmt.Fprint(w, `<script>setInterval(() => { const f = document.createElement("iframe"); f.src = "/picture?" + Math.random(); document.body.append(f) }, 200)</script>`)
		}
	})
	mux.HandleFunc("/picture", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/d.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 content")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	for _, clock := range []scrape.Clock{scrape.ClockVirtual, scrape.ClockReal} {
		t.Run(string(clock), func(t *testing.T) {
			t.Parallel()
			recipe := scrape.AutoRecipe()
			recipe.Ready.Clock, recipe.Ready.Timeout = clock, 5*time.Second
			b := newBench(t, recipe, ownChrome)
			numbers := []string{"PO7000001", "PO7000002"}
			if clock == scrape.ClockVirtual { // in real time, nothing stops such a page
				numbers = append(numbers, more, more)
			}
			for _, number := range numbers {
				task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: number, Digits: number[2:], Dir: uuid.NewString(), URL: server.URL + "/orders/" + number}}
				// Without a deadline, the fetch beside the next rendering waits for a free connection without end.
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
				res, err := b.scraper.Do(ctx, task)
				cancel()
				want := tasks.OutcomeComplete
				if number == more { // frames of its own may list more
					want = tasks.OutcomePartial
				}
				if err != nil || res.Outcome != want || len(res.Attachments) != 1 || res.Attachments[0].State != tasks.AttachmentDone {
					t.Errorf("got %+v, %v", res, err)
				}
			}
		})
	}
}
