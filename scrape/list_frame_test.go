package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// framedLists are orders that are rows of a list in a frame. FRAME stands for the address of a page of
// this portal by another name of its host, OWN for one of its own.
// The list has PO7000001 to PO7000006: the third has no documents, the fourth has two.
var framedLists = map[string]struct {
	page    string
	list    string // more of list; empty: "frame: .f"
	also    string // more of the recipe
	po      int
	outcome tasks.Outcome
	names   string // of the documents
	why     string
}{
	"of another host":           {page: `<iframe class=f src="FRAME/list"></iframe>`, po: 2, outcome: "complete", names: "[2.pdf]"},
	"of its own host":           {page: `<iframe class=f src="OWN/list"></iframe>`, po: 2, outcome: "complete", names: "[2.pdf]"},
	"no documents":              {page: `<iframe class=f src="FRAME/list"></iframe>`, po: 3, outcome: "no_attachments", names: "[]"},
	"to click":                  {page: `<iframe class=f src="FRAME/buttons"></iframe>`, po: 4, outcome: "complete", names: "[4.pdf 41.pdf]"},
	"no such row":               {page: `<iframe class=f src="FRAME/list"></iframe>`, po: 9, outcome: "identity_mismatch", why: "list.number"},
	"a frame within one":        {page: `<iframe src="OWN/outer"></iframe>`, po: 2, outcome: "complete", names: "[2.pdf]"},
	"named everywhere":          {page: `<iframe class=f src="FRAME/list"></iframe>`, also: "ready: {selector: tr, frame: .f}\nattachments: {item: .doc, frame: .f}\n", po: 4, outcome: "complete", names: "[4.pdf 41.pdf]"},
	"steps in it":               {page: `<iframe class=f src="FRAME/period"></iframe>`, also: "open: {steps: [{click: {selector: '#all', frame: .f}}, {wait: {selector: tr, frame: .f}}]}\n", po: 2, outcome: "complete", names: "[2.pdf]"},
	"steps in its own host's":   {page: `<iframe class=f src="OWN/period"></iframe>`, also: "open: {steps: [{click: {selector: '#all', frame: .f}}, {wait: {selector: tr, frame: .f}}]}\n", po: 2, outcome: "complete", names: "[2.pdf]"},
	"steps before it":           {page: `<button id=show onclick="l.innerHTML = '<iframe class=f src=FRAME/list></iframe>'">Billing</button><div id=l></div>`, also: "open: {steps: [{click: '#show'}]}\n", po: 2, outcome: "complete", names: "[2.pdf]"},
	"a second page":             {page: `<iframe class=f src="FRAME/pages"></iframe>`, list: "frame: .f, next: a.next", po: 5, outcome: "complete", names: "[5.pdf]"},
	"a second page of its own":  {page: `<iframe class=f src="OWN/pages"></iframe>`, list: "frame: .f, next: a.next", po: 5, outcome: "complete", names: "[5.pdf]"},
	"a page before":             {page: `<iframe class=f src="FRAME/pages"></iframe>`, list: "frame: .f, next: a.next", po: 2, outcome: "complete", names: "[2.pdf]"},
	"a second row, later":       {page: `<iframe class=f src="FRAME/again"></iframe>`, list: "frame: .f, next: a.next", po: 2, outcome: "identity_mismatch", why: "several rows"},
	"two frames":                {page: `<iframe class=f src="FRAME/list"></iframe><iframe class=f src="FRAME/list?2"></iframe>`, po: 2, outcome: "identity_mismatch", why: "meets 2 frames"},
	"two frames of two hosts":   {page: `<iframe class=f src="OWN/list"></iframe><iframe class=f src="FRAME/list"></iframe>`, po: 2, outcome: "identity_mismatch", why: "meets 2 frames"},
	"two frames of its own":     {page: `<iframe class=f src="OWN/list"></iframe><iframe class=f src="OWN/other"></iframe>`, po: 2, outcome: "identity_mismatch", why: "several rows"},
	"two frames, one is named":  {page: `<iframe src="FRAME/other"></iframe><iframe class=f src="FRAME/list"></iframe>`, po: 2, outcome: "complete", names: "[2.pdf]"},
	"another that is hidden":    {page: `<iframe class=f hidden src="FRAME/other"></iframe><iframe class=f src="FRAME/list"></iframe>`, po: 2, outcome: "complete", names: "[2.pdf]"},
	"two of its own, one named": {page: `<iframe src="OWN/other"></iframe><iframe class=f src="OWN/list"></iframe>`, po: 2, outcome: "complete", names: "[2.pdf]"},
	"none is named":             {page: `<iframe src="FRAME/list"></iframe><iframe src="FRAME/other"></iframe>`, list: "next: a.next", po: 2, outcome: "identity_mismatch", why: "name it in list.frame"},
	"an error":                  {page: `<iframe class=f src="FRAME/broken"></iframe>`, po: 2, outcome: "failed", why: "500"},
	"nobody answers":            {page: `<iframe class=f src="http://localhost:1/list"></iframe>`, also: "ready: {timeout: 2s}\n", po: 2, outcome: "failed", why: "could not be loaded"},
	"no address":                {page: `<iframe class=f sandbox srcdoc="<table><tr><td class=no>PO7000002</table>"></iframe>`, po: 2, outcome: "failed", why: "no address of its own"},
	"a stranger":                {page: `<iframe class=f src="FRAME/list"></iframe>`, also: "allowed_hosts: [127.0.0.2]\n", po: 2, outcome: "failed", why: "allowed_hosts"},
	"no frame":                  {page: `<table><tr><td class=no>PO7000002</table>`, also: "ready: {timeout: 1s}\n", po: 2, outcome: "failed", why: "meets no frame"},
	"a sign-in":                 {page: `<iframe class=f src="FRAME/login"></iframe>`, po: 2, outcome: "session_expired", why: "sign-in"},
	"it is replaced":            {page: `<iframe class=f src="FRAME/waiting"></iframe><script>setTimeout(() => { document.querySelector(".f").src = "FRAME/list" }, 400)</script>`, po: 2, outcome: "complete", names: "[2.pdf]"},
	"it comes late":             {page: `<iframe class=f></iframe><script>setTimeout(() => { document.querySelector(".f").src = "FRAME/list" }, 400)</script>`, po: 2, outcome: "complete", names: "[2.pdf]"},
	"it moves on":               {page: `<iframe class=f src="FRAME/moves"></iframe>`, po: 2, outcome: "complete", names: "[2.pdf]"},
	"fewer alone":               {page: `<iframe class=f src="FRAME/framed"></iframe>`, po: 1, outcome: "failed", why: "opened alone"},
	"it refers to it":           {page: `<iframe class=f src="FRAME/refers"></iframe>`, po: 2, outcome: "identity_mismatch", why: "list.number"},
}

