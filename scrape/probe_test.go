package scrape_test

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestProbeReadsAsAnAttemptDoes probes an order and then runs it.
func TestProbeReadsAsAnAttemptDoes(t *testing.T) {
	t.Parallel()
	p, url := portalkit.Start(t, portal.Config{Orders: 4, Variations: []portal.Variation{portal.Several, portal.NoneMarker, portal.WrongOrder, portal.ForeignHost}})
	recipe, err := scrape.ReadRecipe("demo.yaml", strings.NewReader(`version: 1
mode: render
identity: {selector: "#po-number"}
fields:
  supplier: {selector: "#supplier", required: true}
  total: {label: Total, type: amount, locale: en}
  lost: {selector: ".nowhere"}
lines: {row: "table tbody tr", columns: {first: "td:nth-child(1)", lost: ".nowhere"}}
attachments: {item: "a.attachment", none: ".no-attachments", count: off}
`))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, recipe)
	for i, order := range p.Orders() {
		task := func() *tasks.ProcessingTask {
			return &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: order.Number, Digits: strings.TrimPrefix(order.Number, "PO"), Dir: fmt.Sprint(order.Number, i), URL: url + order.Path}}
		}
		probed := b.scraper.Probe(t.Context(), task(), scrape.Wanted{Width: 1200, Height: 2000, Description: i == 0})
		run := b.attempt(t.Context(), t, task())
		if probed.Failure != nil || run.Result == nil {
			if probed.Failure == nil || run.Failure == nil || probed.Failure.Class != run.Failure.Class || probed.Failure.Message != run.Failure.Message {
				t.Errorf("%s: probed %+v, run %+v", order.Variation, probed.Failure, run.Failure)
			}
			if probed.View == nil || len(probed.View.Picture) == 0 {
				t.Errorf("%s: there is no picture of the refused page", order.Variation)
			}
			continue
		}
		if got, want := probed.Result, run.Result; got.Outcome != want.Outcome || !reflect.DeepEqual(got.Fields, want.Fields) ||
			!reflect.DeepEqual(got.Lines, want.Lines) || !reflect.DeepEqual(probed.Looks, run.Looks()) || len(got.Attachments) != len(want.Attachments) {
			t.Errorf("%s: probed\n%+v\nrun\n%+v", order.Variation, got, want)
		}
		picture, err := png.Decode(bytes.NewReader(probed.View.Picture))
		if err != nil || picture.Bounds().Dx() < 300 || picture.Bounds().Dy() < 300 {
			t.Errorf("%s: the picture is %v, %v (%s)", order.Variation, picture, err, probed.View.NoPicture)
		}
		for _, look := range probed.Looks {
			at := slices.IndexFunc(probed.View.Sights, func(s scrape.Sight) bool { return s.Where == look.Where })
			if at < 0 || probed.View.Sights[at].Met != look.Met || len(probed.View.Sights[at].Elements) != look.Met {
				t.Errorf("%s: %+v is not in sight: %+v", order.Variation, look, probed.View.Sights)
			}
		}
		if i == 0 && (probed.Description == nil || len(probed.Description.Finds) == 0) {
			t.Errorf("the page is not described: %+v", probed.Description)
		}
	}
}

// TestProbeOfAPageThatPlaysTricks probes a page with forms that hide what elements have, and
// with more than a picture can hold.
func TestProbeOfAPageThatPlaysTricks(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Portal</title><form><input name=documentElement><input name=childNodes><input name=ownerDocument><input name=getBoundingClientRect></form>
			<script>Element.prototype.getBoundingClientRect = () => ({x: 1, y: 1, width: 1, height: 1}); document.getElementsByTagName = null</script>
			<h1>Order <b id=po>PO1001</b></h1><iframe style="position:absolute;left:500px;top:300px;border:7px solid" srcdoc="<b class=v style='position:absolute;left:11px;top:13px'>inside</b>"></iframe>
			<div style="height:200000px;width:90000px"></div>`)
		for i := range 10_000 {
			fmt.Fprintf(w, "<p class=i>%d</p>", i)
		}
	}))
	t.Cleanup(func() { testkit.EndServer(server) })
	recipe, err := scrape.ReadRecipe("tricks.yaml", strings.NewReader("version: 1\nidentity: {selector: '#po'}\nfields: {v: {selector: .v}, i: {selector: .i}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	probed := newBench(t, recipe).scraper.Probe(t.Context(), &tasks.ProcessingTask{ID: uuid.New(),
		Spec: tasks.Spec{PO: "PO1001", Digits: "1001", Dir: "PO1001", URL: server.URL}}, scrape.Wanted{Width: 1500, Height: 4000})
	if probed.Failure != nil || probed.View == nil {
		t.Fatalf("probed %+v", probed)
	}
	picture, err := png.DecodeConfig(bytes.NewReader(probed.View.Picture))
	if err != nil || picture.Width > 1500 || picture.Height > 4000 {
		t.Errorf("the picture is %v, %v (%s)", picture, err, probed.View.NoPicture)
	}
	for _, s := range probed.View.Sights {
		switch {
		case s.Where == "fields.v.selector" && (s.Met != 1 || s.Elements[0].X != 518 || s.Elements[0].Y != 320):
			t.Errorf("in the frame is %+v", s)
		case s.Where == "fields.i.selector" && (s.Met != 10_000 || len(s.Elements) > 200):
			t.Errorf("of all are in sight %d, %d", s.Met, len(s.Elements))
		}
	}
}
