package scrape

import (
	"net/url"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// What a recipe says of a header's value goes only to hosts that it names.
func TestHostsOfHeaders(t *testing.T) {
	t.Parallel()
	recipe := AutoRecipe()
	recipe.BaseURL, recipe.AllowedHosts = "https://portal.acme.example", []string{"files.acme.example", "*.cdn.example"}
	address, err := url.Parse("https://portal.acme.example/orders/PO1001")
	if err != nil {
		t.Fatal(err)
	}
	a := &attempt{Scraper: &Scraper{portal: NewPortal(recipe, nil)}, address: address, task: &tasks.ProcessingTask{}}
	a.told = func(string) (value, why string) { return "t", "" }
	for host, want := range map[string]string{"https://portal.acme.example/x": "t", "https://files.acme.example/x": "t", "https://a.cdn.example/x": "", "https://else.example/x": "", "http://portal.acme.example/x": ""} {
		got, why := a.headersFor(host, []Header{{Name: "X-A", Text: "{token}"}}, a.told)
		if got.Value("x-a") != want || (why == "") != (want != "") {
			t.Errorf("%s gets %q (%s), want %q", host, got.Value("x-a"), why, want)
		}
	}
	recipe.BaseURL = ""
	if a.namesHost(address.String()) {
		t.Error("the host of an order's address in the sheet gets a header, and the recipe does not name it")
	}
}
