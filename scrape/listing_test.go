package scrape_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// listed is a page, and what it is to say of its documents. Without a recipe it is
// read by the built-in one and by one whose item is a.doc.
type listed struct {
	body   string
	recipe string // the keys below attachments; empty: both a.doc and the built-in recipe
	auto   bool   // only the built-in recipe
	names  []string
	// What is said of more documents.
	declared int
	zero     string
	controls []string
	// counted is what says that there are as many; nothing: none does.
	counted string
	refused []string
	leftOut int
	vague   bool // and that proves nothing
	// fetched: this differs where the page is only fetched, so it is not compared.
	rendered bool
}

const docs = `<ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a></li><li><a class=doc href="/d/2.pdf">Quote.pdf</a></li></ul>`

var two = []string{"Invoice.pdf", "Quote.pdf"}

const picture = `<img width=90 height=120 src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='90' height='120'/>">`

const greek = `<p>Παραγγελία προμηθευτή, παράδοση στην αποθήκη</p>`

const orderLines = `<table><thead><tr><th>Line</th><th>Item</th></tr></thead><tbody><tr><td>1</td><td>Bolt</td></tr><tr><td>2</td><td>Nut</td></tr></tbody></table>`

// TestListing reads the pages of the tables.
func TestListing(t *testing.T) {
	t.Parallel()
	for group, pages := range map[string]map[string]listed{"everyday": everyday, "noticed": noticed, "structured": structured} {
		t.Run(group, func(t *testing.T) {
			t.Parallel()
			readListings(t, pages, map[string]int{"everyday": 3, "noticed": 3, "structured": 1}[group])
		})
	}
}

