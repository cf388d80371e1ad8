package scrape_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// BenchmarkRendering reads orders with one browser, which are all rendered: pages as
// they are served, and pages whose documents a script mounts.
func BenchmarkRendering(b *testing.B) {
	for _, variation := range []portal.Variation{portal.NoneMarker, portal.ScriptMount} {
		b.Run(string(variation), func(b *testing.B) {
			p, url := portalkit.Start(b, portal.Config{Orders: 1000, Variations: []portal.Variation{variation}})
			recipe := demoRecipe(b)
			recipe.Mode, recipe.Limits.Rate = scrape.ModeRender, 1e6
			bench := newBench(b, recipe)
			orders := p.Orders()
			read := func(i int) {
				order := orders[i%len(orders)]
				res, err := bench.scraper.Do(b.Context(), &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{
					PO: order.Number, Digits: strings.TrimPrefix(order.Number, "PO"), Dir: order.Number, URL: url + order.Path}})
				if err != nil || string(res.Outcome) != order.WantRecipe.Outcome {
					b.Fatalf("got %+v and %v", res, err)
				}
			}
			for i := range 5 { // the first orders take longer
				read(i)
			}
			b.ResetTimer()
			for i := range b.N {
				read(5 + i)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "orders/s")
		})
	}
}
