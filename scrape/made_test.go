package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/jsregexp"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

const madeOfOrder = `
fields: {invoice_id: {selector: "#invoice", match: 'Invoice (.+)'}, total: {selector: "#total"}}
attachments: {url: ["{base_url}/orders/{po}/order.pdf", "/files/{invoice_id}.pdf"], none: .none}
`

// madeCases are orders whose documents are at addresses that no page shows.
var madeCases = map[string]struct {
	recipe, page string
	outcome      tasks.Outcome
	paths        []string // of the documents that came
	why          string
}{
	"of the order": {madeOfOrder, `<p id=invoice>Invoice A/7 b`, tasks.OutcomeComplete, []string{"/orders/PO1001/order.pdf", "/files/A%2F7%20b.pdf"}, ""},
	"more are announced": {madeOfOrder, `<p id=invoice>Invoice 7<h2>Documents (3)</h2>`, tasks.OutcomePartial,
		[]string{"/orders/PO1001/order.pdf", "/files/7.pdf"}, "that there are 3 documents"},
	"no value":        {madeOfOrder, ``, tasks.OutcomePartial, []string{"/orders/PO1001/order.pdf"}, "needs {invoice_id}, and that field has no value"},
	"two values":      {madeOfOrder, `<p id=invoice>Invoice 7<p id=invoice>Invoice 8`, tasks.OutcomePartial, []string{"/orders/PO1001/order.pdf"}, "has several values"},
	"not found":       {madeOfOrder, `<p id=invoice>Invoice gone`, tasks.OutcomePartial, []string{"/orders/PO1001/order.pdf"}, "404"},
	"a page":          {madeOfOrder, `<p id=invoice>Invoice page`, tasks.OutcomePartial, []string{"/orders/PO1001/order.pdf"}, "HTML"},
	"all are lost":    {"attachments: {url: '/files/gone-{digits}.pdf'}\n", ``, tasks.OutcomeFailed, nil, "404"},
	"there are none":  {madeOfOrder, `<p class=none>No documents`, tasks.OutcomeNoAttachments, nil, ""},
	"another order's": {"attachments: {url: '/moved/{po}'}\n", ``, tasks.OutcomePartial, []string{"/files/PO1002.pdf"}, "another order's"},
	"of links": {"attachments: {item: a.i, link: {url: '{value}&action=Download'}}\n", `<a class=i href="?id=1#x">One</a> <a class=i href="/files/b?id=2">Two</a>`,
		tasks.OutcomeComplete, []string{"/orders/PO1001?id=1&action=Download", "/files/b?id=2&action=Download"}, ""},
	"of a page's address": {"attachments: {item: a.i, link: {url: '{value}.pdf'}}\n", `<a class=i href="/files/9">Invoice</a>`, tasks.OutcomeComplete, []string{"/files/9.pdf"}, ""},
	"of scripts": {`attachments: {item: tr, link: {selector: button, attr: onclick, match: 'show\(.(\d+)', url: '/files/{value}-{digits}.pdf'}}` + "\n",
		`<table><tr><td><button onclick="show('4711')">PDF</button><tr><td><button onclick="show('4712')">PDF</button><tr><td><button onclick="alert(1)">PDF</button></table>`,
		tasks.OutcomePartial, []string{"/files/4711-1001.pdf", "/files/4712-1001.pdf"}, "finds nothing in"},
	"only fetched": {"mode: fetch\nfields: {total: {selector: '#total'}}\nattachments: {item: li, link: {attr: data-id, url: '/files/{total}/{value}.pdf'}}\n",
		`<p id=total>5<ul><li data-id=1>One</ul>`, tasks.OutcomeComplete, []string{"/files/5/1.pdf"}, "One"},
	"of a fetched order": {"mode: fetch\n" + madeOfOrder, `<p id=invoice>Invoice 7`, tasks.OutcomeComplete, []string{"/orders/PO1001/order.pdf", "/files/7.pdf"}, ""},
	"a script's link":    {"attachments: {item: p.i, link: {selector: a, url: '{value}.pdf'}}\n", `<p class=i><a href="javascript:go(1)">One</a>`, tasks.OutcomeFailed, nil, "no address of a document"},
	"named by a part": {`attachments: {item: li, link: {attr: data-id, url: '/files/{value}'}, name: {selector: b, attr: title, match: '^File: (.*\.pdf)'}}` + "\n",
		`<ul><li data-id=1><b title="File: One.pdf (2 MB)">1</b></ul>`, tasks.OutcomeComplete, []string{"/files/1"}, "One.pdf"},
	"of items": {"fields: {total: {selector: '#total'}}\nattachments: {item: li, link: {attr: data-id, url: '/files/{total}/{value}'}}\n",
		`<p id=total>5<ul><li data-id="a/b c">One<li data-id="..">Two<li>Three</ul>`, tasks.OutcomePartial, []string{"/files/5/a%2Fb%20c"}, "no part of an address"},
	"one of several": {`attachments: {item: li, link: {attr: title, match: '(\d+)', url: '/files/{value}.pdf'}}` + "\n",
		`<li title="Invoice 2026/1">One<li title="Invoice 2026/2">Two<li title="Invoice 2025/9">Three`, tasks.OutcomePartial, []string{"/files/2025.pdf"}, "makes one address of 2 different texts"},
	"parts of an address": {`attachments: {item: a.i, link: {match: '^(.*)\?(?:.*&)?key=(?P<key>\w+)', url: '{1}.pdf?token={key}&n={2}'}}` + "\n", `<a class=i href="/files/9?x=1&key=ab7">Invoice</a>`,
		tasks.OutcomeComplete, []string{"/files/9.pdf?token=ab7&n=ab7"}, ""},
	"a query as it is": {`attachments: {item: a.i, link: {match: '^([^?]*)\?(.*)$', url: '{1}.pdf?{+2}'}}` + "\n", `<a class=i href="/files/9?a=1&b=%20c">Invoice</a>`,
		tasks.OutcomeComplete, []string{"/files/9.pdf?a=1&b=%20c"}, ""},
	"a path as it is": {`attachments: {item: li, link: {attr: onclick, match: "'(.*)'", url: '/files/{+value}'}}` + "\n",
		`<ul><li onclick="go('a/b/1.pdf?v=2')">One<li onclick="go('../2.pdf')">Two<li onclick="go('a/%2e%2E/3.pdf')">Three<li onclick="go('a#4.pdf')">Four<li onclick="go('a%5c..%5c5.pdf')">Five</ul>`,
		tasks.OutcomePartial, []string{"/files/a/b/1.pdf?v=2"}, "cannot stand in an address as it is"},
	"another host as it is": {`attachments: {item: li, link: {attr: data-p, url: '/{+value}'}}` + "\n", `<ul><li data-p="files/1.pdf">One<li data-p="/localhost/2.pdf">Two</ul>`,
		tasks.OutcomePartial, []string{"/files/1.pdf"}, "leads to another host"},
	"dots of two groups": {`attachments: {item: li, link: {attr: data-p, match: '(.*)-(.*)', url: '/files/{1}{2}/x.pdf'}}` + "\n", `<ul><li data-p="a-b">One<li data-p=".-.">Two</ul>`,
		tasks.OutcomePartial, []string{"/files/ab/x.pdf"}, "is \".\""},
	"an element that is no link": {`attachments: {item: "pui-button[href*=us_], pui-button[href*=gb_]", link: {attr: href, match: '(?:us|gb)_invoice', url: '/files/{po}/{value}'}}` + "\n",
		`<pui-button href="/us_invoice/1">US</pui-button><pui-button href="/gb_invoice/1">GB</pui-button><pui-button href="/receipt">No</pui-button>`,
		tasks.OutcomeComplete, []string{"/files/PO1001/us_invoice", "/files/PO1001/gb_invoice"}, ""},
	"its own address": {`attachments: {item: "pui-button", link: {attr: href}}` + "\n", `<pui-button href="/files/1.pdf"><a href="/files/2.pdf">One</a></pui-button>`,
		tasks.OutcomeComplete, []string{"/files/1.pdf"}, ""},
	"of a frame's address": {`fields: {customer: {selector: iframe.f, attr: src, match: 'customer=(\d+)'}}` + "\nattachments: {url: '/files/{customer}/{po}.pdf'}\n", `<iframe class=f src="/frame?customer=4711&x=1"></iframe>`,
		tasks.OutcomeComplete, []string{"/files/4711/PO1001.pdf"}, ""},
	"an attribute": {"attachments: {item: li, link: {attr: data-href}}\n", `<li data-href="/files/1.pdf">One<li data-href="javascript:x">Two`, tasks.OutcomePartial, []string{"/files/1.pdf"}, "no address of a document"},
	"a host":       {"attachments: {item: li, link: {attr: data-href}}\n", `<li data-href="https://other.example/1.pdf">One`, tasks.OutcomePartial, nil, "other.example"},
}

