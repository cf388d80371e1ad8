package scrape

import (
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/jsondata"
)

func TestDataLink(t *testing.T) {
	t.Parallel()
	element, err := jsondata.Read([]byte(`{"id": 7, "href": "/d/7.pdf?x=1", "file": {"id": "a/b c"}, "up": "..", "none": null}`))
	if err != nil {
		t.Fatal(err)
	}
	fill := func(text string) (string, string) {
		if text == "{po}" {
			return "PO%201", ""
		}
		return "", "there is no " + text
	}
	for text, want := range map[string]string{
		"$.href":                        "/d/7.pdf?x=1",
		"/files/{$.id}":                 "/files/7",
		"/files/{$.id}/{$.file.id}?d=1": "/files/7/a%2Fb%20c?d=1",
		"{base_url}/{$.id}":             "", // fill does not know it here
		"/orders/{po}/files/{$.id}":     "/orders/PO%201/files/7",
		"https://files.example/{$.id}":  "https://files.example/7",
		"/files/{$.none}":               "",
		"/files/{$.missing}":            "",
		"/files/{$.up}/x":               "",
		"$.missing":                     "",
	} {
		link, err := ParseDataLink(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := link.address(element, fill); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"/files/7":                     "/files/{$.id}",
		"/files/{po}":                  "the same for each document",
		"files/{$.id}":                 "must begin with",
		"javascript:{$.id}":            "must begin with",
		"https://{$.host}/x":           "must begin with",
		"//{$.host}/x":                 "must begin with",
		"/files/{$..}":                 "{$..}",
		"/files/{$.id":                 "a { without its }",
		"/../{$.id}":                   "leads elsewhere",
		"https://u:p@h.example/{$.id}": "user name",
	} {
		if _, err := ParseDataLink(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s says %v, want %q in it", text, err, want)
		}
	}
}
