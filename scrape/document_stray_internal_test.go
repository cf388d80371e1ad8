package scrape

import (
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

func TestStray(t *testing.T) {
	t.Parallel()
	const host = "https://h"
	for name, c := range map[string]struct {
		po, digits      string
		url, item       string
		from, file      string
		page            string
		answersAnOrders bool
	}{
		"itself":                      {url: "/docs/PO1001.pdf", file: "PO1001.pdf"},
		"a redirect":                  {url: "/docs/PO1001.pdf", from: "/docs/PO1002.pdf", answersAnOrders: true},
		"a redirect, named ours":      {url: "/docs/PO1001.pdf", from: "/docs/PO1002.pdf", file: "PO1001.pdf", answersAnOrders: true},
		"a name, from our address":    {url: "/docs/PO1001.pdf", from: "/store/PO1001/5", file: "PO1002.pdf", answersAnOrders: true},
		"a file name":                 {url: "/docs/PO1001.pdf", from: "/docs/PO1001.pdf", file: "PO1002.pdf", answersAnOrders: true},
		"a name with more":            {url: "/orders/1001/confirmation", file: "Confirmation_PO-1002.pdf", answersAnOrders: true},
		"a name in words":             {url: "/orders/PO1001/files/5", file: "Purchase_Order_1002.pdf", answersAnOrders: true},
		"the portal's own, in words":  {page: "/orders/4711", url: "/docs/PO1001.pdf", file: "Order-4711.pdf"},
		"by its label":                {url: "/d/77", item: "PO1001.pdf", file: "po1002.pdf", answersAnOrders: true},
		"digits in place":             {url: "/orders/1001/files/5", from: "/orders/1002/files/5", answersAnOrders: true},
		"digits in a query":           {url: "/get?po=1001&n=5", from: "/get?po=1002&n=5", answersAnOrders: true},
		"the portal's own number":     {page: "/orders/4711", url: "/orders/4711/files/5", item: "Order.pdf", from: "/orders/4712/files/5", file: "Order.pdf", answersAnOrders: true},
		"its document's number":       {page: "/orders/4711", url: "/orders/4711/files/501", from: "/orders/4711/files/502"},
		"a year":                      {page: "/2026/orders/7", url: "/2026/files/5", from: "/2025/files/5"},
		"a document of the same id":   {page: "/orders/4711", url: "/files/4711", from: "/store/4712"},
		"without a prefix":            {po: "4500001234", digits: "4500001234", url: "/d/4500001234.pdf", file: "4500001235.pdf", answersAnOrders: true},
		"an invoice":                  {url: "/docs/PO1001.pdf", file: "INV1002.pdf"},
		"an invoice's digits":         {url: "/docs/1001/invoice", from: "/files/9001.pdf", file: "9001.pdf"},
		"another invoice":             {po: "4500001234", digits: "4500001234", url: "/d/4500001234.pdf", file: "Invoice 4500009999.pdf"},
		"a store":                     {url: "/docs/PO1001.pdf", from: "/blob/8f3e?sig=1002"},
		"a frame contract":            {url: "/orders/PO1001/files/5", item: "Frame contract PO0900.pdf", file: "PO0900.pdf"},
		"of several orders":           {url: "/docs/PO1001.pdf", file: "PO1001 PO1002.pdf"},
		"a number that is not ours":   {url: "/d/77", item: "Confirmation.pdf", file: "PO1002.pdf"},
		"a longer number":             {url: "/docs/PO1001.pdf", file: "PO10012.pdf"},
		"another version of the same": {url: "/docs/PO1001?v=1", from: "/docs/PO1001?v=2"},
	} {
		task := tasks.ProcessingTask{Spec: tasks.Spec{PO: "PO1001", Digits: "1001"}}
		if c.po != "" {
			task.PO, task.Digits = c.po, c.digits
		}
		a := &attempt{task: &task, page: host + c.page}
		from := c.from
		if from != "" {
			from = host + from
		}
		if got := a.stray(item{URL: host + c.url, Name: c.item}, from, c.file); (got != "") != c.answersAnOrders {
			t.Errorf("%s: got %q", name, got)
		}
	}
}
