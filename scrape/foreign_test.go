package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// foreignPages are orders with frames of other hosts. FRAME stands for the address of a page of
// this portal by another name of its host, STRANGER for one that no recipe allows.
var foreignPages = map[string]struct {
	page, recipe string
	// also is more of the recipe, bare: the page itself does not show the order's number.
	also    string
	bare    bool
	after   string // the order that the portal shows before
	outcome tasks.Outcome
	names   string // of the documents
	fields  string
	why     string
}{
	"documents":         {page: `<iframe src="FRAME/two"></iframe>`, outcome: "complete", names: "[A.pdf B.pdf]"},
	"on both":           {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe src="FRAME/two"></iframe>`, outcome: "complete", names: "[C.pdf A.pdf B.pdf]"},
	"a small one":       {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe src="FRAME/two" height=20></iframe>`, outcome: "complete", names: "[C.pdf A.pdf B.pdf]"},
	"a count outside":   {page: `<h2>Documents (2)</h2><iframe src="FRAME/two"></iframe>`, outcome: "complete", names: "[A.pdf B.pdf]"},
	"late":              {page: `<iframe src="FRAME/late"></iframe>`, outcome: "complete", names: "[A.pdf]"},
	"to click":          {page: `<iframe src="FRAME/click"></iframe>`, outcome: "complete", names: "[A.pdf]"},
	"one in another":    {page: `<iframe src="FRAME/nested"></iframe>`, outcome: "complete", names: "[A.pdf B.pdf]"},
	"a named one":       {page: `<iframe class=f src="FRAME/two"></iframe><iframe src="FRAME/other"></iframe>`, recipe: "frame: .f", outcome: "complete", names: "[A.pdf B.pdf]"},
	"a field":           {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe src="FRAME/fields"></iframe>`, outcome: "complete", names: "[C.pdf]", fields: "ACME 12.50"},
	"none, by a marker": {page: `<iframe src="FRAME/none"></iframe>`, recipe: "none: .none", outcome: "no_attachments", names: "[]"},
	"none, and no word": {page: `<iframe src="FRAME/none"></iframe>`, outcome: "partial", names: "[]", why: "nothing proves"},
	"a count within":    {page: `<iframe src="FRAME/more"></iframe>`, outcome: "partial", names: "[A.pdf]", why: "Documents (3)"},
	"a count that is 3": {page: `<h2>Documents (3)</h2><iframe src="FRAME/two"></iframe>`, outcome: "partial", names: "[A.pdf B.pdf]", why: "Documents (3)"},
	"fewer alone":       {page: `<iframe src="FRAME/framed"></iframe>`, outcome: "partial", names: "[A.pdf]", why: "opened alone"},
	"broken":            {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe src="FRAME/broken"></iframe>`, outcome: "partial", names: "[C.pdf]", why: "500"},
	"a stranger":        {page: `<iframe src="STRANGER/two"></iframe>`, outcome: "partial", names: "[]", why: "a frame of another host"},
	// The number.
	"a number":                 {bare: true, page: `<iframe src="FRAME/numbered"></iframe>`, outcome: "complete", names: "[A.pdf]"},
	"a number, by a name":      {bare: true, page: `<iframe src="FRAME/else"></iframe><iframe class=f src="FRAME/numbered"></iframe>`, also: "identity: {selector: '#po', frame: .f}", outcome: "complete", names: "[X.pdf A.pdf]"},
	"a number, not by a name":  {bare: true, page: `<iframe class=f src="FRAME/two"></iframe><iframe src="FRAME/numbered"></iframe>`, also: "identity: {selector: '#po', frame: .f}", outcome: "identity_mismatch", why: "met nothing"},
	"another's number":         {bare: true, page: `<iframe src="FRAME/else"></iframe>`, outcome: "identity_mismatch", why: "PO7000009"},
	"one of two numbers":       {bare: true, page: `<iframe src="FRAME/numbered"></iframe><iframe src="FRAME/else"></iframe>`, outcome: "identity_mismatch", why: "PO7000009"},
	"another's beside its own": {page: `<iframe src="FRAME/else"></iframe>`, outcome: "complete", names: "[X.pdf]"},
	"its own beside another's": {bare: true, page: `<b id=po>PO7000009</b><iframe src="FRAME/numbered"></iframe>`, outcome: "identity_mismatch", why: "PO7000009"},
	"a stranger's number":      {bare: true, page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe src="STRANGER/numbered"></iframe>`, outcome: "identity_mismatch", why: "met nothing"},
	"no number anywhere":       {bare: true, page: `<iframe src="FRAME/two"></iframe>`, outcome: "identity_mismatch", why: "met nothing"},
	"a number that is broken":  {bare: true, page: `<iframe src="FRAME/broken"></iframe>`, outcome: "failed", why: "500"},
	// Other parts.
	"lines":              {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe src="FRAME/lines"></iframe>`, also: "lines: {row: .line, columns: {sku: b}}", outcome: "complete", names: "[C.pdf]", fields: "2 lines"},
	"ready":              {page: `<iframe src="FRAME/ready"></iframe>`, also: "ready: {selector: '#ready'}", outcome: "complete", names: "[A.pdf]"},
	"ready in the page":  {after: "ready", page: `<i id=ready>ready</i><a class=doc href="/doc/C.pdf">C.pdf</a>`, also: "ready: {selector: '#ready'}", outcome: "complete", names: "[C.pdf]"},
	"not ready after":    {after: "ready", page: `<iframe src="FRAME/two"></iframe>`, also: "ready: {selector: '#ready'}", outcome: "failed", why: "did not show ready.selector"},
	"not ready":          {page: `<iframe src="FRAME/two"></iframe>`, also: "ready: {selector: '#ready'}", outcome: "failed", why: "did not show ready.selector"},
	"what opens a place": {page: `<iframe src="FRAME/closed"></iframe>`, recipe: "expand: ['#open']", outcome: "complete", names: "[A.pdf]"},
	"a related page":     {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe src="FRAME/linking"></iframe>`, also: "related: [{link: a.more, attachments: {item: .doc}}]", outcome: "complete", names: "[C.pdf A.pdf B.pdf]"},
	// Frames of other kinds.
	"hidden":                        {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe hidden src="FRAME/two"></iframe>`, outcome: "complete", names: "[C.pdf A.pdf B.pdf]"},
	"hidden, another's":             {page: `<button class=doc onclick="location = '/doc/C.pdf'">C.pdf</button><iframe hidden src="FRAME/else"></iframe>`, outcome: "complete", names: "[C.pdf]"},
	"hidden, by a heading":          {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe hidden src="FRAME/headed"></iframe>`, outcome: "complete", names: "[C.pdf]"},
	"hidden, an invoice's":          {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe hidden src="FRAME/invoice"></iframe>`, outcome: "complete", names: "[C.pdf A.pdf]"},
	"hidden, its own":               {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe hidden src="FRAME/numbered"></iframe>`, outcome: "complete", names: "[C.pdf A.pdf]"},
	"hidden, and nothing":           {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe hidden src="FRAME/broken"></iframe><iframe hidden src="STRANGER/two"></iframe>`, outcome: "partial", names: "[C.pdf]", why: "500"},
	"its own host's, in a sandbox":  {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe sandbox="allow-scripts" src="/frame/two"></iframe>`, outcome: "complete", names: "[C.pdf A.pdf B.pdf]"},
	"a text in a sandbox":           {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe sandbox srcdoc="<a class=doc href=/doc/A.pdf>A.pdf</a>"></iframe>`, outcome: "partial", names: "[C.pdf]", why: "no address of its own"},
	"data":                          {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe src="data:text/html,<a class=doc href='/doc/A.pdf'>A.pdf</a>"></iframe>`, outcome: "partial", names: "[C.pdf]", why: "no address of its own"},
	"data that say that it is none": {page: `<iframe src="data:text/html,<p class=none>No documents</p>"></iframe>`, recipe: "none: .none", outcome: "partial", names: "[]", why: "nothing proves"},
	"a stranger's none":             {page: `<iframe src="STRANGER/none"></iframe>`, recipe: "none: .none", outcome: "partial", names: "[]", why: "a frame of another host"},

	"a stranger beside": {page: `<a class=doc href="/doc/C.pdf">C.pdf</a><iframe src="STRANGER/two"></iframe>`, outcome: "complete", names: "[C.pdf]"},
}

// TestReadForeignFrames reads what stands in frames of other hosts that the recipe allows.
func TestReadForeignFrames(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	doc := func(name string) string { return `<a class=doc href="/doc/` + name + `">` + name + `</a> ` }
	frames := map[string]string{
		"two": doc("A.pdf") + doc("B.pdf"), "other": doc("X.pdf"), "none": `<p class=none>No documents</p>`,
		"numbered": `<b id=po>PO7000001</b>` + doc("A.pdf"), "else": `<b id=po>PO7000009</b>` + doc("X.pdf"), "lines": `<p class=line><b>1</b><p class=line><b>2</b>`,
		"headed": `<h2>Order PO7000009</h2>` + doc("X.pdf"), "invoice": `<h2>Invoice 8812345</h2>` + doc("A.pdf"),
		"ready":   doc("A.pdf") + `<div id=l></div><script>setTimeout(() => { l.innerHTML = "<i id=ready>ready</i>" }, 300)</script>`,
		"closed":  `<button id=open onclick="l.innerHTML = l.innerHTML ? '' : more.innerHTML">Comments</button><div id=l></div><template id=more>` + doc("A.pdf") + `</template>`,
		"linking": `<a class=more href="/frame/two">Requisition</a>`,
		"late":    `<div id=l></div><script>setTimeout(() => { l.innerHTML = '` + doc("A.pdf") + `' }, 1500)</script>`,
		"click":   `<button class=doc onclick="const a = document.createElement('a'); a.href = '/doc/A.pdf'; a.download = 'A.pdf'; a.click()">A.pdf</button>`,
		"more":    `<h2>Documents (3)</h2>` + doc("A.pdf"),
		"framed":  doc("A.pdf") + `<script>if (parent !== window) document.body.insertAdjacentHTML("beforeend", '` + doc("B.pdf") + `')</script>`,
		"fields":  `<p id=supplier>ACME</p><dl><dt>Total<dd>12.50</dl>`,
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/frame/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		body := frames[r.PathValue("name")]
		switch r.PathValue("name") {
		case "nested":
			_, port, _ := strings.Cut(r.Host, ":")
			body = `<iframe src="http://127.0.0.1:` + port + `/frame/two"></iframe>`
		case "broken":
			w.WriteHeader(http.StatusInternalServerError)
		}
		fmt.Fprint(w, "<!doctype html><body>"+body)
	})
	mux.HandleFunc("/order/{case}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, port, _ := strings.Cut(r.Host, ":")
		at := strings.NewReplacer("FRAME", "http://localhost:"+port+"/frame", "STRANGER", "http://127.0.0.2:"+port+"/frame")
		c := foreignPages[r.PathValue("case")]
		if !c.bare {
			c.page = "<h1 id=po>PO7000001</h1>" + c.page
		}
		fmt.Fprint(w, "<!doctype html>"+at.Replace(c.page))
	})
	mux.HandleFunc("/doc/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprintf(w, "%%PDF-1.4 %s\n%%%%EOF\n", r.PathValue("name"))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	shared := newBench(t, recipeOf(t, server.URL, "attachments: {item: .doc}\n"))
	for _, name := range oneIn(2, kinds(foreignPages, "on both", "one in another", "a named one", "a field", "none, by a marker", "fewer alone", "a stranger",
		"a number", "one of two numbers", "another's beside its own", "lines", "not ready after", "what opens a place", "a related page", "hidden, by a heading", "hidden, and nothing", "a text in a sandbox", "data that say that it is none")) {
		c := foreignPages[name]
		t.Run(name, func(t *testing.T) {
			if !strings.HasPrefix(c.also, "identity") {
				c.also = "identity: {selector: '#po'}\n" + c.also
			}
			text := "allowed_hosts: [localhost]\n" + c.also + "\nfields: {supplier: {selector: '#supplier'}, total: {label: Total, type: amount, locale: en}}\nattachments: {item: .doc"
			if c.recipe != "" {
				text += ", " + c.recipe
			}
			b := shared.with(scrape.NewPortal(recipeOf(t, server.URL, text+"}\n"), nil))
			attempt := func(name string) tasks.Decision {
				return b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO7000001", Digits: "7000001", Dir: "PO7000001" + uuid.NewString(), URL: server.URL + "/order/" + url.PathEscape(name)}})
			}
			if c.after != "" {
				attempt(c.after)
			}
			d := attempt(name)
			if d.Result == nil {
				if d.Outcome != c.outcome || !strings.Contains(failureText(d), c.why) {
					t.Errorf("got %s, %v, want %s, %s", d.Outcome, failureText(d), c.outcome, c.why)
				}
				return
			}
			names, missing := []string{}, ""
			for _, doc := range d.Result.Attachments {
				if doc.State == tasks.AttachmentDone {
					names = append(names, doc.Name)
				}
			}
			if d.Result.Missing != nil {
				missing = d.Result.Missing.Message
			}
			fields := strings.TrimSpace(d.Result.Fields["supplier"].Value + " " + d.Result.Fields["total"].Value)
			if n := len(d.Result.Lines); n > 0 {
				fields = fmt.Sprint(n, " lines")
			}
			if d.Result.Outcome != c.outcome || fmt.Sprint(names) != c.names || fields != c.fields || !strings.Contains(missing, c.why) {
				t.Errorf("got %s, %v, %q, %s; want %s, %s", d.Result.Outcome, names, fields, missing, c.outcome, c.names)
			}
		})
	}
}
