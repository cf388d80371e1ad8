package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// several are pages on which a field that has several locators is, and what is read there.
var several = map[string]struct{ body, value, err string }{
	"all find it":          {body: `<dl><dt>Terms</dt><dd id="terms">30 days</dd></dl>`, value: "30 days"},
	"the label is lost":    {body: `<dl><dt>Zahlungsziel</dt><dd id="terms">30 days</dd></dl>`, value: "30 days"},
	"the selector is lost": {body: `<dl><dt>Terms</dt><dd>30 days</dd></dl>`, value: "30 days"},
	"they disagree":        {body: `<dl><dt>Terms</dt><dd>30 days</dd></dl><p id="terms">60 days</p>`, err: `its locators show different values: "30 days", "60 days"`},
	"one finds several":    {body: `<dl><dt>Terms</dt><dd id="terms">30 days</dd></dl><p id="terms">60 days</p>`, value: "30 days"},
	"one finds several others": {body: `<dl><dt>Terms</dt><dd>30 days</dd></dl><p id="terms">60 days</p><p id="terms">90 days</p>`,
		err: `its locators show different values: "30 days", "60 days", "90 days"`},
	"a part of one":         {body: `<p class="line">Terms: 30 days</p>`, value: "30 days"},
	"a part, without label": {body: `<p class="line">Zahlungsziel: 30 days</p>`, value: "30 days"},
	"a part disagrees":      {body: `<p id="terms">30 days</p><p class="line">Zahlungsziel: 60 days</p>`, err: `its locators show different values: "30 days", "60 days"`},
	"no such part":          {body: `<p id="terms">30 days</p><p class="line">60 days</p>`, value: "30 days"},
	"none finds it":         {body: `<p>Hello</p>`},
}

func TestAFieldOfSeveralLocators(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/case/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Portal</title><h1>Order <b id=po>PO1001</b></h1>%s`, several[r.PathValue("name")].body)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe, err := scrape.ReadRecipe("also.yaml", strings.NewReader("version: 1\nidentity: {selector: '#po'}\nmode: render\n"+
		"fields: {terms: {label: Terms, also: ['#terms', {selector: .line, match: '^[^:]+: (.+)$'}], required: true}, days: {label: Terms, also: ['#terms', .line], match: '(\\d+) days'}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, recipe)
	for name, c := range several {
		d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: server.URL + "/case/" + name}})
		if d.Result == nil {
			t.Errorf("%s: %s, %s", name, d.Outcome, failureText(d))
			continue
		}
		got := d.Result.Fields["terms"]
		if got.Raw != c.value || got.Error != c.err {
			t.Errorf("%s: got %q and %q, want %q and %q", name, got.Raw, got.Error, c.value, c.err)
		}
		if days := d.Result.Fields["days"]; c.err != "" && days.Error == "" {
			t.Errorf("%s: a part of it is %+v", name, days)
		}
		if complete := d.Outcome == tasks.OutcomeComplete; complete != (c.value != "") {
			t.Errorf("%s: got %s (%s)", name, d.Outcome, failureText(d))
		}
	}
}
