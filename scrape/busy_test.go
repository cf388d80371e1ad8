package scrape_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestBusyClocks reads pages that wait for the clock in a loop, in a tab whose clock has
// run ahead, and after each an ordinary page in the same browser.
func TestBusyClocks(t *testing.T) {
	t.Parallel()
	const loop = `const busy = () => { const t = Date.now(); while (Date.now() - t < 400); }; `
	cases := map[string]struct {
		script string
		// told: it is said that the page settled in real time.
		told bool
	}{
		"in a timer":              {`setTimeout(() => { const t = performance.now(); while (performance.now() - t < 400); mount() }, 200)`, true},
		"while it loads":          {loop + `busy(); mount()`, true},
		"in a handler":            {`addEventListener("load", () => { const t = new Date(); while (new Date() - t < 400); mount() })`, true},
		"when it is clicked":      {loop + `document.body.insertAdjacentHTML("beforeend", "<button>d.pdf</button>"); document.querySelector("button").onclick = () => { busy(); location.assign("/d.pdf") }`, true},
		"while it is hidden":      {loop + `addEventListener("pagehide", busy); document.addEventListener("visibilitychange", busy); mount()`, false},
		"while it unloads":        {loop + `onunload = busy; onbeforeunload = busy; mount()`, false},
		"in a frame that goes":    {`const f = document.createElement("iframe"); f.srcdoc = "<script>` + loop + `onpagehide = busy<\/script>"; document.body.append(f); mount()`, false},
		"with a clock of its own": {`const now = Date.now; onpagehide = () => { const t = now(); while (now() - t < 400); }; mount()`, false},
		"without end":             {`onpagehide = () => { for (;;); }; mount()`, false},
	}
	var asked atomic.Int64
	mux := http.NewServeMux()
	page := func(w http.ResponseWriter, number, script string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Order %[1]s</title><body><h1>Order %[1]s</h1><script>
			const mount = () => document.body.insertAdjacentHTML("beforeend", "<a href=/d.pdf>d.pdf</a>");</script><script>%[2]s</script>`, number, script)
	}
	mux.HandleFunc("/case/{name}/{number}", func(w http.ResponseWriter, r *http.Request) {
		page(w, r.PathValue("number"), cases[r.PathValue("name")].script)
	})
	mux.HandleFunc("/next/{number}", func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		page(w, r.PathValue("number"), `setTimeout(mount, 3000)`)
	})
	mux.HandleFunc("/d.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Disposition", "attachment")
		_, _ = io.WriteString(w, "%PDF-1.4 content\n%%EOF\n") // an error means that the browser is gone
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe := scrape.AutoRecipe()
	recipe.Mode = scrape.ModeRender
	b := newBench(t, recipe)
	var told []string
	b.portal.OnEvent(func(e tasks.Event) { told = append(told, e.Detail) })
	read := func(kind, number string) {
		task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: number, Digits: number[2:], Dir: uuid.NewString(),
			URL: server.URL + "/" + strings.ReplaceAll(kind, " ", "%20") + "/" + number}}
		if res, err := b.scraper.Do(t.Context(), task); err != nil || res.Outcome != tasks.OutcomeComplete {
			t.Errorf("%s: got %v, %v, want a complete order", kind, res, err)
		}
	}
	read("next", "PO7000000") // its clock has run ahead
	for _, name := range kinds(cases, "in a timer", "when it is clicked", "while it is hidden", "without end") {
		c := cases[name]
		asked.Store(0)
		told = nil
		read("case/"+name, "PO7000001")
		if (len(told) > 0) != c.told {
			t.Errorf("%s: got the events %q", name, told)
		}
		told = nil
		read("next", "PO7000002")
		if n := asked.Load(); n > 2 || len(told) > 0 {
			t.Errorf("after %s: the next page was asked for %d times, with the events %q", name, n, told)
		}
		if lost, why := b.browser.LostTabs(); lost > 0 || b.browser.Fit() != nil {
			t.Errorf("after %s: %d tabs were lost (%v), the browser is unfit: %v", name, lost, why, b.browser.Fit())
		}
	}
}