// TestMadeAddresses reads them. Each document says at which address it was asked for.
func TestMadeAddresses(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	pages := map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/orders/") && strings.HasPrefix(r.FormValue("case"), "!"):
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<!doctype html><title>Order</title><h1>Order PO1001</h1>%s`, pages[r.FormValue("case")[1:]])
		case strings.Contains(r.URL.Path, "gone"):
			http.NotFound(w, r)
		case strings.Contains(r.URL.Path, "page"):
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, `<!doctype html><h1>Not here</h1>`)
		case r.URL.Path == "/moved/PO1001":
			http.Redirect(w, r, "/files/PO1002.pdf", http.StatusFound)
		default:
			w.Header().Set("Content-Type", "application/pdf")
			fmt.Fprintf(w, "%%PDF-1.4 %s\n%%%%EOF\n", r.RequestURI)
		}
	}))
	t.Cleanup(func() { testkit.EndServer(server) })
	for name, c := range madeCases {
		pages[name] = c.page
	}
	shared := newBench(t, recipeOf(t, server.URL, madeOfOrder))
	t.Run("patterns", func(t *testing.T) { checkPatterns(t, shared) })
	for _, name := range oneIn(2, kinds(madeCases, "of the order", "more are announced", "no value", "two values", "not found", "a page", "all are lost", "there are none", "another order's", "of links",
		"of scripts", "of a fetched order", "a script's link", "of items", "parts of an address", "a path as it is", "another host as it is", "dots of two groups",
		"an element that is no link", "of a frame's address", "an attribute")) {
		c := madeCases[name]
		t.Run(name, func(t *testing.T) {
			b := shared.with(scrape.NewPortal(recipeOf(t, server.URL, c.recipe), nil))
			address := server.URL + "/orders/PO1001?case=!" + strings.ReplaceAll(name, " ", "%20")
			d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: uuid.NewString(), URL: address}})
			said := failureText(d)
			if d.Outcome == tasks.OutcomeComplete {
				said = d.Result.Attachments[0].Name
			}
			if d.Outcome != c.outcome || !strings.Contains(said, c.why) {
				t.Errorf("it ended %s: %s, want %s: %s", d.Outcome, said, c.outcome, c.why)
			}
			if d.Result == nil {
				return
			}
			var paths []string
			for _, doc := range d.Result.Attachments {
				if doc.State != tasks.AttachmentDone {
					continue
				}
				content, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(doc.Path)))
				if err != nil {
					t.Error(err)
				}
				_, path, _ := strings.Cut(string(content), " ")
				path, _, _ = strings.Cut(path, "\n")
				paths = append(paths, path)
			}
			if !slices.Equal(paths, c.paths) {
				t.Errorf("documents came from %q, want %q", paths, c.paths)
			}
		})
	}
}

// checkPatterns has Chrome find what Go finds.
func checkPatterns(t *testing.T, b *bench) {
	texts := []string{"", "/invoice?id=INV-1001&x=2", "Show\nLine (4711)", "ſtraße Kelvin K 12.5€ a_b", "aaa\tb\u2028c{2}^$\\/-]", "\U0001F600 x"}
	for _, pattern := range []string{`id=([^&]+)`, `(?i)INV-(\d{3,4})`, `(?i)[k-s]+`, `(?i)straSSe|kelvin`, `^.*$`, `(?s)^.*$`, `(?m)^(.*)$`, `\((\d+)\)`,
		`\A\S+?\b`, `\z`, `a+?`, `a{2}`, `(?U)a+(.*)`, `(?P<n>\pL+)`, `[[:punct:]]+`, `\Q{2}^$\/-]\E`, `(x)|(a)`, `(?:ab|a|aa)(a*)`, `[^\x00-\x7f]`, `x??y|\B.`, `(a|b)*`, `$^`, `\d+(?:\.\d+)?`, `.`} {
		re := regexp.MustCompile(pattern)
		for _, text := range texts {
			var got []string
			script := fmt.Sprintf(`((m) => m && [...m].map((one) => one ?? ""))(%s.match(new RegExp(%s, "u")))`, inJSON(t, text), inJSON(t, jsregexp.Of(re)))
			if err := b.browser.Tab().Evaluate(t.Context(), script, &got); err != nil {
				t.Fatalf("%s: %v", pattern, err)
			}
			if want := re.FindStringSubmatch(text); !slices.Equal(got, want) {
				t.Errorf("%s finds %q in %q, want %q", pattern, got, text, want)
			}
		}
	}
}
