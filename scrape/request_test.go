package scrape_test

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// tokenOf is what the page of an order knows, and its portal asks for.
func tokenOf(po string) string { return "tok-" + po + "-0123456789abcdef" }

// signsIn is a script of a page that sends the order's token to an address.
func signsIn(po, to string) string {
	return fmt.Sprintf(`<script>fetch(%q, {headers: {Authorization: "Bearer %s", "X-CSRF-Token": "c-%s"}}).then(r => r.text()).catch(() => {})</script>`, to, tokenOf(po), po)
}

// requestCase is what the page of PO1001 has beside its heading, and what the order is to end as that is
// read with these keys of a recipe. FILES is another host that the recipe allows, and AWAY one that it
// does not.
type requestCase struct {
	page, recipe string
	outcome      tasks.Outcome
	says         string
	value        string
	names        []string
	// asked are the addresses of the portal that are asked for otherwise than once by the page.
	asked map[string]int
}

const (
	ownStatus  = `fields: {f: {get: "/api/orders/{po}", headers: [Authorization, X-CSRF-Token], path: $.status, required: true}}`
	ownDocs    = `attachments: {item: a.doc, headers: [authorization]}`
	graphField = `fields: {f: {post: /graphql, body: '{"query": "query O($id: ID!) { order(id: $id) { status } }", "variables": {"id": "{po}"}}', path: $.data.order.status, required: true}}`
	graphDocs  = `attachments: {json: {post: "/graphql?%s", body: '{"query": "query D($id: ID!) { documents(id: $id) { id } }", "variables": {"id": "{po}"}}', items: "$.data.documents[*]", link: "/d/{$.id}"}}`
	ownToken   = `fields: {f: {get: "/api/orders/{po}", headers: [Authorization], path: $.status, required: true}}`
	asksFirst  = `<script>const ask = token => fetch("/api/me?" + token, {headers: {Authorization: "Bearer tok-PO1001-0123456789abcdef", "X-CSRF-Token": token}});
		ask("c-PO1001").then(() => ask("Fetch"))</script>`
	twoSent = `<script>fetch(%q, {headers: {Authorization: %q}}).then(() => fetch(%q, {headers: {Authorization: %q}}))</script>`
	letters = "SesameOpenUpForMe"
	sesame  = `<script>fetch("/leak/me%s", {headers: {"X-App": "` + letters + `"}})</script>`
	evil    = `x\", "also": 1}`

	stores = `<script>document.cookie = "csrf=c%2DPO1001; path=/"; localStorage.setItem("auth", '{"token": "tok-PO1001-0123456789abcdef"}');
		localStorage.setItem("two", "a-123456"); sessionStorage.setItem("two", "b-123456"); sessionStorage.setItem("bare", "tok-PO1001-0123456789abcdef")</script>`
	storedToken = `token: {storage: auth, path: $.token}`
	bearer      = `headers: {Authorization: "Bearer {token}", X-CSRF-Token: "{csrf}"}`
	ofStored    = `f: {get: "/api/orders/{po}", ` + bearer + `, path: $.status, required: true}`
)

