package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

const (
	listNext = `list: {row: "tbody tr", number: .no, next: a.next}` + "\n"
	listPDFs = "attachments: {item: a.pdf}\n"
	listData = "attachments: {json: {url: /data, items: \"$.rows[?@.no=='{po}'].files[*]\", link: $.href, name: $.name}}\n"
)

// listedOrders are orders that are rows of a list of thirty, ten on each page: PO4000001 to
// PO4000030, of which each fifth has no document, and each seventh has two.
var listedOrders = map[string]struct {
	recipe  string // that of the worked example where it is empty
	page    string // of the server: empty for the list in pages of ten
	po      string
	outcome tasks.Outcome
	done    int
	total   string
	why     string // what the failure says, or empty
}{
	"the first page":       {po: "PO4000001", outcome: tasks.OutcomeComplete, done: 1, total: "10.50"},
	"the last page":        {po: "PO4000028", outcome: tasks.OutcomeComplete, done: 2, total: "280.50"},
	"a page before":        {po: "PO4000014", outcome: tasks.OutcomeComplete, done: 2, total: "140.50"},
	"no documents":         {po: "PO4000015", outcome: tasks.OutcomeNoAttachments, total: "150.50"},
	"no such row":          {po: "PO4000031", outcome: tasks.OutcomeIdentityMismatch, why: "the last of 3 pages of the list"},
	"a mistake":            {recipe: listNext + "attachments: {item: a.pfd}\n", po: "PO4000001", outcome: tasks.OutcomePartial, total: "10.50", why: "File 1-1.pdf"},
	"a second row":         {recipe: listNext + listPDFs, page: "twice", po: "PO4000002", outcome: tasks.OutcomeIdentityMismatch, why: "in several rows"},
	"a second row, hidden": {recipe: listNext + listPDFs, page: "hidden", po: "PO4000002", outcome: tasks.OutcomeIdentityMismatch, why: "in several rows"},
	"the same row, hidden": {recipe: listNext + listPDFs, page: "copied", po: "PO4000002", outcome: tasks.OutcomeComplete, done: 1, total: "20.50"},
	"a second row, late":   {recipe: listNext + listPDFs, page: "again", po: "PO4000002", outcome: tasks.OutcomeIdentityMismatch, why: "in several rows"},
	"no next":              {recipe: strings.Replace(listNext, ", next: a.next", "", 1) + listPDFs, po: "PO4000003", outcome: tasks.OutcomePartial, done: 1, total: "30.50", why: "(\"1-10 of 30 documents\")"},
	"no next, numbers":     {recipe: strings.Replace(listNext, ", next: a.next", "", 1) + listPDFs, page: "numbers", po: "PO4000003", outcome: tasks.OutcomePartial, done: 1, total: "30.50", why: "(\"2\")"},
	"no next, a grid":      {recipe: strings.Replace(listNext, ", next: a.next", "", 1) + listPDFs, page: "grid", po: "PO4000003", outcome: tasks.OutcomePartial, done: 1, total: "30.50", why: "aria-rowcount=80"},
	"no next, by the word": {recipe: strings.Replace(listNext, "a.next", "off", 1) + listPDFs, po: "PO4000003", outcome: tasks.OutcomeComplete, done: 1, total: "30.50"},
	"no next, no more":     {recipe: strings.Replace(listNext, ", next: a.next", "", 1) + listPDFs, page: "whole", po: "PO4000003", outcome: tasks.OutcomeComplete, done: 1, total: "30.50"},
	"groups and menus":     {recipe: listNext + listPDFs, page: "groups", po: "PO4000009", outcome: tasks.OutcomeComplete, done: 1, total: "90.50"},
	"an attribute":         {recipe: strings.Replace(listNext, ".no", "{selector: tr, attr: data-no}", 1) + listPDFs, po: "PO4000012", outcome: tasks.OutcomeComplete, done: 1, total: "120.50"},
	"part of one":          {recipe: strings.Replace(listNext, ".no", `{selector: a.pdf, attr: href, match: '(?i)/DOC/(\d+)/'}`, 1) + listPDFs, po: "PO4000012", outcome: tasks.OutcomeIdentityMismatch, why: "list.number"},
	"part of another":      {recipe: strings.Replace(listNext, ".no", `{selector: tr, attr: data-ref, match: '[?&]id=(\w+)'}`, 1) + listPDFs, po: "PO4000012", outcome: tasks.OutcomeComplete, done: 1, total: "120.50"},
	"a next that stays":    {recipe: listNext + listPDFs, page: "stuck", po: "PO4000004", outcome: tasks.OutcomeFailed, why: "led to the rows of page 1"},
	"it is referred to":    {recipe: listNext + listPDFs, page: "refers", po: "PO4000002", outcome: tasks.OutcomeIdentityMismatch, why: "in any row"},
	"nothing is found":     {recipe: listNext + listPDFs, page: "none", po: "PO4000031", outcome: tasks.OutcomeIdentityMismatch, why: "list.number"},
	"rows that grow":       {recipe: listNext + listPDFs, page: "more", po: "PO4000014", outcome: tasks.OutcomeComplete, done: 2, total: "140.50"},
	"a page is not read":   {recipe: listNext + listPDFs, page: "gone", po: "PO4000001", outcome: tasks.OutcomeFailed, why: "page 2 of the list"},
	"a sum below":          {recipe: listNext + listPDFs, page: "sum", po: "PO4000009", outcome: tasks.OutcomeComplete, done: 1, total: "90.50"},
	"it goes on below":     {recipe: listNext + listPDFs, page: "below", po: "PO4000001", outcome: tasks.OutcomePartial, done: 1, total: "10.50", why: "More of it"},
	"grouped numbers":      {recipe: listNext + listPDFs, page: "grouped", po: "2026-0012", outcome: tasks.OutcomeComplete, done: 1, total: "120.50"},
	"mixed numbers":        {recipe: listNext + listPDFs, page: "mixed", po: "7HK2A12", outcome: tasks.OutcomeComplete, done: 1, total: "120.50"},
	"rows change places":   {recipe: listNext + "attachments: {item: button.pdf}\n", page: "moves", po: "PO4000021", outcome: tasks.OutcomeComplete, done: 2, total: "210.50"},
	"a next that buys":     {recipe: listNext + listPDFs, page: "buys", po: "PO4000004", outcome: tasks.OutcomeFailed, why: "Accept"},
	"a page of data":       {recipe: "list: {row: pre, number: pre}\n", page: "raw", po: "PO4000001", outcome: tasks.OutcomeIdentityMismatch, why: "number"},
	"bare numbers":         {recipe: "list: {row: pre, number: pre}\n", page: "digits", po: "PO4000001", outcome: tasks.OutcomeIdentityMismatch, why: "number"},
	"its data":             {recipe: listNext + listData, page: "bare", po: "PO4000028", outcome: tasks.OutcomeComplete, done: 2, total: "280.50"},
	"its data, without":    {recipe: listNext + listData, page: "bare", po: "PO4000025", outcome: tasks.OutcomeNoAttachments, total: "250.50"},
}

