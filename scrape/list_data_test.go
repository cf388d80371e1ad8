package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// elementCase is what the page of all invoices has, and what PO1001 is to end as if it is read by this list
// and these keys.
type elementCase struct {
	page   string
	server map[string]any // see dataCase; what is asked at /api/invoices is list, or the element's list
	list   string         // its keys; an answer of the page's, by the number, where it is empty
	also   string         // fields and attachments; the total and the files where it is empty
	po     string
	elsewhere
	outcome tasks.Outcome
	says    string
	value   string
	names   []string
	unmet   []string
}

const (
	elementList = `json: "/api/invoices*", items: "$.invoices[*]", number: $.number`
	elementGet  = `get: /api/invoices, items: "$.invoices[*]", number: $.number`
	elementAlso = `fields: {total: {path: $.total, type: amount, required: true}}` + "\n" + `attachments: {json: {items: "$.files[*]", link: $.href, name: $.filename}}`
	elementPart = `fields: {total: {path: $.total, required: true}}`
	ourElement  = `{"number": "PO1001", "id": "in_1Qab", "date": "1 Mar 2026", "total": 1250.50, "files": [{"href": "/d/1.pdf", "filename": "One.pdf"}]}`
	itsBefore   = `{"number": "PO1000", "id": "in_0", "date": "1 Feb 2026", "total": 9, "files": [{"href": "/d/0.pdf", "filename": "Zero.pdf"}]}`
)

// listing is an answer with these elements.
func listing(elements ...string) map[string]any {
	return map[string]any{"/api/invoices": `{"invoices": [` + strings.Join(elements, ", ") + `]}`}
}

