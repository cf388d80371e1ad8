package scrape

import (
	"encoding/json"
	"testing"
)

// TestAround: what an answer says around an empty list is told from what others say, in whatever words.
func TestAround(t *testing.T) {
	t.Parallel()
	path, err := ParsePath("$.files[*]")
	if err != nil {
		t.Fatal(err)
	}
	around := func(text string) uint32 {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		return path.around([]datum{{value: value}})
	}
	with := around(`{"files": [{"n": 1}], "total": 1, "ok": true, "message": ""}`)
	if none := around(`{"files": [], "total": 0, "ok": true, "message": ""}`); none != with || none == 0 {
		t.Errorf("no documents are %d, and one is %d", none, with)
	}
	for _, text := range []string{
		`{"files": [], "total": 0, "ok": true, "message": "Yetkiniz yok"}`,
		`{"files": [], "total": 0, "ok": false, "message": ""}`,
		`{"files": [], "total": 0, "ok": true, "message": "", "return": [{"TYPE": "E"}]}`,
		`{"files": [], "total": 0, "ok": true}`,
	} {
		if around(text) == with {
			t.Errorf("%s is as with documents", text)
		}
	}
}
