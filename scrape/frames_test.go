package scrape_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestFramesOfAllKinds reads pages that list nothing, and have frames of which some can
// give no account of themselves: they settle all the same.
func TestFramesOfAllKinds(t *testing.T) {
	t.Parallel()
	parts := map[string]string{
		"sandboxed":     `<iframe sandbox="allow-same-origin" src="/part.html"></iframe>`,
		"no scripts":    `<iframe src="/policy.html"></iframe>`,
		"a text":        `<iframe src="/part.txt"></iframe>`,
		"a picture":     `<iframe src="/part.svg"></iframe>`,
		"data":          `<iframe src="/part.xml"></iframe><iframe src="/part.json"></iframe>`,
		"an object":     `<object data="/part.html"></object>`,
		"a script's":    `<iframe src="javascript:'<p>part'"></iframe>`,
		"empty":         `<iframe></iframe><iframe src="about:blank"></iframe><iframe srcdoc="<p>part"></iframe>`,
		"written":       `<iframe id=f></iframe><script>f.contentDocument.open(); f.contentDocument.write("<p>part"); f.contentDocument.close()</script>`,
		"written later": `<iframe id=f></iframe><script>setTimeout(() => { f.contentDocument.write("<p>part"); f.contentDocument.close() }, 300)</script>`,
		"a blob":        `<iframe id=f></iframe><script>f.src = URL.createObjectURL(new Blob(["<p>part"], { type: "text/html" }))</script>`,
		"led on":        `<iframe id=f></iframe><script>f.src = "/part.html"; setTimeout(() => { f.src = "/part.txt" }, 300)</script>`,
		"taken away":    `<iframe id=f srcdoc="<script>new Worker('data:text/javascript,').onerror = () => {}</script>"></iframe><script>setTimeout(() => f.remove(), 200)</script>`,
		"of old":        `<frameset cols="50%,50%"><frame src="/part.html"><frame src="/part.txt"></frameset>`,
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/case/{name}/{number}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Order %[1]s</title>%[2]s`, r.PathValue("number"), parts[r.PathValue("name")])
	})
	for path, part := range map[string][2]string{
		"/part.html": {"text/html", "<p>part<script>setTimeout(() => {}, 100)</script>"}, "/policy.html": {"text/html", "<p>part"}, "/part.txt": {"text/plain", "part"},
		"/part.svg": {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"/>`}, "/part.xml": {"text/xml", "<part/>"}, "/part.json": {"application/json", "{}"},
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", part[0])
			if path == "/policy.html" {
				w.Header().Set("Content-Security-Policy", "sandbox allow-same-origin")
			}
			_, _ = io.WriteString(w, part[1]) // an error means that the browser is gone
		})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	for _, clock := range []scrape.Clock{scrape.ClockVirtual, scrape.ClockReal} {
		t.Run(string(clock), func(t *testing.T) {
			t.Parallel()
			recipe := scrape.AutoRecipe()
			recipe.Mode, recipe.Ready.Clock, recipe.Ready.Timeout = scrape.ModeRender, clock, patience
			b := newBench(t, recipe)
			for _, name := range rows(clock, parts) {
				task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO7000001", Digits: "7000001", Dir: uuid.NewString(),
					URL: server.URL + "/case/" + strings.ReplaceAll(name, " ", "%20") + "/PO7000001"}}
				if res, err := b.scraper.Do(t.Context(), task); err != nil || res.Outcome != tasks.OutcomeNoAttachments {
					t.Errorf("%s: got %v, %v, want no attachments", name, res, err)
				}
			}
		})
	}
}

// TestServiceWorkerOfAnotherOrder reads an order whose portal has left a service worker
// that answers for all orders, with and without documents.
func TestServiceWorkerOfAnotherOrder(t *testing.T) {
	t.Parallel()
	active := make(chan struct{})
	mux := http.NewServeMux()
	page := func(w http.ResponseWriter, number, more string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Order %[1]s</title><body><h1>Order %[1]s</h1><a href=/d.pdf>%[1]s.pdf</a>%[2]s`, number, more)
	}
	mux.HandleFunc("/orders/{number}", func(w http.ResponseWriter, r *http.Request) {
		more := ""
		if r.PathValue("number") == "PO7000001" {
			more = `<script>navigator.serviceWorker.register("/worker.js")</script>`
		}
		page(w, r.PathValue("number"), more)
	})
	mux.HandleFunc("/worker.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `oninstall = () => skipWaiting();
			onactivate = (e) => e.waitUntil(clients.claim().then(() => fetch("/active")));
			onfetch = (e) => { const m = e.request.url.match(/orders\/(.*)/); if (m) e.respondWith(new Response("<title>Order " + m[1] + "</title><h1>Order " + m[1] + "</h1><a href=/d.pdf>forged.pdf</a>", { headers: { "content-type": "text/html; charset=utf-8" } })) }`)
	})
	mux.HandleFunc("/active", func(http.ResponseWriter, *http.Request) { close(active) })
	mux.HandleFunc("/d.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = io.WriteString(w, "%PDF-1.4 content\n%%EOF\n") // an error means that the browser is gone
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	b := newBench(t, scrape.AutoRecipe(), ownChrome)
	for i, number := range []string{"PO7000001", "PO7000002", "PO7000003", "PO7000004", "PO7000005", "PO7000006", "PO7000007", "PO7000008"} {
		if i == 1 {
			select {
			case <-active:
			case <-t.Context().Done():
				t.Fatal("the service worker did not become active")
			}
		}
		task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: number, Digits: number[2:], Dir: number, URL: server.URL + "/orders/" + number}}
		res, err := b.scraper.Do(t.Context(), task)
		if err != nil || res.Outcome != tasks.OutcomeComplete || res.Attachments[0].Name != number+".pdf" {
			t.Errorf("%s: got %v, %v, want its own document", number, res, err)
		}
	}
}