func elementCases() map[string]elementCase {
	asks, own := ask("/api/invoices"), listing(itsBefore, ourElement)
	one := []string{"One.pdf"}
	changed := strings.Replace(ourElement, "1250.50", "99", 1)
	bare := strings.Replace(ourElement, `"PO1001"`, "1001", 1)
	without := strings.Replace(ourElement, `[{"href": "/d/1.pdf", "filename": "One.pdf"}]`, "[]", 1)
	inPages := func(second string) map[string]any {
		return map[string]any{"/api/invoices": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.FormValue("page") == "2" {
				fmt.Fprintf(w, `{"invoices": [%s]}`, second)
				return
			}
			fmt.Fprintf(w, `{"invoices": [%s, %s]}`, itsBefore, ourElement)
		})}
	}
	status := func(code int) map[string]any {
		return map[string]any{"/api/invoices": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) })}
	}
	// paged answers with each of these texts in turn, by "page" or "after", and paged0 by "page" from 0.
	paged := func(answers ...string) map[string]any {
		return map[string]any{"/api/invoices": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n, _ := strconv.Atoi(r.FormValue("page") + r.FormValue("after"))
			if n = max(n, 1); n > len(answers) || answers[n-1] == "" {
				w.WriteHeader(http.StatusInternalServerError)
				return
			}
			fmt.Fprint(w, answers[n-1])
		})}
	}
	paged0 := func(answers ...string) map[string]any {
		return map[string]any{"/api/invoices": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n, _ := strconv.Atoi(r.FormValue("page"))
			fmt.Fprint(w, answers[n])
		})}
	}
	page := func(more, element string) string { return `{"invoices": [` + element + `]` + more + `}` }
	byCursor := elementGet + `, next: "/api/invoices?after={$.after}"`
	byLink, byNumber := elementGet+", next: $.next", elementGet+`, next: "/api/invoices?page={page}"`
	of := func(text string) map[string]any { return map[string]any{"/api/invoices": text} }
	mismatch := tasks.OutcomeIdentityMismatch
	return map[string]elementCase{
		"an answer of the page's": {page: asks, server: own, value: "1250.50", names: one},
		"the worked example":      {page: asks, server: own, list: "list-data.yaml", value: "1250.50", names: one},
		"asked for":               {server: own, list: elementGet, value: "1250.50", names: one},
		"only fetched":            {page: asks, server: own, also: "mode: fetch\n" + elementAlso, value: "1250.50", names: one},
		"posted for":              {server: map[string]any{"/graphql": own["/api/invoices"]}, list: `post: /graphql, body: '{"query": "query { invoices { number } }"}', items: $.invoices, number: $.number`, value: "1250.50", names: one},
		"with a header": {page: `<script>fetch("/me", {headers: {"X-App": "7"}})</script>`, server: map[string]any{"/me": "{}", "/api/invoices": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"invoices": [{"number": "PO100%s", "total": 7}]}`, strings.Replace(r.Header.Get("X-App"), "7", "1", 1))
		})}, list: elementGet + ", headers: [X-App]", also: elementPart, value: "7"},
		"with a token": {page: `<script>localStorage.setItem("t", "1")</script>`, server: map[string]any{"/csrf": `{"csrf": "PO"}`, "/api/invoices": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"invoices": [{"number": %q, "total": 7}]}`, r.Header.Get("X-App"))
		})}, list: elementGet + `, headers: {X-App: "{csrf}100{t}"}`, also: `fields: {total: {path: $.total, required: true}, t: {storage: t}, csrf: {get: /csrf, path: $.csrf, secret: true}}`, value: "7"},
		"without its token": {server: own, list: elementGet + `, headers: {X-App: "{none}"}`, also: `fields: {total: {path: $.total, required: true}, none: {cookie: none}}`, outcome: tasks.OutcomeFailed, says: "the page's scripts have no cookie"},
		"in a script":       {page: `<script id=data type="application/json">{"invoices": [` + itsBefore + "," + ourElement + `]}</script>`, list: `script: "#data", items: "$.invoices[*]", number: $.number`, value: "1250.50", names: one},
		"late":              {page: `<script>setTimeout(() => fetch("/api/invoices").then(r => r.json()), 2000)</script>`, server: own, value: "1250.50", names: one},

		// Which element it is.
		"a number of JSON":          {page: asks, server: listing(itsBefore, bare), value: "1250.50", names: one},
		"another kind of number":    {page: asks, server: listing(itsBefore, bare), po: "INV1001", outcome: mismatch, says: `data of 2 orders, of which none shows the order number INV1001: list.number "$.number" met "PO1000, 1001"`},
		"in another case":           {page: asks, server: own, list: strings.Replace(elementList, "$.number", "$.id", 1), po: "IN_1QAB", value: "1250.50", names: one},
		"a part of a text":          {page: asks, server: listing(`{"ref": "of=PO1002&id=PO1001", "total": 3}`, `{"ref": "of=PO1001&id=PO1002", "total": 4}`), list: `json: "/api/invoices*", items: "$.invoices[*]", number: {path: $.ref, match: '&id=(\w+)'}`, also: elementPart, value: "3"},
		"by its date":               {page: asks, server: own, list: `json: "/api/invoices*", items: "$.invoices[*]", number: {path: $.date, layout: "2 Jan 2006", locale: en}`, po: "2026-03-01", value: "1250.50", names: one},
		"a name in its place":       {page: asks, server: listing(`{"number": {"no": "PO1001"}}`, `{"number": null}`, `{"number": true}`, `"PO1001"`, `null`), outcome: mismatch, says: "data of 5 orders"},
		"a list of them":            {page: asks, server: of(`{"invoices": {"a": ` + itsBefore + `, "b": ` + ourElement + `}}`), value: "1250.50", names: one},
		"longer numbers":            {page: asks, server: listing(`{"number": "PO10010"}`, `{"number": "PO1001-2"}`, `{"number": "1001.5"}`, `{"number": 11001}`), outcome: mismatch, says: "data of 4 orders"},
		"two elements":              {page: asks, server: listing(ourElement, changed), outcome: mismatch, says: `several elements of data that show PO1001 in list.number "$.number"`},
		"the same one twice":        {page: asks, server: listing(ourElement, ourElement), outcome: mismatch, says: "several elements"},
		"two, text and number":      {page: asks, server: listing(ourElement, bare), outcome: mismatch, says: "several elements"},
		"one that has two numbers":  {page: asks, server: listing(`{"number": ["PO1001", "PO1002"]}`), list: `json: "/api/invoices*", items: "$.invoices[*]", number: "$.number[*]"`, outcome: mismatch, says: "none shows"},
		"none":                      {page: asks, server: listing(itsBefore), outcome: mismatch, says: `none shows the order number PO1001: list.number "$.number" met "PO1000"; the portal may have more orders than the answers that were read`, unmet: []string{}},
		"none, of a page":           {page: asks, server: of(`{"invoices": [` + itsBefore + `], "hasMore": true}`), outcome: mismatch, says: "says that there are more (hasMore: true)"},
		"none at all":               {page: asks, server: listing(), outcome: mismatch, says: "data of 0 orders, of which none shows the order number PO1001: list.items met nothing", unmet: []string{"list.items"}},
		"a number that is no place": {page: asks, server: own, list: strings.Replace(elementList, "$.number", "$.nubmer", 1), outcome: mismatch, says: `list.number "$.nubmer" met nothing`, unmet: []string{"list.number"}},
		"none, and it says so":      {page: asks + "<h1>Invoice not found</h1>", server: listing(itsBefore), outcome: mismatch, says: "none shows"},
		"named within another":      {page: asks, server: listing(`{"number": "PO1000", "replaces": [{"number": "PO1001", "total": 5}], "total": 9}`, ourElement), value: "1250.50", names: one},
		"only within another":       {page: asks, server: listing(`{"number": "PO1000", "replaces": [{"number": "PO1001", "total": 5}], "total": 9}`), outcome: mismatch, says: "none shows"},
		"another's, within it":      {page: asks, server: listing(`{"number": "PO1001", "credits": [{"number": "PO1002", "total": 5}]}`), also: `fields: {total: {path: "$.credits[0].total", required: true}}`, outcome: tasks.OutcomePartial, says: `is another order's, "PO1002"`},
		"it names another":          {page: asks, server: listing(`{"invoice": "PO1001", "order_number": "PO1002", "total": 5}`), list: strings.Replace(elementList, "$.number", "$.invoice", 1), also: elementPart, value: "5"},

		// Several answers.
		"in two answers":         {page: ask("/api/invoices", "/api/invoices?page=2"), server: inPages(ourElement), value: "1250.50", names: one},
		"by a step":              {page: asks + `<button id=more onclick="fetch('/api/invoices?page=2').then(r => r.json())">More</button>`, server: inPages(`{"number": "PO1003", "total": 7}`), po: "PO1003", also: "open: {steps: [{click: '#more'}]}\n" + elementPart, value: "7"},
		"changed between two":    {page: ask("/api/invoices", "/api/invoices?page=2"), server: inPages(changed), outcome: mismatch, says: "they are in several answers"},
		"of two accounts":        {page: ask("/api/invoices/a", "/api/invoices/b"), server: map[string]any{"/api/invoices/a": own["/api/invoices"], "/api/invoices/b": own["/api/invoices"]}, outcome: mismatch, says: "they are in several answers"},
		"on the first of two":    {page: ask("/api/invoices", "/api/invoices?page=2"), server: inPages(`{"number": "PO1003"}`), value: "1250.50", names: one},
		"asked for once more":    {page: `<script>fetch("/api/invoices").then(r => r.json()).then(() => fetch("/api/invoices")).then(r => r.json())</script>`, server: of(""), also: elementPart, value: "2"},
		"one of two has no list": {page: ask("/api/invoices", "/api/invoices/7"), server: map[string]any{"/api/invoices": own["/api/invoices"], "/api/invoices/7": `{"number": "PO1001"}`}, value: "1250.50", names: one},

		"next, by its address":   {server: paged(page(`, "next": "?page=2"`, itsBefore), page(`, "next": null`, ourElement)), list: byLink, value: "1250.50", names: one},
		"next, by a cursor":      {server: paged(page(`, "paging": {"after": 2}`, itsBefore), page("", ourElement)), list: elementGet + `, next: "/api/invoices?after={$.paging.after}"`, value: "1250.50", names: one},
		"next, by its number":    {server: paged(page("", itsBefore), page("", ourElement), page("", "")), list: byNumber, value: "1250.50", names: one},
		"next, none":             {server: paged(page(`, "next": "?page=2"`, itsBefore), page("", `{"number": "PO1003"}`)), list: byLink, outcome: mismatch, says: "data of 2 orders, of which none shows"},
		"next, on two pages":     {server: paged(page("", ourElement), page("", changed), page("", "")), list: byNumber, outcome: mismatch, says: "several elements of data that show PO1001"},
		"next, not answered":     {server: paged(page(`, "next": "?page=2"`, ourElement), ""), list: byLink, outcome: tasks.OutcomeFailed, says: "page 2 of the list of orders could not be read, so it is not known whether PO1001 is on it: GET /api/invoices was answered with status 500"},
		"next, in a circle":      {server: paged(page(`, "next": "?page=2"`, itsBefore), page(`, "next": "?page=1"`, ourElement)), list: byLink, outcome: tasks.OutcomeFailed, says: `list.next "$.next" was used on page 2 of the list, and led to the orders of page 1`},
		"next, on another host":  {server: paged(page(`, "next": "http://else.example/"`, ourElement)), list: byLink, outcome: tasks.OutcomeFailed, says: "allowed_hosts do not name else.example"},
		"next, that does more":   {server: paged(page(`, "next": "/api/orders/7/cancel"`, ourElement)), list: byLink, outcome: tasks.OutcomeFailed, says: "list.next leads to /api/orders/7/cancel, which was not asked for"},
		"next, and it goes on":   {server: paged(page(`, "next": "?page=2"`, itsBefore), page(`, "hasMore": true`, `{"number": "PO1003"}`)), list: byLink, outcome: mismatch, says: "says that there are more (hasMore: true)"},
		"next, no list":          {server: paged(page(`, "next": "?page=2"`, ourElement), `{"message": "try again"}`), list: byLink, outcome: tasks.OutcomeFailed, says: "page 2 of the list of orders could not be read, so it is not known whether PO1001 is on it: the answer"},
		"next, null":             {server: paged(page("", ourElement), `{"invoices": null}`), list: byNumber, outcome: tasks.OutcomeFailed, says: "page 2 of the list of orders could not be read"},
		"next, errors":           {server: paged(page("", ourElement), page(`, "errors": [{"message": "down"}]`, "")), list: byNumber, outcome: tasks.OutcomeFailed, says: `with errors ("down")`},
		"next, no address":       {server: paged(page(`, "next": {"href": "?page=2"}`, ourElement)), list: byLink, outcome: tasks.OutcomeFailed, says: `list.next "$.next" met {"href":"?page=2"}, which is no single value`},
		"next, an empty cell":    {server: paged(page("", ourElement)), list: elementGet + `, next: "/api/invoices?page={page}&of={column:Empty}"`, outcome: tasks.OutcomeFailed, says: "page 2 of the list of orders is not known"},
		"next, nothing stored":   {server: paged(page("", ourElement)), list: elementGet + `, next: "/api/invoices?page={page}&of={t}"`, also: `fields: {total: {path: $.total}, t: {storage: t}}`, outcome: tasks.OutcomeFailed, says: `storage of the page has "t"`},
		"next, by its beginning": {server: paged("", page("", itsBefore), page("", ourElement), page("", "")), list: strings.Replace(byNumber, "/api/invoices,", `"/api/invoices?page=2",`, 1), value: "1250.50", names: one},
		"next, counted from 0":   {server: paged0(page("", itsBefore), page("", ourElement), page("", "")), list: byNumber, value: "1250.50", names: one},
		"next, both from 0":      {server: paged0(page("", ourElement), page("", changed), page("", "")), list: byNumber, outcome: mismatch, says: "several elements of data that show PO1001"},
		"next, the same again":   {server: paged(page(`, "at": 1`, itsBefore), page(`, "at": 2`, itsBefore)), list: byNumber, outcome: tasks.OutcomeFailed, says: "was used on page 1 of the list, and led to the orders of page 1"},
		"next, its own end":      {server: paged(page(`, "after": 2`, ourElement), page(`, "after": 2`, "")), list: byCursor, value: "1250.50", names: one},
		"next, fewer":            {server: paged(page(`, "totalCount": 3`, ourElement), page(`, "totalCount": 3`, "")), list: byNumber, value: "1250.50", names: one, outcome: tasks.OutcomePartial, says: "says that there are more (totalCount: 3), and another"},

		"it goes on":              {page: asks, server: of(page(`, "hasMore": true`, ourElement)), value: "1250.50", names: one, outcome: tasks.OutcomePartial, says: "says that there are more (hasMore: true), and another order of the list may have this number too"},
		"it goes on, and may":     {page: asks, server: of(page(`, "hasMore": true`, ourElement)), list: elementList + ", next: off", value: "1250.50", names: one},
		"it went on":              {page: ask("/api/invoices", "/api/invoices?page=2"), server: paged(page(`, "hasMore": true`, ourElement), page(`, "hasMore": false`, itsBefore)), value: "1250.50", names: one},
		"it goes on, not another": {page: ask("/api/invoices/a", "/api/invoices/b"), server: map[string]any{"/api/invoices/a": page(`, "hasMore": true`, ourElement), "/api/invoices/b": page(`, "hasMore": false`, itsBefore)}, value: "1250.50", names: one, outcome: tasks.OutcomePartial, says: "may have this number too"},

		// What is not known.
		"with status 500":      {server: status(500), list: elementGet, outcome: tasks.OutcomeFailed, says: "status 500, so it is not known whether PO1001 is in the list"},
		"signed out":           {server: status(401), list: elementGet, outcome: tasks.OutcomeFailed, says: "though the page is shown"},
		"broken":               {server: of(`{"invoices": [`), list: elementGet, outcome: tasks.OutcomeFailed, says: "broken JSON"},
		"errors":               {page: asks, server: of(`{"errors": [{"message": "down"}], "invoices": [` + itsBefore + `]}`), outcome: tasks.OutcomeFailed, says: `was answered with errors ("down")`},
		"errors beside it":     {page: asks, server: of(`{"errors": [{"message": "down"}], "invoices": [` + ourElement + `]}`), outcome: tasks.OutcomeFailed, says: `was answered with errors ("down")`},
		"null":                 {page: asks, server: of(`{"invoices": null}`), outcome: tasks.OutcomeFailed, says: "only [] says that a list is empty"},
		"no list":              {page: asks, server: of(`{"orders": []}`), outcome: tasks.OutcomeFailed, says: "has no list at $.invoices[*]"},
		"never asked for":      {page: ask("/api/bills"), server: map[string]any{"/api/bills": own["/api/invoices"]}, outcome: tasks.OutcomeFailed, says: "the page received GET /api/bills", unmet: []string{"list.json"}},
		"a page is not there":  {page: ask("/api/invoices", "/api/invoices/2"), server: listing(itsBefore), outcome: tasks.OutcomeFailed, says: "status 404, so it is not known"},
		"a wall":               {page: `<form><input name=user><input type=password></form>`, server: status(500), list: elementGet, outcome: tasks.OutcomeSessionExpired},
		"the page could not":   {page: asks, server: status(500), outcome: tasks.OutcomeFailed, says: "500"},
		"its own words for it": {page: asks + `<p class=no>Gone</p>`, server: own, also: "not_found: {selector: .no}\n" + elementAlso, outcome: tasks.OutcomeNotFound},

		// What is in it.
		"itself a document":    {page: asks, server: own, also: `attachments: {json: {link: "/d/{$.id}.pdf", name: $.number}}`, names: []string{"PO1001.pdf"}},
		"a made address":       {page: asks, server: own, also: `fields: {id: {path: $.id}}` + "\n" + `attachments: {url: "/d/{id}.pdf"}`, names: []string{"in_1Qab.pdf"}},
		"by its own id":        {page: asks, server: map[string]any{"/api/invoices": own["/api/invoices"], "/api/of/in_1Qab": `{"who": "w"}`}, also: `fields: {id: {path: $.id}, total: {get: "/api/of/{id}", path: $.who, required: true}}`, value: "w"},
		"documents by its id":  {page: asks, server: map[string]any{"/api/invoices": own["/api/invoices"], "/api/files/in_1Qab": `{"files": [{"key": 7}]}`}, also: `fields: {id: {path: $.id}}` + "\n" + `attachments: {json: {get: "/api/files/{id}", items: "$.files[*]", link: "/d/{id}-{$.key}.pdf"}}`, names: []string{"in_1Qab-7.pdf"}},
		"its own list goes on": {page: asks, server: listing(`{"number": "PO1001", "total": 5, "files": [{"href": "/d/1.pdf", "filename": "One.pdf"}], "paging": {"hasMore": true}}`), value: "5", names: one, outcome: tasks.OutcomePartial, says: "says that there are more (hasMore: true)"},
		"content in it":        {page: asks, server: listing(`{"number": "PO1001", "pdf": "JVBERi0xLjQKc3RhcnR4cmVmCjkKJSVFT0Y="}`), also: `attachments: {json: {content: $.pdf, name: $.number}}`, names: []string{"PO1001.pdf"}},
		"left out":             {page: asks, server: own, also: `attachments: {json: {items: "$.files[*]", link: $.href, where: {path: $.filename, text: ^Two}}}`, outcome: tasks.OutcomeNoAttachments},
		"the list's own data":  {server: of(""), list: elementGet, also: `fields: {total: {get: /api/invoices, path: "$.invoices[?@.number=='{po}'].total", required: true}}`, value: "1"},
		"no place of a value":  {page: asks, server: own, also: `fields: {total: {path: $.ttl, required: true}}`, outcome: tasks.OutcomePartial, says: "required fields", unmet: []string{"fields.total.path"}},
		"no documents":         {page: asks + `<h2>Documents (3)</h2><ul><li><a href="/d/7.pdf">7.pdf</a></ul><p>1-10 of 30 documents</p><button>Load more</button>`, server: listing(itsBefore, without), elsewhere: true, value: "1250.50", outcome: tasks.OutcomeNoAttachments},
		"none, the first":      {page: asks + `<h2>Documents (0)</h2><p>No documents</p>`, server: listing(itsBefore, without), value: "1250.50", outcome: tasks.OutcomePartial, says: "attachments.json.items has not met anything"},
		"no list of them":      {page: asks, server: listing(`{"number": "PO1001", "total": 5}`), elsewhere: true, value: "5", outcome: tasks.OutcomePartial, says: "has no list at $.files[*]"},
		"the page has more":    {page: asks + `<h2>Documents (3)</h2><ul><li><a href="/d/7.pdf">7.pdf</a></ul><p>1-10 of 30 documents</p><button>Load more</button>`, server: own, value: "1250.50", names: one},
		"the page says none":   {page: asks + `<div role=alert>No order found.</div>`, server: own, value: "1250.50", names: one},
		"asks for an address":  {page: asks + `<form>Send invoices to <input type=email name=email><button>Save</button></form>`, server: own, value: "1250.50", names: one},
		"that, signed out":     {page: asks + `<form><input type=email name=email><button>Next</button></form>`, server: listing(), outcome: tasks.OutcomeSessionExpired},
		"an alert beside it":   {page: asks + `<dl><dt>A<dd>1<dt>B<dd>2<dt>C<dd>3<dt>D<dd>4</dl><div class=alert>Access denied</div>`, server: own, value: "1250.50", names: one},
		"it says denied":       {page: asks + `<div class=alert>Access denied</div>`, server: own, outcome: tasks.OutcomeAccessDenied},
		"a cell in a path":     {page: asks, server: listing(`{"number": "PO1001", "parts": [{"of": "it's", "total": 5}, {"of": "x", "total": 6}]}`), also: `fields: {total: {path: "$.parts[?@.of=='{column:Part}'].total", required: true}}`, value: "5"},
		"an empty cell":        {page: asks, server: own, also: `fields: {total: {path: "$.files[?@.href=='{column:Empty}'].href", required: true}}`, outcome: tasks.OutcomePartial, says: "needs {column:Empty}, which is empty in this row"},
	}
}