var requestCases = map[string]requestCase{
	// The page's own headers.
	"a field":             {page: signsIn("PO1001", "/api/me"), recipe: ownStatus, value: "open", outcome: tasks.OutcomeComplete},
	"never sent":          {page: `<script>fetch("/api/me", {headers: {"X-Other": "1"}})</script>`, recipe: ownStatus, outcome: tasks.OutcomePartial, says: "the page has sent no headers Authorization, X-CSRF-Token to http://", asked: map[string]int{"/api/orders/PO1001": 0}},
	"one never sent":      {page: `<script>fetch("/api/me", {headers: {Authorization: "x"}})</script>`, recipe: ownStatus, outcome: tasks.OutcomePartial, says: "the page has sent no header X-CSRF-Token to http://"},
	"sent elsewhere":      {page: signsIn("PO1001", "FILES/api/me"), recipe: ownStatus, outcome: tasks.OutcomePartial, says: "its scripts have sent none there", asked: map[string]int{"/api/orders/PO1001": 0}},
	"sent to be led on":   {page: signsIn("PO1001", "FILES/to-portal"), recipe: ownStatus, outcome: tasks.OutcomePartial, asked: map[string]int{"/api/orders/PO1001": 0}},
	"another's token":     {page: signsIn("PO1002", "/api/me"), recipe: ownStatus, outcome: tasks.OutcomePartial, says: "was answered with status 401, though the page is shown"},
	"the latest":          {page: `<script>fetch("/api/me", {headers: {Authorization: "old", "X-CSRF-Token": "old"}}).then(() => fetch("/api/me?2", {headers: {Authorization: "Bearer ` + tokenOf("PO1001") + `", "X-CSRF-Token": "c-PO1001"}}))</script>`, recipe: ownStatus, value: "open", outcome: tasks.OutcomeComplete},
	"of another host":     {page: signsIn("PO1001", "FILES/api/me"), recipe: `fields: {f: {get: "FILES/api/orders/{po}", headers: [Authorization], path: $.status, required: true}}`, value: "open", outcome: tasks.OutcomeComplete},
	"with its own accept": {page: `<script>fetch("/api/me", {headers: {accept: "application/vnd.x+json"}})</script>`, recipe: `fields: {f: {get: "/api/told/{po}", headers: [Accept], path: $.status, required: true}}`, value: "application/vnd.x+json", outcome: tasks.OutcomeComplete},
	"documents":           {page: signsIn("PO1001", "/api/me") + `<a class=doc href="/d/1">1.pdf</a><a class=doc href="/d/2">2.pdf</a>`, recipe: ownDocs, outcome: tasks.OutcomeComplete, names: []string{"1.pdf", "2.pdf"}},
	"documents, fetched":  {page: signsIn("PO1001", "/api/me") + `<a class=doc href="/d/1">1.pdf</a>`, recipe: "mode: fetch\n" + ownDocs, outcome: tasks.OutcomeComplete, names: []string{"1.pdf"}},
	"made documents":      {page: signsIn("PO1001", "/api/me"), recipe: `attachments: {url: "/d/{po}", headers: [Authorization]}`, outcome: tasks.OutcomeComplete, names: []string{"PO1001"}},
	"documents in data":   {page: signsIn("PO1001", "/api/me"), recipe: `attachments: {headers: [Authorization], json: {get: "/api/orders/{po}", headers: [Authorization], items: "$.documents[*]", link: $.href, name: $.name}}`, outcome: tasks.OutcomeComplete, names: []string{"One.pdf"}},
	"documents, no token": {page: `<a class=doc href="/d/1">1.pdf</a>`, recipe: ownDocs, outcome: tasks.OutcomeFailed, says: "it was not asked for: the page has sent no header authorization to", asked: map[string]int{"/d/1": 0}},
	"a document led on":   {page: signsIn("PO1001", "/api/me") + `<a class=doc href="/to-files">1.pdf</a>`, recipe: ownDocs, outcome: tasks.OutcomeComplete, names: []string{"1.pdf"}, asked: map[string]int{"FILES/bare": 1}},
	"a document led away": {page: signsIn("PO1001", "/api/me") + `<a class=doc href="/to-away">1.pdf</a>`, recipe: ownDocs, outcome: tasks.OutcomePartial, says: "which the recipe's allowed_hosts do not name", asked: map[string]int{"/to-away": 1}},
	"of a related page":   {page: signsIn("PO1001", "/api/me") + `<a class=rel href="/related">more</a>`, recipe: `related: [{link: a.rel, attachments: {item: a.doc, headers: [Authorization]}}]`, outcome: tasks.OutcomeComplete, names: []string{"1.pdf"}},
	"refused":             {page: `<script>fetch("/api/me", {headers: {Authorization: "wrong", "X-CSRF-Token": "c"}})</script>`, recipe: ownStatus, outcome: tasks.OutcomePartial, says: "was answered with status 401, though the page is shown"},

	"asks for one first": {page: asksFirst, recipe: ownStatus, value: "open", outcome: tasks.OutcomeComplete},
	"two accounts":       {page: fmt.Sprintf(twoSent, "/api/a", "wrong", "/api/b", "Bearer "+tokenOf("PO1001")), recipe: ownToken, outcome: tasks.OutcomePartial, says: "several values of Authorization to http://", asked: map[string]int{"/api/orders/PO1001": 0}},
	"two, by their path": {page: fmt.Sprintf(twoSent, "/api/orders", "Bearer "+tokenOf("PO1001"), "/api/b", "wrong"), recipe: ownToken, outcome: tasks.OutcomeComplete, value: "open"},
	"repeated":           {page: fmt.Sprintf(sesame, "") + `<a class=doc href="/leak/name">&rarr;</a>`, recipe: `fields: {f: {get: "/leak/{po}", headers: [X-App], path: $.seen}}` + "\nattachments: {item: a.doc, headers: [X-App]}", value: "redacted", outcome: tasks.OutcomeComplete, names: []string{"redacted.pdf"}},
	"repeated, needed":   {page: fmt.Sprintf(sesame, ""), recipe: `fields: {f: {get: "/leak/{po}", headers: [X-App], path: $.seen, required: true}}`, value: "redacted", outcome: tasks.OutcomePartial, says: "a secret stands in it"},
	"repeated, an error": {page: fmt.Sprintf(sesame, ""), recipe: `fields: {f: {get: "/leak/error/{po}", headers: [X-App], path: $.seen, required: true}}`, outcome: tasks.OutcomePartial, says: "redacted"},
	"repeated, a list":   {page: fmt.Sprintf(sesame, ""), recipe: `attachments: {json: {get: "/leak/list/{po}", headers: [X-App], items: "$.files[?@.href]", link: $.href}}`, outcome: tasks.OutcomePartial, says: "redacted"},

	"repeated, no answer": {page: `<script>fetch("/cut", {headers: {"X-App": "` + letters + `"}}).catch(() => {})</script><b id=f>` + letters + `</b>`, recipe: "ready: {ignore: ['/cut']}\nfields: {f: {selector: '#f'}}\nattachments: {item: a.doc, headers: [X-App], optional: true}", value: "redacted", outcome: tasks.OutcomeNoAttachments},

	// Headers of which the recipe says what they are.
	"stored headers":       {page: stores, recipe: `fields: {csrf: {cookie: csrf}, ` + ofStored + `, ` + storedToken + `}`, value: "open", outcome: tasks.OutcomeComplete},
	"of the session":       {page: stores, recipe: `fields: {csrf: {cookie: csrf}, ` + ofStored + `, token: {storage: bare}}`, value: "open", outcome: tasks.OutcomeComplete},
	"of the page":          {page: `<input type=hidden id=t value="` + tokenOf("PO1001") + `"><b id=c>c-PO1001</b>`, recipe: `fields: {token: {selector: "#t", attr: value, secret: true}, csrf: {selector: "#c"}, ` + ofStored + `}`, value: "open", outcome: tasks.OutcomeComplete},
	"of data":              {page: stores + `<script id=s type="application/json">{"t": "` + tokenOf("PO1001") + `"}</script>`, recipe: `fields: {token: {script: "#s", path: $.t, secret: true}, csrf: {cookie: csrf}, ` + ofStored + `}`, value: "open", outcome: tasks.OutcomeComplete},
	"some of the page":     {page: signsIn("PO1001", "/api/me"), recipe: `fields: {f: {get: "/api/orders/{po}", headers: {Authorization: , X-CSRF-Token: "c-{po}"}, path: $.status, required: true}}`, value: "open", outcome: tasks.OutcomeComplete},
	"a constant":           {recipe: `fields: {f: {get: "/api/told/{po}", headers: {Accept: "application/vnd.x+json"}, path: $.status, required: true}}`, value: "application/vnd.x+json", outcome: tasks.OutcomeComplete},
	"a secret":             {recipe: `fields: {f: {get: "/api/told/{po}", headers: {Accept: env:PATH}, path: $.status}}`, value: "redacted", outcome: tasks.OutcomeComplete},
	"nothing stored":       {page: stores, recipe: `fields: {csrf: {cookie: csrf}, token: {storage: nope}, ` + ofStored + `}`, outcome: tasks.OutcomePartial, says: `neither the local nor the session storage of the page has "nope"`, asked: map[string]int{"/api/orders/PO1001": 0}},
	"no such cookie":       {page: stores, recipe: `fields: {csrf: {cookie: CSRF}, ` + ofStored + `, ` + storedToken + `}`, outcome: tasks.OutcomePartial, says: `the page's scripts have no cookie "CSRF"`, asked: map[string]int{"/api/orders/PO1001": 0}},
	"two stored":           {page: stores, recipe: `fields: {csrf: {cookie: csrf}, token: {storage: two}, ` + ofStored + `}`, outcome: tasks.OutcomePartial, says: "has several values", asked: map[string]int{"/api/orders/PO1001": 0}},
	"more than a header":   {page: `<b id=t>a&#10;X-B: c</b>`, recipe: `fields: {csrf: {cookie: csrf}, token: {selector: "#t", attr: textContent}, ` + ofStored + `}`, outcome: tasks.OutcomePartial, asked: map[string]int{"/api/orders/PO1001": 0}},
	"stored, documents":    {page: stores + `<a class=doc href="/d/1">1.pdf</a>`, recipe: `fields: {` + storedToken + "}\nattachments: {item: a.doc, headers: {authorization: 'Bearer {token}'}}", outcome: tasks.OutcomeComplete, names: []string{"1.pdf"}},
	"stored, led on":       {page: stores + `<a class=doc href="/to-files">1.pdf</a>`, recipe: `fields: {` + storedToken + "}\nattachments: {item: a.doc, headers: {authorization: 'Bearer {token}'}}", outcome: tasks.OutcomeComplete, names: []string{"1.pdf"}, asked: map[string]int{"FILES/bare": 1}},
	"stored, an address":   {page: stores, recipe: `fields: {` + storedToken + "}\nattachments: {url: '/d/{po}?token={token}&t={token}'}", outcome: tasks.OutcomeComplete, names: []string{"PO1001"}},
	"stored, a body":       {page: stores, recipe: `fields: {` + storedToken + `, f: {post: /echo, body: '{"id": "{po}", "t": "{token}"}', path: $.t}}`, value: "redacted", outcome: tasks.OutcomeComplete},
	"stored and shown":     {page: stores + `<b id=f>` + tokenOf("PO1001") + `</b>`, recipe: `fields: {` + storedToken + `, f: {selector: "#f"}}`, value: "redacted", outcome: tasks.OutcomeComplete},
	"stored and required":  {page: stores + `<b id=f>` + tokenOf("PO1001") + `</b>`, recipe: `fields: {` + storedToken + `, f: {selector: "#f", required: true}}`, value: "redacted", outcome: tasks.OutcomePartial, says: "f"},
	"matched and shown":    {page: `<meta name=t content="v1:SesameOpen"><b id=f>SesameOpen</b>`, recipe: `fields: {token: {selector: "meta[name=t]", attr: content, match: '^v1:(.+)$', secret: true}, f: {selector: "#f"}}`, value: "redacted", outcome: tasks.OutcomeComplete},
	"matched, fetched":     {page: `<meta name=t content="v1:SesameOpen"><b id=f>SesameOpen</b>`, recipe: "mode: fetch\n" + `fields: {token: {selector: "meta[name=t]", attr: content, match: '^v1:(.+)$', secret: true}, f: {selector: "#f"}}`, value: "redacted", outcome: tasks.OutcomeComplete},
	"two stored and shown": {page: `<script>localStorage.setItem("t", "a-1234567890"); sessionStorage.setItem("t", "SesameOpen")</script><b id=f>SesameOpen</b>`, recipe: `fields: {both: {storage: t}, f: {selector: "#f"}}`, value: "redacted", outcome: tasks.OutcomeComplete},
	"stored, not read":     {page: stores + `<b id=gone>` + tokenOf("PO1001") + `</b>`, recipe: "not_found: {selector: '#gone'}\nfields: {" + storedToken + `}`, outcome: tasks.OutcomeNotFound},
	"matched, not read":    {page: `<meta name=t content="v1:SesameOpen">`, recipe: "open: {steps: [{go: {get: /nothing, path: $.url}}]}\n" + `fields: {token: {selector: "meta[name=t]", attr: content, match: '^v1:(.+)$', secret: true}}`, outcome: tasks.OutcomeFailed, says: "open.steps[0]"},
	"the page's, and made": {page: fmt.Sprintf(sesame, "") + `<b id=f>` + letters + `</b>`, recipe: `fields: {f: {selector: "#f"}, g: {get: "/api/told/{po}", headers: {X-App: x}, path: $.status}}` + "\nattachments: {item: a.doc, headers: [X-App], optional: true}", value: "redacted", outcome: tasks.OutcomeNoAttachments},

	// What poscrape posts.
	"GraphQL":              {recipe: graphField, value: "open", outcome: tasks.OutcomeComplete, asked: map[string]int{"/graphql": 1}},
	"two fields":           {recipe: strings.Replace(graphField, "fields: {", `fields: {g: {post: /graphql, body: '{"query": "query O($id: ID!) { order(id: $id) { status } }", "variables": {"id": "{po}"}}', path: $.data.order.id}, `, 1), value: "open", outcome: tasks.OutcomeComplete, asked: map[string]int{"/graphql": 1}},
	"two, spaced":          {recipe: strings.Replace(graphField, "fields: {", `fields: {g: {post: /graphql, body: '{ "variables": {"id":"{po}"}, "query": "query O($id: ID!) {  order(id: $id) { status } }"}', path: $.data.order.id}, `, 1), value: "open", outcome: tasks.OutcomeComplete, asked: map[string]int{"/graphql": 1}},
	"posted documents":     {recipe: fmt.Sprintf(graphDocs, ""), outcome: tasks.OutcomeComplete, names: []string{"1.pdf"}, asked: map[string]int{"/graphql": 1}},
	"read again":           {page: `<button id=more onclick="this.remove()">More</button>`, recipe: strings.Replace(fmt.Sprintf(graphDocs, ""), "json:", "expand: '#more', json:", 1), outcome: tasks.OutcomeComplete, names: []string{"1.pdf"}, asked: map[string]int{"/graphql": 1}},
	"other values":         {page: `<b id=id>1</b><button id=more onclick="window.id.textContent = 2">More</button>`, recipe: `fields: {id: {selector: "#id"}, f: {post: /form, body: {id: "{id}", x: "&{po}="}, path: $.id, required: true}}` + "\nattachments: {item: a.doc, expand: '#more', optional: true}", outcome: tasks.OutcomePartial, says: "sent before at this attempt, with other values", asked: map[string]int{"/form": 1}},
	"none":                 {recipe: fmt.Sprintf(graphDocs, "none"), outcome: tasks.OutcomeNoAttachments},
	"errors, and no data":  {recipe: fmt.Sprintf(graphDocs, "broken"), outcome: tasks.OutcomePartial, says: `was answered with errors ("no access")`},
	"errors, and no list":  {recipe: fmt.Sprintf(graphDocs, "empty"), outcome: tasks.OutcomePartial, says: "was answered with errors"},
	"errors, and a list":   {recipe: fmt.Sprintf(graphDocs, "some"), outcome: tasks.OutcomePartial, says: "was answered with errors", names: []string{"1.pdf"}},
	"errors of a field":    {recipe: strings.Replace(graphField, "/graphql", `"/graphql?broken&{po}"`, 1), outcome: tasks.OutcomePartial, says: "was answered with errors"},
	"a text of an error":   {recipe: fmt.Sprintf(graphDocs, "text"), outcome: tasks.OutcomePartial, says: "POST /graphql was answered with broken JSON"},
	"another order's":      {recipe: fmt.Sprintf(graphDocs, "other"), outcome: tasks.OutcomePartial, says: `that of another order, "PO1002"`},
	"posted, led away":     {recipe: strings.Replace(graphField, "/graphql", "/to-away", 1), outcome: tasks.OutcomePartial, says: "POST /to-away led on to another address"},
	"posted, led back":     {recipe: strings.Replace(graphField, "/graphql", "/to-portal", 1), outcome: tasks.OutcomePartial, says: "POST /to-portal led on to another address"},
	"posted, signed out":   {recipe: strings.Replace(graphField, "/graphql", "/graphql?401", 1), outcome: tasks.OutcomePartial, says: "was answered with status 401, though the page is shown", asked: map[string]int{"/graphql": 1}},
	"posted, a wall":       {page: `<script>fetch("/api/orders/PO1001").catch(() => {})</script>`, recipe: strings.Replace(graphField, "/graphql", "/graphql?401", 1), outcome: tasks.OutcomeSessionExpired},
	"posted, steps":        {recipe: "login: {start_url: '{base_url}/login', steps: [{click: '#go'}], success: {selector: '#in'}}\n" + strings.Replace(graphField, "/graphql", "/graphql?401", 1), outcome: tasks.OutcomeSessionExpired},
	"posted with a header": {page: signsIn("PO1001", "/api/me"), recipe: `fields: {f: {post: "/api/orders/{po}", headers: [Authorization, X-CSRF-Token], path: $.status, required: true}}`, value: "open", outcome: tasks.OutcomeComplete},
	"a form":               {page: `<b id=id>a&b=c d"+ü</b>`, recipe: `fields: {id: {selector: "#id"}, f: {post: /form, body: {id: "{id}", page: 1}, path: $.id, required: true}}`, value: `a&b=c d"+ü`, outcome: tasks.OutcomeComplete},
	"a number":             {recipe: `fields: {f: {post: /echo, body: '{"id": {digits}, "x": 1.50}', path: $.id, required: true}}`, value: "1001", outcome: tasks.OutcomeComplete},
	"no number":            {recipe: `fields: {f: {post: /echo, body: '{"id": {po}}', path: $.id, required: true}}`, outcome: tasks.OutcomePartial, says: "needs a number for {po}", asked: map[string]int{"/echo": 0}},
	"an attack by a value": {page: `<b id=id>` + evil + `</b>`, recipe: `fields: {id: {selector: "#id"}, f: {post: /echo, body: '{"of": "{po}", "id": "{id}"}', path: $.id, required: true}}`, value: evil, outcome: tasks.OutcomeComplete},
	"a document by its id": {recipe: `fields: {id: {post: /echo, body: '{"id": "{digits}.pdf"}', path: $.id}}` + "\nattachments: {url: '/d/{id}'}", outcome: tasks.OutcomeComplete, names: []string{"1001.pdf"}},
}

