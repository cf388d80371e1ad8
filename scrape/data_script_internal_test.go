package scrape

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

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
		got, err := json.Marshal(valuesIn([]byte(text)))
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v, want %s", text, got, err, want)
		}
	}
}

// TestWhoseScript: data of another order is not taken.
func TestWhoseScript(t *testing.T) {
	t.Parallel()
	a := &attempt{task: &tasks.ProcessingTask{Spec: tasks.Spec{PO: "PO1001", Digits: "1001"}}}
	for text, want := range map[string]string{
		`{"number": "PO1001", "status": "open"}`:                     "open",
		`{"id": 7, "status": "open"}`:                                "open",
		`{"number": "PO1002", "status": "open"}`:                     "",
		`{"number": "PO1002", "next": "PO1001", "status": "open"}`:   "",
		`{"number": "PO1001", "next": "PO1002", "status": "open"}`:   "open",
		`a = {"status": "old"}; b = {"po": "1001", "status": "new"}`: "new",
		`nothing`: "",
	} {
		p := &page{Scripts: map[string][]string{"#d": {text}}, Fields: map[string]string{}}
		path, err := ParsePath("$.status")
		if err != nil {
			t.Fatal(err)
		}
		p.fieldOf(FieldRule{Name: "status", Path: path, Data: DataSource{Script: "#d"}}, a.inScripts(p, "#d"))
		if p.Fields["status"] != want || want == "" && p.notes["status"].why == "" {
			t.Errorf("%s: got %q (%+v), want %q", text, p.Fields["status"], p.notes, want)
		}
	}
	if set := a.inScripts(&page{}, "#d"); set.asked || !strings.Contains(set.why, "#d") {
		t.Errorf("without a script it says %+v", set)
	}
}

// FuzzValuesInScripts: no script is too strange.
func FuzzValuesInScripts(f *testing.F) {
	for _, seed := range []string{`a = {"b": [1]}`, `x = JSON.parse('{"a": "\x41"}')`, `= ["`, `=JSON.parse("\u12`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(_ *testing.T, text []byte) { valuesIn(text) })
}
