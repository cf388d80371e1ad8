package scrape

import (
	"testing"
)

// TestGraphQLOperations tells what only reads from what may not, by its words.
func TestGraphQLOperations(t *testing.T) {
	t.Parallel()
	for text, wrong := range map[string]bool{
		"query Q($id: ID!) { order(id: $id) { total cancelUrl } }": false,
		"{ order { total } }": false, "{po}-{digits}": false, "accept this": false, "query of PO1001": false,
		"fragment Send on Order { payUrl } query { order { ...Send } }":    false,
		"query { order(note: \"mutation { x }\") { id } } # mutation {}":   false,
		"query { signature { id } acceptedOrders { id } payments { id } }": false,
		"mutation { x }": true, " \n,# c\n mutation M { x }": true, "subscription { x }": true,
		"query A { a } mutation B { b }": true, "fragment F on X { a } mutation B { b }": true,
		"query A { a(x: \"}\") } mutation { b }":             true,
		"query A { a(x: \"\"\"\" } \"\"\") } mutation { b }": true,
		"query mutation { a } mutation mutation { b }":       true,
		"mutation{x}": true, "query{a},mutation@x{b}": true, "query A { a } } mutation B { b }": true, "query A { a(x: {b: \"(\"}) { c } } mutation B { b }": true,
		"query approveOrder { a }": true, "{ a: payInvoice { id } }": true, "query { a @include(if: true) { id } sendAll }": true,
	} {
		if err := checkGraphQL(text); (err != nil) != wrong {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestBodies fills in values that try to be more than values.
func TestBodies(t *testing.T) {
	t.Parallel()
	values := map[string]string{"po": `PO"1\`, "x": "a\u2028\n</script>\x00é", "n": "12", "column:Sales Org": "'"}
	for text, want := range map[string]string{
		`{"id": "{po}", "n": {n}, "q": "a: {column:Sales Org}"}`:  `{"id": "PO\"1\\", "n": 12, "q": "a: '"}`,
		`["{x}", {"\"{": "{ a }"}, "{", 1.50, null, "{ {a b} }"]`: `["a\u2028\n\u003c/script\u003e\u0000é", {"\"{": "{ a }"}, "{", 1.50, null, "{ {a b} }"]`,
		`{"n": {x}}`: "",
	} {
		b, err := ParseBody(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, why := b.fill(func(name string) (string, string) { return values[name], "" }); got != want || (why == "") != (want != "") {
			t.Errorf("%s: got %s (%s), want %s", text, got, why, want)
		}
	}
}

// TestReadAddresses refuses addresses that are called by what is not clicked.
func TestReadAddresses(t *testing.T) {
	t.Parallel()
	for address, refused := range map[string]bool{
		"/orders/{po}/approve": true, "/approveOrder/{po}": true, "/orderApprove/{po}": true, "/purchaseOrder_accept?id={po}": true, "/orders/{po}?action=cancel": true,
		"/orders/{po}?do=x&delete=1": true, "https://portal.example/api/orders/{po}/acknowledge": true, "/orders/{po}?cmd=payNow": true, "/stornieren/{$.id}": true,
		"/approvals/{po}": false, "/order-confirmations/{po}.pdf": false, "/orders/{po}?status=closed": false, "/payments/{po}": false, "/signatures/{po}": false,
		"/archive/{po}": false, "/orders/{po}?closeDate=1&lastUpdate=2&canApprove=1": false, "/orders/{column:Close date}": false, "/files/{$.accept}": false,
		"/cancellations/{po}": false, "https://pay.example/orders/{po}": false, "/orders/{po}/created": false,
	} {
		if err := checkReadAddress(address); (err != nil) != refused {
			t.Errorf("%s: %v", address, err)
		}
	}
	for address, refused := range map[string]bool{"/orderApprove": true, "/purchaseOrder_accept": true, "/lastUpdate": false, "/documentArchive": false, "/orders/search": false} {
		if err := checkPostAddress(address); (err != nil) != refused {
			t.Errorf("posted to %s: %v", address, err)
		}
	}
}

// TestPostsOfADraft sends none.
func TestPostsOfADraft(t *testing.T) {
	t.Parallel()
	a := &attempt{Scraper: &Scraper{portal: &Portal{study: true}}, posts: posts{}}
	set, err := a.post(t.Context(), DataSource{Post: "/x"}, question{method: "POST", address: "https://portal.example/x"})
	if err != nil || set.why != "POST https://portal.example/x is not sent while a recipe is drafted" || len(a.posts) > 0 {
		t.Errorf("got %+v, %v", set, err)
	}
}
