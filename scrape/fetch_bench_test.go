package scrape_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// BenchmarkReading reads orders without documents with four browsers, rendered and
// fetched, and tells how many in a second.
func BenchmarkReading(b *testing.B) {
	for _, mode := range []scrape.Mode{scrape.ModeRender, scrape.ModeFetch, scrape.ModeAuto} {
		b.Run(string(mode), func(b *testing.B) {
			p, url := portalkit.Start(b, portal.Config{Orders: 1000, Variations: []portal.Variation{portal.NoneMarker}})
			recipe := demoRecipe(b)
			recipe.Mode, recipe.Limits.Rate = mode, 1e6
			shared := scrape.NewPortal(recipe, nil)
			benches := make([]*bench, 4)
			for i := range benches {
				benches[i] = newBenchOf(b, shared)
			}
			orders := p.Orders()
			task := func(i int) *tasks.ProcessingTask {
				order := orders[i%len(orders)]
				return &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: order.Number, Digits: strings.TrimPrefix(order.Number, "PO"), Dir: order.Number, URL: url + order.Path}}
			}
			for i, bench := range benches { // a browser is fast once it is at the portal
				for j := range 3 {
					if _, err := bench.scraper.Do(b.Context(), task(3*i+j)); err != nil {
						b.Fatal(err)
					}
				}
			}
			var next, fetched atomic.Int64
			b.ResetTimer()
			var workers sync.WaitGroup
			for _, bench := range benches {
				for range bench.scraper.Room() {
					workers.Go(func() {
						for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
							res, err := bench.scraper.Do(b.Context(), task(int(i)))
							if err != nil || res.Outcome != tasks.OutcomeNoAttachments {
								b.Errorf("got %+v and %v", res, err)
								return
							}
							if res.Executor == tasks.ExecutorFetch {
								fetched.Add(1)
							}
						}
					})
				}
			}
			workers.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "orders/s")
			b.ReportMetric(float64(fetched.Load())/float64(b.N), "fetched/order")
		})
	}
}