// requestPortal is the portal of requestCases, and counts what it is asked for.
type requestPortal struct {
	mu          sync.Mutex
	asked       map[string]int
	files, away string
}

func (p *requestPortal) count(address string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.asked[address]
	delete(p.asked, address)
	return n
}

func (p *requestPortal) note(address string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked[address]++
}

func (p *requestPortal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.note(r.URL.Path)
	sendJSON := func(text string) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, text)
	}
	path, of, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch path {
	case "orders", "related":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		page := strings.ReplaceAll(requestCases[r.FormValue("case")].page, "FILES", p.files)
		if path == "related" {
			page = signsIn("PO1001", "/api/me") + `<a class=doc href="/d/1">1.pdf</a>`
		}
		fmt.Fprintf(w, `<!doctype html><title>Portal</title><h1>Order %s</h1>%s`, of, page)
	case "api":
		po, owned := strings.CutPrefix(of, "orders/")
		switch {
		case strings.HasPrefix(of, "told"):
			sendJSON(fmt.Sprintf(`{"status": %q}`, r.Header.Get("Accept")))
		case !owned:
			sendJSON(`{}`)
		case r.Header.Get("Authorization") != "Bearer "+tokenOf(po) || r.Header.Get("X-CSRF-Token") != "c-"+po && r.Header.Get("X-CSRF-Token") != "":
			w.WriteHeader(http.StatusUnauthorized)
		default:
			sendJSON(`{"status": "open", "documents": [{"href": "/d/1", "name": "One.pdf"}]}`)
		}
	case "d":
		if strings.Contains(requestCases[caseOf(r)].recipe, "headers") && r.Header.Get("Authorization") != "Bearer "+tokenOf("PO1001") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		sendDocument(w, of)
	case "cut":
		panic(http.ErrAbortHandler)
	case "leak":
		leak(w, of, r.Header.Get("X-App"), sendJSON)
	case "form":
		value, _ := json.Marshal(r.PostFormValue("id"))
		sendJSON(fmt.Sprintf(`{"id": %s}`, value))
	case "echo":
		body, _ := io.ReadAll(r.Body)
		var members map[string]any
		if json.Unmarshal(body, &members) != nil || len(members) > 2 || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_, _ = w.Write(body)
	case "graphql":
		graph(w, r, sendJSON)
	case "to-files":
		http.Redirect(w, r, p.files+"/bare", http.StatusFound)
	case "to-away":
		http.Redirect(w, r, p.away, http.StatusTemporaryRedirect)
	case "to-portal":
		http.Redirect(w, r, "/graphql", http.StatusTemporaryRedirect)
	default:
		http.NotFound(w, r)
	}
}

