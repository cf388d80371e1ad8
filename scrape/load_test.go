package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestWhatNeedsANavigation: documents are loaded, and those of a kind that needs a
// navigation are not asked for twice, but for the first; an order that is tried again
// has its documents navigated to.
func TestWhatNeedsANavigation(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	modes := map[string][]string{}
	mux := http.NewServeMux()
	mux.HandleFunc("/page/{n}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		n := r.PathValue("n")
		fmt.Fprintf(w, `<h1 id=po>PO7000001</h1>`)
		for _, kind := range []string{"whole", "streamed", "late"} {
			fmt.Fprintf(w, `<a class=att href="/doc/%[1]s-%[2]s">%[1]s.txt</a>`, kind, n)
		}
	})
	mux.HandleFunc("/doc/{name}", func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("name")
		mu.Lock()
		modes[name] = append(modes[name], r.Header.Get("Sec-Fetch-Mode"))
		visit := len(modes[name])
		mu.Unlock()
		if strings.HasPrefix(name, "late") && visit == 1 {
			http.Error(w, "later", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		if strings.HasPrefix(name, "streamed") {
			w.(http.Flusher).Flush()
		}
		fmt.Fprint(w, name)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe, err := scrape.ReadRecipe("load.yaml", strings.NewReader("version: 1\nname: load\nidentity: {selector: '#po'}\nattachments: {item: .att}\n"))
	if err != nil {
		t.Fatal(err)
	}
	recipe.Mode = scrape.ModeRender // else some are fetched as well, to compare them
	b := newBench(t, recipe)
	for n := 1; n <= 3; n++ {
		task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO7000001", Digits: "7000001", Dir: fmt.Sprint(n), URL: fmt.Sprintf("%s/page/%d", server.URL, n)}}
		if d := b.work(t, task); d.Outcome != tasks.OutcomeComplete {
			t.Fatalf("order %d: %s (%v)", n, d.Outcome, failureText(d))
		}
	}
	mu.Lock()
	defer mu.Unlock()
	const load, navigate = "no-cors", "navigate"
	for n := 1; n <= 3; n++ {
		// The second attempt takes nothing over, as the server names no version.
		streamed := []string{navigate, navigate}
		if n == 1 {
			streamed = []string{load, navigate, navigate}
		}
		for kind, want := range map[string][]string{"whole": {load, navigate}, "streamed": streamed, "late": {load, navigate}} {
			if got := modes[fmt.Sprintf("%s-%d", kind, n)]; !slices.Equal(got, want) {
				t.Errorf("%s-%d was asked for by %q, want %q", kind, n, got, want)
			}
		}
	}
}
