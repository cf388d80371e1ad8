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

// serveText returns a server of pages of fixed texts, and of documents at /doc/.
func serveText(t *testing.T, pages map[string]string) string {
	t.Helper()
	mux := http.NewServeMux()
	for path, text := range pages {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html>"+strings.ReplaceAll(text, "QUERY", r.FormValue("q")))
		})
	}
	mux.HandleFunc("/doc/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprintf(w, "%%PDF-1.4 %s\n%%%%EOF\n", r.URL.Path)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	return server.URL
}

func recipeOf(t *testing.T, base, text string) *scrape.Recipe {
	t.Helper()
	recipe, err := scrape.ReadRecipe("r.yaml", strings.NewReader("version: 1\nbase_url: "+base+"\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	recipe.GiveSecrets(nil, true) // what it may read unasked is shown elsewhere
	return recipe
}

func orderAt(po, url string) *tasks.ProcessingTask {
	return &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: po, Digits: strings.TrimLeft(po, "PO"), Dir: po, URL: url}}
}

// TestOpenSteps reaches orders of one address by steps, also through a frame, on a browser
// whose clock has run ahead before.
func TestOpenSteps(t *testing.T) {
	t.Parallel()
	url := serveText(t, map[string]string{
		"/desk": `<title>Desk</title><ul><li>Account 10012<li>Account 1001-1<li>Account 1001 of PO1002<li>Account 1002 of PO1001</ul><iframe></iframe><script>
			onclick = (e) => { document.querySelector("iframe").src = "/form?" + e.target.textContent }</script>`,
		"/form": `<form action=/order target=_top><select name=org><option>none<option>South</select><label>Go<input name=q></label><button disabled><i aria-hidden=true>arrow_right</i> Go</button></form><script>
			const q = document.querySelector("[name=q]"), go = document.querySelector("button");
			const enhance = () => { const own = q.cloneNode(); own.value = ""; q.replaceWith(own); go.disabled = false }; // as libraries of widgets do
			q.oninput = () => { if (q.value.length === 6) { q.oninput = null; setTimeout(enhance, 300) } }</script>`,
		"/order": `<h1 id=po>Order QUERY</h1><a class=doc href=/doc/QUERY.pdf>QUERY.pdf</a>`,
	})
	recipe := recipeOf(t, url, `
open:
  url: "{base_url}/desk"
  steps:
    - click: {selector: li, text: "of {po}", part: true}
    - select: {selector: "[name=org]", value: South}
    - fill: {selector: "[name=q]", frame: iframe, value: "{po}"}
    - click: {text: Go}
identity: {selector: "#po"}
attachments: {item: a.doc}
`)
	b := newBench(t, recipe)
	for _, po := range []string{"PO1001", "PO1002"} {
		res, err := b.scraper.Do(t.Context(), orderAt(po, url+"/desk"))
		if err != nil || res.Outcome != tasks.OutcomeComplete || res.Attachments[0].Name != po+".pdf" || !strings.Contains(res.URL, "org=South") || res.Executor != tasks.ExecutorRender {
			t.Errorf("%s: got %+v, %v", po, res, err)
		}
	}
}