// serveFramedLists serves them.
func serveFramedLists(t *testing.T) string {
	t.Helper()
	row := func(n int, files ...string) string {
		text := fmt.Sprintf("<tr><td class=no>PO%d<td>%d.50<td>", 7000000+n, 10*n)
		for _, file := range files {
			text += `<a class=doc href="/doc/` + file + `">` + file + `</a> `
		}
		return text
	}
	table := func(rows string) string {
		return "<table><thead><th>Order<th>Total<th>Files<tbody>" + rows + "</table>"
	}
	first, second := row(1, "1.pdf")+row(2, "2.pdf")+row(3), row(4, "4.pdf", "41.pdf")+row(5, "5.pdf")+row(6, "6.pdf")
	next := `<a class=next href="?page=2">Next</a>`
	frames := map[string]string{
		"list": table(first + second), "other": table(row(2, "X.pdf")), "waiting": "<p>One moment", "login": `<form><input type=password><button>Sign in</button></form>`,
		"buttons": strings.NewReplacer("<a class=doc href=", `<button class=doc onclick="const a = document.createElement('a'); a.href = this.value; a.download = ''; a.click()" value=`, "</a>", "</button>").Replace(table(first + second)),
		"period":  `<button id=all onclick="l.hidden = false; l.innerHTML = more.innerHTML">All time</button><div id=l></div><template id=more>` + table(first+second) + `</template>`,
		"pages":   table(first) + next, "pages2": table(second), "again": table(first) + next, "again2": table(second + row(2, "X.pdf")),
		"moves":  `<script>location.replace("list")</script>`,
		"framed": table(row(1, "1.pdf")) + `<script>if (parent !== window) document.querySelector("tbody").insertAdjacentHTML("beforeend", "` + row(7) + `")</script>`,
		"refers": table(`<tr><td class=no>PO7000001, in place of PO7000002<td>1<td><a class=doc href="/doc/X.pdf">X.pdf</a>`),
	}
	for i, date := range datedRows {
		frames["dates"] += fmt.Sprintf(`<tr><td class=no>%s<td><a class=doc href="/doc/%d.pdf">%[2]d.pdf</a>`, date, i+1)
	}
	frames["dates"] = table(frames["dates"])
	mux := http.NewServeMux()
	mux.HandleFunc("/frame/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		name := r.PathValue("name")
		switch _, port, _ := strings.Cut(r.Host, ":"); name {
		case "outer":
			fmt.Fprintf(w, `<!doctype html><iframe class=f src="http://localhost:%s/frame/list"></iframe>`, port)
			return
		case "broken":
			w.WriteHeader(http.StatusInternalServerError)
		}
		fmt.Fprint(w, "<!doctype html><title>Billing</title><body>"+frames[name+r.FormValue("page")])
	})
	mux.HandleFunc("/orders/{case}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, port, _ := strings.Cut(r.Host, ":")
		at := strings.NewReplacer("FRAME", "http://localhost:"+port+"/frame", "OWN", "/frame")
		fmt.Fprint(w, "<!doctype html><title>Billing</title><h1>Your billing</h1>"+at.Replace(framedLists[r.PathValue("case")].page))
	})
	mux.HandleFunc("/doc/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprintf(w, "%%PDF-1.4 %s\n%%%%EOF\n", r.PathValue("name"))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	return server.URL
}

