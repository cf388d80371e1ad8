package scrape

import (
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// TestSelectorsOfRelated: what finds documents on other pages is looked for as on the order's
// own; that there is no link to one is no fault.
func TestSelectorsOfRelated(t *testing.T) {
	t.Parallel()
	r, err := ReadRecipe("r.yaml", strings.NewReader("version: 1\nattachments: {item: a}\nrelated: [{link: .r, attachments: {item: b, link: i, pending: u, exclude: [s]}}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	var warned []string
	for _, s := range NewPortal(r, nil).Selectors() {
		if s.Kind == tasks.SelectorWarning {
			warned = append(warned, s.Where)
		}
	}
	if want := []string{"attachments.item", "related[0].attachments.item", "related[0].attachments.link"}; !slices.Equal(warned, want) {
		t.Errorf("got %v, want %v", warned, want)
	}
}

// TestAddressesOfPages: what leads to other pages by data, or by a template, is a note of the recipe, and
// has the recipe know what the page gets, what it sends and which columns are used.
func TestAddressesOfPages(t *testing.T) {
	t.Parallel()
	read := func(text string) *Recipe {
		r, err := ReadRecipe("r.yaml", strings.NewReader("version: 1\n"+text))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	related := read("related: [{url: '/a/{column:no}', attachments: {item: a}}, {json: {get: '/b/{column:of}', headers: [X-A], items: $.a, link: '/c/{$.id}/{column:to}', where: {path: $.s, text: x}}, attachments: {item: a}}, {json: {script: '#s', items: '$.a', link: $.u}, attachments: {item: a}}]\n")
	steps := read("open: {steps: [{go: {selector: a, url: '/{value}'}}, {go: {get: '/b/{column:of}', headers: [X-B], path: $.u}}]}\n")
	notes := map[string]bool{}
	for _, s := range NewPortal(related, nil).Selectors() {
		notes[s.Where] = s.Kind == tasks.SelectorNote
	}
	for _, where := range []string{"related[0].url", "related[1].json.get", "related[1].json.items", "related[1].json.link", "related[1].json.where", "related[2].json.script"} {
		if !notes[where] {
			t.Errorf("%s is no note: %v", where, notes)
		}
	}
	if got := related.Told(); !slices.Equal(got, []string{"no", "of", "to"}) || !related.usesData() || !slices.Equal(headerNames(related.headers()), []string{"X-A"}) || !slices.Equal(related.dataScripts(), []string{"#s"}) {
		t.Errorf("got %q, %q, %q", got, headerNames(related.headers()), related.dataScripts())
	}
	if got := steps.Told(); !slices.Equal(got, []string{"of"}) || !steps.usesData() || !steps.TakesNumber() || !slices.Equal(headerNames(steps.headers()), []string{"X-B"}) {
		t.Errorf("got %q, %q", got, headerNames(steps.headers()))
	}
	for text, want := range map[string]bool{"{selector: a, url: '/{value}'}": false, "a": false, "{selector: a, url: '/{value}/{po}'}": true, "{json: '/a/{digits}', path: $.u}": true, "{get: /a, path: \"$[?@.n=='{po}'].u\"}": true, "{get: /a, path: $.u}": false} {
		if got := read("open: {steps: [{go: " + text + "}]}\n").TakesNumber(); got != want {
			t.Errorf("%s takes the number: %v", text, got)
		}
	}
}

// TestCheckVisit opens no page whose address says that it changes something.
func TestCheckVisit(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://pay.example/p?sessionId=x": true, "/orders/{po}/documents": true, "https://a.example/payments/cs_live_a1?return=/orders/1": true, "/pay_29QQoUBi/x": true, "{base_url}/i/{id}": true, "/orders/cancelled": true,
		"/orders/7/cancel": false, "/orders/7/cancelOrder": false, "/o/{po}/approve-order": false, "/o?action=delete&id=1": false, "/o?do=%63ancel": false, "/o/%63ancel": false, "/o/l%C3%B6schen": false,
	} {
		if err := checkVisit(address); (err == nil) != want {
			t.Errorf("%s: %v", address, err)
		}
	}
}
