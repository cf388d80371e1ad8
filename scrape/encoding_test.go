package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
)

// TestEncodingOfData: an answer that poscrape asks for is read in the encoding that it is announced in, and what no
// encoding could read is no value.
func TestEncodingOfData(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/orders/{number}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>Order</title><h1 id=po>PO%s</h1><p id=note>B\xfcro</p><a class=att href=/a.pdf>a.pdf</a>", r.PathValue("number"))
	})
	answer := func(contentType string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			fmt.Fprint(w, "{\"supplier\": \"M\xfcller\"}")
		}
	}
	mux.HandleFunc("/announced", answer("application/json; charset=ISO-8859-1"))
	mux.HandleFunc("/silent", answer("application/json"))
	mux.HandleFunc("/a.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 a")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe, err := scrape.ReadRecipe("data.yaml", strings.NewReader(fmt.Sprintf(`version: 1
base_url: %s
identity: {selector: '#po'}
fields:
  announced: {get: "/announced?po={digits}", path: $.supplier}
  silent: {get: "/silent?po={digits}", path: $.supplier}
  note: {selector: '#note'}
attachments: {item: .att}
`, server.URL)))
	if err != nil {
		t.Fatal(err)
	}
	b := newBenchOf(t, scrape.NewPortal(recipe, nil))
	res, err := b.scraper.Do(t.Context(), numberedTask(server.URL, 7001))
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Fields["announced"]; got.Value != "Müller" || got.Error != "" {
		t.Errorf("announced: %+v", got)
	}
	for _, name := range []string{"silent", "note"} {
		if got := res.Fields[name]; got.Value != "" || !strings.Contains(got.Error, "a character that could not be read") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
