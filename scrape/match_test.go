package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestFieldForms reads one field of a page in all the ways that a recipe can ask for.
func TestFieldForms(t *testing.T) {
	t.Parallel()
	const refs = `<ul><li class=ref>Quote Q-7</li><li class=ref>Contract A-12 of 2026</li></ul>`
	cases := map[string]struct {
		body, field      string
		value, err       string
		missing, several bool
		// unmet are the places that met nothing.
		unmet []string
	}{
		"a part of a text":           {body: refs, field: `{selector: li.ref, match: 'Contract (\S+)'}`, value: "A-12"},
		"all of the match":           {body: refs, field: `{selector: li.ref, match: 'A-\d+'}`, value: "A-12"},
		"no text that matches":       {body: refs, field: `{selector: li.ref, match: 'Contarct (\S+)'}`, missing: true, unmet: []string{"fields.f.match"}},
		"no element":                 {body: refs, field: `{selector: li.rfe, match: 'Contract (\S+)'}`, missing: true, unmet: []string{"fields.f.selector"}},
		"two texts that differ":      {body: refs + `<ul><li class=ref>Contract B-1</li></ul>`, field: `{selector: li.ref, match: 'Contract (\S+)'}`, value: "A-12", several: true},
		"two texts that agree":       {body: refs + `<ul><li class=ref>The Contract A-12 again</li></ul>`, field: `{selector: li.ref, match: 'Contract (\S+)'}`, value: "A-12"},
		"a hidden text":              {body: refs + `<ul hidden><li class=ref>Contract B-1</li></ul>`, field: `{selector: li.ref, match: 'Contract (\S+)'}`, value: "A-12"},
		"only hidden ones match":     {body: `<p class=ref>none</p><p hidden class=ref>Contract B-1</p>`, field: `{selector: .ref, match: 'Contract (\S+)'}`, missing: true, unmet: []string{"fields.f.match"}},
		"an amount in a text":        {body: `<p class=t>Total: EUR 1.250,00 net</p>`, field: `{selector: .t, match: 'Total: (.*) net', type: amount, locale: de}`, value: "1250.00"},
		"cents that are raised":      {body: `<p class=t>$12<sup>50</sup></p>`, field: `{selector: .t, type: amount, locale: en}`, err: "raised: 50"},
		"a note's number":            {body: `<dl><dt>Total<dd>1,250.00<span style="vertical-align:super">1</span></dl>`, field: `{label: total, type: amount, locale: en}`, err: "raised: 1"},
		"raised with its point":      {body: `<p class=t>12<sup>.50</sup> EUR</p>`, field: `{selector: .t, type: amount, locale: en}`, value: "12.50"},
		"a sign from styles":         {body: `<style>.n::before{content:"-"}</style><p class=t><b class=n>12.50</b></p>`, field: `{selector: .t, type: amount, locale: en}`, err: "drawn before it: -"},
		"a currency from styles":     {body: `<style>.n::before{content:"$"}</style><p class=t><b class=n>12.50</b></p>`, field: `{selector: .t, type: amount, locale: en}`, value: "12.50"},
		"digits nobody sees":         {body: `<p class=t>1<i style="font-size:0">9</i>2.50</p>`, field: `{selector: .t, type: amount, locale: en}`, err: "not to be seen: 9"},
		"digits that are clear":      {body: `<p class=t>12.50<i style="opacity:0">7</i></p>`, field: `{selector: .t, type: amount, locale: en}`, err: "not to be seen: 7"},
		"digits the other way round": {body: `<p class=t style="width:9em;direction:rtl;unicode-bidi:bidi-override">05.21</p>`, field: `{selector: .t, type: amount, locale: en}`, err: "shown in another order"},
		"digits that are moved":      {body: `<p class=t><b style="position:relative;left:3em">1</b><b>2</b>.50</p>`, field: `{selector: .t, type: amount, locale: en}`, err: "shown in another order"},
		"a text with such digits":    {body: `<p class=t>A-1<i style="font-size:0">9</i>2</p>`, field: `{selector: .t}`, value: "A-192", several: true},
		"an amount of many parts":    {body: `<p class=t dir=rtl style="font-size:0"><b style="font-size:9px">1</b><b style="font-size:14px">,250<sup>.50</sup></b> <b style="font-size:9px">EUR</b></p>`, field: `{selector: .t, type: amount, locale: en}`, value: "1250.50"},
		"a number that is broken":    {body: `<p class=t style="width:1ch;word-break:break-all">1250.50</p>`, field: `{selector: .t, type: amount, locale: en}`, value: "1250.50"},
		"beside another order":       {body: `<section id=own><i class=t>ours</i></section><section><h1>Order <b id=po>PO1002</b></h1><i class=t>theirs</i></section><script>own.prepend(document.querySelector("h1"))</script>`, field: `{selector: .t}`, value: "ours"},
		"in a row of such numbers":   {body: `<table><tr><td id=po>PO1002<td class=t>Net 30</table>`, field: `{selector: .t}`, value: "Net 30"},
		"a part of an attribute":     {body: `<a class=c href="/contracts/77?x=1">contract</a>`, field: `{selector: .c, attr: href, match: 'contracts/(\d+)'}`, value: "77"},
		"a part of a labelled value": {body: `<dl><dt>Terms<dd>Net 30 days</dl>`, field: `{label: terms, match: '(\d+) days'}`, value: "30"},
		"the first of some lines":    {body: `<table><tr><td>Supplier:<td>Gebr. Weiß Spedition<br>Graz <b>A-8010</b></table>`, field: `{label: supplier, match: '^([^\n]+)'}`, value: "Gebr. Weiß Spedition"},
		"a line of blocks":           {body: `<dl><dt>Supplier<dd>ACME <i>Ltd</i><div>Main St</div><div hidden>No. 7</div><p>Leeds</dl>`, field: `{label: supplier, match: '\n(.+)$'}`, value: "Leeds"},
		"a label that is misspelt":   {body: `<dl><dt>Terms<dd>Net 30 days</dl>`, field: `{label: trems}`, missing: true, unmet: []string{"fields.f.selector"}},
		"what an input holds":        {body: `<input class=i value=Jane>`, field: `{selector: .i, attr: value}`, value: "Jane"},
		"the text of an input":       {body: `<input class=i value=Jane>`, field: `{selector: .i}`, value: "Jane"},
		"the text of an option":      {body: `<select class=s><option value=1>Net 30<option value=2 selected>Net 60</select>`, field: `{selector: .s}`, value: "Net 60"},
		"the value of an option":     {body: `<select class=s><option value=1>Net 30<option value=2 selected>Net 60</select>`, field: `{selector: .s, attr: value}`, value: "2"},
		"in a frame":                 {body: `<i class=v>outside</i><iframe id=main srcdoc="<i class=v>inside</i>"></iframe><iframe id=side srcdoc="<i class=v>beside</i>"></iframe>`, field: `{selector: .v, frame: '#main'}`, value: "inside"},
		"a label in a frame":         {body: `<p>V: outside</p><iframe id=main srcdoc="<p>V: inside</p>"></iframe>`, field: `{label: v, frame: '#main'}`, value: "inside"},
		"in a frame within it":       {body: `<iframe id=main srcdoc="<iframe srcdoc='<i class=v>deep</i>'></iframe>"></iframe>`, field: `{selector: .v, frame: '#main'}`, value: "deep"},
		"a frame that is not there":  {body: `<i class=v>outside</i><iframe id=main srcdoc="<i class=v>inside</i>"></iframe>`, field: `{selector: .v, frame: '#mian'}`, missing: true, unmet: []string{"fields.f.selector", "fields.f.frame"}},
		"a frame that is none":       {body: `<div id=main><i class=v>outside</i></div>`, field: `{selector: .v, frame: '#main'}`, missing: true, unmet: []string{"fields.f.selector"}},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/case/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Portal</title><h1>Order <b id=po>PO1001</b></h1>%s`, cases[r.PathValue("name")].body)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	base := newBench(t, scrape.AutoRecipe())
	for _, name := range kinds(cases, "a part of a text", "no text that matches", "two texts that differ", "two texts that agree", "only hidden ones match", "an amount in a text",
		"cents that are raised", "a sign from styles", "digits nobody sees", "digits the other way round", "digits that are moved", "a number that is broken",
		"beside another order", "a part of an attribute", "a part of a labelled value", "the first of some lines", "a label that is misspelt", "the value of an option",
		"in a frame within it", "a frame that is not there") {
		c := cases[name]
		recipe, err := scrape.ReadRecipe("forms.yaml", strings.NewReader("version: 1\nidentity: {selector: '#po'}\nfields:\n  f: "+c.field+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		recipe.Fields[0].Required = true
		p := scrape.NewPortal(recipe, nil)
		b := &bench{portal: p, scraper: p.Scraper(base.browser, base.places), browser: base.browser, dir: base.dir}
		if err := p.CheckSelectors(t.Context(), b.browser); err != nil {
			t.Error(err)
		}
		d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: server.URL + "/case/" + name}})
		if d.Result == nil {
			t.Errorf("%s: %s, %s", name, d.Outcome, failureText(d))
			continue
		}
		got, there := d.Result.Fields["f"]
		if got.Value != c.value || there == c.missing || got.Ambiguous != c.several || !strings.Contains(got.Error, c.err) {
			t.Errorf("%s: got %+v (%v), want %q (ambiguous: %v)", name, got, there, c.value, c.several)
		}
		if want := c.missing || c.several || c.err != ""; (d.Outcome == tasks.OutcomePartial) != want {
			t.Errorf("%s: got %s (%s)", name, d.Outcome, failureText(d))
		}
		var unmet []string
		for _, look := range d.Result.Looks {
			if look.Met == 0 && strings.HasPrefix(look.Where, "fields.") {
				unmet = append(unmet, look.Where)
			}
			if look.Mark == "" && strings.HasPrefix(look.Where, "fields.") {
				t.Errorf("%s: %s has no mark", name, look.Where)
			}
		}
		if fmt.Sprint(unmet) != fmt.Sprint(c.unmet) {
			t.Errorf("%s: %v met nothing, want %v", name, unmet, c.unmet)
		}
	}
}

// TestPartsInFrames reads an order whose parts all stand in a frame, beside others alike.
func TestPartsInFrames(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	page := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><title>Portal</title>"+text)
		}
	}
	mux.HandleFunc("/order", page(`<b id=po>PO9999</b><a class=doc href="/d/help.pdf">Help.pdf</a><iframe id=main src="/main"></iframe>`))
	mux.HandleFunc("/main", page(`<b id=po>PO1001</b><table id=lines><tr><td>A</td></tr></table><a class=doc href="/d/quote.pdf">Quote.pdf</a>`))
	mux.HandleFunc("/d/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 content")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	const text = "version: 1\nready: {selector: '#po', frame: '#main'}\nidentity: {selector: '#po', frame: '#main'}\n" +
		"lines: {row: '#lines tr', frame: '#main', columns: {sku: td}}\nattachments: {item: a.doc, frame: '#main'}\n"
	shared := newBench(t, scrape.AutoRecipe())
	for slip, want := range map[string]tasks.Outcome{
		"": tasks.OutcomeComplete, "ready": tasks.OutcomePartial, "identity": tasks.OutcomeIdentityMismatch, "attachments": tasks.OutcomePartial,
	} {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			if slip != "" && strings.HasPrefix(line, slip) {
				lines[i] = strings.Replace(line, "#main", "#mian", 1)
			}
		}
		recipe, err := scrape.ReadRecipe("frames.yaml", strings.NewReader(strings.Join(lines, "\n")))
		if err != nil {
			t.Fatal(err)
		}
		d := shared.with(scrape.NewPortal(recipe, nil)).attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "x" + uuid.NewString(), URL: server.URL + "/order"}})
		if d.Outcome != want {
			t.Errorf("a slip in %q: got %s, want %s (%s)", slip, d.Outcome, want, failureText(d))
		}
		if slip == "" && (len(d.Result.Attachments) != 1 || d.Result.Attachments[0].Name != "Quote.pdf" || len(d.Result.Lines) != 1) {
			t.Errorf("got %+v and %v", d.Result.Attachments, d.Result.Lines)
		}
	}
}
