package scrape_test

import (
	"cmp"
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

// pagedDocuments and pageSize: the documents are 10, on pages of 3, 3, 3 and 1.
const pagedDocuments, pageSize = 10, 3

// pagedPages are pages of documents. Of those from the server {n} is the number and {next} the
// next page's address, or empty; the part in [[ ]] is there on all but the last. In their scripts
// at is the page that is shown, show(n) draws another, more() adds one, and last() says whether
// it is the last.
var pagedPages = map[string]struct {
	body    string
	next    string // .next
	recipe  string // besides item and next
	buttons bool   // the documents have no addresses
	done    int
	class   tasks.Class // of what is missing, or empty
	why     string
}{
	"links":                 {body: `[[<a class=next href="{next}">Next</a>]]`, done: 10},
	"links and numbers":     {body: `<nav class=pagination><a href="?page=1">1</a> <a href="?page=2">2</a> <a href="?page=3">3</a> <a href="?page=4">4</a> [[<a class=next href="{next}">›</a>]] <a href="?page=4">»</a></nav>`, done: 10},
	"a disabled link":       {body: `<a class="next [[en]]disabled" [[href="{next}"]]>Next</a>`, done: 10},
	"a row of a list":       {body: `<ul><li class="next [[on]]"><a [[href="{next}"]] [[data-]]disabled>Next</a></ul>`, done: 10},
	"links to a new window": {body: `[[<a class=next target=_blank href="{next}">Next</a>]]`, done: 10},
	"pages are told":        {body: `<p>Page {n} of 4</p>[[<a class=next href="{next}">Next</a>]]`, done: 10},
	"documents are told":    {body: `<p>10 documents</p>[[<a class=next href="{next}">Next</a>]]`, done: 10},
	"a button":              {body: `<button class=next onclick="show(at + 1); this.disabled = last()">Next</button>`, done: 10},
	"a button that goes":    {body: `<button class=next onclick="show(at + 1); last() && this.remove()">Next</button>`, done: 10},
	"a button that hides":   {body: `<button class=next onclick="show(at + 1); this.hidden = last()">Next</button>`, done: 10},
	"late":                  {body: `<button class=next onclick="setTimeout(() => { show(at + 1); this.disabled = last() }, 700)">Next</button>`, done: 10},
	"from the server":       {body: `<button class=next onclick="list.innerHTML = '', fetch('/wait?ms=400').then(() => { show(at + 1); this.disabled = last() })">Next</button>`, done: 10},
	"more":                  {body: `<button class=next onclick="more(); last() && this.remove()">Load more</button>`, done: 10},
	"more, drawn anew":      {body: `<button class=next onclick="more(); list.innerHTML += ''; last() && this.remove()">Load more</button>`, done: 10},
	"in a box that rolls":   {body: `<button class=next onclick="show(at + 1); cut(); this.disabled = last()">Next</button><script>let rest; const cut = () => { rest = list.children[2]; rest?.remove() }; list.style = "height:10px; overflow:auto"; list.onscroll = () => { rest && list.append(rest) }; cut()</script>`, done: 10},
	"in a closed tab":       {body: `<button class=next onclick="show(at + 1); this.disabled = last()">Next</button><script>document.querySelector("section").hidden = true</script>`, done: 10},
	"in a frame":            {body: `<script>if (!location.search && parent === window) { document.querySelector("section").outerHTML = '<iframe class=f src="?page=1" width=500 height=500></iframe>' }</script>[[<a class=next href="{next}">Next</a>]]`, recipe: "frame: .f", done: 10},
	"buttons, drawn":        {body: `<button class=next onclick="show(at + 1); this.disabled = last()">Next</button>`, buttons: true, done: 10},
	"buttons, linked":       {body: `[[<a class=next href="{next}">Next</a>]]`, buttons: true, done: 10},
	"buttons, more":         {body: `<button class=next onclick="more(); last() && this.remove()">More</button>`, buttons: true, done: 10},
	"some are wanted":       {body: `[[<a class=next href="{next}">Next</a>]]`, recipe: `names: {include: '0?[19]\.pdf'}`, done: 2},
	"one is on each page":   {body: `[[<a class=next href="{next}">Next</a>]]<script>addEventListener("load", () => { if (at > 1) list.insertAdjacentHTML("beforeend", item(1)) })</script>`, done: 10},
	"by its text": {next: "{text: voir plus}", body: `<button onclick="more(); last() && this.remove()">Voir plus</button><h2>Orders</h2><button onclick="show(4)">Voir plus</button>` +
		`<script>document.body.insertAdjacentHTML("afterbegin", "<h2>Others</h2><button onclick='show(4)'>Voir plus</button>")</script>`, done: 10},
	"another's has its text":     {next: "{text: Voir plus}", body: `<h2>Orders</h2><button onclick="show(4)">Voir plus</button>`, done: 3},
	"left out by text":           {body: `[[<a class=next href="{next}">Next</a>]]<button>Show all documents</button>`, recipe: "exclude: [b, {text: Show all documents}, {selector: a, text: file 2.pdf}]", done: 9},
	"the last says how many":     {body: `<p>Documents {n} of 4</p><p>Total: 10 documents</p><a class=next href="[[{next}]]">Next</a>`, done: 10},
	"a pager's are no documents": {body: `<ul class=pagination><li class=disabled><a class=doc href="#">Précédent</a><li><a class=doc href="?page=2">2</a><li><a class="doc next" href="#" onclick="last() || show(at + 1); this.hidden = last(); return false">Suivant</a></ul>`, done: 10},
	// What is not whole is partial.
	"it goes on for ever":      {body: `<button class=next onclick="last() || show(at + 1)">Next</button>`, done: 10, class: tasks.ClassIncomplete, why: "not listed before"},
	"it goes in a circle":      {body: `<button class=next onclick="show(last() ? 1 : at + 1)">Next</button>`, done: 10, class: tasks.ClassIncomplete, why: "not listed before"},
	"it counts each page":      {body: `<p>3 documents</p><button class=next onclick="show(at < 3 ? at + 1 : 3)">Next</button>`, done: 9, class: tasks.ClassIncomplete, why: "not listed before"},
	"it makes them up":         {body: `<button class=next onclick="show(++at, at)">Next</button>`, recipe: "optional: false", done: 12, class: tasks.ClassLimit, why: "limits.max_files"},
	"more are told":            {body: `<p>1-3 of 12</p>[[<a class=next href="{next}">Next</a>]]`, done: 10, class: tasks.ClassIncomplete, why: "1-3 of 12"},
	"more pages are told":      {body: `<p>Page {n} of 5</p>[[<a class=next href="{next}">Next</a>]]`, done: 10, class: tasks.ClassIncomplete, why: "of 5"},
	"it meets nothing":         {body: `<nav class=pagination><a href="?page=2">2</a></nav>`, done: 3, class: tasks.ClassIncomplete, why: `"2"`},
	"it ends too early":        {body: `<nav class=pagination><a href="?page=1">1</a> <a href="?page=2">2</a> <a href="?page=3">3</a> <button class=next onclick="show(2); this.disabled = true">Next</button></nav>`, done: 6, class: tasks.ClassIncomplete, why: `"3"`},
	"a page is not there":      {body: `[[<a class=next href="{next}&break=3">Next</a>]]`, done: 6, class: tasks.ClassHTTPStatus, why: "page 3 of the documents"},
	"a page is another's":      {body: `[[<a class=next href="{next}&other=3">Next</a>]]`, done: 6, class: tasks.ClassIdentity, why: "page 3 of the documents"},
	"it does more":             {body: `<button class=next onclick="show(at + 1); this.disabled = last()">Accept and continue</button>`, done: 3, class: tasks.ClassNotClicked, why: "Accept"},
	"it leads to a stranger":   {body: `[[<a class=next href="http://elsewhere.invalid/">Next</a>]]`, done: 3, class: tasks.ClassHost, why: "page 2 of the documents"},
	"there is more to show":    {body: `[[<a class=next href="{next}">Next</a>]]<button>Show all documents</button>`, done: 10, class: tasks.ClassIncomplete, why: "Show all documents"},
	"the second never settles": {body: `[[<a class=next href="{next}">Next</a>]]<script>if ({n} === 2) fetch("/wait?ms=60000")</script>`, recipe: "optional: false", done: 10, class: tasks.ClassPageIncomplete, why: "/wait"},
}

const pagedOrder = "PO7000001"

// servePaged serves them.
func servePaged(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/page/{case}", func(w http.ResponseWriter, r *http.Request) {
		c, order := pagedPages[r.PathValue("case")], pagedOrder
		at := 1
		if n, err := strconv.Atoi(r.FormValue("page")); err == nil {
			at = n
		}
		if r.FormValue("break") == strconv.Itoa(at) {
			w.WriteHeader(http.StatusInternalServerError)
		}
		if r.FormValue("other") == strconv.Itoa(at) {
			order = "PO7000009"
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>%[1]s</title><h1 id=po>%[1]s</h1><section><h2>Documents</h2><ul id=list></ul>%[3]s</section><script>
			let at = %[2]d;
			const last = () => at >= 4;
			const give = (n) => { const a = document.createElement("a"); a.href = "/doc/" + n + "?order=%[1]s"; a.download = "File " + n + ".pdf"; a.click() };
			const item = (n) => "<li>" + (%[4]t ? '<button class=doc onclick="give(' + n + ')">File ' + n + '.pdf</button>' : '<a class=doc href="/doc/' + n + '?order=%[1]s">File ' + n + '.pdf</a>');
			const items = (page) => [1, 2, 3].map((i) => 3 * (page - 1) + i);
			const show = (page, beyond) => { at = page; list.innerHTML = items(page).filter((n) => beyond || n <= 10).map(item).join("") };
			const more = () => { at++; list.insertAdjacentHTML("beforeend", items(at).filter((n) => n <= 10).map(item).join("")) };
			show(at);
			</script>`, order, at, pagedBody(c.body, r, at), c.buttons)
	})
	mux.HandleFunc("/wait", func(_ http.ResponseWriter, r *http.Request) {
		d, _ := time.ParseDuration(r.FormValue("ms") + "ms")
		delay(r, d)
	})
	mux.HandleFunc("/doc/{n}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="File %s.pdf"`, r.PathValue("n")))
		fmt.Fprintf(w, "%%PDF-1.4 %s of %s\n%%%%EOF\n", r.PathValue("n"), r.FormValue("order"))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	return server.URL
}

