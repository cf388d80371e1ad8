package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

const fieldsRecipe = `version: 1
name: fields
ready: {selector: "#po"}
identity: {selector: "#po"}
not_found: {selector: .missing}
fields:
  supplier: {selector: .supplier, required: true}
  total: {selector: .total, type: amount, locale: en}
  issued: {selector: .issued, type: date}
  buyer: {selector: .byuer}
  approved: {selector: .approved, attr: titel}
lines: {row: "#lines tr", columns: {sku: .sku, price: .prcie}}
`

// TestWholePageIsNoValue reads with selectors that meet all of the page.
func TestWholePageIsNoValue(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>x</title><main><h1>Order <b id=po>PO1001</b></h1><p id=s>ACME</p></main>`)
	}))
	t.Cleanup(func() { testkit.EndServer(server) })
	shared := newBench(t, scrape.AutoRecipe())
	for text, want := range map[string]tasks.Outcome{
		"identity: {selector: '#po'}\nfields: {supplier: {selector: '#s', required: true}}":   tasks.OutcomeComplete,
		"identity: {selector: '#po'}\nfields: {supplier: {selector: 'body', required: true}}": tasks.OutcomePartial,
		"identity: {selector: 'body'}\nfields: {supplier: {selector: '#s', required: true}}":  tasks.OutcomeIdentityMismatch,
	} {
		recipe, err := scrape.ReadRecipe("whole.yaml", strings.NewReader("version: 1\n"+text+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		d := shared.with(scrape.NewPortal(recipe, nil)).work(t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: server.URL}})
		if d.Outcome != want {
			t.Errorf("%s: got %s, want %s: %s", text, d.Outcome, want, failureText(d))
		}
	}
}

// TestFields reads pages whose values are there, are several, cannot be read or are still on
// their way, with a recipe that asks for no documents.
func TestFields(t *testing.T) {
	t.Parallel()
	const whole = `<p class=supplier>ACME</p><p class=total>1,250.00</p><p class=issued>2026-03-01</p>`
	type value struct{ value, err string }
	cases := map[string]struct {
		body      string
		outcome   tasks.Outcome
		total     value
		ambiguous bool
		// unreadable are the selectors whose values could not be read.
		unreadable []string
	}{
		"all of them":                    {whole, tasks.OutcomeComplete, value{"1250.00", ""}, false, nil},
		"an amount in words":             {strings.Replace(whole, "1,250.00", "on request", 1), tasks.OutcomeComplete, value{"", "on request"}, false, []string{"fields.total.selector"}},
		"a date in words":                {strings.Replace(whole, "2026-03-01", "in spring", 1), tasks.OutcomeComplete, value{"1250.00", ""}, false, []string{"fields.issued.selector"}},
		"an attribute that is not there": {whole + `<p class=approved title=2026-03-01>1 March</p>`, tasks.OutcomeComplete, value{"1250.00", ""}, false, []string{"fields.approved.selector"}},
		"an empty amount":                {strings.Replace(whole, "1,250.00", "", 1), tasks.OutcomeComplete, value{}, false, nil},
		"a dash for an amount":           {strings.Replace(whole, "1,250.00", "—", 1), tasks.OutcomeComplete, value{}, false, nil},
		"an amount that loads":           {strings.Replace(whole, "1,250.00", "Loading…", 1), tasks.OutcomePartial, value{"", "loading"}, false, []string{"fields.total.selector"}},
		"a supplier that loads":          {strings.Replace(whole, "ACME", "Loading...", 1), tasks.OutcomePartial, value{"1250.00", ""}, false, []string{"fields.supplier.selector"}},
		"two suppliers":                  {whole + `<p class=supplier>Other Inc.</p>`, tasks.OutcomePartial, value{"1250.00", ""}, true, nil},
		"the same supplier twice":        {whole + `<p class=supplier> ACME</p>`, tasks.OutcomeComplete, value{"1250.00", ""}, false, nil},
		"another one is hidden":          {`<p class=supplier hidden>Other Inc.</p>` + whole, tasks.OutcomeComplete, value{"1250.00", ""}, false, nil},
		"another order is kept hidden":   {`<div hidden><h2>Order PO2002</h2><p class=supplier>Other Inc.</p></div><p class=total>1,250.00</p><p class=issued>2026-03-01</p>`, tasks.OutcomePartial, value{"1250.00", ""}, false, nil},
		"no supplier chosen":             {strings.Replace(whole, `<p class=supplier>ACME</p>`, `<select class=supplier><option value="">Choose<option>ACME</select>`, 1), tasks.OutcomePartial, value{"1250.00", ""}, false, nil},
		"a box that is not ticked":       {strings.Replace(whole, `<p class=supplier>ACME</p>`, `<input type=checkbox class=supplier value=ACME>`, 1), tasks.OutcomePartial, value{"1250.00", ""}, false, nil},
		"a supplier like a book":         {strings.Replace(whole, "ACME", strings.Repeat("long ", 20000), 1), tasks.OutcomePartial, value{"1250.00", ""}, false, []string{"fields.supplier.selector"}},
		"no supplier":                    {strings.Replace(whole, "class=supplier", "", 1), tasks.OutcomePartial, value{"1250.00", ""}, false, nil},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/case/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Portal</title><h1>Order <b id=po>PO1001</b></h1>%s<table id=lines><tr><td class=sku>A<tr><td class=sku>B</table>`, cases[r.PathValue("name")].body)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe, err := scrape.ReadRecipe("fields.yaml", strings.NewReader(fieldsRecipe))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, recipe)
	for name, c := range cases {
		d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: server.URL + "/case/" + name}})
		if d.Result == nil {
			t.Errorf("%s: %s, %v", name, d.Outcome, d.Failure)
			continue
		}
		if d.Result.Outcome != c.outcome {
			t.Errorf("%s: got %s, want %s (%v)", name, d.Result.Outcome, c.outcome, failureText(d))
		}
		if got := d.Result.Fields["total"]; got.Value != c.total.value || !strings.Contains(got.Error, c.total.err) || c.total.err == "" && got.Error != "" {
			t.Errorf("%s: the total is %+v", name, got)
		}
		if got := d.Result.Fields["supplier"].Ambiguous; got != c.ambiguous {
			t.Errorf("%s: ambiguous is %v", name, got)
		}
		var unreadable []string
		met := map[string]int{}
		for _, look := range d.Result.Looks {
			met[look.Where] = look.Met
			if look.Unreadable {
				unreadable = append(unreadable, look.Where)
			}
		}
		if !slices.Equal(unreadable, c.unreadable) {
			t.Errorf("%s: unreadable are %v, want %v", name, unreadable, c.unreadable)
		}
		for where, want := range map[string]int{"ready.selector": 1, "identity.selector": 1, "not_found.selector": 0, "fields.total.selector": 1, "fields.buyer.selector": 0, "lines.row": 2, "lines.columns.sku": 2, "lines.columns.price": 0} {
			if got, there := met[where]; !there || got != want {
				t.Errorf("%s: %s met %d (%v), want %d", name, where, got, there, want)
			}
		}
	}
}

