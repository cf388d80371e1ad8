package scrape_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// listed is a page, and what it is to say of its documents. Without a recipe it is
// read by the built-in one and by one whose item is a.doc.
type listed struct {
	body   string
	recipe string // the keys below attachments; empty: both a.doc and the built-in recipe
	auto   bool   // only the built-in recipe
	names  []string
	// What is said of more documents.
	declared int
	zero     string
	controls []string
	refused  []string
	leftOut  int
	vague    bool // and that proves nothing
	// fetched: this differs where the page is only fetched, so it is not compared.
	rendered bool
}

const docs = `<ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a></li><li><a class=doc href="/d/2.pdf">Quote.pdf</a></li></ul>`

var two = []string{"Invoice.pdf", "Quote.pdf"}

const orderLines = `<table><thead><tr><th>Line</th><th>Item</th></tr></thead><tbody><tr><td>1</td><td>Bolt</td></tr><tr><td>2</td><td>Nut</td></tr></tbody></table>`

// everyday are honest pages, of which nothing may be said.
var everyday = map[string]listed{
	"a plain list":        {body: `<h2>Documents</h2>` + docs, names: two},
	"a count that is met": {body: `<h2>Documents (2)</h2>` + docs, names: two},
	"a badge that is met": {body: `<div class=card><div class=card-header><h3>Attachments</h3><span class=badge>2</span></div>` + docs + `</div>`, names: two},
	"fewer than found":    {body: `<h2>Documents (1)</h2>` + docs, names: two},
	"tabs of an ERP": {body: `<div role=tablist><button role=tab aria-selected=false aria-controls=l>Lines (10)</button><button role=tab aria-selected=true aria-controls=d>Documents (2)</button><button role=tab aria-controls=h>History (7)</button></div>
		<div role=tabpanel id=l hidden>` + orderLines + `</div><div role=tabpanel id=d>` + docs + `</div><div role=tabpanel id=h hidden>History</div>`, names: two},
	"documents in a closed tab": {body: `<div role=tablist><button role=tab aria-selected=true aria-controls=l>Lines (10)</button><button role=tab aria-selected=false aria-controls=d>Documents (2)</button></div>
		<div role=tabpanel id=l>` + orderLines + `</div><div role=tabpanel id=d hidden>` + docs + `</div>`, names: two},
	"lines of 1-10 of 10":       {body: `<section><h2>Lines</h2>` + orderLines + `<p>1-10 of 10</p></section><section><h2>Documents</h2>` + docs + `</section>`, names: two},
	"lines with a pager":        {body: `<section><h2>Lines</h2>` + orderLines + `<nav class=pagination><span>1-10 of 57</span><a href="?page=2">2</a><a href="?page=2">Next</a></nav></section><section><h2>Documents</h2>` + docs + `</section>`, names: two},
	"lines without sections":    {body: `<h2>Lines</h2>` + orderLines + `<p>1-10 of 57 <a href="?page=2">Next</a></p><h2>Documents</h2>` + docs, names: two},
	"lines without headings":    {body: `<div>` + orderLines + `</div><div>1-10 of 57 <button>Next</button></div><div>` + docs + `</div>`, names: two},
	"lines below the documents": {body: `<h2>Documents</h2>` + docs + `<h2>Lines</h2>` + orderLines + `<p>1-10 of 57 <a href="?page=2">Next</a></p>`, names: two},
	"1-10 of 10 lines, in one":  {body: `<section>` + docs + `<p>1-10 of 10 lines</p></section>`, names: two},
	"an export button":          {body: `<div><button>Export</button><a href="/orders/7000001/print">Print</a></div><h2>Documents <button>Export</button></h2>` + docs, names: two},
	"print views and exports":   {auto: true, body: `<h2>Documents</h2>` + docs + `<a href="/orders/7000001/print.pdf">Print view</a><a href="/orders/7000001/export.csv" download>Export to CSV</a><a href="/orders/7000001.pdf">Print order (PDF)</a><a href="/orders/7000001/export.xlsx">Excel</a><a href="/orders/7000001/attachments/9/print">Druckansicht</a><a href="/orders/7000001/attachments/9/export.xml">Exportieren als XML</a>`, names: two},
	"a page that is not full":   {body: `<section><h2>Documents</h2><label>Show <select><option selected>10<option>25<option>All</select> entries</label>` + docs + `</section>`, names: two},
	"a full page, counted":      {body: `<section><h2>Documents</h2><label>Show <select><option selected>2<option>5</select></label>` + docs + `<p>Showing 1 to 2 of 2 entries</p></section>`, names: two},
	"all kinds":                 {body: `<section><h2>Documents</h2><select><option>All types<option>Invoices</select> <select><option>Newest first<option>Oldest first</select> <select><option>-- all actions --<option>Archive</select>` + docs + `</section>`, names: two},
	"choices that do something": {body: `<section><h2>Documents</h2><select><option>Bulk actions<option>Download all<option>Delete</select> <select><option value="">Filter by type…<option>All<option>Invoices</select> <select><option>Sort by<option>Name<option>All-time views</select>` + docs + `<form><input type=file><select><option>Buyer only<option>All</select></form></section>`, names: two},
	"years and numbers above":   {auto: true, body: `<section><h3>2024</h3><a href="/d/1.pdf">Invoice.pdf</a></section><section><h3>8001234</h3><a href="/d/2.pdf">Quote.pdf</a></section><section><h3>PO7000001-1</h3><a href="/d/3.pdf">Drawing.pdf</a></section><section><h3>0010</h3><a href="/d/4.pdf">Line.pdf</a></section>`, names: []string{"Invoice.pdf", "Quote.pdf", "Drawing.pdf", "Line.pdf"}},
	"under another's heading":   {auto: true, body: `<section><h2>Documents</h2>` + docs + `</section><section><h2>Order PO7000002</h2><a href="/d/9.pdf">Other.pdf</a></section>`, names: two},
	"a format of its own query": {auto: true, body: `<h2>Documents</h2><ul><li><a href="?format=ubl" download="2.xml">XML</a></li></ul>`, names: []string{"2.xml"}},
	"a choice in each row":      {body: `<section><h2>Documents</h2><ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a> <select><option>All<option selected>Mine</select></li><li><a class=doc href="/d/2.pdf">Quote.pdf</a></li></ul></section>`, names: two},
	"years of the lines":        {body: `<section><h2>Lines</h2><select><option>2026<option>2025</select>` + orderLines + `</section><section><h2>Documents</h2>` + docs + `</section>`, names: two},
	"in other formats":          {auto: true, body: `<div><h3>Files</h3>` + docs + `</div><h2>Lines</h2>` + orderLines + `<p>Also available in: <span><a href="in%20other%20formats.atom?key=1">Atom</a></span> <span><a href="in%20other%20formats.pdf">PDF</a></span></p>`, names: two},
	"only in other formats":     {auto: true, body: `<h2>Lines</h2>` + orderLines + `<p>Also available in: <span><a href="only%20in%20other%20formats.pdf">PDF</a></span></p>`},
	"a document named PDF":      {auto: true, body: `<section><h2>Documents</h2><ul><li><a href="a%20document%20named%20PDF.pdf">PDF</a></li></ul></section>`, names: []string{"PDF"}},
	"what is named like them":   {auto: true, body: `<h2>Documents</h2><ul><li><a href="/d/1.pdf">Export declaration.pdf</a></li><li><a href="/d/2.pdf">Export licence</a></li><li><a href="/d/3.pdf">Print-ready artwork</a></li><li><a href="/d/export.pdf">Quote</a></li></ul>`, names: []string{"Export declaration.pdf", "Export licence", "Print-ready artwork", "Quote"}},
	"a cookie banner":           {body: `<h2>Documents</h2>` + docs + `<div class=cookie-banner><p>We use cookies</p><button>More options</button><button>Show more</button></div>`, names: two},
	"a dialog":                  {body: `<h2>Documents</h2>` + docs + `<div role=dialog><h2>New documents</h2><button>Show documents</button><p>Page 1 of 4</p></div>`, names: two},
	"more options":              {body: `<h2>Documents</h2>` + docs + `<button>More options</button><button>Show details</button>`, names: two},
	"related orders":            {body: `<h2>Documents</h2>` + docs + `<h2>Related orders (4)</h2><ul><li><a href="/orders/7000002">PO7000002</a></li></ul><a href="/orders">View all orders</a>`, names: two},
	"a list of orders":          {body: `<h2>Documents</h2>` + docs + `<section><h2>Other orders</h2><p>1-25 of 92</p><a href="?p=2">Next</a></section>`, names: two},
	"history":                   {body: `<h2>Documents</h2>` + docs + `<button>Show history</button><a href="#" class=more>Show all comments (12)</a>`, names: two},
	"the next order":            {body: `<div><a rel=prev href="/orders/7000000">Previous order</a> <a href="/orders/7000002">Next order</a></div><h2>Documents</h2>` + docs + `<a href="/orders/7000002">Next order ›</a>`, names: two},
	"the site's menu":           {body: `<header><nav><a href="/">Home</a><a href="/documents">Documents</a><a href="/more">Show more</a></nav></header><h2>Documents</h2>` + docs + `<footer><a href="/all">All documents</a></footer>`, names: two},
	"no documents, but a menu":  {body: `<nav><a href="/documents">Documents</a><button>View documents</button></nav><main><h2>Lines</h2>` + orderLines + `</main>`},
	"nested tabs": {body: `<div role=tablist><button role=tab aria-controls=o aria-selected=true>Documents (2)</button></div><div role=tabpanel id=o><div role=tablist><button role=tab aria-selected=true aria-controls=a>Invoice documents (1)</button><button role=tab aria-selected=false aria-controls=b>Quote documents (1)</button></div>
		<div role=tabpanel id=a><a class=doc href="/d/1.pdf">Invoice.pdf</a></div><div role=tabpanel id=b hidden><a class=doc href="/d/2.pdf">Quote.pdf</a></div></div>`, names: two},
	"an accordion":                 {body: `<h3><button aria-expanded=false aria-controls=acc>Documents (2)</button></h3><div id=acc hidden>` + docs + `</div>`, names: two},
	"details":                      {body: `<details><summary>Show documents (2)</summary>` + docs + `</details>`, names: two},
	"a German page":                {body: `<h2>Positionen</h2>` + orderLines + `<p>1 bis 10 von 57 Positionen <a href="?s=2">Weiter</a></p><h2>Anhänge (2)</h2>` + docs + `<p>1-2 von 2 Einträgen</p><button>Datei hochladen</button><a href="/hilfe">Hilfe zu Dateien</a>`, names: two},
	"a French page":                {body: `<h2>Lignes</h2>` + orderLines + `<p>1 à 10 sur 57 lignes</p><h2>Pièces jointes (2)</h2>` + docs + `<button>Ajouter une pièce jointe</button><a href="/cgv">Conditions générales</a>`, names: two},
	"a disabled next":              {body: `<h2>Documents</h2>` + docs + `<ul class=pagination><li class=disabled><a href="#">Previous</a></li><li class=active><a href="#">1</a></li><li class=disabled><a href="#">Next</a></li></ul><button disabled>Load more</button>`, names: two},
	"a pager that is met":          {body: `<h2>Documents</h2>` + docs + `<p>Showing 1 to 2 of 2 entries</p><button>Next</button>`, names: two},
	"all that there are":           {body: `<h2>Documents</h2>` + docs + `<button>Show all (2)</button>`, names: two},
	"hidden ones, to unfold":       {body: `<h2>Documents</h2><ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a></li><li hidden><a class=doc href="/d/2.pdf">Quote.pdf</a></li></ul><button>Show 1 more</button>`, names: two},
	"a preview":                    {body: `<h2>Documents</h2>` + docs + `<div class=preview><canvas></canvas><span>Page 1 of 4</span><button>Next</button></div>`, names: two, recipe: `exclude: [".preview button"]`},
	"a preview with a name":        {body: `<h2>Documents</h2>` + docs + `<h3>Preview</h3><p>Page 1 of 4</p>`, names: two},
	"upload, add, manage":          {body: `<h2>Documents</h2><p>Up to 10 files, 20 MB each</p><p>Max. 10 files</p>` + docs + `<button>Upload files</button><button>Add attachment</button><a href="/manage">Manage documents</a><a href="/help/files">About attachments and file types</a>`, names: two},
	"links that are none":          {body: `<section id=docs><h2>Documents</h2>` + docs + `<a href="#docs">Attachments of this order</a><a href="mailto:a@example.com?subject=x.pdf">Send a document by e-mail</a><a href="javascript:void(0)">Download all</a><a href="/apps/mobile">Download mobile app</a></section>`, names: two},
	"second ways":                  {body: `<h2>Documents</h2><table><tr><td><a class=doc href="/d/1.pdf">Invoice.pdf</a></td><td><button>View</button><a href="/d/1.pdf">Download</a></td></tr><tr><td><a class=doc href="/d/2.pdf">Quote.pdf</a></td><td><button>View</button><a href="/d/2.pdf">Download</a></td></tr></table>`, names: two},
	"twice, wide and narrow":       {body: `<h2>Documents (2)</h2><div class=wide>` + docs + `</div><div class=narrow style="display:none">` + docs + `</div>`, names: two},
	"terms on every order":         {body: `<h2>Documents</h2>` + docs + `<p>See our <a href="/terms">terms and conditions</a></p>`, names: two},
	"a terms PDF":                  {body: `<h2>Lines</h2>` + orderLines + `<p>1-2 of 57 <a href="?p=2">Next</a></p><p><a class=doc href="/agb.pdf">AGB.pdf</a></p>`, names: []string{"AGB.pdf"}},
	"comments with files":          {body: `<section><h2>Comments (5)</h2><div><p>See this</p><a class=doc href="/d/1.pdf">Invoice.pdf</a></div><div><p>and that</p><a class=doc href="/d/2.pdf">Quote.pdf</a></div></section>`, names: two},
	"aria-rowcount met":            {body: `<h2>Documents</h2><table aria-rowcount=3><tr><th>Name</th></tr><tr><td><a class=doc href="/d/1.pdf">Invoice.pdf</a></td></tr><tr><td><a class=doc href="/d/2.pdf">Quote.pdf</a></td></tr></table>`, names: two},
	"a heading to point at":        {body: orderLines + `<h2 id=m tabindex=0>Documents</h2><p>None</p><script>m.onmouseenter = () => {}</script>`},
	"a year":                       {body: `<h2>Documents 2026</h2>` + docs, names: two},
	"the order's number":           {body: `<h1>Documents for PO7000001</h1>` + docs, names: two},
	"counts in rows":               {body: `<h2>Documents</h2><ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a> 1 of 3 approved, 12 files</li><li><a class=doc href="/d/2.pdf">Quote.pdf</a> page 1 of 9</li></ul>`, names: two},
	"breadcrumbs":                  {body: `<nav aria-label=breadcrumb><a href="/">Orders</a> <a href="/orders/7000001/documents">Documents</a></nav><h2>Documents</h2>` + docs, names: two},
	"loading dock":                 {body: `<h2>Loading dock 3</h2><p>3 of 5 pallets</p><h2>Files</h2>` + docs, names: two},
	"zero for a recipe":            {body: `<p id=n>0</p><h2>Lines (3)</h2>`, recipe: `count: "#n"`, zero: "0"},
	"a count of its own":           {body: `<p id=n>2 of 2</p><h2>Documents (9)</h2>` + docs, recipe: `count: "#n"`, names: two},
	"counts switched off":          {body: `<h2>Documents (9)</h2>` + docs, recipe: `count: off`, names: two},
	"none at all":                  {body: `<h2>Documents (0)</h2><p>No documents</p>`, zero: "Documents (0)"},
	"none, in German":              {body: `<h2>Anlagen (0)</h2>`, zero: "Anlagen (0)"},
	"none on a tab":                {body: `<div role=tablist><button role=tab aria-selected=true>Lines (2)</button><button role=tab aria-selected=false>Attachments (0)</button></div>` + orderLines, zero: "Attachments (0)"},
	"a control left out":           {body: `<h2>Documents</h2>` + docs + `<button class=x>Load more</button>`, recipe: `exclude: [".x"]`, names: two},
	"another order, hidden":        {body: `<div hidden><h1>Order PO7000002</h1><a class=doc href="/d/9.pdf">Other.pdf</a></div><h2>Documents</h2>` + docs, names: two},
	"a template row":               {body: `<h2>Documents</h2><ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a></li><li><a class=doc href="/d/2.pdf">Quote.pdf</a></li><li hidden><a class=doc></a></li></ul>`, names: two},
	"a quiet page":                 {body: `<h2>Lines (12)</h2>` + orderLines + `<button>Show more lines</button><button>More</button>`},
	"documents and a sidebar":      {body: `<main><section><h2>Documents</h2>` + docs + `</section><aside><h2>Activity</h2><ul><li>Jane added 3 files</li></ul><button>Show more</button></aside></main>`, names: two},
	"cards that each have a title": {body: `<section><h2>Documents (2)</h2><article><h4>Invoice</h4><p>1 of 2 pages</p><a class=doc href="/d/1.pdf">Invoice.pdf</a></article><article><h4>Quote</h4><a class=doc href="/d/2.pdf">Quote.pdf</a></article></section>`, names: two},
	"groups with counts":           {body: `<section><h2>Documents (2)</h2><h3>Invoices (1)</h3><ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a></li></ul><h3>Quotes (1)</h3><ul><li><a class=doc href="/d/2.pdf">Quote.pdf</a></li></ul></section>`, names: two},
	"sizes and dates":              {body: `<section><h2>Documents</h2><table><thead><tr><th>Document</th><th>Files</th></tr></thead><tr><td><a class=doc href="/d/1.pdf">Invoice.pdf</a></td><td>1 file, 12 KB</td></tr><tr><td><a class=doc href="/d/2.pdf">Quote.pdf</a></td><td>3 files</td></tr></table><p>Updated 1-2 of 12/2026</p></section>`, names: two},
	"a table of everything":        {body: `<table><tr><th>Supplier</th><td>Acme</td></tr><tr><th>Attachments (2)</th><td><a class=doc href="/d/1.pdf">Invoice.pdf</a> <a class=doc href="/d/2.pdf">Quote.pdf</a></td></tr><tr><th>Lines</th><td>12</td></tr></table>`, names: two},
	"a list of definitions":        {body: `<dl><dt>Lines</dt><dd>1-10 of 57 <a href="?p=2">Next</a></dd><dt>Files</dt><dd><a class=doc href="/d/1.pdf">Invoice.pdf</a> <a class=doc href="/d/2.pdf">Quote.pdf</a></dd><dt>Notes</dt><dd><button>Show more</button></dd></dl>`, names: two},
	"cards of divs":                {body: `<div class=grid><div class=card><div class=card-title>Order lines</div><div>1-10 of 57</div><button>Load more</button></div><div class=card><div class=card-title>Documents</div>` + docs + `</div><div class=card><div class=card-title>Messages</div><button>Show more</button></div></div>`, names: two},
	"steps to approve":             {body: `<h2>Documents</h2>` + docs + `<div class=stepper><span>Step 2 of 4</span><button>Next step</button></div>`, names: two},
	"sorting and filtering":        {body: `<section><h2>Documents</h2><label>Show <select><option>10</option><option>25</option></select> entries</label><input type=search><button>Filter documents</button><a href="?sort=name">Sort files</a>` + docs + `</section>`, names: two},
	"an Italian page":              {body: `<h2>Allegati (2)</h2>` + docs + `<button>Carica un allegato</button><a href="/aiuto">Aiuto</a>`, names: two},
	"a Dutch page":                 {body: `<h2>Bijlagen (2)</h2>` + docs + `<button>Bijlage toevoegen</button>`, names: two},
	"a Polish page":                {body: `<h2>Pozycje</h2><p>1-10 z 57 pozycji</p><h2>Załączniki (2)</h2>` + docs + `<button>Dodaj załącznik</button>`, names: two},
	"a Spanish page":               {body: `<h2>Adjuntos (2)</h2>` + docs + `<p>Mostrando 1 a 2 de 2 registros</p><button>Añadir adjunto</button>`, names: two},
	"a Portuguese page":            {body: `<h2>Anexos (2)</h2>` + docs + `<button>Adicionar anexo</button>`, names: two},
	"more actions in a menu":       {body: `<section><h2>Documents</h2>` + docs + `<button aria-haspopup=menu>More</button></section>`, names: two},
	"a form to upload":             {body: `<section><h2>Documents</h2>` + docs + `<form><label>Add files</label><input type=file><input type=submit value="Upload"></form><p>You can upload 10 files of 20 MB each.</p><p>PDF files only</p></section>`, names: two},
	"a sentence about files":       {body: `<section><h2>Documents</h2><p>2 documents are required, 3 files were deleted.</p>` + docs + `</section>`, names: two},
	"a link to the supplier":       {body: `<section><h2>Documents</h2><ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a> by <a href="/users/5">Jane</a></li><li><a class=doc href="/d/2.pdf">Quote.pdf</a> by <a href="/users/6">Joe</a></li></ul></section>`, names: two},
	"selected tabs":                {body: `<ul class="nav nav-tabs"><li><a href="?tab=lines">Lines (10)</a></li><li class=active><a href="?tab=docs">Documents (2)</a></li></ul>` + docs, names: two},
	"a note and a button":          {body: `<p>See <a class=doc href="/agb.pdf">AGB.pdf</a></p><div><button>Next</button></div>`, names: []string{"AGB.pdf"}},
	"a document per line":          {body: `<h2>Lines</h2><table><tr><td>1</td><td><a class=doc href="/d/1.pdf">Invoice.pdf</a></td></tr><tr><td>2</td><td><a class=doc href="/d/2.pdf">Quote.pdf</a></td></tr><tr><td>3</td><td></td></tr></table><p>1-10 of 10</p>`, names: two},
	"a hidden, older count":        {body: `<div hidden><h2>Documents (9)</h2></div><h2>Documents (2)</h2>` + docs, names: two},
	"business documents":           {body: `<h2>Documents</h2>` + docs + `<h2>Related documents</h2><ul><li><a href="/requisitions/55">Requisition 55</a></li><li><a href="/contracts/7">Contract C-7</a></li></ul>`, names: two},
	"facts about a document":       {body: `<dl><dt>Document date</dt><dd>1.2.2026</dd><dt>Document type</dt><dd>Standard <a href="/help/9">Show</a></dd></dl><h2>Documents</h2>` + docs, names: two},
	"a chat":                       {body: `<h2>Documents</h2>` + docs + `<div id=chat-widget><button>Show more</button></div><div class=footer><a href="/all">All documents</a></div>`, names: two},
	"hidden and counted":           {body: `<h2>Documents</h2><ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a></li><li hidden><a class=doc href="/d/2.pdf">Quote.pdf</a></li></ul><span>+1 more</span>`, names: two},
	"an order confirmation":        {body: `<h2>Documents</h2><ul><li><a class=doc href="/d/1.pdf">Order confirmation</a></li><li><a class=doc href="/d/2.pdf">Approve.pdf</a></li><li><a class=doc href="/d/3.pdf">Cancellation notice.pdf</a></li></ul>`, names: []string{"Order confirmation", "Approve.pdf", "Cancellation notice.pdf"}},

	// What does something to a file is no way to it, where the file is there.
	"files to do something to":       {body: `<section><h2>Documents</h2><ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a> <button>Delete Invoice.pdf</button> <a href="/sign/1">Sign Invoice.pdf</a></li><li><a class=doc href="/d/2.pdf">Quote.pdf</a> <button>Remove Quote.pdf</button></li></ul><button>Edit Quote.pdf</button><input type=submit value="Approve Invoice.pdf"></section>`, names: two},
	"a file to approve, elsewhere":   {body: `<div class=actions><button>Approve Invoice.pdf</button><button>Quote.pdf löschen</button></div><h2>Documents</h2>` + docs, names: two},
	"names that begin as verbs do":   {body: `<h2>Documents</h2><ul><li><a class=doc href="/d/Delete%20list.pdf">Delete list.pdf</a></li><li><a class=doc href="/d/7">Sign-off.pdf</a></li><li><a class=doc href="/files/9f3.pdf">Close report.pdf</a></li><li><a class=doc href="/d/8" download="Pay slip.pdf">Pay slip.pdf</a></li></ul>`, names: []string{"Delete list.pdf", "Sign-off.pdf", "Close report.pdf", "Pay slip.pdf"}},
	"buttons with names of files":    {body: `<section><h2>Documents</h2><button class=doc>Terms.pdf</button> <button class=doc>New price list.pdf</button></section>`, names: []string{"Terms.pdf", "New price list.pdf"}},
	"buttons in a list of their own": {body: `<ul><li><button class=doc>Invoice.pdf</button></li><li><button class=doc>Quote.pdf</button></li></ul>`, names: two},
	// Sizes and dates behind a name.
	"names with sizes": {body: `<h2>Documents</h2><p><a class=doc href="/get?id=1">Invoice.pdf (12 KB)</a></p><p><a class=doc href="/get?id=2">Quote.pdf, 1.2 MB</a></p>`, auto: true, names: two},
	// Addresses that say so, whatever the name.
	"names that say guide and request":   {body: `<section><h2>Documents</h2><ul><li><a class=doc href="/attachments/11">Change request</a></li><li><a class=doc href="/documents/12">Installation guide</a></li><li><a class=doc href="/download/13">New price list</a></li><li><a class=doc href="/files/14">Terms</a></li></ul></section>`, names: []string{"Change request", "Installation guide", "New price list", "Terms"}},
	"help at such an address":            {body: `<p><a href="/files/guide-12">User guide</a> <a href="/documents/77">Help</a></p><h2>Documents</h2>` + docs + `<a href="/documents/78">How to upload</a><h2>Support</h2><a href="/documents/79">Terms</a>`, names: two},
	"edit and delete at such an address": {body: `<section><h2>Documents</h2><ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a> <a href="/documents/1">Edit</a> <a href="/documents/delete/1">Delete</a></li><li><a class=doc href="/d/2.pdf">Quote.pdf</a> <a href="/documents/2">Edit</a></li></ul></section>`, names: two},
	// Zeros that say nothing of the list.
	"none are selected":  {body: `<section><h2>Documents</h2>` + docs + `<button>Download selected (0 files)</button><p>Selected documents (0)</p></section>`, names: two},
	"none are archived":  {body: `<h2>Lines</h2>` + orderLines + `<h2>Archived documents (0)</h2><p>0 new documents</p><button>Download (0 files)</button>`},
	"none in words":      {body: `<section><h2>Documents</h2><p>0 documents</p></section>`, zero: "0 documents"},
	"none of this order": {body: `<section><h2>Documents of this order (0)</h2></section>`, zero: "Documents of this order (0)"},
	"none in a table":    {body: `<section><h2>Attachments</h2><table><tr><th>Name</th></tr></table><p>Showing 0 to 0 of 0 entries</p></section>`, zero: "Showing 0 to 0 of 0 entries"},
	"none behind a tab":  {body: `<ul class="nav nav-tabs"><li class=active><a href="#l">Lines (2)</a></li><li><a href="#d">Documents (0)</a></li></ul><div id=l>` + orderLines + `</div><div id=d class=tab-pane></div>`, zero: "Documents (0)"},
	// What else stands in a place of documents.
	"a place with tools":      {body: `<section><h2>Documents</h2><p>No documents.</p><button>Refresh</button><button>Upload</button><button>Print</button><a href="/export">Export</a><a href="/help/7">Help</a><a href="/orders">Back to orders</a></section>`},
	"a supplier in the place": {body: `<section><h2>Documents</h2>` + docs + `<p>Supplier: <a href="/suppliers/5">Acme Ltd</a></p><p><a href="/users/5">Jane</a> added 2 files</p></section>`, names: two},
	"a supplier below":        {body: `<h2>Documents</h2><p>There are no documents.</p><div>Supplier <a href="/suppliers/5">Acme Ltd</a></div>`},
	"a supplier in a list":    {body: `<dl><dt>Attachments</dt><dd>None</dd><dt>Supplier</dt><dd><a href="/suppliers/5">Acme Ltd</a></dd></dl>`},
	"a trail in the place":    {body: `<section><h2>Documents</h2><div class=breadcrumb><a href="/">Home</a> › <a href="/orders">Orders</a></div>` + docs + `</section>`, names: two},
	"names beside the links":  {body: `<section><h2>Documents</h2><div><span>Invoice.pdf</span> <a class=doc href="/d/1.pdf">Invoice.pdf</a></div><div><div>Quote.pdf</div><div><a class=doc href="/d/2.pdf">Quote.pdf</a></div></div></section>`, names: two},
	// Tabs whose panel is there.
	"a tab of Bootstrap":    {body: `<ul class="nav nav-tabs"><li><a role=tab aria-selected=true data-toggle=tab href="#l">Lines</a></li><li><a role=tab aria-selected=false data-toggle=tab href="#d">Documents</a></li></ul><div class=tab-pane id=l>` + orderLines + `</div><div class=tab-pane id=d hidden>` + docs + `</div>`, names: two},
	"a tab that says none":  {body: `<ul class="nav nav-tabs"><li class=active><a href="#l">Lines</a></li><li><a href="#d">Documents</a></li></ul><div class=tab-pane id=l>` + orderLines + `</div><div class=tab-pane id=d hidden><h3>Documents</h3><p>No documents were added.</p></div>`},
	"tabs of divs":          {body: `<div class=tabs><div class="tab active">Lines</div><div class=tab>Documents</div></div><div class=panel>` + orderLines + `</div><div class=panel hidden>` + docs + `</div>`, names: two},
	"links within the page": {body: `<ul class=toc><li><a href="#l">Lines</a></li><li><a href="#d">Documents</a></li></ul><section id=l><h2>Lines</h2>` + orderLines + `</section><section id=d><h2>Documents</h2></section>`},
	// Counts of something else.
	"a quota":             {body: `<section><h2>Documents</h2>` + docs + `<p>2 of 10 files uploaded</p><p>2/5 files uploaded</p><p>1 of 20 files used</p></section>`, names: two},
	"a German quota":      {body: `<section><h2>Anlagen</h2>` + docs + `<p>2 von 10 Dateien hochgeladen</p></section>`, names: two},
	"totals of the order": {body: `<h2>Documents</h2>` + docs + `<table class=totals><tr><td>Total: 420</td></tr></table><p>12 items</p>` + orderLines, names: two},
	"totals that are met": {body: `<section><h2>Documents</h2>` + docs + `<p>Total: 2</p><p>2 results</p><p>Showing 2 of 2</p><p>Total 1,250.00</p></section>`, names: two},
	// The site's own menus.
	"a sidebar":              {body: `<div class=sidebar><a href="/home">Home</a><a href="/documents">Documents</a></div><h2>Lines</h2>` + orderLines},
	"a main menu":            {body: `<ul class=main-menu><li><a href="/orders">Orders</a></li><li><a href="/documents">Documents</a></li></ul><h2>Lines</h2>` + orderLines},
	"a sidebar of documents": {body: `<div class=sidebar><h2>Documents (2)</h2>` + docs + `</div>`, names: two},
	// More that is about a document, or about none.
	"quotes to accept":            {body: `<section><h2>Documents</h2><ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a></li><li><a class=doc href="/d/2.pdf">Quote.pdf</a></li><li><a href="/accept/5">Accept quote request</a></li></ul></section>`, names: two},
	"the supplier, above":         {body: `<section><h2>Documents</h2><div>Supplier: <a href="/firms/5">Acme Ltd</a></div></section>`},
	"nothing, and an upload":      {body: `<h2>Documents (0) <button>Upload</button></h2>`, zero: "Documents (0)"},
	"sorting a table":             {body: `<section><h2>Documents</h2><table><thead><tr><th><a href="?by=name">Name</a></th><th><a href="?by=date">Date</a></th></tr></thead><tbody><tr><td><a class=doc href="/d/1.pdf">Invoice.pdf</a></td><td>1 May</td></tr><tr><td><a class=doc href="/d/2.pdf">Quote.pdf</a></td><td>2 May</td></tr></tbody></table></section>`, names: two},
	"sorting a plain table":       {body: `<section><h2>Documents</h2><table><tr><th><a href="?by=name">Name</a></th><th>Date</th></tr><tr><td><a class=doc href="/d/1.pdf">Invoice.pdf</a></td><td>1 May</td></tr><tr><td><a class=doc href="/d/2.pdf">Quote.pdf</a></td><td>2 May</td></tr></table></section>`, names: two},
	"a fold of Bootstrap":         {body: `<h3><a data-toggle=collapse aria-expanded=false href="#d">Documents</a></h3><div id=d hidden>` + docs + `</div>`, names: two},
	"a file to approve, and none": {body: `<div class=actions><button>Approve PO7000001.pdf</button></div><h2>Documents</h2><p>No documents</p>`},
	"a line of links below":       {body: `<h2>Documents</h2><p>-</p><p><a href="/contact-us">Contact us</a> <a href="/imprint">Imprint</a></p>`},
	"menus of cards":              {body: `<section><h2>Documents</h2><div class=card><a class=doc href="/d/1.pdf">Invoice.pdf</a><button>⋯</button></div><div class=card><a class=doc href="/d/2.pdf">Quote.pdf</a><button>…</button></div></section>`, names: two},
	"views and a selection":       {body: `<section><h2>Documents</h2><div><button>List view</button><button>Grid view</button><button>Download selected</button></div>` + docs + `</section>`, names: two},
	"amounts below":               {body: `<h2>Documents</h2>` + docs + `<div>Total: 3</div><div>Tax: 1</div>`, names: two},
	"names of prints":             {body: `<section><h2>Documents</h2><ul><li><a class=doc href="/get?id=1">Print layout.pdf</a></li><li><a class=doc href="/get?id=2">Share certificate.pdf</a></li></ul><button>Print Invoice.pdf</button></section>`, names: []string{"Print layout.pdf", "Share certificate.pdf"}},
	"whom to ask":                 {body: `<div class=panel><div class=panel-heading><h3>Documents</h3></div><div class=panel-body><p>Please <a href="/x/desk">call the desk</a> for documents.</p></div></div>`},
	"filters and no list":         {body: `<section><h2>Documents</h2><div class=filters><button>All</button><button>PDF</button></div><div class=breadcrumb><a href="/x">Root</a></div></section>`},
	"cards with a star":           {body: `<section><h2>Documents</h2><div><a class=doc href="/d/1.pdf">Invoice.pdf</a><a href="/star/1">Favourite</a></div><div><a class=doc href="/d/2.pdf">Quote.pdf</a><a href="/star/2">Favourite</a></div></section>`, names: two},
	"details of documents":        {body: `<section><h2>Documents</h2><table><tr><td><a class=doc href="/documents/1/get">Invoice.pdf</a></td><td><a href="/documents/1">Details</a></td></tr><tr><td><a class=doc href="/documents/2/get">Quote.pdf</a></td><td><a href="/documents/2">Show details</a></td></tr></table></section>`, names: two},
	"actions under the list":      {body: `<h2>Documents</h2>` + docs + `<p><button>Reply</button> <a href="/track/12">Track shipment</a></p><div class=actions><button>Duplicate</button></div>`, names: two},
	"actions and no list":         {body: `<h2>Documents</h2><p>You have not uploaded any documents.</p><div class=actions><button>Duplicate</button></div>`},
	"actions alone":               {body: `<h2>Documents</h2><div class=actions><button>Duplicate</button></div>`},
	"tools over no list":          {body: `<section><h2>Attachments</h2><div><button>Upload</button><button>Refresh</button></div><p>None</p><p><a href="/contact">Write to us</a></p></section>`},
	"views of the list":           {body: `<section><h2>Documents</h2><div class=tabs><button class="tab active">Grid</button><button class=tab>Table</button></div>` + docs + `</section>`, names: two},
	"a guide alone":               {body: `<aside><a href="/files/guide-12">User guide</a></aside><h2>Lines</h2>` + orderLines},
	"sections of the page":        {body: `<ul class="nav nav-tabs"><li><a href="#l">Lines</a></li><li><a href="#d">Documents</a></li></ul><section id=l><h2>Lines</h2>` + orderLines + `</section><section id=d><h2>Documents</h2><p>None.</p></section>`},
	"versions of documents":       {body: `<section><h2>Documents</h2>` + docs + `<h3>Document versions (0)</h3></section>`, names: two},
	"save a document":             {body: `<section><h2>Documents</h2><p><a href="/d/1.pdf">Save</a> <a class=doc href="/d/1.pdf">Invoice.pdf</a></p><p><a class=doc href="/d/2.pdf">Quote.pdf</a> <a href="/d/2.pdf">Save as</a></p></section>`, names: two},
	"a dialog of files":           {body: `<div role=dialog><h2>Files</h2><ul><li><button class=doc>Invoice.pdf</button></li><li><button class=doc>Quote.pdf</button></li></ul></div>`, names: two},
	"footnotes":                   {body: `<section><h2>Documents</h2>` + docs + `<p>Prices<a href="#f1">1</a> and terms<a href="#f2">2</a></p><p id=f1>net</p><p id=f2>see above</p></section>`, names: two},
	"comments, and none hidden":   {auto: true, body: `<section><h2>Attachments</h2><p>None.</p></section><section><button aria-expanded=false>Comments (0)</button><button>Add comment</button><a href="/help">Help</a></section>`},
	"comments, folded":            {auto: true, body: `<section><h2>Attachments</h2><p>None.</p></section><details><summary>Show comments</summary><p>Deliver before noon.</p></details><h3><button aria-expanded=false>Notes</button></h3><div hidden>Deliver before noon.</div>`},
	"comments, and a count":       {auto: true, body: `<section><h2>Attachments (0)</h2></section><button aria-expanded=false>Show comments</button>`, zero: "Attachments (0)"},
	"comments, besides documents": {body: `<section><h2>Attachments</h2>` + docs + `</section><section><button aria-expanded=false>Show comments</button></section>`, names: two},
	"a requisition, elsewhere":    {auto: true, body: `<dl><dt>Requisition<dd><a href="/requisitions/55">RQ-55</a></dl><p>From requisition <a href="/requisitions/55">RQ-55</a></p><section><h2>Attachments</h2><dl><dt>Requisition<dd><a href="/requisitions/55">RQ-55</a></dl><p>None.</p></section>`},
	// Left out for a reason.
	"a help link left out": {body: `<h2>Documents</h2><a class="doc help" href="/help">Help</a>`, recipe: `exclude: ["a.help"]`, leftOut: 1},
	"two terms left out":   {body: `<h2>Documents</h2><a class="doc terms" href="/t/1">Terms</a><a class="doc terms" href="/t/2">Terms 2</a><a href="/orders/3">Back</a>`, recipe: `exclude: [".terms"]`, leftOut: 2},
	// Arrows and numbers that show no more.
	"arrows of something else": {body: `<section><h2>Lines</h2>` + orderLines + `<button>→</button><button>2</button></section><section><h2>Documents</h2><p>Orders › Documents</p>` + docs + `<div class=viewer><canvas></canvas><button>→</button></div></section>`, recipe: `exclude: [".viewer button"]`, names: two},
	"pages that are met":       {body: `<section><h2>Documents</h2>` + docs + `<div><button disabled>«</button> <button aria-current=page>1</button> <button disabled>»</button></div></section>`, names: two},
}

