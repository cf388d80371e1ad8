package sampling

import (
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/learn"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/witness"
)

// fourOrders is a look at a sheet of four.
func fourOrders() *visit {
	v := &visit{sheet: learn.Sheet{Columns: []string{"po", "supplier"}, Roles: map[string]int{"po": 0}}, specs: map[string]orders.PurchaseOrder{}}
	v.values = witness.NewValues(v.sheet.Columns, nil, v.sheet.Roles)
	for _, row := range [][2]string{{"PO1001", "Acme"}, {"PO1002", "Bolt Ltd"}, {"PO1003", "Cedar"}, {"PO1004", "Delta"}} {
		o := orders.PurchaseOrder{Number: row[0], Digits: row[0][2:], URL: "https://h/" + row[0], Rows: []tasks.Row{{Line: 2, Cells: row[:]}}}
		v.specs[row[0]] = o
		v.values.See(o.Rows)
		v.sheet.Orders = append(v.sheet.Orders, learn.Order{PO: o.Number, Digits: o.Digits, URL: o.URL, Line: 2, Rows: [][]string{row[:]}})
	}
	return v
}

// TestPagesOfOthers: a page that shows nothing of its row is named where others show something of theirs.
func TestPagesOfOthers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		shown []string
		want  []string
	}{
		"each its own":   {[]string{"Acme", "Bolt Ltd", "Supplier: Cedar", "Delta"}, nil},
		"one another's":  {[]string{"Acme", "Acme", "Cedar", "Delta"}, []string{"PO1002"}},
		"none shows any": {[]string{"a", "b", "c", "d"}, nil},
	} {
		v, d := fourOrders(), &learn.Draft{}
		for i, text := range c.shown {
			v.pages = append(v.pages, learn.Page{Order: v.sheet.Orders[i], Description: &scrape.Description{Finds: []scrape.Find{{Value: text, Seen: true}}}})
		}
		v.doubtPages(d)
		var named []string
		for _, finding := range d.Findings {
			po, _, _ := strings.Cut(finding, " ")
			named = append(named, po)
		}
		if !slices.Equal(named, c.want) {
			t.Errorf("%s: named are %q, want %q", name, d.Findings, c.want)
		}
	}
}

// TestWhatADraftConfirms: the end says how many of the orders that it was held against are confirmed, what others lack
// and what helps; and the recipe offers what only a person can say.
func TestWhatADraftConfirms(t *testing.T) {
	t.Parallel()
	result := func(list tasks.List) *tasks.Result {
		return &tasks.Result{Outcome: tasks.OutcomeComplete, Proof: &tasks.Proof{By: tasks.ProofListed}, Shown: &tasks.Shown{Number: true, Values: 1,
			Row: []tasks.Value{{Column: "supplier", Text: "x", At: 1, Meaning: 2}}, Lists: []tasks.List{list}}}
	}
	v := fourOrders()
	checked := []learn.Checked{
		{Order: v.sheet.Orders[0], Result: result(tasks.List{Met: 1, Count: &tasks.Counted{N: 1, Text: "1 document"}})},
		{Order: v.sheet.Orders[1], Result: result(tasks.List{Met: 2})}, {Order: v.sheet.Orders[2], Result: result(tasks.List{Met: 3})},
		{Order: v.sheet.Orders[3], Result: &tasks.Result{Outcome: tasks.OutcomePartial}},
	}
	d := &learn.Draft{Documents: &learn.Documents{Item: "a.doc", Numbers: []int{3, 1}}}
	v.confirm(d, checked)
	summary := strings.Join(d.Summary(), "\n")
	for _, want := range []string{"Confirmed: 1 of the 3 orders that it was checked with", "Not confirmed: PO1002, PO1003, as nothing on their pages says how many documents there are. What helps: "} {
		if !strings.Contains(summary, want) {
			t.Errorf("the summary does not say %q:\n%s", want, summary)
		}
	}
	if recipe := strings.Join(strings.Fields(d.YAML()), " "); !strings.Contains(recipe, "(1, 3 were seen)") || !strings.Contains(recipe, "# whole: true") {
		t.Errorf("the recipe does not offer that a person says that all is found:\n%s", d.YAML())
	}
	d.Unsure = nil
	if strings.Contains(d.YAML(), "whole") {
		t.Error("it is offered where the pages say how many there are")
	}
	d.Documents = nil
	if summary := strings.Join(d.Summary(), "\n"); !strings.Contains(summary, "Without attachments: in the recipe no order of a run is confirmed.") || !strings.Contains(d.YAML(), "# attachments: off\n") {
		t.Errorf("of a draft without documents it says\n%s\n%s", summary, d.YAML())
	}
}