// serveList serves them, with a document that is of no order below the list, and a count of all
// that concerns none.
func serveList(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	files := func(i int) (names []string) {
		for n := range 2 {
			if i%5 != 0 && (n == 0 || i%7 == 0) {
				names = append(names, fmt.Sprintf("File %d-%d.pdf", i, n+1))
			}
		}
		return names
	}
	mux.HandleFunc("/orders/{kind}", func(w http.ResponseWriter, r *http.Request) {
		page, kind := 1, r.PathValue("kind")
		if prefix, is := map[string]string{"raw": "PO", "digits": ""}[kind]; is {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `[{"number":"%[1]s4000001","total":"10.50"},{"number":"%[1]s4000002"},{"number":"%[1]s4000003"}]`, prefix)
			return
		}
		if n, err := strconv.Atoi(r.FormValue("page")); err == nil && kind != "stuck" {
			page = n
		}
		if kind == "gone" && page == 2 {
			http.NotFound(w, r)
			return
		}
		var rows strings.Builder
		row := func(i int) {
			if form := map[string]string{"grouped": "2026-%04d", "mixed": "7HK2A%d"}[kind]; form != "" {
				fmt.Fprintf(&rows, `<tr><td class=no>`+form+`<td class=total>%d,50 €<td><a class=pdf href="/doc/%[1]d/File%%20%[1]d-1.pdf">File %[1]d-1.pdf</a>`, i, 10*i)
				return
			}
			if kind == "groups" && i%5 == 0 {
				rows.WriteString(`<tr><td colspan=3><button>-</button> Next week<tr hidden><td colspan=3><a href="/x">More</a>`)
			}
			fmt.Fprintf(&rows, `<tr data-no=PO%[1]d data-ref="/order?of=PO1&amp;id=PO%[1]d&amp;x=9"><td><a class=no href="#">PO%[1]d</a><td class=total>%[2]d,50 €<td>`, 4000000+i, 10*i)
			if kind == "groups" {
				rows.WriteString(`<button aria-haspopup=menu aria-expanded=false aria-controls=m>⋮</button> `)
			}
			for _, name := range files(i) {
				if kind == "bare" {
					break
				}
				if kind == "moves" {
					fmt.Fprintf(&rows, `<button class=pdf data-href="/doc/%d/%s" onclick="give(this)">%[2]s</button> `, i, name)
					continue
				}
				fmt.Fprintf(&rows, `<a class=pdf href="/doc/%d/%s">%[2]s</a> `, i, name)
			}
		}
		first := 10*page - 9
		if kind == "more" {
			first = 1
		}
		for i := first; i <= 10*page && kind != "none"; i++ {
			if (kind != "refers" || i != 2) && (kind != "sum" || i%10 != 0) {
				row(i)
			}
			if kind == "below" && i == 1 {
				rows.WriteString(`<tr><td colspan=3>More of it: <a class=pdf href="/doc/1/File%201-9.pdf">File 1-9.pdf</a>`)
			}
		}
		switch kind {
		case "groups", "numbers":
			rows.WriteString(`<tr><td colspan=3><span>1</span> <a href="?page=2">2</a> <a href="?page=3">3</a>`)
		case "sum":
			rows.WriteString(`<tr><td colspan=2>Total: 550,00 €<td><a href="/export">Export</a>`)
		case "none":
			rows.WriteString(`<tr><td class=no colspan=3>No orders match PO4000031`)
		case "refers":
			rows.WriteString(`<tr><td class=no>PO4000099<td class=total>1,00 €<td class=no>Replaces PO4000002`)
		}
		switch {
		case kind == "twice", kind == "again" && page == 2:
			row(2)
		case kind == "hidden":
			rows.WriteString(`<tr hidden><td class=no>PO4000002<td class=total>77,00 €<td>`)
		case kind == "copied":
			rows.WriteString(`<tr hidden><td class=no>PO4000002<td class=total>Total: 20,50 €<td>`)
		}
		next := fmt.Sprintf(`<a class=next href="?page=%d">Next</a>`, page+1)
		if kind == "buys" {
			next = `<a class=next href="?page=2">Accept and order</a>`
		} else if page == 3 || slices.Contains([]string{"none", "whole", "grid", "numbers"}, kind) {
			next = ""
		}
		count := map[string]string{"whole": "1-10 of 10 orders", "grid": "<i>", "numbers": "<i>"}[kind]
		if count == "" {
			count = fmt.Sprintf("%d-%d of 30 documents", 10*page-9, 10*page)
		}
		if kind == "grid" {
			count += "<div role=grid aria-rowcount=80>"
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Orders</title><h1>Your orders</h1><p>%s</p><table><thead><tr><th>Order<th>Total<th>Documents<tbody>%s</table>
			<nav class=pagination>%s</nav><p><a class=pdf href="/doc/0/Terms.pdf">Terms.pdf</a><script>fetch("/data")
			// The rows with two documents change places when one was asked for: their elements stay.
			const give = (button) => { const a = document.createElement("a"); a.href = button.dataset.href; a.download = button.textContent; a.click(); swap() };
			const swap = () => {
				const [one, other] = [...document.querySelectorAll("tbody tr")].filter((row) => row.querySelectorAll("button").length === 2).map((row) => [...row.querySelectorAll(".no, .total, button")]);
				for (const i in one) [one[i].innerHTML, other[i].innerHTML, one[i].dataset.href, other[i].dataset.href] = [other[i].innerHTML, one[i].innerHTML, other[i].dataset.href, one[i].dataset.href];
			}</script>`, count, rows.String(), next)
	})
	mux.HandleFunc("/data", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		rows := []string{}
		for i := 1; i <= 30; i++ {
			list := []string{}
			for _, name := range files(i) {
				list = append(list, fmt.Sprintf(`{"name":%q,"href":"/doc/%d/%s"}`, name, i, strings.ReplaceAll(name, " ", "%20")))
			}
			rows = append(rows, fmt.Sprintf(`{"no":"PO%d","files":[%s]}`, 4000000+i, strings.Join(list, ",")))
		}
		fmt.Fprintf(w, `{"rows":[%s]}`, strings.Join(rows, ","))
	})
	mux.HandleFunc("/doc/{order}/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprintf(w, "%%PDF-1.4 %s\n%%%%EOF\n", r.PathValue("order"))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	return server.URL
}

// TestRowsOfAList reads orders that have no page of their own: what is in the order's row is the
// order's, and nothing else on the page.
func TestRowsOfAList(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	url := serveList(t)
	shared := newBench(t, recipeOf(t, url, listNext+listData))
	for _, name := range oneIn(2, kinds(listedOrders, "the last page", "no documents", "no such row", "a mistake", "the same row, hidden", "a second row, late", "no next",
		"no next, a grid", "no next, no more", "groups and menus", "part of another", "a next that stays", "it is referred to",
		"rows that grow", "it goes on below", "rows change places", "a next that buys", "a page of data", "its data")) {
		c := listedOrders[name]
		t.Run(name, func(t *testing.T) {
			recipe := exampleRecipe(t, "list.yaml", url)
			if c.recipe != "" {
				recipe = recipeOf(t, url, c.recipe+"fields:\n  total: {label: Total, type: amount, locale: de}\n")
			}
			p := scrape.NewPortal(recipe, nil)
			p.SetTurnPatience(patience)
			if c.why != "" { // a turn may be waited for in vain
				p.SetTurnPatience(time.Second)
			}
			b := shared.with(p)
			page := c.page
			if page == "" {
				page = "list"
			}
			read := func(po string) tasks.Decision {
				return b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: po, Digits: strings.TrimPrefix(po, "PO"), Dir: po + uuid.NewString(), URL: url + "/orders/" + page}})
			}
			if c.outcome == tasks.OutcomeNoAttachments { // which another row has to prove
				read("PO4000029")
			}
			d := read(c.po)
			if d.Outcome != c.outcome || !strings.Contains(failureText(d), c.why) {
				t.Fatalf("it ended %s: %s, want %s: %s", d.Outcome, failureText(d), c.outcome, c.why)
			}
			if d.Result == nil {
				return
			}
			for _, doc := range d.Result.Attachments {
				if want := "File " + strings.TrimLeft(c.po[5:], "0") + "-"; !strings.HasPrefix(doc.Name, want) || doc.State != tasks.AttachmentDone {
					t.Errorf("it has %q, %s", doc.Name, doc.State)
				}
				content, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(doc.Path)))
				if want := "%PDF-1.4 " + strings.TrimLeft(c.po[5:], "0") + "\n"; !strings.HasPrefix(string(content), want) {
					t.Errorf("%s holds %q, %v", doc.Name, content, err)
				}
			}
			if total := d.Result.Fields["total"]; len(d.Result.Attachments) != c.done || total.Value != c.total {
				t.Errorf("it has %d documents, and the total %+v", len(d.Result.Attachments), total)
			}
		})
	}
}
