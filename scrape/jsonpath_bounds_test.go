package scrape

import (
	"errors"
	"strings"
	"testing"
)

// TestPathsThatCostTooMuch are refused when the recipe is read; those that people write are not.
func TestPathsThatCostTooMuch(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"$..[?@..[?@..[?@..po]]]": "everywhere (..) more than", "$..[?@.a[?@..po]]": "filter in a filter", "$..a..b..c": "everywhere", "$[?@..a && @..b && @..c]": "everywhere",
		"$[?count(@..*) > 1][?count(@..*) > 1][?count(@..*) > 1]": "everywhere", "$[*][?$[*]]": "whole answer", "$[?$..a]": "whole answer", "$[?$.a..b]": "whole answer", "$[?count($.a[1:2]) > 1]": "whole answer",
		strings.Repeat("[*,*]", 9): "is no JSON path", "$" + strings.Repeat("[*,*]", 9): "too often", "$" + strings.Repeat("['a','a','a']", 6): "too often",
		"$[?" + strings.Repeat("(", 100) + "@.a" + strings.Repeat(")", 100) + "]": "nested", "$" + strings.Repeat("[?@", 40_000): "brackets", "$" + strings.Repeat("[?@", 60) + strings.Repeat("]", 60): "nested",
		"$": "", "$..[?@..po]": "", "$..documents[*]": "", "$.list[?@.id=='{po}' && @.n == $.a['b'][0].c].docs[*]": "", "$.a[?@.b == '..[?$..a,,,(((']": "", "$['..']['$'][0:3]": "",
		"$['a','b','c'][*].x": "", `$.hits[?match(@.number, "(PO)?1001")]`: "", "$.a[?@.b[?@.c]]": "", "$[?!$.closed]": "", "$[?length(@.a) > 1, ?@.b]": "",
	} {
		_, err := ParsePath(path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %.200v, want %q", path, err, want)
		}
	}
}

// TestAnswersNestedDeeply: an answer that is deep and large is refused, so that a path cannot take long
// in it.
func TestAnswersNestedDeeply(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return strings.Repeat(`{"x":`, n) + "1" + strings.Repeat("}", n) }
	for text, want := range map[string]error{
		deep(6000): errDeep, "[" + strings.Repeat("[],", 50_000) + deep(500) + "]": errDeep, strings.Repeat("[", 9000) + strings.Repeat("]", 9000): errDeep,
		deep(1000): errDeep, "[" + strings.Repeat(deep(90)+",", 2000) + "1]": errDeep,
		deep(300): nil, "[" + strings.Repeat(deep(20)+",", 5000) + "1]": nil, "[" + strings.Repeat("1,", 200_000) + "1]": nil,
	} {
		if _, err := parseJSON([]byte(text)); !errors.Is(err, want) {
			t.Errorf("%.30s...: %v, want %v", text, err, want)
		}
	}
	value, err := parseJSON([]byte("[" + strings.Repeat(deep(90)+",", 10) + "1]"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := ParsePath("$..[?@..x]")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.find(value)); n != 10*90 {
		t.Errorf("%d values", n)
	}
}
