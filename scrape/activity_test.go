package scrape_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestActivity: an attempt tells when its page is there, rendered or fetched, and again with
// each document.
func TestActivity(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	shared := newBench(t, demoRecipe(t))
	for name, c := range map[string]struct {
		mode  scrape.Mode
		order portal.Variation
		docs  int64
	}{
		"rendered":          {scrape.ModeRender, portal.Plain, 1},
		"fetched":           {scrape.ModeFetch, portal.Plain, 1},
		"one of two fails":  {scrape.ModeRender, portal.DocumentError, 1},
		"without documents": {scrape.ModeRender, portal.NoneMarker, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p, url := portalkit.Start(t, portal.Config{Orders: 2, Variations: []portal.Variation{c.order}})
			recipe := demoRecipe(t)
			recipe.Mode = c.mode
			b := shared.with(scrape.NewPortal(recipe, nil))
			var told atomic.Int64
			for _, order := range p.Orders() { // at the first, the tab is not at the portal yet
				told.Store(0)
				ctx := tasks.WithActivity(t.Context(), func() { told.Add(1) })
				res, err := b.scraper.Do(ctx, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: order.Number,
					Digits: strings.TrimPrefix(order.Number, "PO"), Dir: order.Number, URL: url + order.Path}})
				if res == nil {
					t.Fatal(err)
				}
			}
			if n := told.Load(); n != 1+c.docs {
				t.Errorf("activity was told %d times, want 1 for the page and %d for documents", n, c.docs)
			}
		})
	}
}