// readListings reads one in so many of the pages, shown and fetched, and checks what it says of its documents.
func readListings(t *testing.T, pages map[string]listed, many int) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/orders/7000001/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>PO7000001</title><body><h1>Order PO7000001</h1>%s`, pages[r.PathValue("name")].body)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	b := newBench(t, scrape.AutoRecipe())
	for i, name := range oneIn(many, slices.Sorted(maps.Keys(pages))) {
		want := pages[name]
		if _, err := b.browser.Tab().Navigate(t.Context(), server.URL+"/orders/7000001/"+url.PathEscape(name), ""); err != nil {
			t.Fatal(err)
		}
		recipes := recipesFor(t, want)
		for kind, recipe := range recipes {
			if len(recipes) > 1 && !inTurn(i, recipe.Auto) {
				continue // the other one reads it
			}
			shown, fetched, err := scrape.ReadListing(t.Context(), b.browser, recipe, "PO7000001", "7000001")
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkListing(t, name+", shown, "+kind, shown, want)
			if !want.rendered {
				checkListing(t, name+", fetched, "+kind, fetched, want)
			}
		}
	}
}

func recipesFor(t *testing.T, want listed) map[string]*scrape.Recipe {
	t.Helper()
	recipes := map[string]*scrape.Recipe{}
	if want.recipe == "" {
		recipes["built-in"] = scrape.AutoRecipe()
	}
	if !want.auto {
		keys := strings.Trim(want.recipe, "{}")
		if keys != "" {
			keys = ", " + keys
		}
		r, err := scrape.ReadRecipe("r.yaml", strings.NewReader("version: 1\nname: r\nattachments: {item: .doc"+keys+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		recipes["recipe"] = r
	}
	return recipes
}

func checkListing(t *testing.T, name string, got scrape.Listing, want listed) {
	t.Helper()
	if !slices.Equal(got.Names, want.names) {
		t.Errorf("%s: lists %q, want %q", name, got.Names, want.names)
	}
	if got.Declared != want.declared {
		t.Errorf("%s: declares %d (%q), want %d", name, got.Declared, got.Text, want.declared)
	}
	if got.Zero != want.zero {
		t.Errorf("%s: says that there are none by %q, want %q", name, got.Zero, want.zero)
	}
	if !slices.Equal(got.Controls, want.controls) {
		t.Errorf("%s: offers %q, want %q", name, got.Controls, want.controls)
	}
	if want.counted != "" && got.Counted != strings.TrimSpace(want.counted) {
		t.Errorf("%s: counts as many by %q, want %q", name, got.Counted, want.counted)
	}
	if got.Vague != want.vague {
		t.Errorf("%s: leaving out proves something: %t, want %t", name, !got.Vague, !want.vague)
	}
	if !slices.Equal(got.Refused, want.refused) || got.LeftOut != want.leftOut {
		t.Errorf("%s: refuses %q and leaves out %d, want %q and %d", name, got.Refused, got.LeftOut, want.refused, want.leftOut)
	}
}

// TestNotClicked reads pages whose items do more than show a document: none of them may be
// followed or clicked, and each is a failed document. The second page is fetched as well, to see
// whether that is enough.
func TestNotClicked(t *testing.T) {
	t.Parallel()
	var did atomic.Int32
	mux := http.NewServeMux()
	var fetched atomic.Bool
	mux.HandleFunc("/orders/{n}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.Header.Get("Sec-Fetch-Dest") != "document" {
			fetched.Store(true)
		}
		fmt.Fprintf(w, `<!doctype html><title>PO700000%[1]s</title><h1>Order PO700000%[1]s</h1><a class=doc href="/d.pdf">Order confirmation</a>
			<a class=doc href="/do">Accept order</a><button class=doc onclick="fetch('/do')">Auftrag annehmen</button><a class=doc href="mailto:a@example.com">Ask</a>`, r.PathValue("n"))
	})
	mux.HandleFunc("/do", func(http.ResponseWriter, *http.Request) { did.Add(1) })
	mux.HandleFunc("/d.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = io.WriteString(w, "%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\nstartxref\n9\n%%EOF\n")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe, err := scrape.ReadRecipe("r.yaml", strings.NewReader("version: 1\nname: r\nidentity: {selector: h1}\nattachments: {item: .doc}\n"))
	if err != nil {
		t.Fatal(err)
	}
	bench := newBench(t, recipe)
	for _, n := range []string{"1", "2"} {
		notClicked(t, bench, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO700000" + n, Digits: "700000" + n, Dir: n, URL: server.URL + "/orders/" + n}})
	}
	if n := did.Load(); n != 0 || !fetched.Load() {
		t.Errorf("the portal was asked %d times to accept the order; a page was fetched: %t", n, fetched.Load())
	}
}

// notClicked reads an order of TestNotClicked.
func notClicked(t *testing.T, bench *bench, task *tasks.ProcessingTask) {
	t.Helper()
	d := bench.work(t, task)
	if d.Outcome != tasks.OutcomePartial || task.Attempts != 1 {
		t.Errorf("got %s after %d attempts (%v), want partial after one", d.Outcome, task.Attempts, failureText(d))
	}
	var classes []tasks.Class
	for _, a := range d.Result.Attachments {
		class := tasks.Class("")
		if a.Error != nil {
			class = a.Error.Class
		}
		classes = append(classes, class)
	}
	if want := []tasks.Class{"", tasks.ClassNotClicked, tasks.ClassNotClicked, tasks.ClassAttachment}; !slices.Equal(classes, want) {
		t.Errorf("the documents' classes are %q, want %q", classes, want)
	}
}

// TestVariationsSayNothingMore reads each page of the demo portal: none of them lists
// less than it says.
func TestVariationsSayNothingMore(t *testing.T) {
	t.Parallel()
	p, url := portalkit.Start(t, portal.Config{Orders: len(portal.Variations())})
	b := newBench(t, scrape.AutoRecipe())
	for i, order := range oneIn(3, p.Orders()) {
		if res, err := b.browser.Tab().Navigate(t.Context(), url+order.Path, ""); err != nil || res.Status != http.StatusOK {
			continue // a page that fails on purpose
		}
		for _, recipe := range []*scrape.Recipe{scrape.AutoRecipe(), demoRecipe(t)} {
			if !inTurn(i, recipe.Auto) {
				continue // the other one reads it
			}
			shown, fetched, err := scrape.ReadListing(t.Context(), b.browser, recipe, order.Number, strings.TrimPrefix(order.Number, "PO"))
			if err != nil {
				continue // its server fails twice
			}
			for _, got := range []scrape.Listing{shown, fetched} {
				if got.Declared != 0 || got.Zero != "" || len(got.Controls) > 0 || len(got.Refused) > 0 {
					t.Errorf("%s, recipe %s: declares %d (%q), none by %q, offers %q, refuses %q", order.Variation, recipe.Name, got.Declared, got.Text, got.Zero, got.Controls, got.Refused)
				}
			}
		}
	}
}
