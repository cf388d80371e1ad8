package scrape_test

import "strings"

// below is a place of documents with something below its list, in a language that is not known.
func below(more string) string {
	return `<p>Παραγγελία προμηθευτή</p><section><h2>Documents</h2>` + docs + more + `</section>`
}

// nothing is a count that no page says.
const nothing = " "

// postback leads to the second page of a grid.
const postback = `javascript:__doPostBack('grid','Page$2')`

// structured are pages that say by their structure, in whatever language, that there are more documents, or
// that there are not.
var structured = map[string]listed{
	"a program that sends files": {auto: true, names: []string{"Invoice 1", "Invoice 2"}, body: `<h2>Documents</h2><ul><li><a href="/lib/exe/fetch.php?media=orders:4500:invoice_1.pdf" title="orders:4500:invoice_1.pdf (2 KB)">Invoice 1</a>
		<li><a href="/get.php?v=2&amp;name=invoice%202.pdf">Invoice 2</a></ul><h2>Notes</h2><p><a href="/index.php?title=File:Terms.pdf">About the terms</a>`},
	"a page and the file, in a row": {auto: true, names: []string{"invoice 1.pdf", "quote.pdf", "terms.pdf", "other.pdf", "drawing.pdf", "drawing.pdf"}, body: `<h2>Files</h2><table>
		<tr><td><a href="/attachments/71">invoice 1.pdf</a> <span>(1.96 KB)</span> <a title=Download href="/attachments/download/71/invoice%201.pdf"><img alt=""></a></td></tr>
		<tr><td><a href="/attachments/72">quote.pdf</a> <span>(2 KB)</span> <a title=Download href="/attachments/download/72/quote.pdf">quote.pdf</a></td></tr>
		<tr><td><a href="/attachments/73">terms.pdf</a> <a href="/attachments/download/74/other.pdf">other.pdf</a></td></tr>
		<tr><td><a href="/attachments/75">drawing.pdf</a> <a href="/attachments/download/76/drawing.pdf">drawing.pdf</a></td></tr></table>`},
	"numbers in cells":          {body: below(`<table><tr><td><span>1</span><td><a href="` + postback + `">2</a></table>`), names: two, controls: []string{"2"}},
	"numbers of a grid's foot":  {body: `<h2>Documents</h2><table><tr><td><a class=doc href="/d/1.pdf">Invoice.pdf</a><tr><td><a class=doc href="/d/2.pdf">Quote.pdf</a><tr><td><table><tr><td><span>1</span><td><a href="` + postback + `">2</a></table></table>`, names: two, controls: []string{"2"}},
	"numbers as buttons":        {body: below(`<div><button aria-current=true>1</button><button>2</button><button>…</button><button>9</button></div>`), names: two, controls: []string{"2", "…", "9"}},
	"a long word in an address": {body: below(`<a href="/` + strings.Repeat("longword", 20) + `!1/view">View</a>`), names: two},
	"ranges":                    {body: below(`<p><b>1-2</b> <a href="?from=3">3-4</a></p>`), names: two, controls: []string{"3-4"}},
	"years":                     {body: below(`<ul><li><b>2026</b><li><a href="?y=2025">2025</a><li><a href="?y=2024">2024</a></ul>`), names: two, controls: []string{"2025", "2024"}},
	"an arrow":                  {body: below(`<a href="#" onclick="go()">»</a>`), names: two, controls: []string{"»"}},
	"an arrow back":             {body: below(`<a href="#" onclick="go()">«</a>`), names: two},
	"a picture of an arrow":     {body: below(`<a href="?p=2"><img src="/x.gif" alt=""></a>`), names: two, controls: []string{"›"}},
	"a picture, posted":         {body: below(`<a href="` + postback + `"><img src="/x.gif" alt=""></a>`), names: two, controls: []string{"›"}},
	"rel=next":                  {body: below(`<a rel=next href="?p=2"><img src="/x.gif" alt=""></a>`), names: two, controls: []string{"rel=next"}},
	"so many more":              {body: below(`<button>+3</button>`), names: two, declared: 5, controls: []string{"+3"}},
	"radio buttons":             {body: below(`<label><input type=radio name=y checked> 2026</label><label><input type=radio name=y> 2025</label>`), names: two, controls: []string{"2026 of 2026, 2025"}},
	"sizes that are reached":    {body: below(`<select><option>2<option>10</select>`), names: two, controls: []string{"2 of 2, 10"}},
	"pages under a count":       {body: `<section><h2>Documents (2)</h2>` + docs + `<p><b>1</b> <a href="?p=2">2</a></p></section>`, names: two, controls: []string{"2"}},
	"more under a count":        {body: `<section><h2>Documents (2)</h2>` + docs + `<button>Load more</button></section>`, names: two, controls: []string{"Load more"}},
	"a row that leads away":     {body: `<h2>Documents</h2><ul><li><a href="/view?id=1">Τιμολόγιο</a></ul>`, auto: true, controls: []string{"Τιμολόγιο"}},
	"a file without a link":     {body: below(`<p>Draft.docx</p>`), auto: true, names: two, controls: []string{"Draft.docx"}},
	"a count of strangers":      {body: `<section><h2>Έγγραφα (5)</h2>` + docs + `</section>`, names: two, declared: 5},
	"a part of strangers":       {body: `<section><h2>Έγγραφα</h2>` + docs + `<p>2 από 5</p></section>`, names: two, declared: 5},
	"a count elsewhere":         {body: below("") + `<p>Attachments: 5</p>`, names: two, declared: 5},

	"as many as are counted":         {body: `<section><h2>Documents (2)</h2>` + docs + `</section>`, names: two, counted: "Documents (2)"},
	"as many, in no known language":  {body: `<section><h2>Asiakirjat (2)</h2>` + docs + `</section>`, names: two, counted: "Asiakirjat (2)"},
	"as many, in a bar of sizes":     {body: below(`<div><span>Rows per page: <select><option>10<option>25</select></span> <span>1–2 of 2</span></div>`), names: two, counted: "1–2 of 2", rendered: true},
	"documents of lines as well":     {body: `<section><h2>Documents (2)</h2>` + docs + `</section><table><tr><th>Item<th>Files<tr><td>Bolts<td><a href="/lines/1" title=Attachments>📎 3</a></table>`, recipe: "optional: false", names: two, counted: nothing},
	"as many, and fewer elsewhere":   {body: `<section><h2>Documents (2)</h2>` + docs + `</section><p>1 document</p>`, names: two, counted: "Documents (2)"},
	"as many as are left of more":    {body: below(`<p>1-2 of 2 (57)</p>`), names: two, counted: nothing},
	"a count elsewhere of as many":   {body: below("") + `<p>📎 2</p>`, names: two, counted: nothing},
	"pages of a preview":             {body: below(`<figure class=preview><canvas></canvas><b>1</b> <button>2</button></figure>`), names: two},
	"pages of the lines":             {body: `<section><h2>Lines</h2>` + orderLines + `<p><b>1</b> <a href="?p=2">2</a> <a href="?p=3">3</a></p></section>` + below(""), names: two},
	"the next order":                 {body: below("") + `<p><a href="/orders/7000002/x" rel=next>»</a></p>`, names: two},
	"numbers in a row of a document": {body: `<h2>Documents</h2><table><tr><td>1<td><a href="#">2</a><td><a class=doc href="/d/1.pdf">Invoice.pdf</a></table>`, names: two[:1]},
	"the menu's word":                {body: `<header><nav><a href="/files">Documents</a></nav></header>` + below(""), auto: true, names: two},
	"a box to comment in":            {body: `<section><h2>Comments</h2><textarea></textarea><p>Add <a href="#">File</a></p></section>`, auto: true},
	"what helps, prints and brings":  {body: below(`<a href="/h">Help with documents</a><button>Print documents</button><button>Upload document</button><button>Manage documents</button><button>Download all</button>`), auto: true, names: two},
}
