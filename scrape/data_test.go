package scrape_test

import (
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// ask is a script of a page that requests data and reads it.
func ask(paths ...string) string {
	script := "<script>"
	for _, path := range paths {
		script += fmt.Sprintf("fetch(%q).then(r => r.json()).catch(() => {});", path)
	}
	return script + "</script>"
}

// dataCase is a page, what its server has, and what an order is to end as that is read with
// these keys of a recipe.
type dataCase struct {
	page   string
	server map[string]any // answers by path: a text of JSON, or a handler
	field  string
	list   string // attachments.json
	also   string // further keys of attachments
	elsewhere
	outcome tasks.Outcome
	says    string // a part of the message
	value   string
	several bool
	names   []string
	unmet   []string
	proof   tasks.ProofKind
}

// elsewhere: the list has had documents on another page of its kind.
type elsewhere bool

const (
	twoDocs     = `{"documents": [{"href": "/d/1.pdf", "filename": "Invoice.pdf", "state": "paid"}, {"href": "/d/2.pdf", "filename": "Quote.pdf", "state": "draft"}]}`
	oneDoc      = `{"documents": [{"href": "/d/3.pdf", "filename": "Other.pdf", "state": "paid"}]}`
	noDocs      = `{"documents": []}`
	dataList    = `{url: "/api/orders/*/documents", items: "$.documents[*]", link: $.href, name: $.filename}`
	fieldStatus = `{json: "/api/orders/*", path: $.order.status}`
)

func dataCases() map[string]dataCase {
	both := []string{"Invoice.pdf", "Quote.pdf"}
	sent := func(kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, body)
		}
	}
	zipped := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		fmt.Fprint(z, `{"order": {"status": "öffen"}}`)
		z.Close()
	}
	open := map[string]any{"/api/orders/1001": `{"order": {"status": "open"}}`}
	docs := func(body any) map[string]any { return map[string]any{"/api/orders/1001/documents": body} }
	const forge = `<script>
		const ask = fetch;
		JSON.parse = () => ({order: {status: "forged"}});
		Response.prototype.json = Response.prototype.text = async () => '{"order": {"status": "forged"}}';
		window.fetch = async (...args) => { await ask(...args); return new Response('{"order": {"status": "forged"}}'); };
		Object.defineProperty(XMLHttpRequest.prototype, "responseText", { get: () => '{"order": {"status": "forged"}}' });
		Array.prototype.toString = String.prototype.trim = () => "forged";
	</script>`
	const worker = `<script>navigator.serviceWorker.register("/sw.js").then(() => navigator.serviceWorker.ready).then(() => fetch("/api/orders/1001")).then(r => r.json()).catch(() => {})</script>`
	return map[string]dataCase{
		"in a script of the page": {page: `<script id=__NEXT_DATA__ type="application/json">{"props": {"number": "PO1001", "status": "open", "documents": [{"href": "/d/1.pdf", "filename": "Invoice.pdf"}, {"href": "/d/2.pdf", "filename": "Quote.pdf"}]}}</script>`,
			field: `{script: "#__NEXT_DATA__", path: $.props.status}`, list: `{script: "#__NEXT_DATA__", items: "$.props.documents[*]", link: $.href, name: $.filename}`, value: "open", names: both},
		"assigned in a script":   {page: `<script>window.__data = {"order": {"status": "open"}}; window.run = () => 1</script>`, field: `{script: "script", path: $.order.status}`, value: "open"},
		"another's, in a script": {page: `<script id=data type="application/json">{"number": "PO1002", "status": "open"}</script>`, field: `{script: "#data", path: $.status}`, outcome: tasks.OutcomePartial, says: "another order"},
		"made by a script":       {page: `<script id=data>window.__data = (() => ({status: "open"}))()</script>`, field: `{script: "#data", path: $.status}`, outcome: tasks.OutcomePartial, says: "holds no JSON"},
		"documents in no script": {list: `{script: "#data", items: "$.documents[*]", link: $.href, name: $.filename}`, outcome: tasks.OutcomePartial, says: "no script of the page met"},
		"a field":                {page: ask("/api/orders/1001"), server: open, field: fieldStatus, value: "open"},
		"by XMLHttpRequest":      {page: `<script>const x = new XMLHttpRequest(); x.open("GET", "/api/orders/1001"); x.send()</script>`, server: open, field: fieldStatus, value: "open"},
		"in a frame":             {page: `<iframe src="/api/orders/1001"></iframe>`, server: open, field: fieldStatus, value: "open"},
		"after two seconds":      {page: `<script>setTimeout(() => fetch("/api/orders/1001").then(r => r.json()), 2000)</script>`, server: open, field: fieldStatus, value: "open"},
		"after all has ended":    {page: `<script>setTimeout(() => fetch("/api/orders/1001").then(r => r.json()), 60000)</script>`, server: open, field: fieldStatus, outcome: tasks.OutcomePartial, says: "no answer matched"},
		"as plain text":          {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": sent("text/plain", `{"order": {"status": "öffen"}}`)}, field: fieldStatus, value: "öffen"},
		"behind a guard":         {page: `<script>fetch("/api/orders/1001").then(r => r.text())</script>`, server: map[string]any{"/api/orders/1001": `)]}',` + "\n" + `{"order": {"status": "open"}}`}, field: fieldStatus, value: "open"},
		"compressed":             {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": http.HandlerFunc(zipped)}, field: fieldStatus, value: "öffen"},
		"forged by the page":     {page: forge + ask("/api/orders/1001"), server: open, field: fieldStatus, value: "open"},
		"by a service worker":    {page: worker, server: map[string]any{"/api/orders/1001": `{"order": {"status": "open"}}`, "/sw.js": sent("text/javascript", `addEventListener("install", () => skipWaiting()); addEventListener("activate", e => e.waitUntil(clients.claim())); addEventListener("fetch", e => e.respondWith(new Response('{"order": {"status": "forged"}}', {headers: {"content-type": "application/json"}})))`)}, field: fieldStatus, value: "open"},
		"too large":              {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": `{"order": {"status": "open"}, "more": "` + strings.Repeat("x", 21<<20) + `"}`}, field: fieldStatus, outcome: tasks.OutcomePartial, says: "longer than 20 MiB"},
		"broken":                 {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": `{"order": {"status": "open"}`}, field: fieldStatus, outcome: tasks.OutcomePartial, says: "broken JSON"},
		"with status 500":        {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })}, field: fieldStatus, outcome: tasks.OutcomePartial, says: "status 500"},
		"a pattern with a typo": {page: ask("/api/orders/1001"), server: open, field: `{json: "/api/order/*", path: $.order.status}`, outcome: tasks.OutcomePartial,
			says: `no answer matched "/api/order/*"; the page received GET /api/orders/1001`, unmet: []string{"fields.f.json"}},
		"beside a failure":     {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": `{"Success": false, "order": {"status": "open"}}`}, field: fieldStatus, outcome: tasks.OutcomePartial, says: "was answered with Success: false"},
		"of a failed request":  {server: map[string]any{"/api/orders/1001": `{"code": 401, "message": "x", "order": {"status": "open"}}`}, field: `{get: "/api/orders/{digits}", path: $.order.status}`, outcome: tasks.OutcomePartial, says: `was answered with code: 401 ("x")`},
		"the other one failed": {page: ask("/api/orders/1001", "/api/orders/x"), server: map[string]any{"/api/orders/1001": `{"error": "down"}`, "/api/orders/x": `{"order": {"status": "open"}}`}, field: fieldStatus, outcome: tasks.OutcomePartial, says: `was answered with error ("down")`},
		"its status is error":  {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": `{"order": {"status": "error"}, "errors": [], "error": null, "code": 0, "errorCount": 0}`}, field: fieldStatus, value: "error"},
		"a path with a typo":   {page: ask("/api/orders/1001"), server: open, field: `{json: "/api/orders/*", path: $.ordre.status}`, outcome: tasks.OutcomePartial, says: "required fields are not on the page, or cannot be read: f", unmet: []string{"fields.f.path"}},
		"an object":            {page: ask("/api/orders/1001"), server: open, field: `{json: "/api/orders/*", path: $.order}`, outcome: tasks.OutcomePartial, says: "no single value"},
		"null":                 {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": `{"order": {"status": null}}`}, field: fieldStatus, outcome: tasks.OutcomePartial, says: "required fields"},
		"two values":           {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": `{"a": "x", "b": "y"}`}, field: `{json: "/api/orders/*", path: "$['a','b']"}`, value: "x", several: true, outcome: tasks.OutcomePartial},
		"a number":             {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": `{"total": 12345678901234567.10}`}, field: `{json: "/api/orders/*", path: $.total, type: amount}`, value: "12345678901234567.10"},
		"a number to a power":  {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": `{"total": -1.25E3}`}, field: `{json: "/api/orders/*", path: $.total, type: amount, locale: de}`, value: "-1250"},
		"a number, matched":    {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": `{"total": 12.345}`}, field: `{json: "/api/orders/*", path: $.total, type: amount, locale: de, match: '.*'}`, value: "12.345"},
		"a text as amount":     {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": `{"total": "1.250,50"}`}, field: `{json: "/api/orders/*", path: $.total, type: amount, locale: de}`, value: "1250.50"},
		"a date":               {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": `{"at": "2026-02-03T23:30:00-08:00"}`}, field: `{json: "/api/orders/*", path: $.at, type: date}`, value: "2026-02-03"},
		"a date by layout":     {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": `{"at": "03/02/2026"}`}, field: `{json: "/api/orders/*", path: $.at, type: date, layout: 02/01/2006}`, value: "2026-02-03"},
		"a part of a text":     {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": `{"ref": "Contract A-12 of 2026"}`}, field: `{json: "/api/orders/*", path: $.ref, match: 'Contract (\S+)'}`, value: "A-12"},
		"true":                 {page: ask("/api/orders/1001"), server: map[string]any{"/api/orders/1001": `{"paid": true}`}, field: `{json: "/api/orders/*", path: $.paid}`, value: "true"},

		// Which order an answer is about.
		"another order's as well":   {page: ask("/api/orders/1002", "/api/orders/1001"), server: map[string]any{"/api/orders/1001": `{"order": {"status": "open"}}`, "/api/orders/1002": `{"order": {"status": "closed"}}`}, field: fieldStatus, value: "open"},
		"only another order's":      {page: ask("/api/orders/1002"), server: map[string]any{"/api/orders/1002": `{"order": {"status": "closed"}}`}, field: fieldStatus, outcome: tasks.OutcomePartial, says: `that of another order, "1002"`},
		"another's, by its number":  {page: ask("/api/orders/77", "/api/orders/78"), server: map[string]any{"/api/orders/77": `{"order": {"status": "open", "no": "PO1001"}}`, "/api/orders/78": `{"order": {"status": "closed", "no": "PO1002"}}`}, field: fieldStatus, value: "open"},
		"nobody knows whose":        {page: ask("/api/orders/77", "/api/orders/78"), server: map[string]any{"/api/orders/77": `{"order": {"status": "open"}}`, "/api/orders/78": `{"order": {"status": "closed"}}`}, field: fieldStatus, value: "open", several: true, outcome: tasks.OutcomePartial},
		"the portal's own id":       {page: ask("/api/search", "/api/orders/8812"), server: map[string]any{"/api/search": `{"hits": [{"number": "PO1001", "id": 8812}]}`, "/api/orders/8812": `{"order": {"status": "open"}}`}, field: fieldStatus, value: "open"},
		"another order's id":        {page: ask("/api/search", "/api/orders/8813"), server: map[string]any{"/api/search": `{"hits": [{"number": "PO1001", "id": 8812}, {"number": "PO1002", "id": 8813}]}`, "/api/orders/8813": `{"order": {"status": "closed"}}`}, field: fieldStatus, outcome: tasks.OutcomePartial, says: `"8813"`},
		"by the order's number":     {page: ask("/api/orders/1002", "/api/orders/1001"), server: map[string]any{"/api/orders/1001": `{"order": {"status": "open"}}`, "/api/orders/1002": `{"order": {"status": "closed", "was": "PO1001"}}`}, field: `{json: "/api/orders/{digits}", path: $.order.status}`, value: "open"},
		"GraphQL":                   {page: `<script>for (const q of ["order", "documents"]) fetch("/graphql", {method: "POST", body: q}).then(r => r.json())</script>`, server: map[string]any{"/graphql": http.HandlerFunc(graphQL)}, field: `{json: "/graphql", path: $.data.order.status}`, list: `{url: "/graphql", items: "$.data.documents[*]", link: $.href}`, value: "open", names: []string{"1.pdf"}},
		"the latest of one address": {page: `<script>fetch("/api/orders/1001").then(r => r.json()).then(() => fetch("/api/orders/1001?_=1699999999999")).then(r => r.json())</script>`, server: map[string]any{"/api/orders/1001": counting()}, field: fieldStatus, value: "2"},

		// Documents.
		"documents":                         {page: ask("/api/orders/1001/documents"), server: docs(twoDocs), list: dataList, names: both},
		"a list in place of [*]":            {page: ask("/api/orders/1001/documents"), server: docs(twoDocs), list: `{url: "/api/orders/*/documents", items: $.documents, link: $.href, name: $.filename}`, names: both},
		"those that are wanted":             {page: ask("/api/orders/1001/documents"), server: docs(twoDocs), list: `{url: "/api/orders/*/documents", items: "$.documents[*]", link: $.href, name: $.filename, where: {path: $.state, text: ^paid$}}`, names: []string{"Invoice.pdf"}},
		"none is wanted":                    {page: ask("/api/orders/1001/documents"), server: docs(twoDocs), list: `{url: "/api/orders/*/documents", items: "$.documents[*]", link: $.href, name: $.filename, where: {path: $.state, text: ^void$}}`, outcome: tasks.OutcomeNoAttachments, proof: tasks.ProofLeftOut, unmet: []string{"attachments.json.where"}},
		"a where without a place":           {page: ask("/api/orders/1001/documents"), server: docs(twoDocs), list: `{url: "/api/orders/*/documents", items: "$.documents[*]", link: $.href, where: {path: $.satte, text: ^paid$}}`, elsewhere: true, outcome: tasks.OutcomePartial, says: "where", unmet: []string{"attachments.json.where"}},
		"with an address made of its parts": {page: ask("/api/orders/1001/documents"), server: docs(`{"documents": [{"id": "d/1", "filename": "Invoice.pdf"}, {"id": 2, "filename": "Quote.pdf"}]}`), list: `{url: "/api/orders/*/documents", items: "$.documents[*]", link: "/d/{$.id}.pdf", name: $.filename}`, names: both},
		"left out by their names":           {page: ask("/api/orders/1001/documents"), server: docs(twoDocs), list: dataList, also: ", names: {exclude: ^Quote}", names: []string{"Invoice.pdf"}},
		"not there yet":                     {page: ask("/api/orders/1001/documents"), server: docs(twoDocs), list: `{url: "/api/orders/*/documents", items: "$.documents[*]", link: $.href, name: $.filename, pending: {path: $.state, text: ^draft$}}`, outcome: tasks.OutcomePartial, says: "attachments.json.pending holds", names: []string{"Invoice.pdf"}},
		"without names":                     {page: ask("/api/orders/1001/documents"), server: docs(twoDocs), list: `{url: "/api/orders/*/documents", items: "$.documents[*]", link: $.href}`, names: []string{"1.pdf", "2.pdf"}},
		"without a link":                    {page: ask("/api/orders/1001/documents"), server: docs(twoDocs), list: `{url: "/api/orders/*/documents", items: "$.documents[*]", link: $.hfer, name: $.filename}`, outcome: tasks.OutcomeFailed, says: "no address", unmet: []string{"attachments.json.link"}},
		"links to a script":                 {page: ask("/api/orders/1001/documents"), server: docs(`{"documents": [{"href": "javascript:alert(1)", "filename": "A.pdf"}]}`), list: dataList, outcome: tasks.OutcomeFailed, says: "javascript address"},
		"links to another host":             {page: ask("/api/orders/1001/documents"), server: docs(`{"documents": [{"href": "http://foreign.example/1.pdf", "filename": "A.pdf"}]}`), list: dataList, outcome: tasks.OutcomePartial, says: "foreign.example"},
		"relative to the answer":            {page: ask("/api/orders/1001/documents"), server: map[string]any{"/api/orders/1001/documents": `{"documents": [{"href": "1.pdf", "filename": "A.pdf"}]}`, "/api/orders/1001/1.pdf": sent("application/pdf", "%PDF-1.4 %%EOF")}, list: dataList, names: []string{"A.pdf"}},
		"an empty list":                     {page: ask("/api/orders/1001/documents"), server: docs(noDocs), list: dataList, outcome: tasks.OutcomePartial, says: "attachments.json.items has not met anything"},
		"an empty list, of many":            {page: ask("/api/orders/1001/documents"), server: docs(noDocs), list: dataList, elsewhere: true, outcome: tasks.OutcomeNoAttachments, proof: tasks.ProofSettled},
		"no list":                           {page: ask("/api/orders/1001/documents"), server: docs(`{"error": "internal"}`), list: dataList, elsewhere: true, outcome: tasks.OutcomePartial, says: `was answered with error ("internal")`},
		"a list that is null":               {page: ask("/api/orders/1001/documents"), server: docs(`{"documents": null}`), list: dataList, elsewhere: true, outcome: tasks.OutcomePartial, says: `the answer has null at $.documents[*], and only [] says that a list is empty`},
		"a list that is an object":          {page: ask("/api/orders/1001/documents"), server: docs(`{"documents": {}}`), list: dataList, elsewhere: true, outcome: tasks.OutcomePartial, says: `the answer has {} at $.documents[*]`},
		"no list, but another's":            {page: ask("/api/orders/1001/documents", "/api/orders/x/documents"), server: map[string]any{"/api/orders/1001/documents": `{"documents": null}`, "/api/orders/x/documents": noDocs}, list: dataList, elsewhere: true, outcome: tasks.OutcomePartial, says: `the answer has null`},
		"an empty list that failed":         {page: ask("/api/orders/1001/documents"), server: docs(`{"status": "error", "documents": []}`), list: dataList, elsewhere: true, outcome: tasks.OutcomePartial, says: `was answered with status: error`},
		"a problem":                         {page: ask("/api/orders/1001/documents"), server: docs(sent("application/problem+json", `{"title": "x", "documents": []}`)), list: dataList, elsewhere: true, outcome: tasks.OutcomePartial, says: `was answered with a problem`},
		"a neighbour's documents":           {page: ask("/api/orders/1001/documents"), server: docs(`{"hits": [{"number": "PO1002", "files": [{"href": "/d/1.pdf"}]}, {"number": "PO1001", "files": [{"href": "/d/2.pdf"}]}]}`), list: `{url: "/api/orders/*/documents", items: "$.hits[0].files[*]", link: $.href}`, elsewhere: true, outcome: tasks.OutcomePartial, says: `is another order's, "PO1002"`},
		"all hits' documents":               {page: ask("/api/orders/1001/documents"), server: docs(`{"hits": [{"number": "PO1002", "files": [{"href": "/d/1.pdf"}]}, {"number": "PO1001", "files": [{"href": "/d/2.pdf"}]}]}`), list: `{url: "/api/orders/*/documents", items: "$.hits[?@.number=='PO1001'].files[*]", link: $.href}`, names: []string{"2.pdf"}},
		"one of two hits' documents":        {page: ask("/api/orders/1001/documents"), server: docs(`{"hits": [{"number": "PO1001", "files": [{"href": "/d/1.pdf"}]}, {"number": "PO1001", "files": [{"href": "/d/2.pdf"}]}]}`), list: `{url: "/api/orders/*/documents", items: "$.hits[0].files[*]", link: $.href}`, outcome: tasks.OutcomePartial, says: `stands in 2 elements`, names: []string{"1.pdf"}},
		"never asked for":                   {page: ask("/api/v2/orders/1001/files"), server: map[string]any{"/api/v2/orders/1001/files": twoDocs}, list: dataList, elsewhere: true, outcome: tasks.OutcomePartial, says: "the page received GET /api/v2/orders/1001/files", unmet: []string{"attachments.json.url"}},
		"never asked, and none":             {page: `<p class=none>No documents</p>`, list: dataList, also: ", none: .none", outcome: tasks.OutcomeNoAttachments, proof: tasks.ProofMarker, unmet: []string{"attachments.json.url"}},
		"not found":                         {page: ask("/api/orders/1001/documents"), list: dataList, elsewhere: true, outcome: tasks.OutcomePartial, says: "status 404", unmet: []string{"attachments.json.url"}},
		"the page knows of more":            {page: `<h2>Documents (3)</h2><ul></ul>` + ask("/api/orders/1001/documents"), server: docs(twoDocs), list: dataList, outcome: tasks.OutcomePartial, says: "Documents (3)", names: both},
		"a tab knows of more":               {page: `<div role=tablist><button role=tab aria-selected=true>Lines</button><button role=tab aria-selected=false>Documents (3)</button></div>` + ask("/api/orders/1001/documents"), server: docs(twoDocs), list: dataList, outcome: tasks.OutcomePartial, says: "Documents (3)", names: both},
		"a tab knows as many":               {page: `<div role=tablist><button role=tab aria-selected=true>Lines</button><button role=tab aria-selected=false>Documents (2)</button></div>` + ask("/api/orders/1001/documents"), server: docs(twoDocs), list: dataList, names: both},
		"the page knows as many":            {page: `<h2>Documents (2)</h2><ul></ul>` + ask("/api/orders/1001/documents"), server: docs(twoDocs), list: dataList, names: both},
		"in two answers":                    {page: ask("/api/orders/1001/documents?page=1", "/api/orders/1001/documents?page=2"), server: docs(http.HandlerFunc(paged)), list: dataList, names: []string{"Invoice.pdf", "Other.pdf", "Quote.pdf"}},
		"another order's too":               {page: ask("/api/orders/1001/documents", "/api/orders/1002/documents"), server: map[string]any{"/api/orders/1001/documents": twoDocs, "/api/orders/1002/documents": oneDoc}, list: dataList, names: both},
		"whose it is, is unknown":           {page: ask("/api/orders/77/documents", "/api/orders/78/documents"), server: map[string]any{"/api/orders/77/documents": twoDocs, "/api/orders/78/documents": oneDoc}, list: dataList, outcome: tasks.OutcomePartial, says: "several answers list different documents", names: both},

		// What poscrape requests itself.
		"requested":             {server: open, field: `{get: "/api/orders/{digits}", path: $.order.status}`, value: "open"},
		"requested documents":   {server: docs(twoDocs), list: `{get: "{base_url}/api/orders/{digits}/documents", items: "$.documents[*]", link: $.href, name: $.filename}`, names: both},
		"requested, a web page": {server: map[string]any{"/api/orders/1001": sent("text/html", "<!doctype html><form><input type=password></form>")}, field: `{get: "/api/orders/{digits}", path: $.order.status}`, outcome: tasks.OutcomePartial, says: "web page in place of JSON"},
		"requested, not there":  {field: `{get: "/api/orders/{digits}", path: $.order.status}`, outcome: tasks.OutcomePartial, says: "status 404"},
		"requested, led on":     {server: map[string]any{"/api/orders/1001": http.RedirectHandler("/login", http.StatusFound)}, field: `{get: "/api/orders/{digits}", path: $.order.status}`, outcome: tasks.OutcomePartial, says: "led on to another address"},
		"requested, signed out": {server: map[string]any{"/api/orders/1001": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) })}, field: `{get: "/api/orders/{digits}", path: $.order.status}`, outcome: tasks.OutcomePartial, says: "though the page is shown"},
		"by a value of another answer": {page: `<b id=who>x/../y?z</b>` + ask("/api/lists/1001"), server: map[string]any{"/api/lists/1001": `{"id": "in_7"}`, "/api/invoices/in_7": `{"who": "w"}`, "/api/of/": asked(`{"order": {"status": "open"}}`, "/api/of/x%2F..%2Fy%3Fz?a=w")},
			field: `{get: "/api/of/{who}?a={w}", path: $.order.status}` + "\n  w: {get: '/api/invoices/{id}', path: $.who}\n  id: {json: '/api/lists/{digits}', path: $.id}\n  who: {selector: '#who'}", value: "open"},
		"by a value that is not there": {server: open, field: `{get: "/api/orders/{id}", path: $.order.status}` + "\n  id: {selector: '#id'}", outcome: tasks.OutcomePartial, says: `needs {id}, and that field has no value`},
		"by a value that leads up":     {page: `<b id=id>..</b>`, server: open, field: `{get: "/api/orders/{id}", path: $.order.status}` + "\n  id: {selector: '#id'}", outcome: tasks.OutcomePartial, says: `is "..", which is no part of an address`},
		"by a dash":                    {page: `<p>Contract <b id=id>–</b></p>`, server: map[string]any{"/api/orders/": `{"order": {"status": "open"}}`}, field: `{get: "/api/orders/{id}", path: $.order.status}` + "\n  id: {selector: '#id'}", outcome: tasks.OutcomePartial, says: "has no value: it shows"},
		"by loading":                   {page: `<p>Contract <b id=id>Loading…</b></p>`, server: map[string]any{"/api/orders/": `{"order": {"status": "open"}}`}, field: `{get: "/api/orders/{id}", path: $.order.status}` + "\n  id: {selector: '#id'}", outcome: tasks.OutcomePartial, says: "has no value: the page still says that it is loading"},
		"by a template":                {page: `<p>Contract <b id=id>{{id}}</b></p>`, server: map[string]any{"/api/orders/": `{"order": {"status": "open"}}`}, field: `{get: "/api/orders/{id}", path: $.order.status}` + "\n  id: {selector: '#id'}", outcome: tasks.OutcomePartial, says: "has no value: it shows"},
		"by none":                      {page: `<p>Contract <b id=id>none</b></p>`, server: map[string]any{"/api/orders/": `{"order": {"status": "open"}}`}, field: `{get: "/api/orders/{id}", path: $.order.status}` + "\n  id: {selector: '#id'}", outcome: tasks.OutcomePartial, says: "has no value: it shows"},
		"by one of two values":         {page: `<b id=id>1001</b><b id=id>1002</b>`, server: open, field: `{get: "/api/orders/{id}", path: $.order.status}` + "\n  id: {selector: '#id'}", outcome: tasks.OutcomePartial, says: "has several values"},
		"by a value, another order's":  {page: `<b id=id>77</b>`, server: map[string]any{"/api/orders/77": `{"order": {"status": "open", "number": "PO1002"}}`}, field: `{get: "/api/orders/{id}", path: $.order.status}` + "\n  id: {selector: '#id'}", outcome: tasks.OutcomePartial, says: "another order"},
		"content in the answer":        {server: map[string]any{"/api/orders/1001/documents": `{"pdf": "JVBERi0xLjQK\r\nc3RhcnR4cmVmCjAKJSVFT0Y="}`}, list: `{get: "/api/orders/{digits}/documents", items: $, content: $.pdf}`, names: []string{"document.pdf"}},
		"content as a data address":    {server: map[string]any{"/api/orders/1001/documents": `{"name": "A.pdf", "pdf": "data:application/pdf;base64,JVBERi0xLjQKc3RhcnR4cmVmCjAKJSVFT0Y"}`}, list: `{get: "/api/orders/{digits}/documents", items: $, content: $.pdf, name: $.name}`, names: []string{"A.pdf"}},
		"broken content":               {server: map[string]any{"/api/orders/1001/documents": `{"name": "A.pdf", "pdf": "JVBER*"}`}, list: `{get: "/api/orders/{digits}/documents", items: $, content: $.pdf, name: $.name}`, outcome: tasks.OutcomeFailed, says: "cannot be decoded"},
		"content of another type":      {server: map[string]any{"/api/orders/1001/documents": `{"name": "A.pdf", "pdf": "PGh0bWw+PGZvcm0+"}`}, list: `{get: "/api/orders/{digits}/documents", items: $, content: $.pdf, name: $.name}`, outcome: tasks.OutcomeFailed},
		"content without its end":      {server: map[string]any{"/api/orders/1001/documents": `{"name": "A.pdf", "pdf": "JVBERi0xLjQKMSAwIG9iago8PD4+CmVuZG9i"}`}, list: `{get: "/api/orders/{digits}/documents", items: $, content: $.pdf, name: $.name}`, outcome: tasks.OutcomeFailed, says: "it seems to be cut"},
		"content that is an id":        {server: map[string]any{"/api/orders/1001/documents": `{"pdf": "0685g00000AbCdEFAA1Q"}`}, list: `{get: "/api/orders/{digits}/documents", items: $, content: $.pdf}`, outcome: tasks.OutcomeFailed, says: "may be an identifier"},
		"no content":                   {server: map[string]any{"/api/orders/1001/documents": `{"name": "A.pdf"}`}, list: `{get: "/api/orders/{digits}/documents", items: $, content: $.pdf, name: $.name}`, outcome: tasks.OutcomeFailed, says: "no content of it at attachments.json.content"},
		"requested, past scripts":      {page: forge, server: open, field: `{get: "/api/orders/{digits}", path: $.order.status}`, value: "open"},
	}
}

func graphQL(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	query := make([]byte, 5)
	if _, _ = r.Body.Read(query); string(query) == "order" {
		fmt.Fprint(w, `{"data": {"order": {"status": "open", "number": "PO1001"}}}`)
		return
	}
	fmt.Fprint(w, `{"data": {"documents": [{"href": "/d/1.pdf"}]}}`)
}

// asked answers with data where the address is as wanted.
func asked(data, address string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.RequestURI != address {
			w.WriteHeader(http.StatusBadRequest)
		}
		fmt.Fprint(w, data)
	}
}

