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

// TestStepOpensWindow goes on in the windows that clicks open, or says that there is one.
func TestStepOpensWindow(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	const own = `<h1 id=po>Order PO1001</h1><a class=doc href=/doc/1.pdf>1.pdf</a>`
	pages := map[string]string{
		"/own": own, "/other": `<h1 id=po>Order PO1002</h1>`,
		"/form":  `<form method=post action=/own><input name=q></form><button id=go onclick="document.forms[0].target = '_blank'; document.forms[0].submit()">Go</button>`,
		"/twice": `<a id=go2 target=_blank href=/own>Order</a>`,
		"/late":  `<p>Orders</p><script>setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<a id=open href=/own>Order</a>"), 500)</script>`,
	}
	cases := map[string]struct {
		page, steps string
		class       tasks.Class
		says        string
		quick       bool
	}{
		"a link":              {page: `<a id=go target=_blank href=/own>Order</a>`},
		"a script":            {page: `<button id=go onclick="window.open('/own')">Order</button>`},
		"a script that waits": {page: `<button id=go onclick="const w = window.open('about:blank'); setTimeout(() => { w.location = '/own' }, 700)">Order</button>`},
		"a form":              {page: strings.Replace(pages["/form"], `<input name=q>`, ``, 1)},
		"steps in it":         {page: `<a id=go target=_blank href=/late>Order</a>`, steps: `[{click: {selector: "#go", window: true}}, {click: "#open"}]`},
		"a window of it":      {page: `<a id=go target=_blank href=/twice>Order</a>`, steps: `[{click: {selector: "#go", window: true}}, {click: {selector: "#go2", window: true}}]`},
		"another order":       {page: `<a id=go target=_blank href=/other>Order</a>`, class: tasks.ClassIdentity, says: "PO1002"},
		"none":                {page: `<a id=go href=#here>Order</a>`, class: tasks.ClassStep, says: `open.steps[0] click: it opened no window within LIMIT`, quick: true},
		"no element":          {page: `<p>Orders`, class: tasks.ClassStep, says: `open.steps[0] click "#go": nothing met it within LIMIT`, quick: true},
		"a filled one":        {page: `<button id=go onclick="window.open('').document.write('<h1 id=po>Order PO1001')">Order</button>`, class: tasks.ClassStep, says: `scripts fill it in`, quick: true},
		"two":                 {page: `<button id=go onclick="window.open('/own'); window.open('/other')">Order</button>`, class: tasks.ClassStep, says: `more than one window`},
		"another host":        {page: `<a id=go target=_blank href="http://127.0.0.2:9/">Order</a>`, class: tasks.ClassHost, says: "127.0.0.2"},
		"its own page":        {page: `<a id=go target=_blank href="">Order</a>`, class: tasks.ClassStep, says: "led back"},
		"not found":           {page: `<a id=go target=_blank href=/nowhere>Order</a>`, class: tasks.ClassStep, says: "status 404"},
		"a document":          {page: `<a id=go target=_blank href=/doc/1.pdf>Order</a>`, class: tasks.ClassStep, says: "a document"},
		"not said":            {page: `<a id=go target=_blank href=/own?token=s3cret>Order</a>`, steps: `[{click: "#go"}, {wait: "#po"}]`, class: tasks.ClassStep, says: `open.steps[1] wait "#po": nothing met it within 1s; open.steps[0] before it has opened a window, at URL/own?token=redacted; with window: true there`, quick: true},
		"left out":            {page: own, steps: `[{click: {selector: "#go", unless: "#po"}}]`},
		"left out late":       {page: `<button id=go onclick="document.body.innerHTML = ''">Close</button><script>setTimeout(() => document.body.insertAdjacentHTML("beforeend", '` + own + `'), 100)</script>`, steps: `[{click: {selector: "#go", unless: "#po"}}]`},
		"not left out":        {page: `<div hidden><b class=open></b></div><button id=go onclick="location = '/own'">Open</button>`, steps: `[{click: {selector: "#go", unless: ".open"}}]`},
		"neither":             {page: `<p>Orders`, steps: `[{click: {selector: "#go", unless: ".open"}}]`, class: tasks.ClassStep, says: `open.steps[0] click "#go": nothing met it within LIMIT`, quick: true},
	}
	for name, c := range cases {
		pages["/case/"+strings.ReplaceAll(name, " ", "-")] = c.page
	}
	url := serveText(t, pages)
	shared := newBench(t, scrape.AutoRecipe())
	another := func() { shared = newBench(t, scrape.AutoRecipe()) }
	for _, name := range oneIn(2, kinds(cases, "a script that waits", "a form", "a window of it", "another order", "none", "a filled one", "two", "another host", "its own page", "not found", "a document",
		"not said", "left out late", "neither")) {
		c := cases[name]
		t.Run(name, func(t *testing.T) {
			if c.steps == "" {
				c.steps = `[{click: {selector: "#go", window: true}}]`
			}
			first := 10 * time.Second
			if c.quick { // which waits in vain
				first = time.Second
			}
			testkit.InVain(t, first, func(limit time.Duration) error {
				recipe := recipeOf(t, url, "ready: {timeout: "+limit.String()+"}\nopen: {url: '{base_url}/case/x', steps: "+c.steps+"}\nidentity: {selector: '#po'}\nattachments: {item: a.doc}\n")
				read := func() tasks.Decision {
					return shared.with(scrape.NewPortal(recipe, nil)).attempt(t.Context(), t, orderAt("PO1001", url+"/case/"+strings.ReplaceAll(name, " ", "-")))
				}
				d := read()
				if d.Failure != nil && d.Failure.Class == tasks.ClassBrowserLost {
					another() // on a busy machine Chrome may fail a check of its own where a window goes on; a session takes another one, too
					d = read()
				}
				f := d.Failure
				switch {
				case c.class == "" && (d.Outcome != tasks.OutcomeComplete || len(d.Result.Attachments) != 1):
					return fmt.Errorf("got %s, %s, %+v", d.Outcome, failureText(d), d.Result)
				case c.class != "" && (f == nil || f.Class != c.class || !strings.Contains(f.Message, strings.NewReplacer("URL", url, "LIMIT", limit.String()).Replace(c.says))):
					return fmt.Errorf("got %s, %w, want %s: %s", d.Outcome, f, c.class, c.says)
				}
				return nil
			})
		})
	}
}