// pagedBody returns what follows the list on a page.
func pagedBody(body string, r *http.Request, at int) string {
	for at*pageSize >= pagedDocuments && strings.Contains(body, "[[") {
		before, rest, _ := strings.Cut(body, "[[")
		_, after, _ := strings.Cut(rest, "]]")
		body = before + after
	}
	return strings.NewReplacer("[[", "", "]]", "", "{n}", strconv.Itoa(at), "{next}", fmt.Sprintf("?page=%d", at+1)).Replace(body)
}

// TestPagesOfDocuments goes through pages of documents: all documents come, or what is missing is
// said.
func TestPagesOfDocuments(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	url := servePaged(t)
	shared := newBench(t, recipeOf(t, url, "attachments: {item: .doc, next: .next}\n"))
	for _, clock := range []scrape.Clock{scrape.ClockVirtual, scrape.ClockReal} {
		for _, name := range oneIn(2, rows(clock, pagedPages, "links", "more", "in a box that rolls", "in a frame", "buttons, drawn", "one is on each page", "by its text", "a pager's are no documents", "it makes them up", "more are told", "it meets nothing", "it ends too early", "a page is another's", "it does more", "it leads to a stranger", "the second never settles")) {
			c := pagedPages[name]
			t.Run(name+" "+string(clock), func(t *testing.T) {
				first := 3 * time.Second
				if c.class != "" { // a turn is waited for in vain
					first = time.Second
				}
				testkit.InVain(t, first, func(limit time.Duration) error {
					timeout := patience.String()
					if c.class == tasks.ClassPageIncomplete { // which is waited for in vain, too
						timeout = limit.String()
					}
					text := "ready: {clock: " + string(clock) + ", timeout: " + timeout + "}\nidentity: {selector: '#po'}\nlimits: {max_files: 12}\nattachments: {item: .doc, next: " + cmp.Or(c.next, ".next")
					if c.recipe != "" {
						text += ", " + c.recipe
					}
					recipe := recipeOf(t, url, text+"}\n")
					p := scrape.NewPortal(recipe, nil)
					p.SetTurnPatience(limit)
					return checkPaged(t, shared.with(p), url+"/page/"+name, c.done, c.class, c.why)
				})
			})
		}
	}
}

