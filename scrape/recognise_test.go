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
	"github.com/poscrape/poscrape/witness"
)

// order7 is the order of TestRecognised; its page shows the number and, from the sheet, the supplier.
const order7 = `<div><span>Order number</span> <b>PO7000007</b></div><p>Supplier: <b>Gamma Tools Ltd</b></p>`

// TestRecognised: a page that shows the order's number and a value of its row is the order's, whatever stands
// beside that; without the value, it is what it says.
func TestRecognised(t *testing.T) {
	t.Parallel()
	const listed = `<section><h2>Documents</h2><a href="/d.pdf">d.pdf</a></section>`
	cases := map[string]struct {
		body string
		// row and bare are the outcomes with the sheet's values, and without them.
		row, bare tasks.Outcome
	}{
		"another number in the title":     {`<title>Happy Day Books, Level 2: 9780784719244</title>` + order7 + listed, tasks.OutcomeComplete, tasks.OutcomeIdentityMismatch},
		"another number in the heading":   {`<title>Job</title><h1>Project Manager in Atlanta 30301</h1>` + order7 + listed, tasks.OutcomeComplete, tasks.OutcomeIdentityMismatch},
		"a heading that denies something": {`<title>The Christian Atheist</title><h1>Living as if He Doesn't Exist</h1>` + order7 + listed, tasks.OutcomeComplete, tasks.OutcomeComplete},
		"a title that is a refusal":       {`<title>Page not found: the novel</title>` + order7 + listed, tasks.OutcomeComplete, tasks.OutcomeNotFound},
		"a form to sign in above it":      {`<title>Sign in</title><div>User <input name=u> Password <input type=password></div>` + order7 + listed, tasks.OutcomeComplete, tasks.OutcomeSessionExpired},
		"an order that replaces it": {`<title>Orders</title><dl><dt>Order number<dd>PO7000008<dt>Reference order<dd>PO7000007<dt>Supplier<dd>Gamma Tools Ltd</dl>` + listed,
			tasks.OutcomeIdentityMismatch, tasks.OutcomeIdentityMismatch},
		"a number that is only referred to": {`<title>Orders</title><h1>Purchase order PO7000008</h1><dl><dt>PO reference<dd>PO7000007<dt>Supplier<dd>Gamma Tools Ltd</dl>` + listed,
			tasks.OutcomeIdentityMismatch, tasks.OutcomeIdentityMismatch},
		"a number that is referred to in a table": {`<title>Orders</title><h1>Purchase order PO7000008</h1><p>Supplier: <b>Gamma Tools Ltd</b></p><table><tr><th>Reference PO<td>PO7000007</table>` + listed,
			tasks.OutcomeIdentityMismatch, tasks.OutcomeIdentityMismatch},
		"a list with one entry": {`<title>Orders</title><dl><dt>Order number<dd><a href="/orders/PO7000007">PO7000007</a><dt>Supplier<dd>Gamma Tools Ltd</dl>` + listed,
			tasks.OutcomeIdentityMismatch, tasks.OutcomeIdentityMismatch},
		"a link to itself": {`<title>Orders</title><dl><dt>Order number<dd><a href="#top">PO7000007</a><dt>Supplier<dd>Gamma Tools Ltd</dl>` + listed, tasks.OutcomeComplete, tasks.OutcomeComplete},
	}
	mux := http.NewServeMux()
	for name, c := range cases {
		mux.HandleFunc("/case/"+strings.ReplaceAll(name, " ", "-"), func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html>", c.body)
		})
	}
	mux.HandleFunc("/d.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprintf(w, "%%PDF-1.4\nd\n%%%%EOF\n")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	columns := []string{"po", "supplier"}
	rows := []tasks.Row{{Line: 2, Cells: []string{"PO7000007", "Gamma Tools Ltd"}}}
	values := witness.NewValues(columns, nil, map[string]int{"po": 0})
	values.See(rows)
	shared := newBench(t, scrape.AutoRecipe())
	for _, known := range []bool{true, false} {
		portal := scrape.NewPortal(scrape.AutoRecipe(), columns)
		if known {
			portal.ReadRows(values)
		}
		b := shared.with(portal)
		for name, c := range cases {
			task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO7000007", Digits: "7000007", Dir: "x" + uuid.NewString(), Rows: rows,
				URL: server.URL + "/case/" + strings.ReplaceAll(name, " ", "-")}}
			d, want := b.work(t, task), c.bare
			if known {
				want = c.row
			}
			if d.Outcome != want {
				t.Errorf("%s, row known %v: got %s, want %s: %s", name, known, d.Outcome, want, failureText(d))
			}
		}
	}
}

// TestFieldsRecognise: where the sheet has no values, a page that shows the number where the recipe says and every
// field that most pages of its kind show is the order's as well.
func TestFieldsRecognise(t *testing.T) {
	t.Parallel()
	pages := map[string]string{
		"with":    `<title>t</title><h1>Living as if He Doesn't Exist: not found</h1><b id=po>PO7000007</b><p id=supplier>Gamma Tools Ltd</p><a class=att href="/d.pdf">d.pdf</a>`,
		"without": `<title>t</title><h1>Order not found</h1><p>Your order <b id=po>PO7000007</b></p>`,
	}
	mux := http.NewServeMux()
	for name, body := range pages {
		mux.HandleFunc("/"+name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html>", body)
		})
	}
	mux.HandleFunc("/d.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprintf(w, "%%PDF-1.4\nd\n%%%%EOF\n")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe, err := scrape.ReadRecipe("r.yaml", strings.NewReader("version: 1\nidentity: {selector: '#po'}\nfields: {supplier: {selector: '#supplier'}}\nattachments: {item: .att}\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, recipe)
	for name, want := range map[string]tasks.Outcome{"with": tasks.OutcomeComplete, "without": tasks.OutcomeNotFound} {
		d := b.work(t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO7000007", Digits: "7000007", Dir: "x" + uuid.NewString(), URL: server.URL + "/" + name}})
		if d.Outcome != want {
			t.Errorf("%s: got %s, want %s: %s", name, d.Outcome, want, failureText(d))
		}
	}
}
