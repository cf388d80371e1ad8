package scrape_test

import (
	"fmt"
	"maps"
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

// labelled are pages, and what their payment terms are.
var labelled = map[string]struct {
	body, value string
	ambiguous   bool
}{
	"a definition list":                {body: `<dl><dt>Supplier</dt><dd>ACME</dd><dt>Payment terms</dt><dd>30 days</dd></dl>`, value: "30 days"},
	"in divisions":                     {body: `<dl><div><dt>Payment terms:</dt><dd> 30 <b>days</b></dd></div></dl>`, value: "30 days"},
	"two definitions":                  {body: `<dl><dt>Payment terms</dt><dd>30 days</dd><dd>60 days</dd></dl>`, value: "30 days", ambiguous: true},
	"cells":                            {body: `<table><tr><th>Supplier<td>ACME<tr><th>PAYMENT  TERMS<td>30 days</table>`, value: "30 days"},
	"plain cells":                      {body: `<table><tr><td>Supplier<td>ACME<tr><td>Payment terms :<td>30 days</table>`, value: "30 days"},
	"four cells, with colons":          {body: `<table><tr><td>Supplier:<td>ACME<td>Payment terms:<td>30 days<tr><td>Buyer:<td>Jane<td>Site:<td>Leeds</table>`, value: "30 days"},
	"four cells, all alike":            {body: `<table><tr><td>Supplier<td>Payment terms<td>Requester<td>Site<tr><td>ACME<td>30 days<td>Jane<td>Leeds</table>`, value: "Requester", ambiguous: true},
	"a column":                         {body: `<table><thead><tr><th>Supplier<th>Payment terms<tbody><tr><td>ACME<td>30 days</table>`, value: "30 days"},
	"a column of several":              {body: `<table><tr><th>Supplier<th>Payment terms</tr><tr><td>ACME<td>30 days<tr><td>ACME<td>60 days</table>`, value: "30 days", ambiguous: true},
	"a grid of roles":                  {body: `<div role=table><div role=row><span role=rowheader>Payment terms</span><span role=cell>30 days</span></div></div>`, value: "30 days"},
	"a label for an input":             {body: `<label for=t>Payment terms *</label> <input id=t value="30 days">`, value: "30 days"},
	"a label around an input":          {body: `<label>Payment terms <input value="30 days"></label>`, value: "30 days"},
	"a label around a select":          {body: `<label>Payment terms <select><option>60 days<option selected>30 days</select></label>`, value: "30 days"},
	"a label and a select":             {body: `<label for=t>Payment terms</label><select id=t><option>60 days<option selected>30 days</select>`, value: "30 days"},
	"an input in a cell":               {body: `<table><tr><th>Payment terms<td><input type=hidden value=x><input value="30 days"></table>`, value: "30 days"},
	"an input in its own part":         {body: `<div><div><div>Payment terms</div><p><input value="30 days"></p></div><div><div>Buyer</div><p><input value=Jane></p></div></div>`, value: "30 days"},
	"an input in a hidden part":        {body: `<div hidden><div><div>Payment terms</div><p><input value="30 days"></p></div><div><div>Buyer</div><p><input value=Jane></p></div></div>`, value: "30 days"},
	"a hidden input in the label":      {body: `<div><div>Payment terms <input hidden value=x></div><div>30 days</div></div>`, value: "30 days"},
	"inputs in its own part":           {body: `<div><div><div>Payment terms</div><p><input value=30><input value=days></p></div><div><div>Buyer</div><p><input value=Jane></p></div></div>`},
	"an accessible name":               {body: `<input aria-label="Payment terms" value="30 days">`, value: "30 days"},
	"a name elsewhere":                 {body: `<div><span id=l>Payment terms</span></div><p><span aria-labelledby="x l">30 days</span></p>`, value: "30 days"},
	"two divisions":                    {body: `<div><div>Payment terms</div><div>30 days</div></div>`, value: "30 days"},
	"rows of two divisions":            {body: `<main><div><div>Supplier</div><div>ACME</div></div><div><div>Payment terms</div><div>30 days</div></div><div><div>Buyer</div><div>Jane</div></div></main>`, value: "30 days"},
	"wrapped divisions":                {body: `<div><div><span class=caption>Payment terms</span></div><div class=v><span>30 days</span></div></div>`, value: "30 days"},
	"pairs in one part":                {body: `<div><span class=l>Supplier</span><span class=v>ACME</span><span class=l>Payment terms</span><span class=v>30 days</span></div>`, value: "30 days"},
	"two columns":                      {body: `<div><div><p>Payment terms</p><p>Supplier</p></div><div><p>30 days</p><p>ACME</p></div></div>`, value: "Supplier", ambiguous: true},
	"a column of three":                {body: `<div><p>Payment terms</p><p>Supplier</p><p>Buyer</p></div><div><p>30 days</p><p>ACME</p><p>Jane</p></div>`},
	"in one element":                   {body: `<p>Payment terms: 30 days</p>`, value: "30 days"},
	"in one line of several":           {body: `<p>Supplier: ACME<br>Payment terms: 30 days<br>Buyer: Jane</p>`, value: "30 days"},
	"one after the other":              {body: `<p>Payment terms: <b>30 days</b> Currency: <b>EUR</b></p>`, value: "30 days"},
	"bold labels":                      {body: `<p><b>Payment terms</b>: 30 days <b>Currency</b>: EUR</p>`, value: "30 days"},
	"bold labels with colons":          {body: `<p><b>Payment terms:</b> 30 days<br><b>Currency:</b> EUR</p>`, value: "30 days"},
	"links behind a value":             {body: `<ul><li><span>Payment terms:</span> 30 days | <a href=/t>Explain</a> | <a href=/a>All terms</a></li></ul>`, value: "30 days"},
	"a link among values":              {body: `<ul><li><span>Payment terms:</span> 30 days | <a href=/t>60 days</a> | 90 days</li></ul>`, value: "30 days | 60 days | 90 days"},
	"fields called like properties, 1": {body: "<form>" + hiding + `<dl><dt>Payment terms</dt><dd>30 days</dd></dl></form>`, value: "30 days"},
	"fields called like properties, 2": {body: "<form>" + hiding + `<p><b>Payment terms</b>: 30 days</p></form>`, value: "30 days"},
	"a text and a bold value":          {body: `<p>Payment terms <b>30 days</b></p>`, value: "30 days"},
	"a value of two lines":             {body: `<p>Payment terms: <b>30<br>days</b></p>`, value: "30 days"},
	"preformatted":                     {body: "<pre>Supplier: ACME\nPayment terms: 30 days\nBuyer: Jane</pre>", value: "30 days"},
	"a wide colon":                     {body: `<p>Payment terms：30 days</p>`, value: "30 days"},
	"a non-breaking space":             {body: `<dl><dt>Payment&nbsp;terms&nbsp;:</dt><dd>30 days</dd></dl>`, value: "30 days"},
	"a heading":                        {body: `<h3>Payment terms</h3><p>30 days</p>`, value: "30 days"},
	"a longer label":                   {body: `<dl><dt>Payment terms of the buyer</dt><dd>60 days</dd></dl><p>Our payment terms: 60 days</p>`},
	"tabs":                             {body: `<div role=tablist><button role=tab>Payment terms</button><button role=tab>Lines</button></div><nav><a href="#">Payment terms</a><a href="#">Lines</a></nav>`},
	"a heading of its own part":        {body: `<dl><dt>Payment terms</dt><dd>30 days</dd></dl><section><h2>Payment terms</h2><img alt=""><div class=more><p>See the <b>contract</b></p></div></section>`, value: "30 days"},
	"a heading above a table":          {body: `<h3>Payment terms</h3><div><table><tr><td>1<td>Bolt</table></div>`},
	"a hidden one beside it":           {body: `<dl hidden><dt>Payment terms</dt><dd>60 days</dd></dl><dl><dt>Payment terms</dt><dd>30 days</dd></dl>`, value: "30 days"},
	"only a hidden one":                {body: `<dl hidden><dt>Payment terms</dt><dd>30 days</dd></dl>`, value: "30 days"},
	"twice the same":                   {body: `<dl><dt>Payment terms</dt><dd>30 days</dd></dl><p>Payment terms: 30 days</p>`, value: "30 days"},
	"twice, and different":             {body: `<dl><dt>Payment terms</dt><dd>30 days</dd></dl><p>Payment terms: 60 days</p>`, value: "30 days", ambiguous: true},
	"a password":                       {body: `<label>Payment terms <input type=password value=secret></label>`},
	"a box to tick":                    {body: `<label for=t>Payment terms</label><input id=t type=checkbox checked>`},
	"a script and a placeholder":       {body: `<script>var x = "Payment terms: 60 days"</script><template><dl><dt>Payment terms</dt><dd>60 days</dd></dl></template>`},
	"another order's part":             {body: `<section><h2>Order PO2002</h2><dl><dt>Payment terms</dt><dd>60 days</dd></dl></section>`},
	"a part of related orders":         {body: `<aside><h3>Related orders</h3><dl><dt>Payment terms</dt><dd>60 days</dd></dl></aside>`},
	"an order kept hidden":             {body: `<div hidden><h2>Order PO2002</h2><p>Payment terms: 60 days</p></div>`},
	"a filter":                         {body: `<form><label>Payment terms <select><option>60 days</select></label><button>Search</button></form>`},
	"nothing chosen":                   {body: `<label>Payment terms <select><option value="">Please select<option>30 days</select></label>`},
	"a hint that is not shown":         {body: `<div><div>Payment terms<i hidden>in days</i></div><div>30 days</div></div>`, value: "30 days"},
	"a row below columns":              {body: `<table><tr><th>Item<th>Qty<th>Price<tr><td>Payment terms<td>30 days<td>60 days</table>`, value: "30 days", ambiguous: true},
	"bold heads of columns":            {body: `<table><tr><td><b>Supplier</b><td><b>Payment terms</b><td><b>Site</b><tr><td>ACME<td>30 days<td>Leeds</table>`, value: "30 days"},
	"bold values, after colons":        {body: `<table><tr><td><b>Supplier:</b><td><b>ACME</b><td><b>Payment terms:</b><td><b>30 days</b><tr><td><b>Buyer:</b><td><b>Jane</b><td><b>Site:</b><td><b>Leeds</b></table>`, value: "30 days"},
	"all is bold":                      {body: `<table><tr><td><b>Payment terms</b><td><b>30 days</b><tr><td><b>Site</b><td><b>Leeds</b></table>`, value: "30 days"},
	"all is bold, in the last row":     {body: `<table><tr><td><b>Site</b><td><b>Leeds</b><tr><td><b>Payment terms</b><td><b>30 days</b></table>`, value: "30 days"},
	"another field's label":            {body: `<table><tr><td>Payment terms<td>Buyer<tr><td>60 days<td>Jane</table>`},
	"a label without a value":          {body: `<p><b>Payment terms</b><br><b>Currency</b> EUR</p>`},
	"a term that has none":             {body: `<dl><dt>Payment terms</dt><dt>Currency</dt><dd>EUR</dd></dl>`},
	"a list and a way to it":           {body: `<table><tr><th>Payment terms <font>*</font><td><select><option>60 days<option selected>30 days</select> <a href=/terms target=_blank>?</a></table>`, value: "30 days"},
	"an input and its unit":            {body: `<table><tr><th>Payment terms<td><input size=3 value=30> <b>days</b></table>`, value: "30 days"},
	"an input and its script":          {body: `<table><tr><th>Payment terms<td><input value="30 days"><script>var calendar = {}</script></table>`, value: "30 days"},
	"a list in a table of its own":     {body: `<table><tr><th>Payment terms<td><table><tr><td><select><option>60 days<option selected>30 days</select><td></table></table>`, value: "30 days"},
	"a list and what belongs to it":    {body: `<table><tr><th>Payment terms<td><table><tr><td><select><option>60 days<option selected>30 days</select><th>Discount *<td><input value=2></table></table>`, value: "30 days"},
	"one of two choices":               {body: `<table><tr><th>Payment terms<td><input type=radio> 60 days <input type=radio checked> 30 days</table>`, value: "30 days"},
	"a button beside a value":          {body: `<table><tr><th>Payment terms<td><b>30</b> days <input type=submit value=Change><button>Copy</button></table>`, value: "30 days"},
	"a group with its label in it":     {body: `<div role=group aria-label="Payment terms"><div><div><span>Payment terms</span></div></div><div><div><span>30 days</span></div></div></div>`, value: "30 days"},
	"a colon in its own cell":          {body: `<table><tr><td>Supplier<td>:<td>ACME<tr><td>Payment terms<td>:<td>30 days</table>`, value: "30 days"},
	"a colon in its own element":       {body: `<p><span>Payment terms</span><span>:</span><span>30 days</span></p>`, value: "30 days"},
	"a column that parts":              {body: `<table><tr><td class=l>Supplier<td><td class=v>ACME<tr><td class=l>Payment terms<td><td class=v>30 days</table>`, value: "30 days"},
	"a spacer and tables within":       {body: `<table><tr><td class=c>Payment terms:<td>&nbsp;<td><table><tr><td><span>30 days</span></table><td class=c>Site:<td>&nbsp;<td>Leeds<tr><td class=c>Buyer:<td>&nbsp;<td>Jane<td class=c>Plant:<td>&nbsp;<td>Hull<tr><td class=c>Kind:<td>&nbsp;<td>A<td><td><td></table>`, value: "30 days"},
	"values that are empty":            {body: `<table><tr><td class=c>Payment terms:<td>&nbsp;<td class=c>Site:<td>&nbsp;<tr><td class=c>Buyer:<td>&nbsp;<td class=c>Plant:<td>&nbsp;<tr><td class=c>Kind:<td>&nbsp;<td class=c>Note:<td>&nbsp;</table>`},
	"four cells, two empty":            {body: `<table><tr><td class=l>Payment terms<td class=v><td class=l>Site<td class=v>Leeds<tr><td class=l>Note<td class=v><td class=l>Buyer<td class=v>Jane</table>`},
	"a value above its label":          {body: `<div><h5>ACME</h5><small>Supplier</small></div><div><h5>30 days</h5><small>Payment terms</small></div><div><h5>12.00</h5><small>Total</small></div>`, value: "30 days"},
	"a label with a number, below":     {body: `<div><h5>ACME</h5><small>Supplier</small></div><div><h5>30 days</h5><small>Payment terms</small></div><div><h5>12.00</h5><small>Total</small></div><div><h5>2.00</h5><small>VAT 20 %</small></div><div><h5>Leeds 1</h5><small>Site</small></div><div><h5>Jane</h5><small>Buyer</small></div>`, value: "30 days"},
	"a value that is a label's text":   {body: `<div><b>Kind</b><i>Payment terms</i></div><div><b>Line 1</b><i>30 days</i></div><div><b>Total</b><i>12.00</i></div>`},
	"parts with the same label":        {body: `<p>Payment terms: 30 days</p><fieldset><legend>Bill to</legend><div>Site: Leeds</div></fieldset><div><div><h3>Ship to</h3></div><div><p>Site: York</p></div></div><div><h3>Ship to</h3><table><tr><th>Site<td>York</table></div><section><h3>Ship to</h3>None</section><p>Site: Hull</p>`, value: "30 days"},
	"heads of parts that are no headings": {body: `<div class=card><h3>Ship to</h3></div><div class=card><div class=head><h3>Bill to</h3><span class=badge>Default</span></div><dl><dt>Site<dd>Hull</dl></div><h3>Ship to</h3><p>Same as sold-to</p><div class=panel-title>Bill to</div><dl><dt>Site<dd>Hull</dl>
		<h3>Ship to</h3><p><b>Bill to</b></p><dl><dt>Site<dd>Hull</dl><h3>Ship to</h3><table><tr><th colspan=2>Bill to</th></tr><tr><td>Site<td>Hull</table><div class=panel-title>Ship to</div><dl><dt>Payment terms<dd>30 days<dt>Site<dd>York</dl>`, value: "30 days"},
	"a table there":                {body: `<section><h2>This order</h2><div><div class=k>Payment terms</div><div class=v><table><tr><td>30 days</table></div></div></section><section><h2>Contract</h2><p>Payment terms: 60 days</p></section>`, value: "60 days", ambiguous: true},
	"a label alone":                {body: `<div><div><span>Payment terms</span></div></div><dl><dt>Payment terms</dt><dd>60 days</dd></dl>`, value: "60 days", ambiguous: true},
	"a label alone, one hidden":    {body: `<div><span>Payment terms</span></div><div hidden><span>Payment terms</span><span>60 days</span></div>`},
	"an empty column of that name": {body: `<dl><dt>Payment terms</dt><dd>30 days</dd></dl><table><thead><tr><th>Item<th>Payment terms<tbody></table><ul><li>Payment terms</ul><label><input type=checkbox>Payment terms</label>`, value: "30 days"},
	"struck out":                   {body: `<p><span class=l>Payment terms</span><s>60 days</s><b>30 days</b></p>`, value: "30 days"},
	"struck out, in text":          {body: `<p>Payment terms: <del>60 days</del> 30 days</p>`, value: "30 days"},
	"struck out, by style":         {body: `<p><span class=l>Payment terms</span> <span style="text-decoration: line-through">60 days</span> <span>30 days</span></p>`, value: "30 days"},
	"struck out, in a cell":        {body: `<table><tr><th>Payment terms<td><s>60 days</s><td>30 days<tr><th>Site<td><s>York</s> Leeds<td></table>`, value: "30 days"},
	"struck out, in a value":       {body: `<dl><dt>Payment terms</dt><dd><s>60 days</s> <span>30 days</span></dd></dl>`, value: "30 days"},
	"struck out, with its label":   {body: `<p><s>Payment terms: 60 days</s></p><p>Payment terms: 30 days</p>`, value: "30 days"},
	"only struck out":              {body: `<dl><dt>Payment terms</dt><dd><s>60 days</s></dd></dl>`},
	"two values":                   {body: `<div><span class=l>Payment terms</span><span class=v>30 days</span><span class=v>60 days</span></div>`, value: "30 days", ambiguous: true},
	"two values, in cells":         {body: `<table><tr><th>Payment terms<td>30 days<td>60 days<tr><th>Site<td>Leeds<td></table>`, value: "30 days", ambiguous: true},
	"a value and a note":           {body: `<div><span class=l>Payment terms</span><span class=v>30 days</span><span class=v>net</span></div>`, value: "30 days"},
	"a row of heads":               {body: `<table><tr class=hdr><td>Payment terms<td>Supplier</tr><tr><td>30 days<td>ACME</table>`, value: "30 days"},
	"a grid that may be a tree":    {body: `<div role=treegrid><div role=row><div role=gridcell class=k>Supplier</div><div role=gridcell class=v>ACME</div></div><div role=row><div role=gridcell class=k>Payment terms</div><div role=gridcell class=v>30 days</div></div></div>`, value: "30 days"},
	"cells that say their columns": {body: `<div role=grid><div role=row><div role=columnheader aria-colindex=1>Supplier</div><div role=columnheader aria-colindex=2>Payment terms</div></div><div role=row><div role=gridcell aria-colindex=2>30 days</div><div role=gridcell aria-colindex=1>ACME</div></div></div>`, value: "30 days"},
	"an input in a shadow root":    {body: `<x-f><x-l>Payment terms</x-l><x-i><template shadowrootmode=open><div><input id=inner value="30 days" readonly></div></template></x-i></x-f><x-f><x-l>Buyer</x-l><x-i><template shadowrootmode=open><div><input id=inner value=Jane readonly></div></template></x-i></x-f>`, value: "30 days"},
	"under a header of two words":  {body: `<main><header><h1>Order PO1001</h1><b>PO1001</b><i>Open</i></header><section><span class=l>Payment terms</span><span class=v>30 days</span></section></main>`, value: "30 days"},
	"in a shadow root":             {body: `<x-f><template shadowrootmode=open><b>Payment terms</b><i>30 days</i></template></x-f><x-f><template shadowrootmode=open><i>Leeds</i><b>Buyer</b></template></x-f><x-f><template shadowrootmode=open><p>Site</p><p>Hull</p></template></x-f>`, value: "30 days"},
	"in a frame":                   {body: `<iframe srcdoc="<dl><dt>Payment terms</dt><dd>30 days</dd></dl>"></iframe>`, value: "30 days"},
}

// hiding are fields that a form has for properties in place of those that every element has.
var hiding = func() (fields string) {
	for name := range strings.FieldsSeq(`attributes checkVisibility childElementCount childNodes children className classList click closest contains dataset firstChild
		firstElementChild getAttribute getBoundingClientRect getRootNode hasAttribute id innerText isConnected lang localName matches nextElementSibling nextSibling nodeName
		nodeType ownerDocument parentElement parentNode previousElementSibling querySelector querySelectorAll shadowRoot style tagName textContent title`) {
		fields += "<input type=hidden name=" + name + " value=1>"
	}
	return fields
}()

// TestLabels reads a field by its label, rendered and only fetched.
func TestLabels(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/case/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Portal</title><h1>Order <b id=po>PO1001</b></h1>%s`, labelled[r.PathValue("name")].body)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	shared := newBench(t, scrape.AutoRecipe())
	for _, mode := range []scrape.Mode{scrape.ModeRender, scrape.ModeFetch} {
		recipe, err := scrape.ReadRecipe("labels.yaml", strings.NewReader("version: 1\nidentity: {selector: '#po'}\nfields: {terms: {label: 'Payment Terms:', required: true}, buyer: {label: Buyer}, site: {label: Site, under: SHIP TO}}\n"))
		if err != nil {
			t.Fatal(err)
		}
		recipe.Mode = mode
		b := shared.with(scrape.NewPortal(recipe, nil))
		for i, name := range slices.Sorted(maps.Keys(labelled)) {
			c := labelled[name]
			framed := strings.Contains(c.body, "<iframe")
			if mode == scrape.ModeFetch && framed || !framed && !inTurn(i, mode == scrape.ModeRender) {
				continue // the other one reads it
			}
			d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: server.URL + "/case/" + name}})
			if d.Result == nil {
				t.Errorf("%s, %s: %s, %s", mode, name, d.Outcome, failureText(d))
				continue
			}
			got := d.Result.Fields["terms"]
			if got.Raw != c.value || got.Ambiguous != c.ambiguous {
				t.Errorf("%s, %s: got %q (ambiguous: %v), want %q (%v)", mode, name, got.Raw, got.Ambiguous, c.value, c.ambiguous)
			}
			if site := d.Result.Fields["site"]; strings.Contains(c.body, "Ship to") && (site.Value != "York" || site.Ambiguous) {
				t.Errorf("%s, %s: the site is %+v", mode, name, site)
			}
			want := tasks.OutcomeComplete
			if c.value == "" || c.ambiguous {
				want = tasks.OutcomePartial
			}
			if d.Outcome != want && mode == scrape.ModeRender {
				t.Errorf("%s: got %s, want %s (%s)", name, d.Outcome, want, failureText(d))
			}
		}
	}
}