// TestListsInFrames reads orders that are rows of a list in a frame: what is in the order's row is the
// order's, and nothing else in the frame.
func TestListsInFrames(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	base := serveFramedLists(t)
	shared := newBench(t, recipeOf(t, base, listPDFs))
	t.Run("dates", func(t *testing.T) { checkDatedRows(t, shared, base) })
	for _, name := range oneIn(2, kinds(framedLists, "of its own host", "no documents", "to click", "a frame within one", "named everywhere", "steps in it", "a second page", "two frames of two hosts", "none is named",
		"an error", "no address", "a stranger", "no frame", "a sign-in", "it moves on", "fewer alone")) {
		c := framedLists[name]
		t.Run(name, func(t *testing.T) {
			list := c.list
			if list == "" {
				list = "frame: .f"
			}
			text := "list: {row: tbody tr, number: .no, " + list + "}\nfields: {total: {label: Total, type: amount, locale: en}}\n" + c.also
			if !strings.Contains(text, "allowed_hosts:") {
				text += "allowed_hosts: [localhost]\n"
			}
			if !strings.Contains(text, "attachments:") {
				text += "attachments: {item: .doc}\n"
			}
			p := scrape.NewPortal(recipeOf(t, base, text), nil)
			p.SetTurnPatience(patience)
			if c.why != "" { // a turn may be waited for in vain
				p.SetTurnPatience(time.Second)
			}
			b := shared.with(p)
			attempt := func(n int) tasks.Decision {
				po := fmt.Sprint("PO", 7000000+n)
				return b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: po, Digits: po[2:], Dir: po + uuid.NewString(), URL: base + "/orders/" + url.PathEscape(name)}})
			}
			if c.outcome == tasks.OutcomeNoAttachments { // which another row has to prove
				attempt(1)
			}
			d := attempt(c.po)
			if d.Outcome != c.outcome || !strings.Contains(failureText(d), c.why) {
				t.Fatalf("it ended %s: %s, want %s: %s", d.Outcome, failureText(d), c.outcome, c.why)
			}
			if d.Result == nil {
				return
			}
			names := []string{}
			for _, doc := range d.Result.Attachments {
				if doc.State == tasks.AttachmentDone {
					names = append(names, doc.Name)
				}
			}
			if total := d.Result.Fields["total"].Value; fmt.Sprint(names) != c.names || total != fmt.Sprint(10*c.po, ".50") {
				t.Errorf("it has %v, want %s, and the total %q", names, c.names, total)
			}
		})
	}
}
