package scrape_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestExpand clicks what shows documents before they are looked for.
func TestExpand(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	doc := func(name string) string { return "<a class=doc href=/doc/" + name + ">" + name + "</a>" }
	cases := map[string]struct {
		page, expand string
		outcome      tasks.Outcome
		documents    int
		why          string
	}{
		"a toggle":       {`<button id=x onclick="setTimeout(() => { list.innerHTML = list.innerHTML ? '' : more.innerHTML }, 300)">Comments</button>`, `["#x"]`, "complete", 2, ""},
		"one by one":     {`<button id=x onclick="y.hidden = false">Activity</button><button id=y hidden onclick="list.innerHTML = more.innerHTML">Comments</button>`, `["#x", "#y"]`, "complete", 2, ""},
		"each of many":   {strings.Repeat(`<button class=x onclick="list.insertAdjacentHTML('beforeend', '<p>' + '`+doc("N.pdf")+`'.replaceAll('N', list.children.length))">Comment</button>`, 3), `[".x"]`, "complete", 3, ""},
		"another tab":    {`<p id=tab>Payment terms: 30 days</p><button id=x onclick="tab.innerHTML = ''; list.innerHTML = more.innerHTML">Documents</button>`, `["#x"]`, "complete", 2, ""},
		"open already":   {`<button id=x aria-expanded=true onclick="list.innerHTML = ''">Comments</button><script>onload = () => { list.innerHTML = more.innerHTML }</script>`, `["#x"]`, "complete", 2, ""},
		"while it polls": {`<script>let n = 0; setInterval(() => n++, 200)</script><button id=x onclick="if (n < 35) list.innerHTML = more.innerHTML">Documents</button>`, `["#x"]`, "complete", 2, ""},
		"not there":      {`<script>onload = () => { list.innerHTML = more.innerHTML }</script>`, `["#x"]`, "complete", 2, ""},
		"it rolls":       {`<button id=x onclick="fill()">Comments</button><div id=box style="height:50px;overflow:auto"></div><script>let n = 0; const fill = () => { for (let i = 0; i < 5 && n < 10; i++) box.innerHTML += '<p>` + doc("N.pdf") + `'.replaceAll("N", ++n) }; box.onscroll = () => { if (n) fill() }; onload = () => { list.innerHTML = '` + doc("0.pdf") + `' }</script>`, `["#x"]`, "complete", 11, ""},
		"there is more":  {`<script>onload = () => { list.innerHTML = more.innerHTML }</script><section><h2>Documents</h2><div id=there></div><button id=x onclick="there.innerHTML += '` + doc("3.pdf") + `'">Load more</button></section>`, `["#x"]`, "partial", 3, "Load more"},
		"all that is":    {`<p>Supplier: ACME</p><p>Total: 1,234.50 EUR</p><button id=x onclick="list.innerHTML = more.innerHTML">Accept</button>`, `["#x"], optional: true`, "partial", 0, "\"Accept\" says that it does more"},
		"harmful":        {`<script>onload = () => { list.innerHTML = more.innerHTML }</script><button id=x onclick="list.innerHTML = ''">Delete documents</button>`, `["#x"]`, "complete", 2, ""},
	}
	shared := newBench(t, scrape.AutoRecipe())
	for _, clock := range []scrape.Clock{scrape.ClockVirtual, scrape.ClockReal} {
		for _, name := range rows(clock, cases) {
			if name == "while it polls" && clock == scrape.ClockVirtual {
				continue // it polls as fast as it can
			}
			c := cases[name]
			t.Run(name+" "+string(clock), func(t *testing.T) {
				url := serveText(t, map[string]string{"/order": `<h1 id=po>Order QUERY</h1>` + c.page + `<div id=list></div><template id=more>` + doc("1.pdf") + doc("2.pdf") + `</template>`})
				recipe := recipeOf(t, url, "ready: {clock: "+string(clock)+"}\nidentity: {selector: '#po'}\nfields: {terms: {label: Payment terms}}\nattachments: {item: a.doc, expand: "+c.expand+"}\n")
				d := shared.with(scrape.NewPortal(recipe, nil)).attempt(t.Context(), t, orderAt("PO1001", url+"/order?q=PO1001"))
				if d.Outcome != c.outcome || d.Result == nil || len(d.Result.Attachments) != c.documents || c.why != "" && !strings.Contains(d.Failure.Message, c.why) {
					t.Errorf("got %s, %+v, %+v, want %s with %d", d.Outcome, d.Failure, d.Result, c.outcome, c.documents)
				}
				met := func(l tasks.Look) bool { return l.Where == "fields.terms.selector" && l.Met == 1 }
				if name == "another tab" && (d.Result.Fields["terms"].Value != "30 days" || !slices.ContainsFunc(d.Result.Looks, met)) {
					t.Errorf("the tab's field is %+v, of %+v", d.Result.Fields["terms"], d.Result.Looks)
				}
			})
		}
	}
}
