package scrape

import (
	"fmt"
	"testing"

	"github.com/poscrape/poscrape/internal/jsondata"
)

// TestCountInData finds what an answer says of how many documents there are.
func TestCountInData(t *testing.T) {
	t.Parallel()
	of := func(answer string, head pagedHead, asked string) datum {
		value, err := jsondata.Read([]byte(answer))
		if err != nil {
			t.Fatal(err)
		}
		return datum{value: value, from: "/x", head: head, asked: asked}
	}
	one := func(answer string) []datum { return []datum{of(answer, pagedHead{}, "https://h/x")} }
	for _, c := range []struct {
		items   string
		answers []datum
		met     int
		want    string
	}{
		{"$.files[*]", one(`{"files": [1, 2], "total": 2}`), 2, "2 total: 2 false map[]"},
		{"$.files[*]", one(`{"files": [1, 2], "total": 3}`), 2, "map[]"},
		{"$.files[*]", one(`{"files": [1, 2]}`), 2, "map[]"},
		{"$.files[*]", one(`{"files": [], "total": 0}`), 0, "0 total: 0 false map[]"},
		{"$.value[*]", one(`{"value": [1], "@odata.count": 1}`), 1, "1 @odata.count: 1 false map[]"},
		{"$['hydra:member'][*]", one(`{"hydra:member": [1, 2], "hydra:totalItems": 2}`), 2, "2 hydra:totalItems: 2 false map[]"},
		{"$.files[*]", one(`{"files": [1, 2], "meta": {"total": 2, "page": 1}}`), 2, "2 total: 2 false map[meta.page:1]"},
		{"$.order.files[*]", one(`{"order": {"number": "PO1001", "total": 2, "files": [1, 2]}}`), 2, "map[total:2]"},
		{"$.order.dateien[*]", one(`{"anzahl": 2, "order": {"dateien": [1, 2]}}`), 2, "map[../anzahl:2]"},
		{"$.orders[0].files[*]", one(`{"count": 1, "orders": [{"files": [1]}]}`), 1, "map[]"},
		{"$.groups[*].files[*]", one(`{"count": 2, "groups": [{"files": [1]}, {"files": [2]}]}`), 2, "map[]"},
		{"$.files[?@.a]", one(`{"count": 1, "files": [{"a": 1}, {"b": 1}]}`), 1, "map[]"},
		{"$[*]", []datum{of(`[1, 2]`, pagedHead{total: "2"}, "")}, 2, "2 X-Total-Count: 2 false map[]"},
		{"$[*]", []datum{of(`[1, 2]`, pagedHead{rng: "items 0-1/2"}, "")}, 2, "2 Content-Range: items 0-1/2 false map[]"},
		{"$[*]", []datum{of(`[1, 2]`, pagedHead{rng: "items 0-1/*"}, "")}, 2, "map[]"},
		{"$[*]", []datum{of(`[1, 2]`, pagedHead{total: "3"}, ""), of(`[3]`, pagedHead{total: "3"}, "")}, 3, "3 X-Total-Count: 3 false map[]"},
		// Sizes that were asked for.
		{"$.files[*]", []datum{of(`{"files": [1, 2], "count": 2}`, pagedHead{}, "https://h/x?limit=2")}, 2, "2 count: 2 true map[]"},
		{"$.files[*]", []datum{of(`{"files": [1, 2], "count": 2}`, pagedHead{}, "https://h/x?page%5Bsize%5D=2")}, 2, "2 count: 2 true map[]"},
		{"$.files[*]", []datum{of(`{"files": [1, 2], "count": 2}`, pagedHead{}, "https://h/x?$top=2")}, 2, "2 count: 2 true map[]"},
		{"$.files[*]", []datum{of(`{"files": [1, 2], "count": 2}`, pagedHead{}, `https://h/graphql`+"\n"+`{"query": "{ files(first: 2) { id } }"}`)}, 2, "2 count: 2 true map[]"},
		{"$.files[*]", []datum{of(`{"files": [1, 2], "count": 2}`, pagedHead{}, `https://h/x`+"\n"+`{"pageSize": 2}`)}, 2, "2 count: 2 true map[]"},
		{"$.files[*]", []datum{of(`{"files": [1, 2], "anzahl": 2}`, pagedHead{}, "https://h/x?limit=2")}, 2, "map[]"},
		{"$[*]", []datum{of(`[1, 2]`, pagedHead{rng: "items 0-1/2"}, "https://h/x\nitems=0-1")}, 2, "2 Content-Range: items 0-1/2 true map[]"},
		{"$.files[*]", []datum{of(`{"files": [1], "count": 1}`, pagedHead{}, "https://h/x?page=1&limit=50")}, 1, "1 count: 1 false map[]"},
	} {
		path, err := ParsePath(c.items)
		if err != nil {
			t.Fatal(err)
		}
		count, beside := path.counted(c.answers, c.met)
		got := fmt.Sprint(beside)
		if count != nil {
			got = fmt.Sprint(count.N, " ", count.Text, " ", count.Asked, " ", got)
		}
		if got != c.want {
			t.Errorf("%s in %v: %s, want %s", c.items, c.answers[0].value, got, c.want)
		}
	}
}
