package scrape

import (
	"net/http"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/jsondata"
	"github.com/poscrape/poscrape/tasks"
)

// TestWhoseValue takes fields from answers that have more orders than one: a neighbour's value is never
// taken, and the order's own is, wherever it stands.
func TestWhoseValue(t *testing.T) {
	t.Parallel()
	const (
		named  = "https://portal.example/api/orders/PO1001"
		search = "https://portal.example/api/search?q=PO1001"
		hits   = `{"hits": [{"number": "PO1002", "total": "theirs"}, {"number": "PO1001", "total": "ours"}]}`
		none   = ""
		two    = "several"
	)
	for _, c := range []struct{ from, data, path, want string }{
		{search, hits, "$.hits[0].total", none},
		{search, hits, "$.hits[1].total", "ours"},
		{search, hits, "$.hits[-1].total", "ours"},
		{search, hits, "$..total", "ours"},
		{search, hits, "$.hits[*].total", "ours"},
		{search, hits, "$.hits[?@.total].total", "ours"},
		{search, hits, "$.hits[?@.number=='PO1001'].total", "ours"},
		{named, hits, "$.hits[0].total", none},
		{search, `{"hits": [{"number": "PO10012", "total": "theirs"}]}`, "$.hits[0].total", none},
		{search, `{"hits": [{"number": "po 1002", "total": "theirs"}]}`, "$.hits[0].total", none},
		{search, `[{"poNumber": 1002, "total": "theirs"}]`, "$[0].total", none},
		{search, `[{"number": 10012, "total": "theirs"}, {"number": 1001, "total": "ours"}]`, "$[0].total", none},
		{search, `{"value": [{"ref": "A", "total": "theirs"}, {"ref": "PO1001", "total": "ours"}]}`, "$.value[0].total", none},
		{search, `{"order": {"number": "PO1002", "total": "theirs"}}`, "$.order.total", none},
		{search, `{"data": {"edges": [{"node": {"number": "PO1002", "total": "theirs"}}]}}`, "$.data.edges[0].node.total", none},
		{search, `{"data": [{"attributes": {"number": "PO1002"}, "total": "theirs"}]}`, "$.data[0].total", none},
		{search, `{"PO1002": {"total": "theirs"}, "PO1001": {"total": "ours"}}`, "$.*.total", "ours"},
		{search, `{"query": "PO1001", "hits": [{"orderNo": "PO1002", "total": "theirs"}]}`, "$.hits[0].total", none},
		{search, `{"hits": [{"number": "PO1002", "replaces": "PO1001", "total": "theirs"}]}`, "$.hits[0].total", none},
		{search, `{"hits": [{"number": "PO1002", "customerPo": "PO1001", "total": "theirs"}]}`, "$.hits[0].total", none},
		{search, `{"info": "PO1002", "total": "theirs"}`, "$.total", none},
		{search, `{"results": [{"id": 7, "total": "theirs"}, {"id": 8, "total": "ours"}]}`, "$.results[0].total", none},
		{search, `{"results": [{"id": 8, "total": "ours"}]}`, "$.results[0].total", "ours"},
		{search, `{"hits": [{"number": "PO1001", "total": "ours"}, {"number": "PO1001", "total": "older"}]}`, "$.hits[0].total", two},
		{search, `{"hits": [{"number": "PO1001", "total": "ours"}, {"number": "PO1001", "total": "ours"}]}`, "$.hits[0].total", "ours"},
		{search, `{"hits": [{"number": "PO1001", "total": "ours"}, {"number": "PO1001", "total": "older", "rev": 1}]}`, "$.hits[?!@.rev].total", "ours"},
		{search, `{"hits": [{"no": 1002, "total": "theirs"}, {"no": 1003, "total": "theirs"}]}`, "$.hits[0].total", none},
		{search, `{"hits": [{"no": 10012, "total": "theirs"}]}`, "$.hits[0].total", none},
		{search, `{"q": "PO1001", "hits": [{"title": "Order PO1002", "total": "theirs"}]}`, "$.hits[0].total", none},
		{search, `{"hits": [{"url": "/orders/PO1002", "total": "theirs"}], "q": "PO1001"}`, "$.hits[*].total", none},
		{search, `{"hits": [["PO1002", "theirs"], ["PO1001", "ours"]]}`, "$.hits[0][1]", none},
		{search, `{"issues": [{"fields": {"c1": "PO1002", "sum": "theirs"}}, {"fields": {"c1": "PO1001", "sum": "ours"}}]}`, "$.issues[0].fields.sum", none},
		{search, `{"issues": [{"fields": {"c1": "77", "sum": "theirs"}}, {"fields": {"c1": "PO1001", "sum": "ours"}}]}`, "$.issues[0].fields.sum", none},
		{search, `{"invoices": [{"order": {"number": "PO1000"}, "total": "theirs"}]}`, "$.invoices[0].total", none},
		// Right data comes home.
		{search, `{"hits": [["PO1001", "ours"]]}`, "$.hits[0][1]", "ours"},
		{search, `{"hits": [{"title": "Order PO1001", "total": "ours"}]}`, "$.hits[0].total", "ours"},
		{search, `{"items": [{"number": 5001, "total": "ours"}]}`, "$.items[0].total", "ours"},
		{search, `{"invoices": [{"number": "INV7", "orders": [{"number": "PO1000"}, {"number": "PO1001"}], "total": "ours"}]}`, "$.invoices[0].total", "ours"},
		{named, `{"number": "PO1001", "revisions": [{"number": "PO1001", "total": "old"}, {"number": "PO1001", "total": "ours"}]}`, "$.revisions[-1].total", "ours"},
		{named, `{"number": "PO1001", "total": "ours"}`, "$.total", "ours"},
		{named, `{"total": "ours", "replaces": "PO1000"}`, "$.total", "ours"},
		{named, `{"order": {"reference": "PO1002"}, "total": "x"}`, "$.total", none},
		{named, `{"header": {"purchaseOrder": {"displayNumber": "PO1002"}}, "total": "x"}`, "$.total", none},
		{named, `{"orderKey": "PO1002|2026", "externalId": "PO1002", "total": "x"}`, "$.total", none},
		{named, `{"externalId": "PO1002", "order": {"number": "PO1001"}, "total": "ours"}`, "$.total", "ours"},
		{search, `{"hits": [{"id": 7, "title": "Order PO1002 replaces PO1001", "total": "x"}]}`, "$.hits[0].total", none},
		{search, `{"hits": [{"id": 7, "title": "Order PO1001 replaces PO1000", "number": "PO1001", "total": "ours"}]}`, "$.hits[0].total", "ours"},
		{named, `{"total": "ours", "contract": {"number": "PO0500", "title": "ours"}}`, "$.contract.title", "ours"},
		{named, `{"number": "PO1001", "supplier": {"number": 4711, "name": "ours"}}`, "$.supplier.name", "ours"},
		{named, `{"supplier": {"number": 4711, "id": 4712, "name": "ours"}}`, "$.supplier.name", "ours"},
		{named, `{"approvers": [{"id": 7, "name": "ours"}, {"id": 8, "name": "theirs"}]}`, "$.approvers[0].name", "ours"},
		{search, `{"approvers": [{"id": 7, "name": "ours"}, {"id": 8, "name": "x"}]}`, "$.approvers[0].name", "ours"},
		{named, `{"orderNumber": "5501", "customerReference": "PO1001", "total": "ours"}`, "$.total", "ours"},
		{named, `{"orderId": 5501, "id": 1002, "total": "ours"}`, "$.total", "ours"},
		{named, `{"lines": [{"number": 1, "sku": "ours"}, {"number": 2, "sku": "x"}], "number": 1001}`, "$.lines[0].sku", "ours"},
		{named, `{"d": {"PurchaseOrder": "1001", "Supplier": "ours"}}`, "$.d.Supplier", "ours"},
		{named, `{"order": {"documentNumber": "PO1001", "total": "ours", "next": {"number": "PO1002"}}}`, "$.order.total", "ours"},
	} {
		task := tasks.Spec{PO: "PO1001", Digits: "1001"}
		path, err := ParsePath(c.path)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsondata.Read([]byte(c.data))
		if err != nil {
			t.Fatal(err)
		}
		a, p := &attempt{task: &tasks.ProcessingTask{Spec: task}}, &page{Fields: map[string]string{}}
		set := &dataset{of: a.number()}
		set.add(a.ofRequest(DataSource{Get: strings.ReplaceAll(c.from, "PO1001", "{po}")}, question{method: http.MethodGet, address: c.from}, value, ""))
		p.fieldOf(FieldRule{Name: "f", Path: path}, set)
		got := p.Fields["f"]
		if len(p.Ambiguous) > 0 {
			got = two
		}
		if got != c.want || got == none && p.notes["f"].why == "" {
			t.Errorf("%s in %s: got %q (%q), want %q", c.path, c.data, got, p.notes["f"].why, c.want)
		}
	}
}
