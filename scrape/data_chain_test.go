package scrape

import (
	"slices"
	"strings"
	"testing"
)

// TestFieldsInAddresses reads recipes whose addresses need other fields.
func TestFieldsInAddresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a: {get: '/x/{b}', path: $.a}\n  b: {get: '/y/{c}', path: $.b}\n  c: {label: C}":                                      "",
		"a: {get: '/x/{b}', path: $.a}\n  b: {get: '/me', path: $.b}":                                                          "",
		"a: {get: '/x/{b}', path: $.a}\n  b: {get: '/y/{a}', path: $.b}":                                                       "r.yaml:3:12: fields.a.get needs {b}, whose own address needs this field: that is a circle",
		"a: {get: '/x/{a}', path: $.a}":                                                                                        "r.yaml:3:12: fields.a.get needs the value of its own field",
		"a: {get: '/x/{nam}', path: $.a}":                                                                                      "r.yaml:3:12: fields.a.get has the placeholder {nam}, which is not known",
		"a: {get: '/x/{b}', path: $.a}\n  b: {label: B, type: amount}":                                                         "of the type amount",
		"a: {get: '/me', path: $.a}":                                                                                           "is the same for each order",
		"a: {get: 'https://{b}.example/x', path: $.a}\n  b: {label: B}":                                                        "a host without placeholders",
		"a: {get: '/x/{b}', path: $.a}\n  b: {label: B}\nattachments: {json: {get: '/{a}', items: $, link: '/f/{no}/{$.id}'}}": "r.yaml:5:51: attachments.json.link has the placeholder {no}",
		"b: {label: B}\nattachments: {json: {get: '/{b}', items: $, link: $.x, content: $.y}}":                                 "stands beside link",
	} {
		r, err := ReadRecipe("r.yaml", strings.NewReader("version: 1\nfields:\n  "+text+"\n"))
		if want == "" {
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			var turn []string
			for _, f := range inTurn(r.Fields) {
				turn = append(turn, f.Name)
			}
			if slices.Reverse(turn); len(turn) != len(r.Fields) || turn[0] != "a" {
				t.Errorf("%s: read in reverse of %v", text, turn)
			}
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q in it", text, err, want)
		}
	}
}

// TestNoValue tells what an address is not made of.
func TestNoValue(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": true, "-": true, "–": true, "...": true, "(none)": true, "None": true, "keine": true, "n/a": true, "NULL": true, "undefined": true,
		"{{contract}}": true, "C-{{id}}": true, "${id}": true, "<%= id %>": true, "[object Object]": true, "Loading…": true, "Please wait...": true, "Wird geladen…": true,
		"0": false, "C-100": false, "nonesuch": false, "N": false, "Loading dock 7": false, "{1}": false, "AB<5": false,
	} {
		if got := noValue(text); got != want {
			t.Errorf("%q: got %t", text, got)
		}
	}
}
