package scrape

import (
	"net/url"
	"slices"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// What a recipe says of a header's value goes only to the portal's own origin, and to hosts that stand beside it.
func TestHostsOfHeaders(t *testing.T) {
	t.Parallel()
	recipe := AutoRecipe()
	recipe.BaseURL, recipe.AllowedHosts = "https://portal.acme.example", []string{"files.acme.example", "*.cdn.example"}
	recipe.Fields = []FieldRule{{Name: "token", Secret: true, To: []string{"api.acme.example"}}}
	address, err := url.Parse("https://portal.acme.example/orders/PO1001")
	if err != nil {
		t.Fatal(err)
	}
	a := &attempt{Scraper: &Scraper{portal: NewPortal(recipe, nil)}, address: address, task: &tasks.ProcessingTask{}}
	a.told, a.fieldsOf = func(string) (value, why string) { return "t", "" }, &page{URL: "https://app.acme.example/x"}
	const portal, files, api, app = "https://portal.acme.example:443/x", "https://files.acme.example/x", "https://api.acme.example/x", "https://app.acme.example/x"
	for text, gets := range map[string][]string{
		"{token}": {portal, api, app}, "a": {portal, files},
	} {
		for _, to := range []string{portal, files, api, app, "https://a.cdn.example/x", "https://else.example/x", "http://portal.acme.example/x", "https://portal.acme.example:444/x"} {
			got, why := a.headersFor(to, []Header{{Name: "X-A", Text: text, To: []string{"files.acme.example"}}}, a.told)
			if sent := got.Value("x-a") != ""; sent != slices.Contains(gets, to) || (why == "") != sent {
				t.Errorf("%s gets %q of %q (%s)", to, got.Value("x-a"), text, why)
			}
		}
	}
	recipe.BaseURL = ""
	if a.headerWithheld(Header{Name: "X-A", Text: "a"}, address.String()) == "" {
		t.Error("the host of an order's address in the sheet gets a header, and the recipe does not name it")
	}
}
