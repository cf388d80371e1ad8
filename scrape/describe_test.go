package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// described returns what an order's page shows.
func described(t *testing.T, b *bench, url string, order portal.Order) (*scrape.Description, error) {
	t.Helper()
	task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: order.Number, Digits: strings.TrimPrefix(order.Number, "PO"), Dir: order.Number, URL: url + order.Path}}
	return b.scraper.Describe(t.Context(), task, nil)
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	p, url := portalkit.Start(t, portal.Config{Orders: 2, Variations: []portal.Variation{portal.Several, portal.SoftNotFound}})
	recipe := scrape.AutoRecipe()
	recipe.Mode = scrape.ModeRender
	b := newBench(t, recipe)
	order := p.Orders()[0]
	d, err := described(t, b, url, order)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []scrape.Find{
		{Locator: scrape.Locator{Kind: scrape.ByLabel, Label: "Supplier"}, Value: order.Supplier},
		{Locator: scrape.Locator{Kind: scrape.ByID, Selector: "#po-number"}, Value: order.Number, Shows: true},
	} {
		if !slices.ContainsFunc(d.Finds, func(f scrape.Find) bool {
			return f.Locator == want.Locator && f.Value == want.Value && f.Shows == want.Shows
		}) {
			t.Errorf("%+v is not among what was found", want)
		}
	}
	row := func(f scrape.Find) bool {
		return f.Kind == scrape.ByWords && f.Selector == ".hero-row" && slices.ContainsFunc(f.Values, func(text string) bool { return strings.Contains(text, order.Number) })
	}
	if !slices.ContainsFunc(d.Around, row) {
		t.Errorf("the words beside the number are not among %+v", d.Around)
	}
	documents := 0
	for _, c := range d.Controls {
		if c.Listed {
			documents++
		}
	}
	if documents != len(order.Documents) || len(d.Tables) != 1 || len(d.Tables[0].Rows) != len(order.Lines) || len(d.Tables[0].Found) == 0 {
		t.Errorf("there are %d documents and %d tables: %+v", documents, len(d.Tables), d.Tables)
	}
	all := func(g scrape.Group) bool { return g.Selector == "a.attachment" && len(g.Of) == documents }
	if !slices.ContainsFunc(d.Groups, all) {
		t.Errorf("no group has all documents: %+v", d.Groups)
	}
	aPlaceWithItsControl(t, b, order)
	aTabThatIsOpened(t, b, order)
	refused, err := described(t, b, url, p.Orders()[1])
	if f := tasks.AsFailure(err); f.Class != tasks.ClassNotFound || refused == nil || refused.Refusal == "" {
		t.Errorf("a page without an order is %+v, %v", refused, err)
	}
}

