package scrape

import (
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/jsondata"
	"github.com/poscrape/poscrape/tasks"
)

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
	f.Fuzz(func(_ *testing.T, text []byte) { jsondata.InScript(text) })
}