func counting() http.HandlerFunc {
	var n atomic.Int64
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"order": {"status": "%d"}}`, n.Add(1))
	}
}

func paged(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Query().Get("page") == "2" {
		fmt.Fprint(w, oneDoc)
		return
	}
	fmt.Fprint(w, twoDocs)
}

func (c dataCase) serve(t *testing.T) string {
	mux := http.NewServeMux()
	mux.HandleFunc("/orders/PO1001", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Portal</title><h1>Order <b id=po>PO1001</b></h1>%s`, c.page)
	})
	mux.HandleFunc("/d/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprintf(w, "%%PDF-1.4 %s\n%%%%EOF", r.URL.Path)
	})
	for path, answer := range c.server {
		switch answer := answer.(type) {
		case string:
			mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, answer)
			})
		case http.Handler:
			mux.Handle(path, answer)
		}
	}
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	return server.URL
}

func (c dataCase) recipe(t *testing.T, host string) *scrape.Recipe {
	text := "version: 1\nbase_url: " + host + "\nidentity: {selector: '#po'}\n"
	if c.field != "" {
		text += "fields:\n  f: " + c.field + "\n"
	}
	if c.list != "" {
		text += "attachments: {json: " + c.list + c.also + "}\n"
	}
	r, err := scrape.ReadRecipe("data.yaml", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r.GiveSecrets(nil, true)
	if c.field != "" {
		r.Fields[0].Required = true
	}
	return r
}

// TestData reads orders whose fields and documents stand in the portal's data.
func TestData(t *testing.T) {
	t.Parallel()
	base := newBench(t, dataCase{field: fieldStatus}.recipe(t, "http://127.0.0.1"), ownChrome)
	cases := dataCases()
	for _, name := range oneIn(2, kinds(cases, "in a script of the page", "another's, in a script", "made by a script", "documents in no script", "in a frame", "behind a guard", "compressed",
		"forged by the page", "by a service worker", "too large", "broken", "a pattern with a typo", "beside a failure", "of a failed request", "two values",
		"another order's as well", "nobody knows whose", "the portal's own id", "GraphQL", "the latest of one address", "documents", "none is wanted",
		"with an address made of its parts", "not there yet", "without a link", "links to another host", "an empty list", "an empty list, of many", "no list",
		"an empty list that failed", "a problem", "a neighbour's documents", "never asked, and none", "the page knows of more", "in two answers", "another order's too",
		"requested documents", "requested, a web page", "requested, signed out", "by a value of another answer", "by a value that is not there", "by a value that leads up",
		"by a value, another order's", "content in the answer", "content of another type", "no content", "requested, past scripts")) {
		c := cases[name]
		host := c.serve(t)
		p := scrape.NewPortal(c.recipe(t, host), nil)
		b := &bench{portal: p, scraper: p.Scraper(base.browser, base.places), browser: base.browser, dir: base.dir}
		if err := p.CheckSelectors(t.Context(), b.browser); err != nil {
			t.Error(err)
		}
		task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: host + "/orders/PO1001"}}
		if c.elsewhere {
			p.NoteItemMet(p.Kind(task.URL))
		}
		if c.outcome == "" {
			c.outcome = tasks.OutcomeComplete
		}
		d := b.attempt(t.Context(), t, task)
		if d.Outcome != c.outcome || !strings.Contains(failureText(d), c.says) {
			t.Errorf("%s: got %s (%s), want %s (%s)", name, d.Outcome, failureText(d), c.outcome, c.says)
		}
		if d.Result == nil {
			if c.outcome != tasks.OutcomeSessionExpired {
				t.Errorf("%s: there is no result", name)
			}
			continue
		}
		if got := d.Result.Fields["f"]; got.Value != c.value || got.Ambiguous != c.several {
			t.Errorf("%s: got %+v, want %q", name, got, c.value)
		}
		var names, unmet []string
		for _, doc := range d.Result.Attachments {
			if doc.State == tasks.AttachmentDone {
				names = append(names, doc.Staged+doc.Path[strings.LastIndex(doc.Path, "/")+1:])
			}
		}
		if slices.Sort(names); !slices.Equal(names, c.names) {
			t.Errorf("%s: got the documents %q, want %q", name, names, c.names)
		}
		for _, look := range d.Result.Looks {
			if strings.HasPrefix(look.Where, "fields.") || strings.HasPrefix(look.Where, "attachments.json") {
				if look.Mark == "" {
					t.Errorf("%s: %s has no mark", name, look.Where)
				}
				if look.Met == 0 {
					unmet = append(unmet, look.Where)
				}
			}
		}
		if c.unmet != nil && !slices.Equal(unmet, c.unmet) {
			t.Errorf("%s: %v met nothing, want %v", name, unmet, c.unmet)
		}
		if proof := d.Result.Proof; c.proof != "" && (proof == nil || proof.By != c.proof) {
			t.Errorf("%s: got the proof %+v, want %s", name, proof, c.proof)
		}
	}
}
