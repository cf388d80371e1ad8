package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestSlowPageSaysThatItArrives: of a page that is sent too slowly it is said that it is
// still arriving; not that somebody has to sign in.
func TestSlowPageSaysThatItArrives(t *testing.T) {
	t.Parallel()
	const head = "<!doctype html><title>x</title><body><form><input type=password></form>"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, head, strings.Repeat(" ", 5000-len(head)))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(func() { testkit.EndServer(server) })
	b := newBench(t, scrape.AutoRecipe(), keepsEvidence)
	testkit.InVain(t, 2*time.Second, func(limit time.Duration) error {
		recipe := scrape.AutoRecipe()
		recipe.Ready.Timeout = limit
		task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO7000001", Digits: "7000001", Dir: uuid.NewString(), URL: server.URL + "/orders/7000001"}}
		_, err := b.with(scrape.NewPortal(recipe, nil)).scraper.Do(t.Context(), task)
		f := tasks.AsFailure(err)
		if f == nil || f.Class != tasks.ClassUnsettled || !f.Retryable || !strings.Contains(f.Message, "the page is still arriving") {
			return fmt.Errorf("got %w", f)
		}
		return nil
	})
}

// TestEvidenceOfPages opens pages that are no orders, and looks at what is kept of them.
func TestEvidenceOfPages(t *testing.T) {
	t.Parallel()
	const pictured, unpictured = true, false
	pages := map[string]struct {
		body    string
		has     string // in the page that is kept
		hasNot  string
		picture bool
	}{
		"plain":              {`<p>hello</p>`, "<p>hello</p>", "", pictured},
		"empty password":     {`<input type=password>`, "password", "", pictured},
		"filled password":    {`<input type=password value=hunter2>`, "password", "hunter2", unpictured},
		"typed password":     {`<input type=password id=p><script>p.value = "hunter2"</script>`, "password", "hunter2", unpictured},
		"shown password":     {`<input name=userPassword value=hunter2>`, "userPassword", "hunter2", unpictured},
		"password in shadow": {`<div id=h></div><script>h.attachShadow({mode: "open"}).innerHTML = "<input type=password value=hunter2>"</script>`, "", "hunter2", unpictured},
		"password in frame":  {`<iframe srcdoc="<input type=password value=hunter2>"></iframe>`, "", "hunter2", unpictured},
		"in a frame within":  {`<iframe srcdoc="<iframe srcdoc='<input type=password value=hunter2>'></iframe>"></iframe>`, "", "hunter2", unpictured},
		"another site's":     {`<iframe src="ELSEWHERE/?page=typed%20password"></iframe>`, "", "hunter2", unpictured},
		"in a text field":    {`<input id=pin><script>pin.value = "hunter-2222"</script>`, "", "hunter", unpictured},
		"said by the page":   {`<p>Hello hunter-2222</p>`, "Hello redacted", "hunter", unpictured},
		"unseen password":    {`<input type=password value=hunter2 hidden>`, "", "hunter2", pictured},
		"clobbering":         {`<form name=documentElement></form><img name=querySelectorAll><form><input name=shadowRoot><input name=outerHTML></form><b>seen</b>`, "<b>seen</b>", "", pictured},
		"forging": {`<b>seen</b><script>
			for (const name of ["outerHTML", "innerHTML"]) Object.defineProperty(Element.prototype, name, {get: () => "forged"});
			Object.defineProperty(Document.prototype, "documentElement", {get: () => ({outerHTML: "forged"})});
			Element.prototype.querySelectorAll = Document.prototype.querySelectorAll = () => [];
			Element.prototype.cloneNode = () => ({outerHTML: "forged", querySelectorAll: () => []})</script>`, "<b>seen</b>", "forged", pictured},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		elsewhere := "http://" + strings.Replace(r.Host, "127.0.0.1", "localhost", 1)
		fmt.Fprint(w, "<!doctype html><title>x</title><body>", strings.ReplaceAll(pages[r.URL.Query().Get("page")].body, "ELSEWHERE", elsewhere))
	}))
	t.Cleanup(func() { testkit.EndServer(server) })
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "password"), []byte("hunter-2222"), 0o600); err != nil {
		t.Fatal(err)
	}
	signsIn, err := scrape.ReadRecipe(filepath.Join(dir, "r.yaml"), strings.NewReader("version: 1\nbase_url: http://portal.example\nlogin: {http: {user: 'file:password', password: 'file:password'}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	recipe := scrape.AutoRecipe()
	recipe.Login = signsIn.Login
	b := newBench(t, recipe, keepsEvidence)
	for name, page := range pages {
		task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO7000001", Digits: "7000001", Dir: strings.ReplaceAll(name, " ", "-"),
			URL: server.URL + "/?page=" + strings.ReplaceAll(name, " ", "%20")}}
		task.History = make([]tasks.Attempt, 2) // both given back
		_, err := b.scraper.Do(t.Context(), task)
		f := tasks.AsFailure(err)
		prefix := "evidence/" + task.Dir + "/attempt-3-"
		if f == nil || !slices.Contains(f.Evidence, prefix+"page.html") || !slices.Contains(f.Evidence, prefix+"console.json") {
			t.Errorf("%s: %v", name, f)
			continue
		}
		if slices.Contains(f.Evidence, prefix+"screenshot.png") != page.picture {
			t.Errorf("%s: there is %v", name, f.Evidence)
		}
		kept, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(prefix+"page.html")))
		if err != nil || !strings.Contains(string(kept), page.has) || page.hasNot != "" && strings.Contains(string(kept), page.hasNot) {
			t.Errorf("%s: %v, %s", name, err, kept)
		}
	}
}