// TestElementsOfData reads orders that are elements of a list in the portal's data: what is in the order's
// element is the order's, and nothing else of the page and its data.
func TestElementsOfData(t *testing.T) {
	t.Parallel()
	read := func(host string, c elementCase) *scrape.Recipe {
		list, also := c.list, c.also
		if strings.HasSuffix(list, ".yaml") {
			return exampleRecipe(t, list, host)
		}
		if list == "" {
			list = elementList
		}
		if also == "" {
			also = elementAlso
		}
		return recipeOf(t, host, "list: {"+list+"}\n"+also+"\n")
	}
	base := newBench(t, read("http://127.0.0.1", elementCase{}))
	cases := elementCases()
	for _, name := range oneIn(2, kinds(cases, "the worked example", "only fetched", "posted for", "with a header", "with a token", "without its token", "in a script", "a number of JSON", "a part of a text",
		"by its date", "longer numbers", "two elements", "one that has two numbers", "none, of a page", "a number that is no place", "named within another",
		"another's, within it", "it names another", "in two answers", "by a step", "of two accounts", "one of two has no list", "next, by its address", "next, by a cursor",
		"next, by its number", "next, not answered", "next, in a circle", "next, on another host", "next, that does more", "next, no address", "next, its own end",
		"it goes on", "it goes on, and may", "signed out", "errors beside it", "never asked for", "a wall", "its own words for it", "itself a document", "a made address",
		"documents by its id", "left out", "no documents", "none, the first", "the page has more", "that, signed out", "it says denied", "an empty cell")) {
		c := cases[name]
		host := c.serve(t, name)
		p := scrape.NewPortal(read(host, c), []string{"Part", "Empty"})
		b := base.with(p)
		po := c.po
		if po == "" {
			po = "PO1001"
		}
		p.SeeNumber(po)
		task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: po, Digits: strings.TrimLeft(po, "INOPV"), Dir: "x" + uuid.NewString(), URL: host + "/billing",
			Rows: []tasks.Row{{Cells: []string{"it's", ""}}}}}
		if c.elsewhere {
			p.NoteItemMet(p.Kind(task.URL))
		}
		if c.outcome == "" {
			c.outcome = tasks.OutcomeComplete
		}
		d := b.attempt(t.Context(), t, task)
		if d.Outcome != c.outcome || !strings.Contains(failureText(d), c.says) {
			t.Errorf("%s: it ended %s: %s; want %s: %s", name, d.Outcome, failureText(d), c.outcome, c.says)
		}
		if d.Result != nil {
			if got := d.Result.Fields["total"]; got.Value != c.value || got.Ambiguous {
				t.Errorf("%s: got %+v, want %q", name, got, c.value)
			}
			var names []string
			for _, doc := range d.Result.Attachments {
				if doc.State == tasks.AttachmentDone {
					names = append(names, doc.Path[strings.LastIndex(doc.Path, "/")+1:])
				}
			}
			if slices.Sort(names); !slices.Equal(names, c.names) {
				t.Errorf("%s: got the documents %q, want %q", name, names, c.names)
			}
		}
		checkElementLooks(t, name, c, d.Looks())
	}
	checkGone(t, base, read)
	checkWhole(t, base, read)
}

