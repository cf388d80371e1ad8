package scrape_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestSearch finds orders by searching, on search pages of many kinds.
func TestSearch(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	order := `<h1 id=po>Order QUERY</h1><a class=doc href=/doc/QUERY.pdf>QUERY.pdf</a>`
	form := `<form action=ACTION><input id=q name=q><button id=go>Go</button></form>`
	results := func(rows string) map[string]string {
		return map[string]string{"/search": strings.ReplaceAll(form, "ACTION", "/list"), "/list": "<title>Results</title><input value=QUERY>" + rows, "/order": order}
	}
	// An application that asks its server some time after the last key, and shows earlier results meanwhile.
	late := map[string]string{"/order": order, "/api": "QUERY", "/search": `<title>Search</title><input id=q><button id=go>Go</button><table><tr class=r><td>PO0001<tr class=r><td>PO1002</table><div id=main></div><script>
		go.onclick = () => setTimeout(async () => { const po = (await (await fetch("/api?q=" + q.value)).text()).slice(15);
			document.querySelector("table").innerHTML = "<tr class=r><td>" + po + "A<tr class=r><td>" + po + "<td><button>x</button>"; }, 800);
		document.querySelector("table").onclick = (e) => setTimeout(() => { main.innerHTML = "<h1 id=po>Order " + e.target.closest("tr").cells[0].textContent + "</h1><a class=doc href=/doc/x.pdf>x.pdf</a>" }, 300)</script>`}
	shared := newBench(t, scrape.AutoRecipe())
	cases := map[string]struct {
		pages   map[string]string
		search  string
		outcome tasks.Outcome
		class   tasks.Class
		want    string
	}{
		"a link":           {results(`<a class=r href=/order?q=PO1001A>PO1001A</a> <a class=r href=/order?q=QUERY>QUERY</a> <a class=r href=/order?q=PO10012>PO10012</a>`), "", "complete", "", ""},
		"a row":            {results(`<table><tr class=r><td>QUERY-2<td><a href=/order?q=x>open</a><tr class=r><td>QUERY<td><a href=/order?q=QUERY>open</a></table>`), "", "complete", "", ""},
		"twice the same":   {results(`<a class=r href=/order?q=QUERY><b>QUERY</b></a><a class=r href=/order?q=QUERY>Order QUERY</a>`), "", "complete", "", ""},
		"another window":   {results(`<a class=r target=_blank href=/order?q=QUERY>QUERY</a>`), "", "complete", "", ""},
		"of another order": {results(`<div class=r onclick="location = '/order?q=x'">Order PO2002 (replaces QUERY)</div><div class=r onclick="location = '/order?q=QUERY'">QUERY</div>`), "", "complete", "", ""},
		"enter":            {results(`<a class=r href=/order?q=QUERY>QUERY</a>`), `{url: "{base_url}/search", input: "#q", result: ".r"}`, "complete", "", ""},
		"by address":       {results(`<a class=r href=/order?q=QUERY>QUERY</a>`), `{url: "{base_url}/list?q={po}", result: ".r"}`, "complete", "", ""},
		"late":             {late, "", "complete", "", ""},
		"several":          {results(`<a class=r href=/order?q=QUERY&x=1>QUERY</a><a class=r href=/order?q=QUERY&x=2>QUERY</a>`), "", "failed", tasks.ClassSearch, "in 2 results"},
		"only a neighbour": {results(`<a class=r href=/order?q=QUERYA>QUERYA</a>`), "", "failed", tasks.ClassSearch, `".r" met 1 other result: "PO1001A"`},
		"nothing":          {results(`<p>Nothing here`), "", "failed", tasks.ClassSearch, `".r" met nothing`},
		"a marker":         {results(`<p class=nothing>No order meets QUERY`), "", "not_found", tasks.ClassNotFound, "its search says"},
		"goes nowhere":     {results(`<div class=r>QUERY</div>`), "", "failed", tasks.ClassSearch, "did not change"},
		"leads away":       {results(`<a class=r href="http://other.example/QUERY">QUERY</a>`), "", "failed", tasks.ClassHost, "other.example"},
		"the wrong page":   {results(`<a class=r href=/order?q=PO1002>QUERY</a>`), "", "identity_mismatch", tasks.ClassIdentity, "PO1002"},
		"a sign-in":        {map[string]string{"/search": `<h1>Sign in</h1><form action=/wrong><input id=q name=q><input type=password name=p><button id=go>Sign in</button></form>`, "/wrong": "<h1>Wrong user QUERY</h1>"}, "", "session_expired", tasks.ClassLogin, "a sign-in page"},
		"no field":         {map[string]string{"/search": "<p>Search"}, "", "failed", tasks.ClassStep, `open.search.input fill "#q": nothing met it within LIMIT`},
	}
	for _, name := range oneIn(2, kinds(cases, "a row", "another window", "of another order", "enter", "by address", "late", "several", "only a neighbour", "a marker", "goes nowhere", "leads away",
		"the wrong page", "a sign-in", "no field")) {
		c := cases[name]
		t.Run(name, func(t *testing.T) {
			url := serveText(t, c.pages)
			search := c.search
			if search == "" {
				search = `{url: "{base_url}/search", input: "#q", submit: "#go", result: ".r"}`
			}
			first := patience
			if c.class == tasks.ClassSearch || c.class == tasks.ClassStep { // which is waited for in vain
				first = time.Second
			}
			testkit.InVain(t, first, func(limit time.Duration) error {
				b := shared.with(scrape.NewPortal(recipeOf(t, url, `
ready: {timeout: `+limit.String()+`}
open: {search: `+search+`}
identity: {selector: "#po"}
not_found: {selector: .nothing}
attachments: {item: a.doc}
`), nil))
				at := url + "/search"
				if strings.Contains(search, "/list") {
					at = url + "/list?q=PO1001"
				}
				d := b.attempt(t.Context(), t, orderAt("PO1001", at))
				if d.Outcome != c.outcome || c.class != "" && (d.Failure == nil || d.Failure.Class != c.class || !strings.Contains(d.Failure.Message, strings.ReplaceAll(c.want, "LIMIT", limit.String()))) {
					return fmt.Errorf("got %s, %w, want %s, %s %q", d.Outcome, d.Failure, c.outcome, c.class, c.want)
				}
				if c.outcome == tasks.OutcomeComplete && (len(d.Result.Attachments) != 1 || !strings.Contains(d.Result.Looks[len(d.Result.Looks)-1].Where, "search")) {
					return fmt.Errorf("got %+v", d.Result)
				}
				return nil
			})
		})
	}
}

// TestSearchLeavesAddressesAlone opens an order at the address of its own row.
func TestSearchLeavesAddressesAlone(t *testing.T) {
	t.Parallel()
	url := serveText(t, map[string]string{"/order": `<h1 id=po>Order QUERY</h1><a class=doc href=/doc/x.pdf>x.pdf</a>`})
	b := newBench(t, recipeOf(t, url, `
open: {search: {url: "{base_url}/search", input: "#q", result: ".r"}}
attachments: {item: a.doc}
`))
	if d := b.work(t, orderAt("PO1001", url+"/order?q=PO1001")); d.Outcome != tasks.OutcomeComplete {
		t.Errorf("got %s, %+v", d.Outcome, d.Failure)
	}
}
