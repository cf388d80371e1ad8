package scrape_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestAnswersFromElsewhere reads orders of which something comes from a server that is not to be asked: nothing
// of that server is kept.
func TestAnswersFromElsewhere(t *testing.T) {
	t.Parallel()
	pages := map[string]string{
		"honest":           `<a href=/d.pdf>d.pdf</a>`,
		"documents":        `<a href=OTHER/d.pdf>d.pdf</a> <a href=/d.pdf?own>own.pdf</a>`,
		"clicked":          `<button onclick="location = 'OTHER/d.pdf'">d.pdf</button>`,
		"asks":             `<script>fetch("/inside/data").then((r) => r.text()).then((text) => { document.body.append(text) })</script><a href=/d.pdf>d.pdf</a>`,
		"led":              ``,
		"inside":           `<a href=/d.pdf>d.pdf</a>`,
		"document inside":  `<a href=/inside/d.pdf>d.pdf</a>`,
		"document is led":  `<a href=/inside/hop>d.pdf</a>`,
		"document begun":   `<button onclick="const a = document.createElement('a'); a.href = '/inside/d.pdf'; a.download = ''; a.click()">d.pdf</button>`,
		"document clicked": `<button onclick="location = '/inside/d.pdf'">d.pdf</button>`,
	}
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	here, other := strings.Replace(server.URL, "127.0.0.1", "localhost", 1), server.URL
	show := func(w http.ResponseWriter, name string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Order %[1]s</title><body><h1>Order %[1]s</h1>%[2]s`, ledOrder, strings.ReplaceAll(pages[name], "OTHER", other))
	}
	document := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Disposition", "attachment; filename=d.pdf")
		_, _ = io.WriteString(w, "%PDF-1.4 content\n%%EOF\n")
	}
	mux.HandleFunc("/page/{name}", func(w http.ResponseWriter, r *http.Request) { show(w, r.PathValue("name")) })
	mux.HandleFunc("/inside/page", func(w http.ResponseWriter, _ *http.Request) { show(w, "inside") })
	mux.HandleFunc("/inside/data", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "what only the inside knows") })
	mux.HandleFunc("/hop", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other+r.URL.Query().Get("to"), http.StatusFound)
	})
	mux.HandleFunc("/inside/hop", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
	})
	mux.HandleFunc("/never", func(http.ResponseWriter, *http.Request) {
		t.Error("an address that says itself that it leads inside was asked for")
	})
	mux.HandleFunc("/d.pdf", document)
	mux.HandleFunc("/inside/d.pdf", document)
	pages["document is led"] = `<a href="/inside/hop?to=/d.pdf">d.pdf</a>`

	recipe := scrape.AutoRecipe()
	recipe.AllowedHosts, recipe.Ready.Timeout = []string{"127.0.0.1"}, patience
	judge := func(address, from string) error {
		if from == "localhost" { // the address itself says no more
			return nil
		}
		if clicked := from == "" && strings.HasSuffix(address, "/d.pdf"); from != "127.0.0.1" && !clicked {
			t.Errorf("%s came from %q", address, from)
		}
		if strings.HasPrefix(address, other) || strings.Contains(address, "/inside/") {
			return errors.New("it leads inside")
		}
		return nil
	}
	portal := func(mode scrape.Mode) *scrape.Portal {
		r := *recipe
		r.Mode = mode
		p := scrape.NewPortal(&r, nil)
		p.JudgeAnswers(judge)
		return p
	}
	t.Run("fetched", func(t *testing.T) {
		t.Parallel()
		b := newBenchOf(t, portal(scrape.ModeFetch))
		if d := b.work(t, ledTask(here+"/page/honest")); d.Outcome != tasks.OutcomeComplete {
			t.Fatalf("got %s (%s)", d.Outcome, failureText(d))
		}
		if d := b.work(t, ledTask(here+"/inside/page")); d.Outcome != tasks.OutcomeInvalidInput || d.Failure.Executor != tasks.ExecutorFetch {
			t.Errorf("got %s (%s)", d.Outcome, failureText(d))
		}
	})
	t.Run("looked at", func(t *testing.T) {
		t.Parallel()
		probed := newBenchOf(t, portal(scrape.ModeRender)).scraper.Probe(t.Context(), ledTask(here+"/page/asks"), scrape.Wanted{Width: 100, Height: 100})
		if probed.Failure == nil || probed.Failure.Class != tasks.ClassInvalidInput || probed.View != nil || probed.Result != nil || probed.Fields != nil {
			t.Errorf("got %+v", probed)
		}
		d, err := newBenchOf(t, portal(scrape.ModeRender)).scraper.Describe(t.Context(), ledTask(here+"/page/asks"), nil)
		if d != nil || err == nil || !strings.Contains(err.Error(), "it leads inside") {
			t.Errorf("got %+v, %v", d, err)
		}
	})
	for name, c := range map[string]struct {
		path string
		want tasks.Outcome
	}{
		"honest":           {"/page/honest", tasks.OutcomeComplete},
		"documents":        {"/page/documents", tasks.OutcomePartial},
		"clicked":          {"/page/clicked", tasks.OutcomePartial},
		"asks":             {"/page/asks", tasks.OutcomeInvalidInput},
		"inside":           {"/inside/page", tasks.OutcomeInvalidInput},
		"an address":       {other + "/never", tasks.OutcomeInvalidInput},
		"led to another":   {"/hop?to=/page/honest", tasks.OutcomeInvalidInput},
		"led":              {"/inside/hop?to=/page/honest", tasks.OutcomeInvalidInput},
		"document inside":  {"/page/document%20inside", tasks.OutcomeInvalidInput},
		"document is led":  {"/page/document%20is%20led", tasks.OutcomeInvalidInput},
		"document begun":   {"/page/document%20begun", tasks.OutcomeInvalidInput},
		"document clicked": {"/page/document%20clicked", tasks.OutcomeInvalidInput},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBenchOf(t, portal(scrape.ModeRender), keepsEvidence)
			d := b.work(t, ledTask(strings.Replace(here+c.path, here+"http", "http", 1)))
			if d.Outcome != c.want {
				t.Fatalf("got %s (%s), want %s", d.Outcome, failureText(d), c.want)
			}
			kept := ""
			_ = filepath.WalkDir(b.dir, func(path string, e os.DirEntry, _ error) error {
				if e.Type().IsRegular() {
					text, _ := os.ReadFile(path)
					kept += path + ": " + string(text)
				}
				return nil
			})
			if c.want == tasks.OutcomeInvalidInput && (!strings.Contains(failureText(d), "it leads inside") || strings.Contains(kept, "only the inside") || strings.Contains(kept, ".png:") || strings.Contains(kept, "PDF")) {
				t.Errorf("it says %q, and kept are %s", failureText(d), kept)
			}
			if c.want == tasks.OutcomePartial {
				for _, doc := range d.Result.Attachments {
					own := strings.Contains(doc.Name, "own")
					if own != (doc.State == tasks.AttachmentDone) || !own && !strings.Contains(doc.Error.Message, "it leads inside") {
						t.Errorf("got %+v: %v", doc, doc.Error)
					}
				}
			}
		})
	}
}
