package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// clicked are what the buttons of a page do. In each, give(path) downloads from an
// address by way of a link, frame(path) in a frame, and own(n) is the address of the
// order's document of that number.
var clicked = map[string]string{
	"a link":                              `give(own(n))`,
	"a link without the attribute":        `location.href = own(n)`,
	"a frame":                             `frame(own(n))`,
	"a window":                            `window.open(own(n))`,
	"a window without an opener":          `window.open(own(n), "_blank", "noopener")`,
	"a blob in the page":                  `fetch(own(n)).then((r) => r.blob()).then((b) => po.insertAdjacentHTML("afterend", (n % 2 ? "<object data=" : "<embed src=") + URL.createObjectURL(new Blob([b], { type: "text/plain" })) + ">"))`,
	"a blob":                              `fetch(own(n)).then((r) => r.blob()).then((b) => give(URL.createObjectURL(b)))`,
	"a post":                              `const f = document.createElement("form"); f.method = "post"; f.action = own(n); document.body.append(f); f.submit()`,
	"the same twice":                      `give(own(n)); give(own(n))`,
	"the same twice, once late":           `give(own(n)); setTimeout(() => give(own(n)), 700)`,
	"another file late, by a timer":       `give(own(n)); setTimeout(() => give("/doc/other?order=" + order), 700)`,
	"another file late, by the server":    `give(own(n)); give("/doc/other?slow=700&order=" + order)`,
	"another file late, in a window":      `give(own(n)); window.open("/doc/other?slow=700&order=" + order)`,
	"another file late, in a frame":       `give(own(n)); frame("/doc/other?slow=700&order=" + order)`,
	"another file late, as a blob":        `give(own(n)); fetch("/doc/other?slow=700&order=" + order).then((r) => r.blob()).then((b) => give(URL.createObjectURL(b)))`,
	"another file, and a slow own one":    `give("/doc/other?slow=900&order=" + order); give(own(n) + "&slow=" + (n == 1 ? 0 : 1200))`,
	"too late, by the server":             `give(own(n) + "&slow=" + (n == 1 && tries < 2 ? 2500 : 0))`,
	"too late, by a timer":                `setTimeout(() => give(own(n)), n == 1 && tries < 2 ? 2500 : 0)`,
	"too late, in a window":               `window.open(own(n) + "&slow=" + (n == 1 && tries < 2 ? 2500 : 0))`,
	"too late, from one address for all":  `give("/doc/current?slow=" + (n == 1 && tries < 2 ? 2500 : 0))`,
	"the same twice, once after a while":  `give(own(n)); setTimeout(() => give(own(n)), 70)`,
	"a menu that closes":                  `give(own(n)); document.querySelectorAll(".att").forEach((one) => one.remove())`,
	"a message that goes after some time": `give(own(n)); document.body.append("Your download begins."); setTimeout(() => document.body.lastChild.remove(), 3000)`,
}

// TestClicksBringTheirOwn clicks on documents whose downloads begin late, twice, or beside
// another: what is stored under a document's name is what its own click began, or nothing.
func TestClicksBringTheirOwn(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	asked := &visits{n: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/page/{case}/{order}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>%[1]s</title><h1 id=po>%[1]s</h1><script>
			const order = %[1]q, tries = %[2]d;
			const own = (n) => "/doc/" + n + "?order=" + order;
			const give = (url) => { const a = document.createElement("a"); a.href = url; a.download = "file"; a.click() };
			const frame = (url) => { const f = document.createElement("iframe"); f.src = url; document.body.append(f) };
			const press = (n) => { %[3]s };
			</script>`, r.PathValue("order"), asked.count(r), clicked[r.PathValue("case")])
		for n := range 2 {
			fmt.Fprintf(w, "<button class=att onclick='press(%d)'>Document %d</button>", n+1, n+1)
		}
	})
	mux.HandleFunc("/doc/{n}", func(w http.ResponseWriter, r *http.Request) {
		slow, err := time.ParseDuration(r.FormValue("slow") + "ms")
		if err == nil {
			delay(r, slow)
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", "attachment; filename=file.bin")
		fmt.Fprintf(w, "%s of %s", r.PathValue("n"), r.FormValue("order"))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe, err := scrape.ReadRecipe("clicks.yaml", strings.NewReader("version: 1\nname: clicks\nidentity: {selector: '#po'}\nattachments: {item: .att, types: [txt]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	shared := newBench(t, recipe)
	for _, name := range kinds(clicked, "a link without the attribute", "a blob", "a blob in the page", "a post", "the same twice, once late", "another file late, by a timer",
		"another file, and a slow own one", "too late, by the server", "too late, in a window", "too late, from one address for all",
		"a message that goes after some time") {
		t.Run(name, func(t *testing.T) {
			first := 10 * time.Second
			if strings.HasPrefix(name, "too late") {
				first = time.Second
			}
			testkit.InVain(t, first, func(limit time.Duration) (wrong error) {
				p := scrape.NewPortal(recipe, nil)
				p.SetClickTimeout(limit)
				b := shared.with(p)
				for i := range 2 {
					order := fmt.Sprintf("PO700000%d", i)
					task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: order, Digits: order[2:], Dir: order + uuid.NewString(),
						URL: server.URL + "/page/" + name + "/" + order}}
					read := b.work
					if name == "a menu that closes" { // at the first attempt, each on a page of its own
						read = func(t *testing.T, task *tasks.ProcessingTask) tasks.Decision { return b.attempt(t.Context(), t, task) }
					}
					d := read(t, task)
					if d.Outcome != tasks.OutcomeComplete || len(d.Result.Attachments) != 2 {
						wrong = fmt.Errorf("%s ended %s: %v", order, d.Outcome, failureText(d))
						continue
					}
					for n, doc := range d.Result.Attachments {
						got, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(doc.Path)))
						want := fmt.Sprintf("%d of %s", n+1, order)
						if strings.Contains(name, "one address for all") {
							want = "current of "
						}
						if other := fmt.Sprintf("other of %s", order); err != nil || string(got) != want && (string(got) != other || !strings.Contains(name, "slow own one")) {
							t.Errorf("%s: %s holds %q, %v, want %q", order, doc.Name, got, err, want)
						}
					}
				}
				return wrong
			})
		})
	}
}
