package scrape_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// described returns what an order's page shows.
func described(t *testing.T, b *bench, url string, order portal.Order) (*scrape.Description, error) {
	t.Helper()
	task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: order.Number, Digits: strings.TrimPrefix(order.Number, "PO"), Dir: order.Number, URL: url + order.Path}}
	return b.scraper.Describe(t.Context(), task, nil)
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	p, url := startPortal(t, portal.Config{Orders: 2, Variations: []portal.Variation{portal.Several, portal.SoftNotFound}})
	recipe := scrape.AutoRecipe()
	recipe.Mode = scrape.ModeRender
	b := newBench(t, recipe)
	order := p.Orders()[0]
	d, err := described(t, b, url, order)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []scrape.Find{
		{Locator: scrape.Locator{Kind: scrape.ByLabel, Label: "Supplier"}, Value: order.Supplier},
		{Locator: scrape.Locator{Kind: scrape.ByID, Selector: "#po-number"}, Value: order.Number, Shows: true},
	} {
		if !slices.ContainsFunc(d.Finds, func(f scrape.Find) bool {
			return f.Locator == want.Locator && f.Value == want.Value && f.Shows == want.Shows
		}) {
			t.Errorf("%+v is not among what was found", want)
		}
	}
	row := func(f scrape.Find) bool {
		return f.Kind == scrape.ByWords && f.Selector == ".hero-row" && slices.ContainsFunc(f.Values, func(text string) bool { return strings.Contains(text, order.Number) })
	}
	if !slices.ContainsFunc(d.Around, row) {
		t.Errorf("the words beside the number are not among %+v", d.Around)
	}
	documents := 0
	for _, c := range d.Controls {
		if c.Listed {
			documents++
		}
	}
	if documents != len(order.Documents) || len(d.Tables) != 1 || len(d.Tables[0].Rows) != len(order.Lines) || len(d.Tables[0].Found) == 0 {
		t.Errorf("there are %d documents and %d tables: %+v", documents, len(d.Tables), d.Tables)
	}
	all := func(g scrape.Group) bool { return g.Selector == "a.attachment" && len(g.Of) == documents }
	if !slices.ContainsFunc(d.Groups, all) {
		t.Errorf("no group has all documents: %+v", d.Groups)
	}
	refused, err := described(t, b, url, p.Orders()[1])
	if f := tasks.AsFailure(err); f.Class != tasks.ClassNotFound || refused == nil || refused.Refusal == "" {
		t.Errorf("a page without an order is %+v, %v", refused, err)
	}
}
