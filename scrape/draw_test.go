package scrape_test

import (
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

// more is a script that has a page list another document.
const more = `document.body.insertAdjacentHTML("beforeend", "<a href=/d.pdf?2>e.pdf</a>")`

// TestWhatDrawingBrings reads pages that list a document, and have another one come, or
// none, in ways that drawing drives: no page is drawn unless that is asked for.
func TestWhatDrawingBrings(t *testing.T) {
	t.Parallel()
	cases := map[string]addition{
		"the next picture":          {`requestAnimationFrame(() => { ` + more + ` })`, 2},
		"the second picture":        {`requestAnimationFrame(() => requestAnimationFrame(() => { ` + more + ` }))`, 2},
		"a picture some time on":    {`setTimeout(() => requestAnimationFrame(() => { ` + more + ` }), 200)`, 2},
		"a picture after an answer": {`requestAnimationFrame(() => fetch("/slow").then(() => requestAnimationFrame(() => { ` + more + ` })))`, 2},
		"coming into view":          {`new IntersectionObserver((seen) => { if (seen[0].isIntersecting) ` + more + ` }).observe(document.querySelector("h1"))`, 2},
		"being laid out":            {`new ResizeObserver(() => { ` + more + ` }).observe(document.querySelector("h1"))`, 2},
		"another view":              {`document.startViewTransition(() => { ` + more + ` })`, 2},
		"a transition":              {`const h = document.querySelector("h1"); h.style.transition = "opacity 300ms"; h.ontransitionend = () => { ` + more + ` }; getComputedStyle(h).opacity; h.style.opacity = 0.5`, 2},
		"a transition as it loads":  {`document.body.insertAdjacentHTML("beforeend", "<img src=/late.png>"); const h = document.querySelector("h1"); h.style.transition = "opacity 50ms"; h.ontransitionend = () => { ` + more + ` }; getComputedStyle(h).opacity; h.style.opacity = 0.5`, 2},
		"a frame in view":           {`document.body.insertAdjacentHTML("beforeend", "<iframe loading=lazy src=/frame></iframe>")`, 2},
		"idle time":                 {`requestIdleCallback(() => { ` + more + ` })`, 2},
		"a prefixed picture":        {`webkitRequestAnimationFrame(() => { ` + more + ` })`, 2},
		"pictures without end":      {`const turn = () => { document.querySelector("h1").style.rotate = performance.now() + "deg"; requestAnimationFrame(turn) }; turn()`, 1},
		"a frame that is not shown": {`const f = document.createElement("iframe"); f.style.display = "none"; document.body.append(f); f.contentWindow.requestAnimationFrame(() => {})`, 1},
	}
	// What these bring is all that their pages list.
	cases["alone, after some pictures"] = addition{`let n = 0; const turn = () => { if (++n < 20) requestAnimationFrame(turn); else ` + more + ` }; turn()`, 1}
	cases["alone, after seconds of pictures"] = addition{`const t0 = performance.now(), turn = (t) => { if (t - t0 < 3000) requestAnimationFrame(turn); else ` + more + ` }; turn(t0)`, 1}
	cases["alone, after the time of some pictures"] = addition{`requestAnimationFrame((t0) => { const turn = (t) => { if (t - t0 < 600) requestAnimationFrame(turn); else ` + more + ` }; turn(t0) })`, 1}
	bring(t, cases, 2, "the second picture", "a picture after an answer", "coming into view", "another view", "a transition", "a transition as it loads", "a frame in view", "idle time", "pictures without end",
		"a frame that is not shown", "alone, after seconds of pictures")
}

// addition is a script of a page, and how many documents the page then has.
type addition struct {
	script string
	want   int
}

// bring reads so many pages with each of the scripts that is of its own kind, in virtual and in real time. They
// list a document from the beginning, unless the script's name begins with "alone".
func bring(t *testing.T, cases map[string]addition, pages int, kinds ...string) {
	listed := map[bool]string{false: "<a href=/d.pdf>d.pdf</a>"}
	mux := http.NewServeMux()
	mux.HandleFunc("/case/{name}/{number}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Order %[1]s</title><body><h1>Order %[1]s</h1>%[2]s<script>%[3]s</script>`,
			r.PathValue("number"), listed[strings.HasPrefix(r.PathValue("name"), "alone")], cases[r.PathValue("name")].script)
	})
	mux.HandleFunc("/slow", func(http.ResponseWriter, *http.Request) {})
	for path, kind := range map[string]string{"/late.js": "text/javascript", "/late.css": "text/css", "/late.html": "text/html", "/late.woff2": "font/woff2"} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(time.Second):
			case <-r.Context().Done():
			}
			w.Header().Set("Content-Type", kind)
			if path == "/late.html" {
				fmt.Fprint(w, `<!doctype html><a href=/d.pdf?2>e.pdf</a>`)
			}
		})
	}
	mux.HandleFunc("/late.png", func(w http.ResponseWriter, r *http.Request) {
		select { // its page is drawn once meanwhile
		case <-time.After(150 * time.Millisecond):
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", "image/png")
	})
	mux.HandleFunc("/pieces", func(w http.ResponseWriter, r *http.Request) {
		for range 3 {
			fmt.Fprintln(w, "{}")
			_ = http.NewResponseController(w).Flush()
			select {
			case <-time.After(250 * time.Millisecond):
			case <-r.Context().Done():
			}
		}
	})
	mux.HandleFunc("/frame", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><a href=/d.pdf?2>e.pdf</a>`)
	})
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
			recipe.Mode, recipe.Ready.Clock, recipe.Ready.Timeout = scrape.ModeRender, clock, patience
			b := newBench(t, recipe)
			for _, name := range rows(clock, cases, kinds...) {
				c := cases[name]
				for i := range pages {
					number := fmt.Sprintf("PO700000%d", i)
					task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: number, Digits: number[2:], Dir: uuid.NewString(),
						URL: server.URL + "/case/" + strings.ReplaceAll(name, " ", "%20") + "/" + number}}
					res, err := b.scraper.Do(t.Context(), task)
					if err != nil || res.Outcome != tasks.OutcomeComplete || len(res.Attachments) != c.want {
						t.Errorf("%s: got %+v, %v, want %d documents", name, res, err, c.want)
					}
				}
			}
		})
	}
}
