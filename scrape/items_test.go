package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// row is an item that is a container, with a state and an input for a name.
func row(name, state string) string {
	return `<li class=doc><span class=filename>` + name + `</span> <b class=state>` + state + `</b> <a class=help href="/help">?</a> <a class=get href="/d/` + name + `">Get</a></li>`
}

// TestItems reads lists whose items are containers, are left out, or are not there yet.
func TestItems(t *testing.T) {
	t.Parallel()
	list := `<ul>` + row("Invoice.pdf", "paid") + row("Quote.pdf", "draft") + row("Add file", "open") + `</ul>`
	link := func(text string) string {
		return "attachments: {item: li.doc, link: a.get, name: .filename, " + text + "}"
	}
	const notYet = `<li class=doc><span class=filename>Report.pdf</span><i class=prep>is being prepared</i></li>`
	cases := map[string]struct {
		recipe, body string
		outcome      tasks.Outcome
		// done are the names of the files, failed the classes of the documents that failed.
		done   []string
		failed []tasks.Class
		proof  tasks.ProofKind
		met    map[string]int
	}{
		"containers":              {recipe: "attachments: {item: li.doc, link: a.get, name: .filename}", body: list, outcome: tasks.OutcomeComplete, done: []string{"Invoice.pdf", "Quote.pdf", "Add file.pdf"}, met: map[string]int{"attachments.link": 3, "attachments.name": 3}},
		"another order in view":   {recipe: "attachments: {item: a.get}", body: `<a class=get href="/d/1.pdf">One.pdf</a><section><h1>Order <b id=po>PO10022</b></h1><a class=get href="/d/2.pdf">Two.pdf</a></section>`, outcome: tasks.OutcomePartial, done: []string{"One.pdf", "Two.pdf"}},
		"another order named":     {recipe: "attachments: {item: a.get}", body: `<section><h2>Replaces PO1002</h2><a class=get href="/d/1.pdf">One.pdf</a></section>`, outcome: tasks.OutcomeComplete, done: []string{"One.pdf"}},
		"none of another order":   {recipe: "attachments: {item: a.get, none: .none}", body: `<section><h1>Order <b id=po>PO1002</b></h1><p class=none>No documents</p></section>`, outcome: tasks.OutcomePartial},
		"a slip in link":          {recipe: "attachments: {item: li.doc, link: a.gte, name: .filename}", body: list, outcome: tasks.OutcomeFailed, failed: []tasks.Class{tasks.ClassAttachment, tasks.ClassAttachment, tasks.ClassAttachment}, met: map[string]int{"attachments.link": 0}},
		"a slip in name":          {recipe: "attachments: {item: li.doc, link: a.get, name: .filenmae}", body: list, outcome: tasks.OutcomeComplete, done: []string{"Get.pdf", "Get~2.pdf", "Get~3.pdf"}, met: map[string]int{"attachments.name": 0}},
		"two links in one":        {recipe: "attachments: {item: li.doc, link: a}", body: list, outcome: tasks.OutcomeFailed, failed: []tasks.Class{tasks.ClassAttachment, tasks.ClassAttachment, tasks.ClassAttachment}},
		"two that agree":          {recipe: "attachments: {item: li.doc, link: a, name: a.name}", body: `<ul><li class=doc><a href="/d/1.pdf"><img alt=""></a><a class=name href="/d/1.pdf">One.pdf</a></ul>`, outcome: tasks.OutcomeComplete, done: []string{"One.pdf"}},
		"a hidden way":            {recipe: "attachments: {item: li.doc, link: a}", body: `<ul><li class=doc><a hidden href="/d/0.pdf">Old.pdf</a><a href="/d/1.pdf">One.pdf</a></ul>`, outcome: tasks.OutcomeComplete, done: []string{"One.pdf"}},
		"a button in it":          {recipe: "attachments: {item: li.doc, link: button, name: .n}", body: `<ul><li class=doc><i class=n>One.pdf</i><a href="/help">?</a><button onclick="location='/d/1.pdf'">Get</button></ul>`, outcome: tasks.OutcomeComplete, done: []string{"One.pdf"}},
		"a refused button":        {recipe: "attachments: {item: li.doc, link: button, name: .n}", body: `<ul><li class=doc><i class=n>One.pdf</i><button onclick="location='/d/1.pdf'">Delete</button></ul>`, outcome: tasks.OutcomeFailed, failed: []tasks.Class{tasks.ClassNotClicked}},
		"names in inputs":         {recipe: "attachments: {item: li.doc, link: a, name: {selector: input, attr: value}}", body: `<ul><li class=doc><input value="One.pdf"><a href="/d/1.pdf">Get</a></ul>`, outcome: tasks.OutcomeComplete, done: []string{"One.pdf"}},
		"texts of inputs":         {recipe: "attachments: {item: li.doc, link: a, name: input}", body: `<ul><li class=doc><input value="One.pdf"><a href="/d/1.pdf">Get</a></ul>`, outcome: tasks.OutcomeComplete, done: []string{"One.pdf"}},
		"names as titles":         {recipe: "attachments: {item: li.doc, name: {selector: a, attr: title}}", body: `<ul><li class=doc><a href="/d/1.pdf" title="One.pdf">⬇</a></ul>`, outcome: tasks.OutcomeComplete, done: []string{"One.pdf"}},
		"one says there are none": {recipe: "attachments: {item: .menu li}", body: `<div class=menu><ul><li>No attachments</li></ul></div>`, outcome: tasks.OutcomeNoAttachments, proof: tasks.ProofCount},
		"one of two says so":      {recipe: "attachments: {item: .menu li}", body: `<div class=menu><ul><li>No attachments</li><li><a href="/d/1.pdf">One.pdf</a></ul></div>`, outcome: tasks.OutcomePartial, done: []string{"One.pdf"}, failed: []tasks.Class{tasks.ClassAttachment}},
		"a link says so":          {recipe: "attachments: {item: .menu a}", body: `<div class=menu><a href="/d/1.pdf">No attachments</a></div>`, outcome: tasks.OutcomeComplete, done: []string{"No attachments.pdf"}},
		"icons":                   {recipe: "attachments: {item: a.doc}", body: `<a class=doc href="/d/Server.pdf">⬇ …</a>`, outcome: tasks.OutcomeComplete, done: []string{"Server.pdf"}},

		"where":                {recipe: link("where: {selector: .state, text: '^(paid|open)$'}"), body: list, outcome: tasks.OutcomeComplete, done: []string{"Invoice.pdf", "Add file.pdf"}, met: map[string]int{"attachments.where": 2, "attachments.item": 3}},
		"where without text":   {recipe: link("where: {selector: .final}"), body: `<ul>` + row("Invoice.pdf", "paid") + strings.Replace(row("Quote.pdf", "x"), "state", "final", 1) + `</ul>`, outcome: tasks.OutcomeComplete, done: []string{"Quote.pdf"}},
		"where the item is":    {recipe: "attachments: {item: a, where: {selector: .doc}}", body: `<a class=doc href="/d/1.pdf">One.pdf</a><a href="/help">Help</a>`, outcome: tasks.OutcomeComplete, done: []string{"One.pdf"}},
		"none of them":         {recipe: link("where: {selector: .state, text: '^closed$'}"), body: list, outcome: tasks.OutcomeNoAttachments, proof: tasks.ProofLeftOut, met: map[string]int{"attachments.where": 0}},
		"a slip in where":      {recipe: link("where: {selector: .sttae, text: '^(paid|open)$'}"), body: list, outcome: tasks.OutcomePartial, met: map[string]int{"attachments.where": 0}},
		"names":                {recipe: link("names: {include: 'pdf$', exclude: '^Quote'}"), body: list, outcome: tasks.OutcomeComplete, done: []string{"Invoice.pdf"}, met: map[string]int{"attachments.names": 1}},
		"names, and no rule":   {recipe: link("names: {include: '', exclude: '^(Add|Manage)'}"), body: list, outcome: tasks.OutcomeComplete, done: []string{"Invoice.pdf", "Quote.pdf"}},
		"no names":             {recipe: link("names: {exclude: ''}"), body: list, outcome: tasks.OutcomeComplete, done: []string{"Invoice.pdf", "Quote.pdf", "Add file.pdf"}},
		"names of none":        {recipe: link("names: {include: '[.]xlsx$'}"), body: list, outcome: tasks.OutcomeNoAttachments, proof: tasks.ProofLeftOut, met: map[string]int{"attachments.names": 0}},
		"all three":            {recipe: link("where: {selector: .state, text: paid}, names: {exclude: '^Invoice'}, exclude: [.nothing]"), body: list, outcome: tasks.OutcomeNoAttachments, proof: tasks.ProofLeftOut},
		"a name of the server": {recipe: "attachments: {item: a.doc, names: {include: '[.]pdf$'}}", body: `<a class=doc href="/d/Server.pdf"><img alt=""></a>`, outcome: tasks.OutcomeComplete, done: []string{"Server.pdf"}},
		"more than are listed": {recipe: link("where: {selector: .state, text: paid}"), body: `<h2>Documents (5)</h2>` + list, outcome: tasks.OutcomePartial, done: []string{"Invoice.pdf"}},
		"as many as declared":  {recipe: link("where: {selector: .state, text: paid}"), body: `<h2>Documents (3)</h2>` + list, outcome: tasks.OutcomeComplete, done: []string{"Invoice.pdf"}},

		"not there yet":          {recipe: link("pending: .prep"), body: `<ul>` + row("Invoice.pdf", "paid") + notYet + `</ul>`, outcome: tasks.OutcomePartial, done: []string{"Invoice.pdf"}, failed: []tasks.Class{tasks.ClassNotYet}, met: map[string]int{"attachments.pending": 1, "attachments.link": 1}},
		"none is there yet":      {recipe: link("pending: .prep"), body: `<ul>` + notYet + `</ul>`, outcome: tasks.OutcomeFailed, failed: []tasks.Class{tasks.ClassNotYet}, met: map[string]int{"attachments.pending": 1}},
		"a hidden word of it":    {recipe: link("pending: .prep"), body: `<ul>` + strings.Replace(row("Invoice.pdf", "paid"), `</li>`, `<i class=prep hidden></i></li>`, 1) + `</ul>`, outcome: tasks.OutcomeComplete, done: []string{"Invoice.pdf"}},
		"a slip in pending":      {recipe: link("pending: .perp"), body: `<ul>` + row("Invoice.pdf", "paid") + notYet + `</ul>`, outcome: tasks.OutcomePartial, done: []string{"Invoice.pdf"}, failed: []tasks.Class{tasks.ClassAttachment}, met: map[string]int{"attachments.pending": 0, "attachments.link": 1}},
		"there at the next look": {recipe: "attachments: {item: li.doc, link: a.get, name: .filename, pending: .prep}", body: `<ul>@soon</ul>`, outcome: tasks.OutcomeComplete, done: []string{"Soon.pdf"}},

		"save_as":                {recipe: link("save_as: '{po}-{n} {name}'"), body: list, outcome: tasks.OutcomeComplete, done: []string{"PO1001-1 Invoice.pdf", "PO1001-2 Quote.pdf", "PO1001-3 Add file.pdf"}},
		"save_as by a field":     {recipe: "fields: {terms: {selector: .terms}}\n" + link("save_as: '{terms}', names: {exclude: Add}"), body: `<p class=terms>../Net 30 / CON</p>` + list, outcome: tasks.OutcomeComplete, done: []string{"document._Net 30 _ CON.pdf", "document._Net 30 _ CON~2.pdf"}},
		"save_as, digits":        {recipe: link("save_as: '{digits}.{n}', where: {selector: .state, text: paid}"), body: list, outcome: tasks.OutcomeComplete, done: []string{"1001.1.pdf"}},
		"save_as of no value":    {recipe: "fields: {terms: {selector: .terms}}\n" + link("save_as: '{terms}', where: {selector: .state, text: paid}"), body: list, outcome: tasks.OutcomeComplete, done: []string{"unknown.pdf"}},
		"a type of one's own":    {recipe: link("save_as: '{n}.dat', where: {selector: .state, text: paid}"), body: list, outcome: tasks.OutcomeComplete, done: []string{"1.dat"}},
		"a device":               {recipe: link("save_as: 'CON', where: {selector: .state, text: paid}"), body: list, outcome: tasks.OutcomeComplete, done: []string{"_CON.pdf"}},
		"a name of the server's": {recipe: "attachments: {item: a.doc, save_as: '{po} {name}'}", body: `<a class=doc href="/d/Server.pdf"><img alt=""></a>`, outcome: tasks.OutcomeComplete, done: []string{"PO1001 Server.pdf"}},
	}
	var seen sync.Map // the pages that have been asked for
	mux := http.NewServeMux()
	mux.HandleFunc("/case/{name}", func(w http.ResponseWriter, r *http.Request) {
		name, soon := r.PathValue("name"), strings.ReplaceAll(notYet, "Report", "Soon")
		if _, again := seen.LoadOrStore(name, true); again {
			soon = row("Soon.pdf", "paid")
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Portal</title><h1>Order <b id=po>PO1001</b></h1>%s`, strings.ReplaceAll(cases[name].body, "@soon", soon))
	})
	mux.HandleFunc("/d/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Disposition", `attachment; filename="`+r.PathValue("name")+`"`)
		fmt.Fprint(w, "%PDF-1.4 content of "+r.PathValue("name"))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	base := newBench(t, scrape.AutoRecipe())
	for _, name := range oneIn(2, kinds(cases, "containers", "another order in view", "none of another order", "a slip in link", "two links in one", "a hidden way", "a button in it", "a refused button",
		"one says there are none", "where", "none of them", "a slip in where", "names", "all three", "a name of the server", "more than are listed", "not there yet",
		"none is there yet", "a slip in pending", "there at the next look", "save_as", "save_as by a field", "save_as of no value", "a device")) {
		c := cases[name]
		recipe, err := scrape.ReadRecipe("items.yaml", strings.NewReader("version: 1\nmode: render\nidentity: {selector: '#po'}\n"+c.recipe+"\n"))
		if err == nil {
			err = recipe.CheckFolder(nil)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p := scrape.NewPortal(recipe, nil)
		p.SetPendingWait(time.Millisecond)
		b := &bench{portal: p, scraper: p.Scraper(base.browser, base.places), browser: base.browser, dir: base.dir}
		if err := p.CheckSelectors(t.Context(), b.browser); err != nil {
			t.Error(err)
		}
		dir := "x" + uuid.NewString()
		d := b.work(t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: dir, URL: server.URL + "/case/" + name}})
		if d.Outcome != c.outcome {
			t.Errorf("%s: got %s, want %s (%s)", name, d.Outcome, c.outcome, failureText(d))
		}
		if d.Result == nil {
			continue
		}
		var done []string
		var failed []tasks.Class
		for _, doc := range d.Result.Attachments {
			if doc.State != tasks.AttachmentDone {
				failed = append(failed, doc.Error.Class)
				continue
			}
			done = append(done, filepath.Base(doc.Path))
			if _, err := os.Stat(filepath.Join(b.dir, filepath.FromSlash(doc.Path))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if !slices.Equal(done, c.done) || !slices.Equal(failed, c.failed) {
			t.Errorf("%s: got %q and the failures %v, want %q and %v", name, done, failed, c.done, c.failed)
		}
		if d.Result.Outcome == tasks.OutcomeComplete && c.proof == "" {
			c.proof = tasks.ProofListed
		}
		if by := d.Result.Proof; (by == nil) != (c.proof == "") || by != nil && by.By != c.proof {
			t.Errorf("%s: the proof is %+v, want %s", name, by, c.proof)
		}
		for where, want := range c.met {
			if i := slices.IndexFunc(d.Result.Looks, func(l tasks.Look) bool { return l.Where == where }); i < 0 || d.Result.Looks[i].Met != want || d.Result.Looks[i].Mark == "" {
				t.Errorf("%s: %s met %+v, want %d", name, where, d.Result.Looks, want)
			}
		}
	}
}

// TestPlaceholdersOfSaveAs: what a file is to be named by is known before the first order.
func TestPlaceholdersOfSaveAs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{name}": "", "{n}": "", "{po} {digits}": "", "{supplier}": "", "{Cost Centre}": "", "{column:cost centre}": "",
		"{nam}":            `r.yaml:4:33: attachments.save_as has the placeholder {nam}, which is neither a field of the recipe nor a column of the sheet; did you mean {name}?`,
		"{column:name}":    `r.yaml:4:33: attachments.save_as has the placeholder {column:name}, and the sheet has no column of that name`,
		"{attachment.url}": `r.yaml:4:33: attachments.save_as has the placeholder {attachment.url}, which is neither a field of the recipe nor a column of the sheet`,
	} {
		recipe, err := scrape.ReadRecipe("r.yaml", strings.NewReader("version: 1\nfields:\n  supplier: {selector: b}\nattachments: {item: a, save_as: '"+text+"'}\n"))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := recipe.CheckFolder([]string{"PO", "Cost Centre"}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// TestNoneOfSomethingElse: a marker that says that there are no comments proves nothing of documents.
func TestNoneOfSomethingElse(t *testing.T) {
	t.Parallel()
	pages := map[string]string{}
	for path, marked := range map[string]string{"/1": "No comments yet", "/2": "Keine Positionen", "/3": "No documents for this order", "/4": "Nothing here", "/5": "No deliveries", "/6": "No comments</p><p class=empty>No files"} {
		pages[path] = `<h1>Order PO1001</h1><p class=empty>` + marked + `</p>`
	}
	url := serveText(t, pages)
	b := newBench(t, recipeOf(t, url, "identity: {selector: h1}\nattachments: {item: a.doc, none: .empty}\n"))
	for path := range pages {
		want := tasks.OutcomeNoAttachments
		if path == "/1" || path == "/2" {
			want = tasks.OutcomePartial
		}
		if d := b.attempt(t.Context(), t, orderAt("PO1001", url+path)); d.Outcome != want {
			t.Errorf("%s: got %s (%s), want %s", pages[path], d.Outcome, failureText(d), want)
		}
	}
}
