package learn

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestWhatOnlyDataHas has an application that calls orders by numbers of its own, shows their documents as
// buttons, and shows neither a field's value nor a document's address on its pages.
func TestWhatOnlyDataHas(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		link, want string
		href       string // of a link on the page
	}{
		"addresses":           {link: "/files/%d/get", want: "$.href"},
		"no addresses":        {link: "", want: ""},
		"links with their id": {link: "", want: "/d/{$.file.id}?raw=1", href: "https://portal.example/d/f%d?raw=1"},
	} {
		b := newBook("Due")
		for i := range 5 {
			due := fmt.Sprintf("2026-0%d-1%d", i+1, i)
			b.order([]string{due}, at(1, fmt.Sprintf("the %dth", i), label("Due"))...)
			page := &b.pages[i]
			page.Description.URL = fmt.Sprintf("https://portal.example/app/orders/%d", i+1)
			documents := fmt.Sprintf(`[{"file": {"id": "f%d", "name": "Quote %d.pdf"}, "href": %q}]`, i, i, strings.ReplaceAll(c.link, "%d", fmt.Sprint(i)))
			for address, text := range map[string]string{
				fmt.Sprintf("/api/orders/%d", i+1):                         fmt.Sprintf(`{"data": {"due": %q, "documents": [%d]}}`, due, i),
				fmt.Sprintf("/api/files?fields=*&order=%d&page=1", i+1):    `{"data": ` + documents + `}`,
				fmt.Sprintf("/api/files?aggregate=count&order=%d", i+1):    `{"data": [{"count": 1}]}`,
				"/api/all?limit=25":                                        `{"data": [{"file": {"id": "x", "name": "Terms.pdf"}, "href": "/files/terms.pdf"}]}`,
				fmt.Sprintf("/api/session?token=redacted&order=%d", 100+i): `{"data": []}`,
			} {
				var value any
				d := json.NewDecoder(strings.NewReader(text))
				d.UseNumber()
				if err := d.Decode(&value); err != nil {
					t.Fatal(err)
				}
				page.Answers = append(page.Answers, scrape.Answer{URL: "https://portal.example" + address, Value: value})
			}
			page.Controls = []scrape.Control{{Text: fmt.Sprintf("Quote %d.pdf", i), Listed: true, Seen: true}}
			if c.href != "" {
				page.Controls = append(page.Controls, scrape.Control{Text: "Preview", Href: fmt.Sprintf(c.href, i), Seen: true})
			}
			page.Groups = []scrape.Group{{Locator: selector(scrape.ByClass, "button.file"), Of: []int{0}}}
		}
		d := Learn(b.Sheet, b.pages)
		if f := d.of("Due"); f == nil || f.Unknown != "" || f.Locator.Answer != "/api/orders/*" || f.Locator.Path != "$.data.due" || f.Sure() {
			t.Errorf("%s: the date is %+v", name, f)
		}
		docs := d.Documents
		if docs == nil || docs.Item == "" && docs.Data == nil {
			t.Fatalf("%s: there are no documents", name)
		}
		data := docs.Data
		if c.want == "" {
			data = docs.Unlinked
		}
		if data == nil || data.Link != c.want || data.Name != "$.file.name" || data.Items != "$.data[*]" || data.Answer != "/api/files?fields=*&order=*&page=1" {
			t.Errorf("%s: documents are %+v, in data %+v", name, docs, data)
		}
		if _, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(d.YAML())); err != nil {
			t.Errorf("%s: %v\n%s", name, err, d.YAML())
		}
		if c.href == "" && c.link == "" {
			inVain(t, b, d)
		}
	}
}

// inVain has clicks bring no documents of orders that the draft was not learnt from.
func inVain(t *testing.T, b *book, d *Draft) {
	t.Helper()
	none := &tasks.Result{Attachments: []tasks.Attachment{{State: tasks.AttachmentFailed, Error: &tasks.Failure{Message: "a click began no download"}}}}
	for _, times := range []int{1, 2} {
		draft := *d
		docs := *d.Documents
		draft.Documents = &docs
		var checked []Checked
		for range times {
			checked = append(checked, Checked{Order: b.Orders[0], Result: none})
		}
		draft.Check(b.Sheet, checked)
		text := draft.YAML()
		recipe, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		refuted := recipe.Attachments == nil
		said := strings.Join(strings.Fields(strings.ReplaceAll(text, "#", "")), " ")
		if refuted != (times > 1) || refuted != strings.Contains(said, "(a click began no download). So there is no attachments:") || !strings.Contains(text, "json:\n") || draft.Holds {
			t.Errorf("after clicks in vain on %d orders it is\n%s", times, text)
		}
	}
}