// checkGone reads an order that the list has no more when it is read again: no earlier answer counts.
func checkGone(t *testing.T, base *bench, read func(string, elementCase) *scrape.Recipe) {
	t.Helper()
	var asked atomic.Int64
	host := elementCase{page: ask("/api/invoices"), server: map[string]any{"/api/invoices": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprintf(w, `{"invoices": [{"number": "PO100%d", "total": 5}]}`, asked.Add(1))
	})}}.serve(t, "gone")
	b := base.with(scrape.NewPortal(read(host, elementCase{also: elementPart}), nil))
	for _, want := range []tasks.Outcome{tasks.OutcomeComplete, tasks.OutcomeIdentityMismatch} {
		d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: host + "/billing"}})
		if d.Outcome != want {
			t.Errorf("an element that goes away: it ended %s: %s; want %s", d.Outcome, failureText(d), want)
		}
	}
}

// checkWhole reads an order twice: the first time, the list is looked through to its end. If the list may be
// another order's alone, so it is the second time.
func checkWhole(t *testing.T, base *bench, read func(string, elementCase) *scrape.Recipe) {
	t.Helper()
	var asked atomic.Int64
	host := elementCase{server: map[string]any{"/api/invoices": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		first := `{"invoices": [` + ourElement + `]}`
		fmt.Fprint(w, map[string]string{"": first, "1": first, "2": `{"invoices": [` + itsBefore + `]}`, "3": `{"invoices": []}`}[r.FormValue("page")])
	})}}.serve(t, "whole")
	for also, again := range map[string]int64{"": 1, `, headers: {X-App: "{column:Part}"}`: 4} {
		b := base.with(scrape.NewPortal(read(host, elementCase{list: elementGet + `, next: "/api/invoices?page={page}"` + also, also: elementPart}), []string{"Part"}))
		for _, want := range []int64{4, again} {
			d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: host + "/billing", Rows: []tasks.Row{{Cells: []string{"a"}}}}})
			if n := asked.Swap(0); n != want || d.Outcome != tasks.OutcomeComplete {
				t.Errorf("%s: it ended %s: %s after %d pages of the list, want %d", also, d.Outcome, failureText(d), n, want)
			}
		}
	}
}

