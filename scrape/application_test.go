package scrape_test

import (
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// exampleRecipe returns a recipe of the documentation, for a portal at an address.
func exampleRecipe(t *testing.T, name, address string) *scrape.Recipe {
	t.Helper()
	text, err := os.ReadFile("../docs/recipes/" + name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := scrape.ReadRecipe(name, strings.NewReader(strings.Replace(string(text), "https://portal.example", address, 1)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestApplication reads 12 orders of an application of one page with four workers: by its
// markup, and by its data. No order may have another's fields or documents.
func TestApplication(t *testing.T) { //nolint:tparallel // all in the same browsers
	t.Parallel()
	var browsers []*bench
	for range 4 {
		browsers = append(browsers, newBench(t, exampleRecipe(t, "json.yaml", "http://127.0.0.1")))
	}
	for _, c := range []struct {
		recipe string
		mode   scrape.Mode
	}{{"spa.yaml", scrape.ModeRender}, {"spa.yaml", scrape.ModeAuto}, {"json.yaml", scrape.ModeAuto}} {
		t.Run(c.recipe+" "+string(c.mode), func(t *testing.T) {
			p, url := portalkit.Start(t, portal.Config{Orders: 12, MaxDocument: 64 << 10,
				Variations: []portal.Variation{portal.Plain, portal.SameNameOtherBytes, portal.Plain, portal.EmptyList}})
			recipe := exampleRecipe(t, c.recipe, url)
			recipe.Mode = c.mode
			shared := scrape.NewPortal(recipe, nil)
			orders := make(chan portal.Order)
			var workers sync.WaitGroup
			for _, browser := range browsers {
				b := browser.with(shared)
				workers.Go(func() {
					for order := range orders {
						b.readApplication(t, url, order)
					}
				})
			}
			for _, order := range p.Orders() {
				orders <- order
			}
			close(orders)
			workers.Wait()
		})
	}
}

// readApplication reads an order in the application, and checks what is found.
func (b *bench) readApplication(t *testing.T, url string, order portal.Order) {
	task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: order.Number, Digits: strings.TrimPrefix(order.Number, "PO"), Dir: order.Number,
		URL: url + portal.ApplicationPath + "#/orders/" + order.Number}}
	d := b.work(t, task)
	want := portal.Want{Outcome: "complete", Done: len(order.Documents), Attempts: 1,
		Fields: map[string]string{"supplier": order.Supplier, "total": order.Total, "issued": order.Issued.Format("2006-01-02")}}
	if len(order.Documents) == 0 {
		if want.Outcome = "no_attachments"; d.Failure != nil && d.Failure.Class == tasks.ClassUnproven {
			want.Outcome = "partial" // until another order's documents are met
		}
	}
	checkOrder(t, b.dir, order, want, task, d)
}