// noticed are pages with more documents, or controls, than meet the eye.
var noticed = map[string]listed{
	"a count in the heading":      {body: `<h2>Documents (3)</h2>` + docs, names: two, declared: 3},
	"a count in a tab":            {body: `<div role=tablist><button role=tab aria-controls=d aria-selected=true>Documents <span>3</span></button></div><div role=tabpanel id=d>` + docs + `</div>`, names: two, declared: 3},
	"a tab without a panel":       {body: `<ul class="nav-tabs"><li class=active><a href="#">Documents (5)</a></li></ul><div>` + docs + `</div>`, names: two, declared: 5},
	"a badge":                     {body: `<div class=card><div class=card-header><h3>Attachments</h3><span class=badge>3</span></div>` + docs + `</div>`, names: two, declared: 3},
	"a range":                     {body: `<section><h2>Documents</h2>` + docs + `<p>1-2 of 92</p></section>`, names: two, declared: 92},
	"a range of entries":          {body: `<section><h2>Documents</h2>` + docs + `<div>Showing <b>1</b> to <b>2</b> of <b>57</b> entries</div></section>`, names: two, declared: 57},
	"a range without a heading":   {body: `<div>` + docs + `<div>1-2 of 92</div></div>`, names: two, declared: 92},
	"words":                       {body: `<section><h2>Files</h2><p>3 attachments</p>` + docs + `</section>`, names: two, declared: 3},
	"pages":                       {body: `<section><h2>Documents</h2>` + docs + `<p>Page 2 of 4</p></section>`, names: two, declared: 4},
	"German pages":                {body: `<section><h2>Anhänge</h2>` + docs + `<p>Seite 1 von 3</p></section>`, names: two, declared: 3},
	"a German count":              {body: `<section><h2>Dokumente (12)</h2>` + docs + `</section>`, names: two, declared: 12},
	"a French range":              {body: `<section><h2>Pièces jointes</h2>` + docs + `<p>Affichage de 1 à 2 sur 14 éléments</p></section>`, names: two, declared: 14},
	"a Polish count":              {body: `<section><h2>Załączniki (4)</h2>` + docs + `</section>`, names: two, declared: 4},
	"aria-rowcount":               {body: `<h2>Documents</h2><table aria-rowcount=93><tr><th>Name</th></tr><tr><td><a class=doc href="/d/1.pdf">Invoice.pdf</a></td></tr><tr><td><a class=doc href="/d/2.pdf">Quote.pdf</a></td></tr></table>`, names: two, declared: 92},
	"aria-setsize":                {body: `<h2>Documents</h2><div role=list><div role=listitem aria-setsize=9 aria-posinset=1><a class=doc href="/d/1.pdf">Invoice.pdf</a></div><div role=listitem aria-setsize=9><a class=doc href="/d/2.pdf">Quote.pdf</a></div></div>`, names: two, declared: 9},
	"a count and no list":         {body: `<h2>Documents (3)</h2><div></div>`, declared: 3},
	"a count elsewhere":           {body: `<section><h2>Comments</h2>` + docs + `</section><section><h2>Attachments (3)</h2><p>...</p></section>`, names: two, declared: 3},
	"two counts":                  {body: `<h2>Documents (0)</h2><h2>Attachments (3)</h2>`, declared: 3},
	"the recipe's count":          {body: `<p id=n>Total: 7</p>` + docs, recipe: `count: "#n"`, names: two, declared: 7},
	"a count of those left out":   {body: `<h2>Documents (3)</h2>` + docs, recipe: `exclude: ["[href='/d/2.pdf']"]`, names: two[:1], leftOut: 1, declared: 3},
	"load more":                   {body: `<section><h2>Documents</h2>` + docs + `<button>Load more</button></section>`, names: two, controls: []string{"Load more"}},
	"next":                        {body: `<section><h2>Documents</h2>` + docs + `<a href="?page=2">Next</a></section>`, names: two, controls: []string{"Next"}},
	"next, in German":             {body: `<section><h2>Dokumente</h2>` + docs + `<a href="?page=2">Nächste Seite</a></section>`, names: two, controls: []string{"Nächste Seite"}},
	"more, in a list":             {body: `<div><ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a></li><li><a class=doc href="/d/2.pdf">Quote.pdf</a></li><li><a href="#" onclick="more()">Show more</a></li></ul></div>`, names: two, controls: []string{"Show more"}},
	"numbered pages":              {body: `<section><h2>Documents</h2>` + docs + `<nav class=pagination><a class=active href="?page=1">1</a><a href="?page=2">2</a></nav></section>`, names: two, controls: []string{"2"}},
	"an arrow with a label":       {body: `<section><h2>Documents</h2>` + docs + `<button aria-label="Next page">›</button></section>`, names: two, controls: []string{"Next page"}},
	"more, with a number":         {body: `<section><h2>Documents</h2>` + docs + `<button>Show 3 more</button></section>`, names: two, controls: []string{"Show 3 more"}},
	"all of them":                 {body: `<section><h2>Documents</h2>` + docs + `<a href="/orders/7000001/documents">View all (12)</a></section>`, names: two, controls: []string{"View all (12)"}},
	"file names in a form":        {body: `<form><table><tr><th>Reference papers</th></tr><tr><td><input value="Invoice.pdf"></td><td><input type=checkbox></td><td><a href="/rd?id=1" target=popup>?</a></td></tr><tr><td><input></td><td><a href="/rd?id=" target=popup>?</a></td></tr></table></form>`, auto: true, controls: []string{"Invoice.pdf"}},
	"a mark behind a form's name": {body: `<form><h2>Documents</h2><table><tr><td><input value="Contract of May"></td><td><a href="/rd?id=1" target=popup>?</a></td></tr></table></form>`, auto: true, controls: []string{"Contract of May ?"}},
	"closed comments":             {body: `<section><h2>Attachments</h2><p>There are no attachments for this order.</p></section><section><h2>Comments</h2><button aria-expanded=false>Show comments</button></section>`, auto: true, controls: []string{"Show comments"}},
	"closed comments, counted":    {body: `<h2>Lines</h2>` + orderLines + `<a href="#" onclick="show()">Alle Kommentare anzeigen (12)</a>`, auto: true, controls: []string{"Alle Kommentare anzeigen (12)"}},
	"a tab of comments":           {body: `<div role=tablist><button role=tab aria-selected=true>Lines</button><button role=tab aria-selected=false>Messages</button></div>` + orderLines, auto: true, controls: []string{"Messages"}},
	"a requisition there":         {body: `<section><h2>Attachments</h2><p>There are no attachments for this order.</p><p>From requisition <a href="/requisitions/55">RQ-55</a></p></section>`, auto: true, controls: []string{"RQ-55"}},
	"a requisition besides":       {body: `<section><h2>Attachments</h2>` + docs + `<p>From <a href="/r/55">purchase request 7000055</a></p></section>`, auto: true, names: two, controls: []string{"purchase request 7000055"}},
	"show documents":              {body: `<h2>Lines</h2>` + orderLines + `<h2>Documents</h2><button>Show documents</button>`, controls: []string{"Show documents"}},
	"show documents, beside":      {body: `<p><a class=doc href="/agb.pdf">AGB.pdf</a></p><section><h2>Documents</h2><button>Show documents</button></section>`, names: []string{"AGB.pdf"}, controls: []string{"Show documents"}},
	"Anhänge anzeigen":            {body: `<h2>Positionen</h2>` + orderLines + `<button>Anhänge anzeigen</button>`, controls: []string{"Anhänge anzeigen"}},
	"an unopened tab":             {body: `<div role=tablist><button role=tab aria-selected=true>Lines</button><button role=tab aria-selected=false>Documents</button></div>` + orderLines, controls: []string{"Documents"}},
	"an unopened tab, beside":     {body: `<div role=tablist><button role=tab aria-selected=true aria-controls=l>Overview</button><button role=tab aria-selected=false aria-controls=e>Documents</button></div><div id=l>` + docs + `</div><div id=e></div>`, names: two, controls: []string{"Documents"}},
	"an empty accordion":          {body: `<h3><button aria-expanded=false aria-controls=acc>Documents</button></h3><div id=acc></div>`, controls: []string{"Documents"}},
	"a link to its documents":     {body: `<main><h2>Lines</h2>` + orderLines + `<a href="/orders/7000001/documents">View documents</a></main>`, controls: []string{"View documents"}},
	"download all, alone":         {body: `<section><h2>Documents</h2><button>Download all</button></section>`, auto: true, controls: []string{"Download all"}},
	"a link without an ending":    {body: `<section><h2>Documents</h2><ul><li><a href="/view?id=77">Invoice 4711</a></li></ul></section>`, auto: true, controls: []string{"Invoice 4711"}},
	"a file without a link":       {body: `<section><h2>Documents</h2><ul><li>Invoice.pdf</li></ul></section>`, auto: true, controls: []string{"Invoice.pdf"}},
	"a button to open them":       {body: `<section><h2>Documents</h2><button>Open</button></section>`, auto: true, controls: []string{"Open"}},
	"buttons in rows":             {body: `<section><h2>Documents</h2><ul><li>Invoice.pdf <button>Download</button></li><li>Quote.pdf <a href="#">Open</a></li></ul></section>`, auto: true, names: two},
	"links that say download":     {body: `<section><h2>Documents</h2><table><tr><td>Invoice 4711</td><td><a href="/get?id=1">Download</a></td></tr></table></section>`, auto: true, names: []string{"Invoice 4711"}},
	"the same address":            {body: `<a class=doc href="/get">Invoice.pdf</a><a class=doc href="/get">Quote.pdf</a>`, names: two},
	"no address":                  {body: `<a class=doc href="">Invoice.pdf</a><a class=doc href="javascript:get(2)">Quote.pdf</a>`, names: two},
	"buttons":                     {body: `<button class=doc>Invoice.pdf</button><button class=doc>Quote.pdf</button>`, recipe: `{}`, names: two},
	"in a hidden tab":             {body: `<div hidden><a class=doc href="/d/1.pdf">Invoice.pdf</a></div><a class=doc href="/d/2.pdf">Quote.pdf</a>`, names: two},
	"hidden, with a mention":      {body: `<div hidden><h3>Files</h3><p>replaces order 7000002</p><a class=doc href="/d/1.pdf">Invoice.pdf</a></div><a class=doc href="/d/2.pdf">Quote.pdf</a>`, names: two},
	"without an ending":           {body: `<a class=doc href="/x?y=1">One</a><a class=doc href="/x?y=2">Two</a>`, recipe: `{}`, names: []string{"One", "Two"}},
	"documents in another tab":    {body: `<ul class="nav nav-tabs"><li class=active><a href="?tab=lines">Lines (10)</a></li><li><a href="?tab=docs">Documents</a></li></ul>` + orderLines, controls: []string{"Documents"}},
	"a counted tab, unopened":     {body: `<ul class="nav nav-tabs"><li class=active><a href="?tab=lines">Lines (10)</a></li><li><a href="?tab=docs">Documents (3)</a></li></ul>` + orderLines, declared: 3, controls: []string{"Documents (3)"}},
	"a group that lacks one":      {body: `<section><h2>Documents (3)</h2><h3>Invoices</h3><ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a></li></ul><h3>Quotes</h3><ul><li><a class=doc href="/d/2.pdf">Quote.pdf</a></li></ul></section>`, names: two, declared: 3},
	"a row of a table":            {body: `<table><tr><th>Supplier</th><td>Acme</td></tr><tr><th>Attachments (3)</th><td><a class=doc href="/d/1.pdf">Invoice.pdf</a> <a class=doc href="/d/2.pdf">Quote.pdf</a></td></tr></table>`, names: two, declared: 3},
	"cards of divs, with more":    {body: `<div class=card><div class=card-title>Documents</div>` + docs + `<div><button>Show more</button></div></div>`, names: two, controls: []string{"Show more"}},
	"more, in a footer of it":     {body: `<section><h2>Documents</h2>` + docs + `<footer><a href="?p=2">Next</a></footer></section>`, names: two, controls: []string{"Next"}},
	"a pager above":               {body: `<section><h2>Documents</h2><div class=pager>1 - 2 of 9 <a href="?p=2">Next</a></div>` + docs + `</section>`, names: two, declared: 9, controls: []string{"Next"}},
	"Afficher plus":               {body: `<section><h2>Pièces jointes</h2>` + docs + `<button>Afficher plus</button></section>`, names: two, controls: []string{"Afficher plus"}},
	"más, in Spanish":             {body: `<section><h2>Documentos</h2>` + docs + `<button>Cargar más</button></section>`, names: two, controls: []string{"Cargar más"}},
	"in a shadow root":            {body: `<div id=h></div><script>h.attachShadow({mode: "open"}).innerHTML = '<section><h2>Documents (3)</h2><a class=doc href="/d/1.pdf">Invoice.pdf</a><button>Load more</button></section>'</script>`, names: two[:1], declared: 3, controls: []string{"Load more"}, rendered: true},
	"a panel that drops down":     {body: orderLines + `<p><span>Documents ▾</span></p>`, auto: true, controls: []string{"Documents ▾"}},
	"a panel to enter":            {body: orderLines + `<div tabindex=0>Attachments</div>`, auto: true, controls: []string{"Attachments"}},
	"a details without content":   {body: `<details><summary>Documents</summary></details>`, controls: []string{"Documents"}},
	"an item that is mail":        {body: `<a class=doc href="mailto:a@example.com">Ask for it</a>`, recipe: `{}`, names: []string{"Ask for it"}},
	"a pager in a closed tab":     {body: `<button role=tab aria-controls=d aria-selected=false>Documents</button><div role=tabpanel id=d hidden>` + docs + `<p>1-2 of 92</p></div>`, names: two, declared: 92},
	"a count in a closed tab":     {body: `<div hidden><section><h2>Documents (3)</h2>` + docs + `</section></div>`, names: two, declared: 3},
	"rows of divs":                {body: `<div><div><a class=doc href="/d/1.pdf">Invoice.pdf</a><i>1</i></div><div><a class=doc href="/d/2.pdf">Quote.pdf</a><i>2</i></div><div><button>Load more</button></div></div>`, names: two, controls: []string{"Load more"}},
	"a table in a frame":          {body: `<div><div class=scroll><table><tr><td><a class=doc href="/d/1.pdf">Invoice.pdf</a></td></tr><tr><td><a class=doc href="/d/2.pdf">Quote.pdf</a></td></tr></table></div><div class=foot>1–2 of 40 <a href="?p=2">Next</a></div></div>`, names: two, declared: 40, controls: []string{"Next"}},
	"a card with a header":        {body: `<div class=card><header><h3>Documents (3)</h3></header>` + docs + `<footer><button>Load more</button></footer></div>`, names: two, declared: 3, controls: []string{"Load more"}},
	"tabs in a nav":               {body: `<nav class="nav nav-tabs"><a class=active href="?t=1">Lines</a><a href="?t=2">Documents</a></nav>` + orderLines, controls: []string{"Documents"}},
	"a file to delete":            {body: `<section><h2>Documents</h2><ul><li>Invoice.pdf <button>Delete</button></li></ul></section>`, auto: true, controls: []string{"Invoice.pdf Delete"}},
	"rows with a button":          {body: `<table><tr class=doc><td>Invoice.pdf</td><td><button>Approve</button></td></tr></table>`, recipe: `name: td`, names: []string{"Invoice.pdf"}, refused: []string{"Approve"}},
	"a page to type":              {body: `<section><h2>Documents</h2>` + docs + `<div>Page <input value=1> of 4</div></section>`, names: two, declared: 4},
	"a mere number of them":       {body: `<section><h2>Documents</h2>` + docs + `<small>2 of 9</small></section>`, names: two, declared: 9},
	"and more of them":            {body: `<section><h2>Documents</h2>` + docs + `<p>… and 3 more files</p></section>`, names: two, declared: 5},
	"a folder":                    {body: `<section><h2>Documents</h2><ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a></li><li><a href="/folder/7">Drawings (4 files)</a></li></ul></section>`, recipe: `{}`, names: two[:1], declared: 4},
	"what accepts the order":      {body: `<a class=doc href="/d/1.pdf">Invoice.pdf</a><a class=doc href="/accept">Accept order</a><button class=doc>✓ Approve</button><a class=doc href="/x">Bestellung bestätigen</a>`, recipe: `{}`, names: []string{"Invoice.pdf", "Accept order", "✓ Approve", "Bestellung bestätigen"}, refused: []string{"Accept order", "✓ Approve", "Bestellung bestätigen"}},

	// What does something to a file is never clicked; where nothing else brings the file, it is missing.
	"a file to delete alone":  {body: `<section><h2>Documents</h2><button>Delete Quote.pdf</button></section>`, auto: true, controls: []string{"Delete Quote.pdf"}},
	"a file to sign":          {body: `<section><h2>Documents</h2>` + docs + `<p><a href="/sign/55">Sign Contract.pdf</a></p></section>`, auto: true, names: two, controls: []string{"Sign Contract.pdf"}},
	"a file to remove alone":  {body: `<section><h2>Documents</h2><ul><li><a href="/attachments/remove/5">Remove Quote.pdf</a></li></ul></section>`, auto: true, controls: []string{"Remove Quote.pdf"}},
	"a file to remove by id":  {body: `<section><h2>Documents</h2><ul><li><a href="/attachments/5" data-method=delete>Remove Quote.pdf</a></li></ul></section>`, auto: true, controls: []string{"Remove Quote.pdf"}},
	"a contract to sign":      {body: `<h2>Documents</h2><ul><li><a href="/d/contract.pdf">Sign contract</a></li><li><a href="/sign/7.pdf">Sign Order.pdf</a></li></ul>`, auto: true, names: []string{"Sign contract"}, refused: []string{"Sign contract"}, controls: []string{"Sign Order.pdf"}},
	"buttons for a recipe":    {body: `<button class=doc>Delete Quote.pdf</button><a class=doc href="/d/1.pdf">Sign Contract.pdf</a><div class=doc>Pay slip.pdf</div>`, recipe: `{}`, names: []string{"Delete Quote.pdf", "Sign Contract.pdf", "Pay slip.pdf"}, refused: []string{"Delete Quote.pdf"}},
	"a button outside":        {body: `<div><button>Template.xlsx</button></div><section><h2>Documents</h2>` + docs + `</section>`, auto: true, names: two, controls: []string{"Template.xlsx"}},
	"a button without a list": {body: `<p>Here it is: <button>Quote.pdf</button></p>`, auto: true, names: []string{"Quote.pdf"}},
	// Ways to documents outside lists and tables.
	"a link in a div":            {body: `<h2>Documents</h2><div><a href="/blob/55">Quote</a></div>`, auto: true, controls: []string{"Quote"}},
	"a link in a dl":             {body: `<dl><dt>Supplier</dt><dd><a href="/suppliers/5">Acme</a></dd><dt>Attachments</dt><dd><a href="/blob/55">Quote</a></dd></dl>`, auto: true, controls: []string{"Quote"}},
	"a button with a name":       {body: `<section><h2>Documents</h2><button>Quote</button></section>`, auto: true, controls: []string{"Quote"}},
	"a clickable name":           {body: `<section><h2>Documents</h2><div>Quote.pdf</div><span>Terms.pdf</span></section>`, auto: true, controls: []string{"Quote.pdf", "Terms.pdf"}},
	"links with sizes":           {body: `<section><h2>Documents</h2><div><a href="/blob/55">Order confirmation</a> <small>12 KB</small></div></section>`, auto: true, controls: []string{"Order confirmation"}},
	"an order among them":        {body: `<section><h2>Documents</h2><ul><li><a href="/blob/55">Purchase order</a></li><li><a href="/orders/12">Blanket order</a></li></ul></section>`, auto: true, controls: []string{"Purchase order"}},
	"documents of this order":    {body: `<section><h2>Documents</h2>` + docs + `<p>There are 3 documents attached to this order.</p></section>`, names: two, declared: 3},
	"a picture in a pager":       {body: `<section><h2>Documents</h2>` + docs + `<ul class=pagination><li class=active><a href="?p=1">1</a></li><li><a href="?p=2"><svg></svg></a></li></ul></section>`, names: two, controls: []string{"›"}},
	"a heading with a button":    {body: `<h2>Documents <button>Upload</button></h2><div><a href="/blob/55">Quote</a></div>`, auto: true, controls: []string{"Quote"}},
	"a paragraph beside":         {body: `<section><h2>Documents</h2><p><a class=doc href="/d/1.pdf">Quote.pdf</a></p><p><a href="/blob/55">Signed contract</a></p></section>`, auto: true, names: []string{"Quote.pdf"}, controls: []string{"Signed contract"}},
	"a link beside":              {body: `<section><h2>Documents</h2><a class=doc href="/d/1.pdf">Quote.pdf</a> <a href="/blob/55">Signed contract</a></section>`, auto: true, names: []string{"Quote.pdf"}, controls: []string{"Signed contract"}},
	"a request in a list":        {body: `<section><h2>Documents</h2><ul><li><a href="/blob/55">Change request</a></li><li><a href="/blob/56">Installation guide</a></li></ul></section>`, auto: true, controls: []string{"Change request", "Installation guide"}},
	"documents, and a place":     {body: `<section><h2>Comments</h2><a class=doc href="/d/1.pdf">Invoice.pdf</a></section><section><h2>Documents</h2><ul><li><a href="/blob/55">Quote</a></li></ul></section>`, auto: true, names: two[:1], controls: []string{"Quote"}},
	"a long name to delete":      {body: `<section><h2>Documents</h2><button>Delete ` + strings.Repeat("long ", 30) + `Quote.pdf</button></section>`, auto: true, controls: []string{"Delete " + strings.Repeat("long ", 30) + "Quote.pdf"}},
	"a guide in a list":          {body: `<ul><li><a href="/documents/12">Installation guide</a></li></ul>`, auto: true, names: []string{"Installation guide"}},
	"documents behind the third": {body: `<div role=tablist><button role=tab aria-selected=true>Lines</button><button role=tab>Comments</button><button role=tab>Documents</button></div><div class=p>` + orderLines + `</div><div class=p hidden>` + docs + `</div><div class=p hidden></div>`, names: two, controls: []string{"Documents"}},
	"fewer than are listed":      {body: `<section><h2>Documents</h2>` + docs + `<p>Total: 1</p><button>Load more</button></section>`, names: two, controls: []string{"Load more"}},
	// Tabs.
	"a lazy tab of Bootstrap":     {body: `<ul class="nav nav-tabs"><li><a role=tab aria-selected=true data-toggle=tab href="#l">Lines</a></li><li><a role=tab aria-selected=false data-toggle=tab href="#d">Documents</a></li></ul><div class=tab-pane id=l>` + orderLines + `</div><div class=tab-pane id=d hidden></div>`, controls: []string{"Documents"}},
	"a lazy tab without a role":   {body: `<ul class="nav nav-tabs"><li class=active><a href="#l">Lines</a></li><li><a href="#d">Documents</a></li></ul><div class=tab-pane id=l>` + orderLines + `</div><div class=tab-pane id=d hidden></div>`, controls: []string{"Documents"}},
	"a lazy fold":                 {body: `<h3><a data-toggle=collapse aria-expanded=false href="#d">Documents</a></h3><div id=d hidden></div>`, controls: []string{"Documents"}},
	"a lazy pill":                 {body: `<ul class="nav nav-pills"><li class=active><a data-bs-toggle=pill href="#l">Lines</a></li><li><a data-bs-toggle=pill href="#d">Documents</a></li></ul><div id=l>` + orderLines + `</div><div id=d hidden></div>`, controls: []string{"Documents"}},
	"a tab to click in":           {body: `<div role=tablist><button role=tab aria-selected=true aria-controls=l>Lines</button><button role=tab aria-selected=false aria-controls=d>Documents</button></div><div id=l>` + orderLines + `</div><div id=d role=tabpanel hidden><h3>Documents</h3><p>Click to load</p></div>`, controls: []string{"Documents"}},
	"a tab of a div":              {body: `<div class=tabs><div class="tab active">Lines</div><div class=tab>Documents</div></div>` + orderLines, controls: []string{"Documents"}},
	"a tab of a list":             {body: `<ul class=tabs><li class=active>Lines</li><li>Documents</li></ul>` + orderLines, controls: []string{"Documents"}},
	"its documents, in a sidebar": {body: `<div class=sidebar><a href="/orders">Orders</a><a href="/orders/7000001/documents">Documents</a></div><h2>Lines</h2>` + orderLines, controls: []string{"Documents"}},
	// Left out with all the rest.
	"all links left out":  {body: `<h2>Documents</h2>` + docs + `<a href="/orders">Back</a>`, recipe: `exclude: ["a"]`, leftOut: 2, vague: true},
	"links of lists":      {body: `<h2>Documents</h2>` + docs + `<a href="/orders">Back</a>`, recipe: `exclude: ["li > a[href]"]`, leftOut: 2, vague: true},
	"nearly all left out": {body: `<div class=page><h2>Documents</h2>` + docs + `<a href="/orders">Back</a></div>`, recipe: `exclude: [".page a"]`, leftOut: 2, vague: true},
	// Counts.
	"showing some":     {body: `<section><h2>Documents</h2>` + docs + `<p>Showing 2 of 3</p></section>`, names: two, declared: 3},
	"a total of items": {body: `<section><h2>Documents</h2>` + docs + `<p>Total 3 items</p></section>`, names: two, declared: 3},
	"a total":          {body: `<section><h2>Documents</h2>` + docs + `<p>Total: 3</p></section>`, names: two, declared: 3},
	"results":          {body: `<section><h2>Documents</h2>` + docs + `<p>3 results</p></section>`, names: two, declared: 3},
	"a number of them": {body: `<section><h2>Documents</h2>` + docs + `<p>Number of documents: 3</p></section>`, names: two, declared: 3},
	"there are some":   {body: `<section><h2>Documents</h2>` + docs + `<p>There are 3 documents attached.</p></section>`, names: two, declared: 3},
	"a German number":  {body: `<section><h2>Anlagen</h2>` + docs + `<p>Anzahl der Dokumente: 3</p></section>`, names: two, declared: 3},
	// Controls.
	"an arrow":            {body: `<section><h2>Documents</h2>` + docs + `<button>→</button></section>`, names: two, controls: []string{"→"}},
	"two arrows":          {body: `<section><h2>Documents</h2>` + docs + `<div><a href="?page=2">»</a></div></section>`, names: two, controls: []string{"»"}},
	"an ellipsis":         {body: `<section><h2>Documents</h2>` + docs + `<button>…</button></section>`, names: two, controls: []string{"…"}},
	"numbers of pages":    {body: `<section><h2>Documents</h2>` + docs + `<div><b>1</b> <a href="?page=2">2</a> <a href="?page=3">3</a></div></section>`, names: two, controls: []string{"2", "3"}},
	"page two":            {body: `<section><h2>Documents</h2>` + docs + `<a href="?page=2">Page 2</a></section>`, names: two, controls: []string{"Page 2"}},
	"go to next page":     {body: `<section><h2>Documents</h2>` + docs + `<button aria-label="Go to next page"><svg></svg></button></section>`, names: two, controls: []string{"Go to next page"}},
	"an icon in a pager":  {body: `<section><h2>Documents</h2>` + docs + `<ul class=pagination><li class=disabled><a href="#"><i class=icon-left></i></a></li><li class=active><a href="#">1</a></li><li><a href="?page=2"><i class=icon-right></i></a></li></ul></section>`, names: two, controls: []string{"icon-right"}},
	"a page that is full": {body: `<section><h2>Documents</h2><label>Show <select><option>1<option selected>2<option>5</select> entries</label>` + docs + `</section>`, names: two, controls: []string{"2 of 1, 2, 5"}},
	"one year of several": {body: `<section><h2>Documents</h2><select><option>2026<option>2025<option>All years</select>` + docs + `</section>`, names: two, controls: []string{"2026 of 2026, 2025, All years"}},
	"one kind of all":     {body: `<section><h2>Documents</h2><select><option>All types<option selected>Invoices<option>Quotes</select>` + docs + `</section>`, names: two, controls: []string{"Invoices of All types, Invoices, Quotes"}},
	"the full list":       {body: `<section><h2>Documents</h2>` + docs + `<a href="/orders/7000001/all">View full list</a></section>`, names: two, controls: []string{"View full list"}},
	"older versions":      {body: `<section><h2>Documents</h2>` + docs + `<button>Show older versions</button></section>`, names: two, controls: []string{"Show older versions"}},
	"a clickable div":     {body: `<section><h2>Documents</h2>` + docs + `<div>Show 5 more</div></section>`, names: two, controls: []string{"Show 5 more"}},
	"a clickable row":     {body: `<section><h2>Documents</h2><ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a></li><li tabindex=0>Load more</li></ul></section>`, names: two[:1], controls: []string{"Load more"}},
}

