package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestFrameworksThatAreBusy reads applications that say themselves that they are busy, while
// nothing else does: after a second of that, another document is listed.
func TestFrameworksThatAreBusy(t *testing.T) {
	t.Parallel()
	// busy is whether the application says that it is; done is when that ends.
	interfaces := map[string]string{
		"SAP UI5":            `window.sap = {ui: {getCore: () => ({getUIDirty: () => busy})}}`,
		"SAP UI5, rendering": `window.sap = {ui: {require: name => name === "sap/ui/core/Rendering" ? {isPending: () => busy} : undefined}}`,
		"Oracle ADF":         `window.AdfPage = {PAGE: {isSynchronizedWithServer: () => !busy}}`,
		"Oracle JET":         `window.oj = {Context: {getPageContext: () => ({getBusyContext: () => ({isReady: () => !busy})})}}`,
		"Oracle JET, by AMD": `window.requirejs = Object.assign(() => ({getPageContext: () => ({getBusyContext: () => ({isReady: () => !busy})})}), {defined: () => true})`,
		"Angular":            `window.getAllAngularTestabilities = () => [{isStable: () => true}, {isStable: () => !busy}]`,
	}
	const works = `const began = Date.now(); let made = false; %s;
		Object.defineProperty(window, "busy", {get() {
			if (!made && Date.now() - began >= 1000) {
				made = true;
				document.body.insertAdjacentHTML("beforeend", "<a class=d href=/late.txt>late.txt</a>");
			}
			return !made;
		}});`
	const lies = `const busy = true; %s`
	const polls = `const busy = true; %s; setInterval(() => 0, 1000)`
	const throws = `window.sap = {ui: {getCore() { throw 1 }}}; window.AdfPage = 1; window.oj = null; window.getAllAngularTestabilities = () => 7; %s`
	scripts := map[string]string{"works": works, "lies": lies, "polls": polls, "throws": throws}
	portal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		parts := strings.Split(r.URL.Path, "/")
		if len(parts) != 4 {
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, "a text")
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Order %[1]s</title><body><h1 id=po>PO%[1]s</h1><a class=d href=/early.txt>early.txt</a><script>%[2]s</script>`,
			parts[3], fmt.Sprintf(scripts[parts[1]], interfaces[parts[2]]))
	}))
	t.Cleanup(func() { portal.CloseClientConnections(); portal.Close() })
	number := 1000
	read := func(t *testing.T, b *bench, kind, name string) tasks.Decision {
		t.Helper()
		number++
		text := fmt.Sprint(number)
		return b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO" + text, Digits: text, Dir: "PO" + text,
			URL: portal.URL + "/" + kind + "/" + strings.ReplaceAll(name, " ", "%20") + "/" + text}})
	}
	recipe := func(timeout, clock string) *scrape.Recipe {
		r, err := scrape.ReadRecipe("r.yaml", strings.NewReader("version: 1\nmode: render\nready: {timeout: "+timeout+", clock: "+clock+
			"}\nidentity: {selector: '#po'}\nattachments: {item: .d}\n"))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	shared := newBench(t, scrape.AutoRecipe())
	for _, clock := range []string{"virtual", "real"} {
		patient, hasty := shared.with(scrape.NewPortal(recipe("60s", clock), nil)), shared.with(scrape.NewPortal(recipe("2s", clock), nil))
		for _, name := range rows(scrape.Clock(clock), interfaces) {
			if d := read(t, patient, "works", name); d.Outcome != tasks.OutcomeComplete || len(d.Result.Attachments) != 2 {
				t.Errorf("%s, %s clock: a busy application: %s, %v; want two documents", name, clock, gist(d), d.Failure)
			}
			if name == "Angular" || clock == "real" && os.Getenv(thorough) == "" {
				continue
			}
			d := read(t, hasty, "lies", name)
			framework, _, _ := strings.Cut(name, ",")
			if d.Outcome == tasks.OutcomeComplete || d.Failure == nil || !strings.Contains(d.Failure.Error(), framework+" says that it is busy") {
				t.Errorf("%s, %s clock: one that is always busy: %s, %v", name, clock, gist(d), d.Failure)
			}
		}
		for kind, name := range map[string]string{"polls": "Angular", "throws": "none"} {
			if d := read(t, patient, kind, name); d.Outcome != tasks.OutcomeComplete || len(d.Result.Attachments) != 1 {
				t.Errorf("%s, %s clock: one that %s: %s, %v; want one document", name, clock, kind, gist(d), d.Failure)
			}
		}
	}
}
