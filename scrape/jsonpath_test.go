package scrape

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/jsondata"
)

func TestPathElements(t *testing.T) {
	t.Parallel()
	const data = `{"list": [{"n": 1}, {"n": 2}], "empty": [], "null": null, "map": {"b": {"n": 2}, "a": {"n": 1}}, "none": {}, "nulls": [null], "text": "x"}`
	value, err := jsondata.Read([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]struct {
		found  int
		listed bool
	}{
		"$.list[*]": {2, true}, "$.list": {2, true}, "$.list[?@.n == 2]": {1, true}, "$.list[?@.n == 3]": {0, true}, "$.list[0]": {1, true},
		"$.list[-1:]": {1, true}, "$.empty[*]": {0, true}, "$.empty": {0, true}, "$.null[*]": {0, false}, "$.null": {0, false}, "$.none": {0, false}, "$..[?@.x]": {0, false}, "$.map[?@.n == 3]": {0, false}, "$.nulls[*]": {1, true},
		"$.missing[*]": {0, false}, "$.missing": {0, false}, "$.map.*": {2, true}, "$.none[*]": {0, false}, "$.text[*]": {0, false}, "$..n": {4, true},
		"$.list[?search(@.m, 'x')]": {0, true}, "$.list[?!match(@.m, 'x')]": {2, true}, "$.list[?length(@.m) == 1]": {0, true},
	} {
		p, err := ParsePath(path)
		if err != nil {
			t.Fatal(err)
		}
		found, listed := p.elements(value)
		if len(found) != want.found || listed != want.listed {
			t.Errorf("%s: got %v, %t; want %d, %t", path, found, listed, want.found, want.listed)
		}
	}
	ordered, err := ParsePath("$.map.*.n")
	if err != nil {
		t.Fatal(err)
	}
	if got := ordered.find(value); !reflect.DeepEqual(got, []any{json.Number("1"), json.Number("2")}) {
		t.Errorf("the values of an object come as %v", got)
	}
}

// TestPathOfOrder fills in values that would end the text that they stand in.
func TestPathOfOrder(t *testing.T) {
	t.Parallel()
	value, err := jsondata.Read([]byte(`{"list": [{"id": "in_1Qab", "n": 1}, {"id": "it's \"x\\ü\n*", "n": 2}, {"id": "IN_1QAB", "n": 3}]}`))
	if err != nil {
		t.Fatal(err)
	}
	cells := map[string]string{"po": "IN_1QAB", "digits": "1QAB", "column:Raw": " in_1Qab ", "column:Odd": "it's \"x\\ü\n*", "column:All": "' || @.n > 0 || '"}
	told := func(name string) (string, string) {
		if cells[name] == "" {
			return "", "lacks {" + name + "}"
		}
		return cells[name], ""
	}
	for path, want := range map[string]string{
		"$.list[?@.id=='{po}'].n": "[3]", "$.list[?@.id=='{column:Raw}'].n": "[1]", "$.list[?@.id=='{column:Odd}'].n": "[2]", `$.list[?@.id=="{column:Odd}"].n`: "[2]",
		"$.list[?@.id=='IN_{digits}' && match(@.id, 'I.*')].n": "[3]", "$.list[?@.id=='{column:All}'].n": "[]", "$.list[?@.id=='{column:None}'].n": "lacks {column:None}",
	} {
		p, err := parseOrderPath(path)
		if err != nil {
			t.Fatal(path, err)
		}
		own, got, err := p.forOrder(told)
		if own != nil {
			got = fmt.Sprint(own.find(value))
		}
		if err != nil || got != want {
			t.Errorf("%s: got %s, %v; want %s", path, got, err, want)
		}
	}
	for path, want := range map[string]string{
		"$.list[{column:Row}]": "outside of a text", "$.list.{column:Name}": "outside of a text", "$['{column:A}'].{column:B}": "outside of a text",
		"$.list[?match(@.id, '{column:Raw}')]": "in match or search", "$.list[?search(value(@['id']), '{column:Raw}')]": "in match or search",
	} {
		if _, err := parseOrderPath(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

// FuzzPath reads paths and applies them: neither may crash, and what a path finds once it
// finds again.
func FuzzPath(f *testing.F) {
	for _, path := range []string{"$", "$.a", "$..a[*]", "$.a[?@.b > 1.5 && @.c]", "$['a','b'][1:-1:2]", "$[?match(@.a, 'x.*')]", "$.a[?@.b == $.c]"} {
		f.Add(path, `{"a": [{"b": 2, "c": null}, "x"], "b": {"c": 1e5}}`)
	}
	f.Fuzz(func(t *testing.T, path, text string) {
		p, err := ParsePath(path)
		value, jsonErr := jsondata.Read([]byte(text))
		if err != nil || jsonErr != nil || len(text) > 1000 || len(path) > 200 {
			return
		}
		found, _ := p.elements(value)
		again, _ := p.elements(value)
		if !reflect.DeepEqual(found, again) {
			t.Errorf("%q finds %v, and then %v, in %s", path, found, again, text)
		}
	})
}