// TestListing reads each page, shown and fetched, and checks what it says of its documents.
func TestListing(t *testing.T) {
	t.Parallel()
	for group, pages := range map[string]map[string]listed{"everyday": everyday, "noticed": noticed} {
		t.Run(group, func(t *testing.T) {
			t.Parallel()
			mux := http.NewServeMux()
			mux.HandleFunc("/orders/7000001/{name}", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				fmt.Fprintf(w, `<!doctype html><title>PO7000001</title><body><h1>Order PO7000001</h1>%s`, pages[r.PathValue("name")].body)
			})
			server := httptest.NewServer(mux)
			t.Cleanup(server.Close)
			b := newBench(t, scrape.AutoRecipe())
			for name, want := range pages {
				if _, err := b.browser.Tab().Navigate(t.Context(), server.URL+"/orders/7000001/"+strings.ReplaceAll(name, " ", "%20"), ""); err != nil {
					t.Fatal(err)
				}
				for kind, recipe := range recipesFor(t, want) {
					shown, fetched, err := scrape.ReadListing(t.Context(), b.browser, recipe, "PO7000001", "7000001")
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					checkListing(t, name+", shown, "+kind, shown, want)
					if !want.rendered {
						checkListing(t, name+", fetched, "+kind, fetched, want)
					}
				}
			}
		})
	}
}