// aPlaceWithItsControl has a label in whose cell a control stands with more that is no value, ids that a server has
// made, a form whose control is called as what every element has, a class that is made of its styles, and a document
// that a script asks for, below elements whose names a selector has to escape.
func aPlaceWithItsControl(t *testing.T, b *bench, order portal.Order) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>Portal</title><h1>Order %[1]s</h1><table><tr><th>Required by<td><input name=due value=2026-11-20>
			<script>void "calendar"</script></table><h2>Contact</h2><p>Agent: Jane</p><form><input type=hidden name=id value=7><p>Paid by: <span class="css-bxmwoh ___1x2y fbxmwoh">Ann Lee</span></form><p>Vendor: <span id=ctl00_Main_lblVendor>Acme</span>
			<p><a id=ctl00_Main_gvDocs_ctl02_lnk href="javascript:__doPostBack('ctl02','')">Quote_12.pdf</a>
			<p><a href="get.do?id=17">Plan.pdf</a><p>Ship to: <b>Acme<br>Leeds</b>
			<div class=terms><flow:ref><flow:ref><div><h5>Order %[1]s</h5></div><div>Net 30</div></flow:ref></flow:ref></div>
			<p id=sum><i id=figure>12.00</i> <i>EUR</i>
			<div><span><a>Made from</a></span><span>RFQ-7</span></div>
			<select id=cur><option value=EUR>Euro<option value=USD selected>US dollar</select>`, order.Number)
	}))
	defer server.Close()
	d, err := described(t, b, server.URL, order)
	if err != nil {
		t.Fatal(err)
	}
	places := map[int]int{}
	for _, f := range d.Finds {
		if f.Label == "Required by" || f.Selector == `[name="due"]` {
			places[f.At]++
		}
	}
	if len(places) != 1 || len(d.Finds) == 0 {
		t.Errorf("a label and its control are at %v", places)
	}
	ends := func(f scrape.Find) bool { return f.Selector == `[id$="_lblVendor"]` && f.Value == "Acme" }
	if !slices.ContainsFunc(d.Finds, ends) {
		t.Errorf("the end of an id is not among what was found: %+v", d.Finds)
	}
	named := func(f scrape.Find) bool { return f.Label == "Paid by" && f.Value == "Ann Lee" }
	if !slices.ContainsFunc(d.Finds, named) {
		t.Errorf("what stands in a form is not among what was found: %+v", d.Finds)
	}
	if styled := func(f scrape.Find) bool { return strings.Contains(f.Selector, "bxmwoh") }; slices.ContainsFunc(d.Finds, styled) {
		t.Errorf("something is found by a class that is made of its styles: %+v", d.Finds)
	}
	code := func(f scrape.Find) bool { return f.Selector == "#cur" && f.Attr == "value" && f.Value == "USD" }
	if !slices.ContainsFunc(d.Around, code) {
		t.Errorf("the value of what is chosen is not among what was found: %+v", d.Around)
	}
	under := func(f scrape.Find) bool { return f.Label == "Agent" && f.Under == "Contact" && f.Value == "Jane" }
	if !slices.ContainsFunc(d.Finds, under) {
		t.Errorf("a label under its heading is not among what was found: %+v", d.Finds)
	}
	served := func(g scrape.Group) bool { return g.Selector == `a[href*="get.do?"]` && len(g.Of) == 1 }
	if !slices.ContainsFunc(d.Groups, served) {
		t.Errorf("a link is not found by what serves it: %+v", d.Groups)
	}
	raw := func(f scrape.Find) bool { return strings.Contains(f.Selector, "flow:ref") }
	if all := slices.Concat(d.Finds, d.Around); slices.ContainsFunc(all, raw) || !slices.ContainsFunc(all, func(f scrape.Find) bool { return strings.Contains(f.Selector, `flow\:ref`) }) {
		t.Errorf("a name of an element is not escaped, or is none of what was found: %+v", all)
	}
	linked := func(f scrape.Find) bool { return f.Label == "Made from" && f.Value == "RFQ-7" }
	if !slices.ContainsFunc(d.Finds, linked) {
		t.Errorf("a label that is a link is not among what was found: %+v", d.Finds)
	}
	of := func(selector string) scrape.Find {
		i := slices.IndexFunc(d.Finds, func(f scrape.Find) bool { return f.Selector == selector })
		return d.Finds[max(i, 0)]
	}
	if figure, sum := of("#figure"), of("#sum"); figure.Within != sum.At+1 || figure.At == sum.At {
		t.Errorf("a figure before its currency is %+v, the two are %+v", figure, sum)
	}
	lines := func(f scrape.Find) bool { return f.Label == "Ship to" && f.Value == "Acme Leeds" }
	if !slices.ContainsFunc(d.Finds, lines) {
		t.Errorf("a value of two lines is not among what was found: %+v", d.Finds)
	}
	asked := func(g scrape.Group) bool {
		return g.Selector == `[id$="_lnk"]` && len(g.Of) == 1 && d.Controls[g.Of[0]].Listed && d.Controls[g.Of[0]].Href == ""
	}
	if !slices.ContainsFunc(d.Groups, asked) {
		t.Errorf("a document that a script asks for is not found by the end of its id: %+v, %+v", d.Groups, d.Controls)
	}
}

// aTabThatIsOpened lists documents only once their tab is opened, and has buttons that say nothing beside files in
// another part.
func aTabThatIsOpened(t *testing.T, b *bench, order portal.Order) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>Portal</title><h1>Order %s</h1>
			<div role=tablist><button role=tab aria-selected=true>Overview</button><button role=tab id=t1 aria-controls=":r1j:" aria-selected=false
				onclick="this.setAttribute('aria-selected', 'true'); p1.hidden = false;
				p1.innerHTML = '<a class=doc href=/files/77/content>Quote</a>'">Documents (1)</button></div>
			<div role=tabpanel>Vendor: <b id=vendor>Acme</b><ul><li>plan.pdf <button class=icon><svg width=9 height=9></svg></button></ul></div>
			<div role=tabpanel id=p1 hidden></div><button aria-expanded=false>Liitteet (2)</button>`, order.Number)
	}))
	defer server.Close()
	d, err := described(t, b, server.URL, order)
	if err != nil {
		t.Fatal(err)
	}
	if d.Opened == nil || d.Opened.Text != "Documents (1)" || !slices.Contains(d.Opened.Selectors, "#t1") || !slices.Contains(d.Opened.Selectors, `[role="tablist"] > button:nth-of-type(2)`) {
		t.Fatalf("what was opened is %+v of %+v, not used are %q", d.Opened, d.Openers, d.Closed)
	}
	if slices.ContainsFunc(d.Opened.Selectors, func(one string) bool { return strings.Contains(one, "r1j") }) {
		t.Errorf("what a library has numbered is among %q", d.Opened.Selectors)
	}
	listed := func(c scrape.Control) bool { return c.Listed && c.Href == server.URL+"/files/77/content" }
	beside := func(c scrape.Control) bool { return !c.Listed && c.Beside == "plan.pdf" }
	closed := func(c scrape.Control) bool { return c.Closed && c.Text == "Liitteet (2)" }
	if !slices.ContainsFunc(d.Controls, listed) || !slices.ContainsFunc(d.Controls, beside) || !slices.ContainsFunc(d.Controls, closed) {
		t.Errorf("the controls are %+v", d.Controls)
	}
	if !slices.ContainsFunc(d.Finds, func(f scrape.Find) bool { return f.Selector == "#vendor" && f.Value == "Acme" && f.Seen }) {
		t.Errorf("what the page showed before is not among %+v", d.Finds)
	}
}
