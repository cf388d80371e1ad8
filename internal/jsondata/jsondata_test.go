package jsondata

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/amount"
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
		deep(6000): ErrDeep, "[" + strings.Repeat("[],", 50_000) + deep(500) + "]": ErrDeep, strings.Repeat("[", 9000) + strings.Repeat("]", 9000): ErrDeep,
		deep(1000): ErrDeep, "[" + strings.Repeat(deep(90)+",", 2000) + "1]": ErrDeep,
		deep(300): nil, "[" + strings.Repeat(deep(20)+",", 5000) + "1]": nil, "[" + strings.Repeat("1,", 200_000) + "1]": nil,
	} {
		if _, err := Read([]byte(text)); !errors.Is(err, want) {
			t.Errorf("%.30s...: %v, want %v", text, err, want)
		}
	}
}

// TestValuesInScripts finds the JSON of scripts.
func TestValuesInScripts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a": 1}`: `[{"a":1}]`,
		`  [1, 2]
`: `[[1,2]]`,
		`window.__DATA__ = {"a": {"b": "};"}}; run()`:                      `[{"a":{"b":"};"}}]`,
		`window.a={"a":1},window.b=[2];var c = {"d": "= {"}`:               `[{"a":1},[2],{"d":"= {"}]`,
		`x = JSON.parse("{\"a\": \"it's\"}")`:                              `[{"a":"it's"}]`,
		`x = JSON.parse( '{"a": "it\'s \x41\u0042"}' ); y = {"b": 2}`:      `[{"a":"it's AB"},{"b":2}]`,
		`var a = {b: 1}; c = [function () {}]; if (a == {}) d = {"e": 1};`: `[{},{"e":1}]`,
		`x = JSON.parse("{`:                      `null`,
		`x = {"a": 1`:                            `null`,
		`= [`:                                    `null`,
		``:                                       `null`,
		`x = JSON.parse('\`:                      `null`,
		`{"a": 1} trailing = {"b": 2}`:           `[{"b":2}]`,
		`self.__next_f.push([1, "{\"a\": 1}"])`:  `null`,
		`x = {"n": 12345678901234567890.10}`:     `[{"n":12345678901234567890.10}]`,
		`var s = "= {\"not\": \"assigned\"}"; 1`: `null`,
	} {
		got, err := json.Marshal(InScript([]byte(text)))
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v, want %s", text, got, err, want)
		}
	}
}

func TestPlainNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"12.50": "12.50", "-0.10": "-0.10", "1e3": "1000", "1.25E+3": "1250", "-1.25e1": "-12.5", "125e-2": "1.25", "1e-3": "0.001",
		"0": "0", "-0.0": "0.0", "-0": "0", "0e5": "0", "12345678901234567890.12": "12345678901234567890.12", "1e101": "", "1e-999": "", "0.5e1": "5", "00": "0",
	} {
		if got, err := PlainNumber(text); got != want || (err != nil) != (want == "") || err != nil && !errors.Is(err, amount.ErrNot) {
			t.Errorf("%s: got %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]any{
		`{"a": 1.10}`:                   map[string]any{"a": json.Number("1.10")},
		"\ufeff [1]\n":                  []any{json.Number("1")},
		")]}',\n{}":                     map[string]any{},
		"while(1);[]":                   []any{},
		"for (;;);null":                 nil,
		`{}&& {"a": true}`:              map[string]any{"a": true},
		"":                              ErrEmpty,
		")]}'":                          ErrEmpty,
		"<!doctype html><p>Sign in</p>": ErrPage,
		`{"a": 1`:                       ErrBroken,
		`{} {}`:                         ErrBroken,
		`{"a": 01}`:                     ErrBroken,
		"no":                            ErrBroken,
	} {
		got, err := Read([]byte(text))
		wrong, fails := want.(error)
		if fails && !errors.Is(err, wrong) || !fails && (err != nil || !reflect.DeepEqual(got, want)) {
			t.Errorf("%q: got %v, %v; want %v", text, got, err, want)
		}
	}
}