func recipesFor(t *testing.T, want listed) map[string]*scrape.Recipe {
	t.Helper()
	recipes := map[string]*scrape.Recipe{}
	if want.recipe == "" {
		recipes["built-in"] = scrape.AutoRecipe()
	}
	if !want.auto {
		keys := strings.Trim(want.recipe, "{}")
		if keys != "" {
			keys = ", " + keys
		}
		r, err := scrape.ReadRecipe("r.yaml", strings.NewReader("version: 1\nname: r\nattachments: {item: .doc"+keys+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		recipes["recipe"] = r
	}
	return recipes
}

func checkListing(t *testing.T, name string, got scrape.Listing, want listed) {
	t.Helper()
	if !slices.Equal(got.Names, want.names) {
		t.Errorf("%s: lists %q, want %q", name, got.Names, want.names)
	}
	if got.Declared != want.declared {
		t.Errorf("%s: declares %d (%q), want %d", name, got.Declared, got.Text, want.declared)
	}
	if got.Zero != want.zero {
		t.Errorf("%s: says that there are none by %q, want %q", name, got.Zero, want.zero)
	}
	if !slices.Equal(got.Controls, want.controls) {
		t.Errorf("%s: offers %q, want %q", name, got.Controls, want.controls)
	}
	if got.Vague != want.vague {
		t.Errorf("%s: leaving out proves something: %t, want %t", name, !got.Vague, !want.vague)
	}
	if !slices.Equal(got.Refused, want.refused) || got.LeftOut != want.leftOut {
		t.Errorf("%s: refuses %q and leaves out %d, want %q and %d", name, got.Refused, got.LeftOut, want.refused, want.leftOut)
	}
}

// TestNotClicked reads a page whose items do more than show a document: none of them
// may be followed or clicked, and each is a failed document.
func TestNotClicked(t *testing.T) {
	t.Parallel()
	var did atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/orders/1", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>PO7000001</title><h1>Order PO7000001</h1><a class=doc href="/d.pdf">Order confirmation</a>
			<a class=doc href="/do">Accept order</a><button class=doc onclick="fetch('/do')">Auftrag annehmen</button><a class=doc href="mailto:a@example.com">Ask</a>`)
	})
	mux.HandleFunc("/do", func(http.ResponseWriter, *http.Request) { did.Add(1) })
	mux.HandleFunc("/d.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = io.WriteString(w, "%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	recipe, err := scrape.ReadRecipe("r.yaml", strings.NewReader("version: 1\nname: r\nidentity: {selector: h1}\nattachments: {item: .doc}\n"))
	if err != nil {
		t.Fatal(err)
	}
	task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO7000001", Digits: "7000001", Dir: "x", URL: server.URL + "/orders/1"}}
	d := newBench(t, recipe).work(t, task)
	if d.Outcome != tasks.OutcomePartial || task.Attempts != 1 {
		t.Errorf("got %s after %d attempts (%v), want partial after one", d.Outcome, task.Attempts, failureText(d))
	}
	var classes []tasks.Class
	for _, a := range d.Result.Attachments {
		class := tasks.Class("")
		if a.Error != nil {
			class = a.Error.Class
		}
		classes = append(classes, class)
	}
	if want := []tasks.Class{"", tasks.ClassNotClicked, tasks.ClassNotClicked, tasks.ClassAttachment}; !slices.Equal(classes, want) {
		t.Errorf("the documents' classes are %q, want %q", classes, want)
	}
	if n := did.Load(); n != 0 {
		t.Errorf("the portal was asked %d times to accept the order", n)
	}
}

// TestVariationsSayNothingMore reads each page of the demo portal: none of them lists
// less than it says.
func TestVariationsSayNothingMore(t *testing.T) {
	t.Parallel()
	p, url := startPortal(t, portal.Config{Orders: len(portal.Variations())})
	b := newBench(t, scrape.AutoRecipe())
	for _, order := range p.Orders() {
		if res, err := b.browser.Tab().Navigate(t.Context(), url+order.Path, ""); err != nil || res.Status != http.StatusOK {
			continue // a page that fails on purpose
		}
		for _, recipe := range []*scrape.Recipe{scrape.AutoRecipe(), demoRecipe(t)} {
			shown, fetched, err := scrape.ReadListing(t.Context(), b.browser, recipe, order.Number, strings.TrimPrefix(order.Number, "PO"))
			if err != nil {
				continue // its server fails twice
			}
			for _, got := range []scrape.Listing{shown, fetched} {
				if got.Declared != 0 || got.Zero != "" || len(got.Controls) > 0 || len(got.Refused) > 0 {
					t.Errorf("%s, recipe %s: declares %d (%q), none by %q, offers %q, refuses %q", order.Variation, recipe.Name, got.Declared, got.Text, got.Zero, got.Controls, got.Refused)
				}
			}
		}
	}
}
