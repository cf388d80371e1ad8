package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// BenchmarkLargePages reads orders at the top of pages of 0.1, 1 and 10 MB, such as of a wiki or a
// shop: texts, lists, tables and links that are none of the order's. It tells what a megabyte takes.
func BenchmarkLargePages(b *testing.B) {
	const kilobyte = 1 << 10
	for _, size := range []int{100 * kilobyte, 1000 * kilobyte, 10000 * kilobyte} {
		for _, mode := range []scrape.Mode{scrape.ModeRender, scrape.ModeFetch} {
			b.Run(fmt.Sprintf("%d_KB/%s", size/kilobyte, mode), func(b *testing.B) {
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", "text/html; charset=utf-8")
					_, _ = w.Write([]byte(largePage(strings.TrimPrefix(r.URL.Path, "/"), size)))
				}))
				b.Cleanup(func() { testkit.EndServer(server) })
				recipe := scrape.AutoRecipe()
				recipe.Mode = mode
				bench := newBench(b, recipe)
				read := func(n int) {
					number := fmt.Sprintf("PO70%05d", n)
					task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: number, Digits: number[2:], Dir: uuid.NewString(), URL: server.URL + "/" + number}}
					res, err := bench.scraper.Do(b.Context(), task)
					if err != nil || res.Fields["supplier"].Value != "Alder Metals Ltd" {
						b.Fatalf("got %+v, %v", res, err)
					}
				}
				read(0) // a browser is fast once it is at the portal
				n := 0
				for b.Loop() {
					n++
					read(n)
				}
				b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N)/(float64(size)/kilobyte/1000), "ms/MB")
			})
		}
	}
}

// largePage is the page of an order, and so many bytes of other things below it.
func largePage(number string, size int) string {
	var page strings.Builder
	fmt.Fprintf(&page, `<!doctype html><title>Order %[1]s</title><body><h1>Order %[1]s</h1>
<dl><dt>Order number</dt><dd>%[1]s</dd><dt>Supplier</dt><dd>Alder Metals Ltd</dd><dt>Total</dt><dd>1,204.50 EUR</dd></dl>
<h2>Documents</h2><a href="/files/%[1]s.pdf" hidden>none</a>`, number)
	for i := 0; page.Len() < size; i++ {
		fmt.Fprintf(&page, `<section id="part-%[1]d"><h3>Notes on alloy %[1]d</h3>
<p>It was first cast in %[2]d, as <a href="/notes/%[1]d">several notes</a> say, <b>and since then</b> in lots of %[3]d kg.</p>
<ul><li>Density: %[4]d.%[3]d g/cm³</li><li><a href="/lots/%[1]d">Lot %[1]d</a> of the same melt</li><li>See also: %[2]d and %[3]d</li></ul>
<table><tr><th>Melt</th><th>Date</th><th>Weight</th></tr><tr><td>M-%[1]d</td><td>2024-05-%02[5]d</td><td>%[3]d.50</td></tr><tr><td>N-%[1]d</td><td>2024-06-%02[5]d</td><td>%[2]d.00</td></tr></table>
</section>`, i, 1800+i%200, 100+i%900, 2+i%9, 1+i%28)
	}
	return page.String()
}