func checkElementLooks(t *testing.T, name string, c elementCase, looks []tasks.Look) {
	t.Helper()
	unmet := []string{}
	for _, look := range looks {
		if look.Where == "attachments.item" { // see AttachmentsRule.forReader
			continue
		}
		if look.Mark == "" {
			t.Errorf("%s: %s has no mark", name, look.Where)
		}
		if look.Met == 0 {
			unmet = append(unmet, look.Where)
		}
	}
	if c.unmet != nil && !slices.Equal(unmet, c.unmet) {
		t.Errorf("%s: %v met nothing, want %v", name, unmet, c.unmet)
	}
}

func (c elementCase) serve(t *testing.T, name string) string {
	mux := http.NewServeMux()
	mux.HandleFunc("/billing", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Portal</title><h1>Invoices</h1>%s`, c.page)
	})
	mux.HandleFunc("/d/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprintf(w, "%%PDF-1.4 %s\n%%%%EOF", r.URL.Path)
	})
	var asked atomic.Int64
	for path, answer := range c.server {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			switch answer := answer.(type) {
			case string:
				if total := asked.Add(1); answer == "" { // it changes
					answer = fmt.Sprintf(`{"invoices": [{"number": "PO1001", "total": %d}]}`, total)
				}
				fmt.Fprint(w, answer)
			case http.Handler:
				answer.ServeHTTP(w, r)
			}
			if name == "a wall" {
				t.Errorf("%s: %s was asked for", name, path)
			}
		})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	return server.URL
}