func checkPaged(t *testing.T, b *bench, address string, done int, class tasks.Class, why string) error {
	t.Helper()
	d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: pagedOrder, Digits: pagedOrder[2:], Dir: pagedOrder + uuid.NewString(), URL: address}})
	if d.Result == nil {
		return fmt.Errorf("got %s, %v", d.Outcome, failureText(d))
	}
	var got []string
	for _, doc := range d.Result.Attachments {
		if doc.State != tasks.AttachmentDone {
			continue
		}
		number := strings.TrimSuffix(strings.TrimPrefix(doc.Name, "File "), ".pdf")
		content, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(doc.Path)))
		if want := fmt.Sprintf("%%PDF-1.4 %s of %s\n%%%%EOF\n", number, pagedOrder); err != nil || string(content) != want {
			t.Errorf("%s holds %q, %v", doc.Name, content, err)
		}
		if slices.Contains(got, doc.Name) {
			t.Errorf("%s is there twice", doc.Name)
		}
		got = append(got, doc.Name)
	}
	used := func(l tasks.Look) bool { return l.Where == "attachments.next" && l.Met > 0 }
	if class == "" && done > pageSize && !slices.ContainsFunc(d.Result.Looks, used) {
		return fmt.Errorf("next was used, and is said to have met nothing: %+v", d.Result.Looks)
	}
	if class != "" && d.Result.Outcome == tasks.OutcomeComplete {
		t.Errorf("it is complete, want %s: %s", class, why)
	}
	switch {
	case len(got) != done:
		return fmt.Errorf("got %v, want %d: %s", got, done, failureText(d))
	case class == "" && d.Result.Outcome != tasks.OutcomeComplete:
		return fmt.Errorf("got %s: %s", d.Result.Outcome, failureText(d))
	case class != "" && (d.Result.Outcome != tasks.OutcomePartial || d.Result.Missing.Class != class || !strings.Contains(d.Result.Missing.Message, why)):
		return fmt.Errorf("got %s: %w, want %s: %s", d.Result.Outcome, d.Result.Missing, class, why)
	}
	return nil
}