// caseOf returns the case that a request belongs to, by the page that it was made from.
func caseOf(r *http.Request) string {
	_, name, _ := strings.Cut(r.Referer(), "case=")
	return strings.ReplaceAll(strings.ReplaceAll(name, "%20", " "), "+", " ")
}

func sendDocument(w http.ResponseWriter, name string) {
	w.Header().Set("Content-Type", "application/pdf")
	fmt.Fprintf(w, "%s %s\n%s", "%PDF-1.4", name, "%%EOF")
}

// leak repeats what it is sent.
func leak(w http.ResponseWriter, of, sent string, sendJSON func(string)) {
	switch kind, _, _ := strings.Cut(of, "/"); kind {
	case "name":
		w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s.pdf"`, sent))
		w.Header().Set("ETag", fmt.Sprintf("%q", sent))
		sendDocument(w, of)
	case "error":
		sendJSON(fmt.Sprintf(`{"error": "%s no access for %s"}`, strings.Repeat("-", 50), sent))
	case "list":
		sendJSON(fmt.Sprintf(`{"files": {"%s": ""}}`, sent))
	default:
		sendJSON(fmt.Sprintf(`{"seen": %q}`, sent))
	}
}

func graph(w http.ResponseWriter, r *http.Request, sendJSON func(string)) {
	var asked struct {
		Query     string            `json:"query"`
		Variables map[string]string `json:"variables"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.Variables["id"] != "PO1001" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	kind, _, _ := strings.Cut(r.URL.RawQuery, "&")
	switch kind {
	case "401":
		w.WriteHeader(http.StatusUnauthorized)
	case "none":
		sendJSON(`{"data": {"documents": []}}`)
	case "broken":
		sendJSON(`{"errors": [{"message": "no access"}], "data": null}`)
	case "empty":
		sendJSON(`{"errors": [{"message": "no access"}], "data": {"documents": []}}`)
	case "some":
		sendJSON(`{"errors": [{"message": "no access"}], "data": {"documents": [{"id": "1.pdf"}]}}`)
	case "text":
		sendJSON(`Internal error`)
	case "other":
		sendJSON(`{"data": {"order": "PO1002", "documents": [{"id": "1.pdf"}]}}`)
	default:
		sendJSON(`{"data": {"order": {"id": "PO1001", "status": "open"}, "documents": [{"id": "1.pdf"}]}}`)
	}
}

// serveRequests starts the portal, and the two other hosts.
func serveRequests(t *testing.T) (p *requestPortal, own string) {
	p = &requestPortal{asked: map[string]int{}}
	start := func(do http.HandlerFunc) string {
		server := httptest.NewServer(do)
		t.Cleanup(func() { testkit.EndServer(server) })
		return server.URL
	}
	away := start(func(http.ResponseWriter, *http.Request) { p.note("AWAY") })
	p.away = away
	var portal string
	p.files = start(func(w http.ResponseWriter, r *http.Request) {
		p.note("FILES" + r.URL.Path)
		if r.URL.Path == "/bare" {
			if sent := r.Header.Get("Authorization"); sent != "" {
				t.Errorf("another host was sent %q", sent)
			}
			sendDocument(w, "1.pdf")
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", "*") // without cookies, as with tokens
		w.Header().Set("Access-Control-Allow-Headers", "authorization, x-csrf-token")
		switch {
		case r.Method == http.MethodOptions:
		case r.URL.Path == "/to-portal":
			http.Redirect(w, r, portal+"/api/me", http.StatusFound)
		default:
			p.ServeHTTP(w, r)
		}
	})
	portal = start(p.ServeHTTP)
	return p, portal
}

// TestRequests reads orders whose data, or documents, poscrape asks for as the page does.
func TestRequests(t *testing.T) {
	t.Parallel()
	p, own := serveRequests(t)
	recipe := func(text string) *scrape.Recipe {
		return recipeOf(t, own, "allowed_hosts: ["+strings.TrimPrefix(p.files, "http://")+"]\nidentity: {selector: h1}\n"+strings.ReplaceAll(text, "FILES", p.files))
	}
	base := newBench(t, recipe(ownStatus), ownChrome)
	for _, name := range oneIn(2, kinds(requestCases, "a field", "one never sent", "sent elsewhere", "of another host", "with its own accept", "documents, fetched", "documents, no token", "a document led away",
		"of a related page", "asks for one first", "two accounts", "two, by their path", "repeated", "repeated, an error", "repeated, no answer", "stored headers",
		"some of the page", "a secret", "nothing stored", "two stored", "more than a header", "stored, an address", "stored, a body", "stored and required",
		"matched, fetched", "two stored and shown", "stored, not read", "the page's, and made", "GraphQL", "read again", "other values", "none", "a text of an error",
		"another order's", "posted, led away", "posted, signed out", "posted, a wall", "posted, steps", "a form", "no number", "an attack by a value")) {
		c := requestCases[name]
		b := base.with(scrape.NewPortal(recipe(c.recipe), nil))
		if strings.HasSuffix(name, "not read") {
			root, err := os.OpenRoot(b.dir)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = root.Close() })
			keepsEvidence(nil, &b.places)
			b.places.Evidence.Open(root)
			b.scraper = b.portal.Scraper(b.browser, b.places)
		}
		address := own + "/orders/PO1001?case=" + strings.ReplaceAll(name, " ", "%20")
		if name == "none" || strings.HasPrefix(name, "errors") {
			b.portal.NoteItemMet(b.portal.Kind(address))
		}
		for path := range c.asked {
			p.count(path)
		}
		dir := "x" + uuid.NewString()
		task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: dir, URL: address}}
		if strings.HasSuffix(name, "fetched") {
			b.attempt(t.Context(), t, task) // which goes to the host
		}
		d := b.attempt(t.Context(), t, task)
		if d.Outcome != c.outcome || !strings.Contains(failureText(d), c.says) {
			t.Errorf("%s: it ended %s: %s; want %s: %s", name, d.Outcome, failureText(d), c.outcome, c.says)
		}
		for path, want := range c.asked {
			if n := p.count(path); n != want {
				t.Errorf("%s: %s was asked for %d times, want %d", name, path, n, want)
			}
		}
		if p.count("AWAY") > 0 {
			t.Errorf("%s: a host was asked that the recipe does not allow", name)
		}
		checkUntold(t, name, b.dir, d)
		if strings.HasPrefix(name, "repeated") {
			probed := b.scraper.Probe(t.Context(), &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: dir, URL: address}}, scrape.Wanted{})
			if said, err := json.Marshal([]any{probed, probed.View}); err != nil || strings.Contains(string(said), letters[:8]) {
				t.Errorf("%s: what was probed tells it: %s, %v", name, said, err)
			}
		}
		if d.Result == nil {
			continue
		}
		if _, told := d.Result.Fields["token"]; told && d.Outcome == tasks.OutcomeComplete && strings.Contains(c.recipe, "storage") {
			t.Errorf("%s: a secret is a field of the result: %+v", name, d.Result.Fields["token"])
		}
		if got := d.Result.Fields["f"].Value; got != c.value {
			t.Errorf("%s: got %q, want %q", name, got, c.value)
		}
		var names []string
		for _, doc := range d.Result.Attachments {
			if doc.State == tasks.AttachmentDone {
				names = append(names, strings.TrimSuffix(filepath.Base(doc.Path), ".pdf")+".pdf")
			}
		}
		for i := range c.names {
			c.names[i] = strings.TrimSuffix(c.names[i], ".pdf") + ".pdf"
		}
		if slices.Sort(names); !slices.Equal(names, c.names) {
			t.Errorf("%s: got the documents %q, want %q", name, names, c.names)
		}
	}
}

// checkUntold sees that nothing tells what the page has sent.
func checkUntold(t *testing.T, name, dir string, d tasks.Decision) {
	t.Helper()
	said, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	tells := func(text string) bool {
		return strings.Contains(text, "0123456789abcdef") || strings.Contains(text, letters[:8])
	}
	if text := string(said) + fmt.Sprintf("%+v %v", d.Result, failureText(d)); tells(text) {
		t.Errorf("%s: what was decided tells it: %s", name, text)
	}
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, _ error) error {
		if entry == nil || entry.IsDir() {
			return nil
		}
		if content, err := os.ReadFile(path); err == nil && tells(string(content)+path) {
			t.Errorf("%s: %s tells it", name, path)
		}
		return nil
	})
}