// TestLooks: what each selector met is told of an order's own page, and of failures too, but
// not of refusals nor of other orders.
func TestLooks(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		body string
		want map[string]int
	}{
		"documents":               {`<b id=po>PO1001</b><ul><li class=doc><a href="/a.pdf"><i class=name>a</i></a><li class=doc><a href="/b.pdf">b</a><li class="doc help"><a href="/h">h</a></ul>`, map[string]int{"identity.selector": 1, "not_found.selector": 0, "attachments.item": 3, "attachments.name": 1, "attachments.exclude[0]": 1, "attachments.exclude[1]": 0}},
		"none":                    {`<b id=po>PO1001</b><p class=none>none</p>`, map[string]int{"identity.selector": 1, "not_found.selector": 0, "attachments.item": 0, "attachments.none": 1, "attachments.exclude[0]": 0, "attachments.exclude[1]": 0}},
		"no identity":             {`<b>PO1001</b><p>` + strings.Repeat("text ", 100), map[string]int{"identity.selector": 0, "not_found.selector": 0, "attachments.item": 0, "attachments.none": 0, "attachments.exclude[0]": 0, "attachments.exclude[1]": 0}},
		"another order":           {`<b id=po>PO1002</b>`, nil},
		"a refusal by the recipe": {`<h1>Order</h1><p class=gone>It is not here.</p>`, map[string]int{"not_found.selector": 1}},
		"a refusal":               {`<h1>Order not found</h1>`, nil},
		"a refusal and files":     {`<h1>Order not found</h1><p class=doc><a href="/a.pdf">a</a>`, nil},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/case/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Portal</title>`, cases[r.PathValue("name")].body)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 content")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe, err := scrape.ReadRecipe("looks.yaml", strings.NewReader("version: 1\nname: looks\nidentity: {selector: '#po'}\nnot_found: {selector: .gone}\nattachments: {item: .doc, name: .name, none: .none, exclude: [.help, .hlep]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, recipe)
	for name, c := range cases {
		d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: server.URL + "/case/" + name}})
		var looks []tasks.Look
		if d.Result != nil {
			looks = d.Result.Looks
		} else if d.Failure != nil {
			looks = d.Failure.Looks
		}
		if len(looks) != len(c.want) {
			t.Errorf("%s: got %+v, want %v (%s, %v)", name, looks, c.want, d.Outcome, failureText(d))
			continue
		}
		for _, look := range looks {
			if want, there := c.want[look.Where]; !there || look.Met != want {
				t.Errorf("%s: %s met %d, want %d (%v)", name, look.Where, look.Met, want, there)
			}
		}
	}
}