// TestOpenStepsFail names the step that could not be done, and never its secret.
func TestOpenStepsFail(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	pin := filepath.Join(t.TempDir(), "pin")
	if err := os.WriteFile(pin, []byte("s3cret"), 0o600); err != nil {
		t.Fatal(err)
	}
	url := serveText(t, map[string]string{"/desk": `<input id=pin maxlength=3><button id=go hidden>Go</button>`, "/sign-in": `<h1>Sign in</h1><form><input name=u><input type=password name=p><button>Sign in</button></form>`, "/accounts": `<ul><li>Acme 12<li>Acme 123<li>Acme 77-1</ul><button>Delete Acme 9</button>`,
		"/portal": `<button>Deactivate 77</button><button>Release 55</button><button title="Unlink 66">66</button><a href="#">Account 1234 5678</a><input id=q><button hidden>Go</button><select><option value=1>30<option value=10>20<option value=3>10</select>`, "/away": `<a id=go href="http://other.example/">Go</a>`})
	shared := newBench(t, scrape.AutoRecipe())
	cases := map[string]struct {
		at, steps, want string
		class           tasks.Class
	}{
		"hidden":  {"/desk", `[{click: "#go"}]`, `open.steps[0] click "#go": it is hidden within LIMIT`, tasks.ClassStep},
		"a frame": {"/desk", `[{wait: {selector: "#x", frame: "#f"}}]`, `open.steps[0] wait "#x" in the frame "#f": its frame was not there`, tasks.ClassStep},
		"secret":  {"/desk", `[{fill: {selector: "#pin", file: ` + pin + `}}]`, `open.steps[0] fill "#pin": it did not keep`, tasks.ClassStep},
		"column":  {"/desk", `[{fill: {selector: "#pin", value: "{digits}"}}]`, `open.steps[0] fill: {digits} is empty for this order`, tasks.ClassInvalidInput},
		"several": {"/accounts", `[{click: {selector: li, text: acme, part: true}}]`, `open.steps[0] click a text with "acme" in it on "li": several elements show it ("acme 12", "acme 123", "acme 77-1")`, tasks.ClassStep},
		"longer":  {"/accounts", `[{click: {selector: li, text: "77", part: true}}]`, `nothing met it`, tasks.ClassStep},
		"refused": {"/accounts", `[{click: {text: "Acme 9", part: true}}]`, `"delete acme 9" says that it does more`, tasks.ClassNotClicked},
		"does":    {"/portal", `[{click: {text: "77", part: true}}]`, `"deactivate 77" says that it does more`, tasks.ClassNotClicked},
		"may do":  {"/portal", `[{click: {text: "55", part: true}}]`, `"release 55" may do more than show "55"`, tasks.ClassNotClicked},
		"a title": {"/portal", `[{click: {text: "66", part: true}}]`, `"66 unlink 66" says that it does more`, tasks.ClassNotClicked},
		"groups":  {"/portal", `[{click: {text: "1234", part: true}}]`, `nothing met it`, tasks.ClassStep},
		"choices": {"/portal", `[{select: {selector: select, value: "10"}}]`, `has the value "10" and shows "20"`, tasks.ClassStep},
		"covered": {"/portal", `[{fill: {selector: "#q", value: x}}, {click: {text: Go}}]`, `open.steps[1] click the text "Go": it is hidden within`, tasks.ClassStep},
		"sign-in": {"/sign-in", `[{click: "#go"}]`, "a sign-in page", tasks.ClassLogin},
		"a host":  {"/away", `[{click: "#go"}, {wait: "#there"}]`, `other.example`, tasks.ClassHost},
	}
	for _, name := range kinds(cases, "hidden", "a frame", "secret", "column", "several", "longer", "refused", "may do", "choices", "covered", "sign-in", "a host") {
		c := cases[name]
		t.Run(name, func(t *testing.T) {
			first := patience
			if c.class == tasks.ClassStep || c.class == tasks.ClassHost { // which are waited for in vain
				first = time.Second
			}
			testkit.InVain(t, first, func(limit time.Duration) error {
				recipe := recipeOf(t, url, "ready: {timeout: "+limit.String()+"}\nopen: {url: '{base_url}/desk', steps: "+c.steps+"}\n")
				f := shared.with(scrape.NewPortal(recipe, nil)).attempt(t.Context(), t, orderAt("PO", url+c.at)).Failure
				if f != nil && strings.Contains(f.Message, "s3cret") {
					t.Errorf("it tells the secret: %+v", f)
				}
				if f == nil || f.Class != c.class || !strings.Contains(f.Message, strings.ReplaceAll(c.want, "LIMIT", limit.String())) {
					return fmt.Errorf("got %w, want %q", f, c.want)
				}
				return nil
			})
		})
	}
}
