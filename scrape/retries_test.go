package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// visits counts how often each address was asked for.
type visits struct {
	mu sync.Mutex
	n  map[string]int
}

func (v *visits) count(r *http.Request) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.n[r.URL.String()]++
	return v.n[r.URL.String()]
}

// TestDocumentsKeepTheirIdentityOverAttempts: what one attempt has brought is taken over
// only where the server says that it is still the same; it is not taken for another
// document, nor forgotten when the page lists it no more.
func TestDocumentsKeepTheirIdentityOverAttempts(t *testing.T) {
	t.Parallel()
	// A page's body depends on how often it was asked for; a document's answer
	// is its own path, and fails the first time if it is named so.
	pages := map[string]func(visit int) string{
		"same text": func(int) string {
			return `<a class=att href="/doc/a-fails-once">Download</a><a class=att href="/doc/b">Download</a>`
		},
		"same name, other parameter": func(int) string {
			return `<a class=att href="/doc/p-fails-once?key=1">Terms.txt</a><a class=att href="/doc/p?key=2">Terms.txt</a>`
		},
		"signed anew for each page": func(visit int) string {
			return fmt.Sprintf(`<a class=att href="/doc/s?sig=%d">One.txt</a><a class=att href="/doc/z-fails-once">Two.txt</a>`, visit)
		},
		"without a text": func(int) string {
			return `<a class=att href="/doc/icon-one"><img></a><a class=att href="/doc/icon-two-fails-once"><img></a>`
		},
		"clicked": func(visit int) string {
			return fmt.Sprintf(`<button class=att onclick="give('first', %d)">Copy.txt</button><button class=att onclick="give('second', 2)">Copy.txt</button>`, visit)
		},
		"listed once only": func(visit int) string {
			if visit > 1 {
				return `<a class=att href="/doc/stays">Stays.txt</a>`
			}
			return `<a class=att href="/doc/stays">Stays.txt</a><a class=att href="/doc/goes-fails-once">Goes.txt</a>`
		},
		"clicked, and never again": func(visit int) string {
			if visit > 1 {
				return ""
			}
			return `<button class=att onclick="give('first', 2)">One.txt</button><button class=att onclick="give('second', 1)">Two.txt</button>`
		},
		"another version": func(int) string {
			return `<a class=att href="/doc/v-versions">V.txt</a><a class=att href="/doc/x-fails-once">X.txt</a>`
		},
		"the same version": func(int) string {
			return `<a class=att href="/doc/w-same">W.txt</a><a class=att href="/doc/y-fails-once">Y.txt</a>`
		},
		"listed never again": func(visit int) string {
			if visit > 1 {
				return ""
			}
			return `<a class=att href="/doc/only">Only.txt</a><a class=att href="/doc/lost-fails-once">Lost.txt</a>`
		},
	}
	want := map[string]struct {
		outcome tasks.Outcome
		bodies  []string
	}{
		"same text":                  {tasks.OutcomeComplete, []string{"/doc/a-fails-once", "/doc/b"}},
		"same name, other parameter": {tasks.OutcomeComplete, []string{"/doc/p-fails-once?key=1", "/doc/p?key=2"}},
		"signed anew for each page":  {tasks.OutcomeComplete, []string{"/doc/s?sig=new", "/doc/z-fails-once"}},
		"without a text":             {tasks.OutcomeComplete, []string{"/doc/icon-one", "/doc/icon-two-fails-once"}},
		"clicked":                    {tasks.OutcomeComplete, []string{"first", "second"}},
		"listed once only":           {tasks.OutcomeComplete, []string{"/doc/stays", "/doc/goes-fails-once"}},
		"listed never again":         {tasks.OutcomeComplete, []string{"/doc/only", "/doc/lost-fails-once"}},
		"clicked, and never again":   {tasks.OutcomePartial, []string{"first"}},
		"another version":            {tasks.OutcomeComplete, []string{"/doc/v-versions 2", "/doc/x-fails-once"}},
		"the same version":           {tasks.OutcomeComplete, []string{"/doc/w-same 1", "/doc/y-fails-once"}},
	}
	asked := &visits{n: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/page/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<title>PO7000001</title><h1 id=po>PO7000001</h1><script>function give(text, times) {
			if (times < 2) text = ""; // empty the first time
			const a = document.createElement("a"); a.href = window.URL.createObjectURL(new Blob([text])); a.download = "x"; a.click() }</script>%s`,
			pages[r.PathValue("name")](asked.count(r)))
	})
	mux.HandleFunc("/doc/{name}", func(w http.ResponseWriter, r *http.Request) {
		n := asked.count(r)
		if n == 1 && strings.HasSuffix(r.PathValue("name"), "-fails-once") {
			http.Error(w, "later", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		switch text := r.URL.String(); {
		case strings.HasSuffix(r.PathValue("name"), "-versions"):
			w.Header().Set("ETag", fmt.Sprintf(`"%d"`, n))
			fmt.Fprint(w, text, " ", n)
		case strings.HasSuffix(r.PathValue("name"), "-same"): // other bytes would show that it was fetched again
			w.Header().Set("ETag", `"same"`)
			fmt.Fprint(w, text, " ", n)
		case r.FormValue("sig") != "" && r.FormValue("sig") != "1":
			fmt.Fprint(w, "/doc/s?sig=new")
		default:
			fmt.Fprint(w, text)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe, err := scrape.ReadRecipe("retries.yaml", strings.NewReader("version: 1\nname: retries\nidentity: {selector: '#po'}\nattachments: {item: .att, types: [txt]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	recipe.Mode = scrape.ModeRender // else some are fetched as well, to compare them
	b := newBench(t, recipe)
	for name := range pages {
		task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO7000001", Digits: "7000001", Dir: "x" + uuid.NewString(), URL: server.URL + "/page/" + name}}
		d := b.work(t, task)
		if d.Outcome != want[name].outcome {
			t.Errorf("%s: got %s (%v)", name, d.Outcome, failureText(d))
		}
		var bodies []string
		paths := map[string]bool{}
		for _, a := range d.Result.Attachments {
			if a.State != tasks.AttachmentDone {
				continue
			}
			content, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(a.Path)))
			if err != nil || paths[a.Path] {
				t.Errorf("%s: %s is there twice, or not: %v", name, a.Path, err)
			}
			paths[a.Path] = true
			bodies = append(bodies, string(content))
		}
		if strings.Join(bodies, " ") != strings.Join(want[name].bodies, " ") {
			t.Errorf("%s: got the documents %q, want %q", name, bodies, want[name].bodies)
		}
	}
}
