package scrape

import (
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/jsondata"
	"github.com/poscrape/poscrape/scrape/number"
)

// TestFurther finds what an answer says of a list that goes on.
func TestFurther(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ items, answer, want string }{
		// By a word.
		{"$.files[*]", `{"files": [], "hasMore": true}`, "hasMore: true"},
		{"$.files[*]", `{"files": [1], "data": {"pageInfo": {"hasNextPage": true}}}`, "hasNextPage: true"},
		{"$.files[*]", `{"files": [1], "IsTruncated": true}`, "IsTruncated: true"},
		{"$.files[*]", `{"files": [1], "incomplete_results": true}`, "incomplete_results: true"},
		{"$.content[*]", `{"content": [1, 2], "totalElements": 2, "last": false}`, "last: false"},
		{"$.data.order.files.nodes[*]", `{"data": {"order": {"number": "PO1001", "files": {"pageInfo": {"hasNextPage": true}, "nodes": [1, 2]}}}}`, "hasNextPage: true"},
		{"$.data.order.files.edges[*].node", `{"data": {"order": {"files": {"pageInfo": {"hasNextPage": true}, "edges": [{"node": 1}]}}}}`, "hasNextPage: true"},
		{"$.files[*]", `{"files": [1], "hasMore": false, "next": null, "last": true, "pageInfo": {"hasNextPage": false, "endCursor": "x"}}`, ""},
		{"$.order.files[*]", `{"order": {"number": "PO1001", "done": false, "moreInfo": true, "files": [1]}}`, ""},
		{"$[*]", `[{"hasMore": true}]`, ""},
		// By where it goes on.
		{"$.value[*]", `{"value": [1], "@odata.nextLink": "/x?skip=20"}`, `@odata.nextLink: "/x?skip=20"`},
		{"$.d.results[*]", `{"d": {"results": [1], "__next": "/x"}}`, `__next: "/x"`},
		{"$.files[*]", `{"files": [1], "_links": {"next": "/p/2"}}`, `next: "/p/2"`},
		{"$.files[*]", `{"files": [1], "_links": {"self": {"href": "/p"}, "next": {"href": "/p/2"}}}`, `next: {"href":"/p/2"}`},
		{"$.files[*]", `{"files": [1], "links": [{"rel": "next", "href": "/p/2"}]}`, `links: {"href":"/p/2","rel":"next"}`},
		{"$.files[*]", `{"files": [1], "nextPage": 2}`, "nextPage: 2"},
		{"$.files[*]", `{"files": [1], "next": 2}`, "next: 2"},
		{"$.files[*]", `{"files": [1], "continuationToken": "abc"}`, `continuationToken: "abc"`},
		{"$.files[*]", `{"files": [1], "meta": {"next_cursor": "abc"}}`, `next_cursor: "abc"`},
		{"$.order.files[*]", `{"order": {"number": "PO1001", "next": "/api/files?page=2", "files": [1]}}`, `next: "/api/files?page=2"`},
		{"$.files[*]", `{"files": [1], "nextPage": 0, "nextLink": "", "next_cursor": null, "_links": {"next": null}}`, ""},
		{"$.order.files[*]", `{"order": {"number": "PO1001", "next": "PO2", "nextStep": "pay", "files": [1]}}`, ""},
		{"$.order.files[*]", `{"order": {"number": "PO1001", "next": {"approver": "Jane"}, "files": [1]}}`, ""},
		// By how many there are.
		{"$.content[*]", `{"content": [1, 2], "total": 5}`, "total: 5"},
		{"$.content[*]", `{"content": [], "total": 5}`, "total: 5"},
		{"$.content[?@.a]", `{"content": [{"a": 1}, {"b": 1}], "total": 2}`, ""},
		{"$.content", `{"content": [1, 2], "meta": {"total": "5", "page": 1, "per_page": 2}}`, "total: 5"},
		{"$.value[*]", `{"@odata.context": "$metadata", "@odata.count": 5, "value": [1, 2]}`, "@odata.count: 5"},
		{"$.d.results[*]", `{"d": {"__count": "5", "results": [1, 2]}}`, "__count: 5"},
		{"$.data[*]", `{"draw": 1, "recordsTotal": 500, "recordsFiltered": 2, "data": [1, 2]}`, ""},
		{"$.data[*]", `{"draw": 1, "recordsTotal": 5, "data": [1, 2]}`, "recordsTotal: 5"},
		{"$._embedded.files[*]", `{"_embedded": {"files": [1, 2]}, "page": {"size": 2, "totalElements": 5, "totalPages": 3, "number": 0}}`, "totalElements: 5"},
		{"$.order.files.nodes[*]", `{"order": {"files": {"totalCount": 5, "nodes": [1, 2]}}}`, "totalCount: 5"},
		{"$.order.files[*]", `{"order": {"number": "PO1001", "documentCount": 5, "files": [1, 2]}}`, "documentCount: 5"},
		{"$.content[*]", `{"content": [1, 2], "total": 2, "count": 2, "size": 20, "totalPages": 20}`, ""},
		{"$.content[*]", `{"content": [1, 2], "total": 5.00}`, ""},
		{"$.files[*]", `{"number": "PO1001", "total": 500, "count": 12, "totalItems": 12, "files": [1, 2]}`, ""},
		{"$.files[*]", `{"number": 1001, "total": 500, "files": [1, 2]}`, ""},
		{"$.files[*]", `{"order": {"number": "PO1001"}, "total": 500, "files": [1, 2]}`, ""},
		{"$.files[*]", `{"currency": "EUR", "total": 500, "files": [1, 2]}`, ""},
		{"$.hits[?@.number=='PO1001'].files[*]", `{"totalCount": 5, "hits": [{"number": "PO1001", "files": [1, 2]}]}`, ""},
	} {
		path, err := ParsePath(c.items)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsondata.Read([]byte(c.answer))
		if err != nil {
			t.Fatal(err)
		}
		got := further(path, []datum{{value: value, from: "/x"}})
		if c.want == "" && got != "" || !strings.Contains(got, "("+c.want+")") && c.want != "" {
			t.Errorf("%s in %s: %q, want %q", c.items, c.answer, got, c.want)
		}
	}
	path, err := ParsePath("$[*]")
	if err != nil {
		t.Fatal(err)
	}
	of := func(size int, head pagedHead) datum { return datum{value: make([]any, size), from: "/x", head: head} }
	for want, answers := range map[string][]datum{
		"":                                 {of(2, pagedHead{total: "3", link: `</x?page=2>; rel="next"`}), of(1, pagedHead{total: "3", link: `</x?page=1>; rel="prev"`})},
		"X-Total-Count: 5":                 {of(2, pagedHead{total: "5"}), of(2, pagedHead{total: "5"})},
		`Link: "</x?page=2>; rel=\"next\"`: {of(2, pagedHead{link: `</x?page=2>; rel="next"`})},
	} {
		if got := further(path, answers); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestBesideAnEmptyList finds messages that leave open why a list is empty.
func TestBesideAnEmptyList(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{"files": [], "message": "Access denied"}`:                                          "Access denied",
		`{"files": [], "warning": "Document service unavailable"}`:                           "Document service unavailable",
		`{"files": [], "info": {"error": "backend timeout"}}`:                                "backend timeout",
		`{"files": [], "msg": "Your session has expired, please log in again"}`:              "Your session has expired",
		`{"files": [], "messages": [{"type": "W", "text": "Archive is offline"}]}`:           "Archive is offline",
		`{"files": [], "message": "No access"}`:                                              "No access",
		`{"files": [], "message": "Order not found"}`:                                        "Order not found",
		`{"files": [], "message": "No documents could be loaded"}`:                           "No documents could be loaded",
		`{"files": [], "message": "Request successful, but the archive did not answer"}`:     "Request successful, but",
		`{"order": {"number": "PO1001"}, "files": [], "warnings": ["partial result"]}`:       "partial result",
		`{"number": "PO1001", "message": "Ring twice", "warning": "no index", "files": []}`:  "no index",
		`{"files": [], "message": "No documents found", "msg": "OK", "error": null}`:         "",
		`{"files": [], "message": "There are no attachments for this order."}`:               "",
		`{"files": [], "message": "Keine Dokumente vorhanden"}`:                              "",
		`{"files": [], "message": "Data retrieved successfully", "warnings": [], "msg": ""}`: "",
		`{"files": [], "message": "200 OK", "errors": [], "warning": "none"}`:                "",
		`{"number": "PO1001", "message": "Ring twice", "files": []}`:                         "",
	} {
		value, err := jsondata.Read([]byte(answer))
		if err != nil {
			t.Fatal(err)
		}
		path, err := ParsePath("$.files[*]")
		if err != nil {
			t.Fatal(err)
		}
		set := &dataset{of: orderNumber{Number: number.Of("PO1001", "1001")}}
		if got := set.beside(path, datum{value: value, from: "/x"}); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", answer, got, want)
		}
	}
}
