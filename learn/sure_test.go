package learn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// TestARivalWithWordsBesideIt has the column's values among other words under a label, and alone under another that
// shows the same on these orders.
func TestARivalWithWordsBesideIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		shown, label string
		within       int
		sure         bool
	}{
		"another place":           {"EUR %s incl. VAT", "Order value", 0, false},
		"the part of the page":    {"Limit %s Buyer Jane Doe", "Header", 0, true},
		"a text of several lines": {"Please note that all deliveries are to be paid with %s within thirty days", "Note", 0, true},
		"another label":           {"%s", "Order value", 0, false},
		"a part of the place":     {"%s", "Number", 2, true},
	} {
		b := newBook("amount")
		for i := range 6 {
			b.order([]string{money(i)}, all(
				at(1, money(i), label("Limit"), selector(scrape.ByID, "#limit")),
				at(2, fmt.Sprintf(c.shown, money(i)), label(c.label)))...)
			b.pages[i].Finds[2].Within = c.within
		}
		if f := Learn(b.Sheet, b.pages).of("amount"); f == nil || f.Sure() != c.sure || f.Locator.Label != "Limit" {
			t.Errorf("%s: it is %+v", name, f)
		}
	}
}

// TestRightByChance has a column of two words, one of which stands on half of the pages for another reason.
func TestRightByChance(t *testing.T) {
	t.Parallel()
	b := newBook("Approved")
	for i := range 8 {
		cell, shown := "yes", "3 documents"
		if i%2 == 0 {
			shown = "No documents"
		}
		if i%3 == 0 {
			cell = "no"
		}
		b.order([]string{cell}, at(1, shown, label("Documents"), selector(scrape.ByID, "#none"))...)
	}
	if d := Learn(b.Sheet, b.pages); d.of("Approved") != nil || len(d.Unseen) != 1 {
		t.Errorf("it is %+v, unseen are %q", d.of("Approved"), d.Unseen)
	}
}

// TestAFieldOfOneKind has a label that pages of another kind have as well, with something else.
func TestAFieldOfOneKind(t *testing.T) {
	t.Parallel()
	b := newBook("amount", "Vendor")
	for i := range 9 {
		name := fmt.Sprintf("%s %d", names[i%5], i)
		if i < 6 {
			b.order([]string{money(i), name}, all(
				at(1, money(i), label("Total"), selector(scrape.ByID, "#total"), selector(scrape.ByClass, ".t")),
				at(2, name, label("Vendor"), selector(scrape.ByID, "#vendor"), selector(scrape.ByClass, ".v")))...)
			continue
		}
		b.order([]string{money(i), name}, all(
			at(1, "7.00", label("Total"), selector(scrape.ByID, "#net"), selector(scrape.ByClass, ".n")),
			at(2, money(i), label("Gross"), selector(scrape.ByID, "#gross"), selector(scrape.ByClass, ".g")),
			at(3, name, label("Contractor"), selector(scrape.ByID, "#by"), selector(scrape.ByClass, ".b")))...)
	}
	d := Learn(b.Sheet, b.pages)
	if f := d.of("amount"); d.Kinds != 2 || f == nil || f.Sure() || !strings.Contains(strings.Join(f.Doubts, ";"), "on pages of another kind") {
		t.Errorf("of %d kinds, the amount is %+v", d.Kinds, f)
	}
	if f := d.of("Vendor"); f == nil || !f.Sure() {
		t.Errorf("the vendor is %+v", f)
	}
}

// TestADashInPlaceOfADate has orders that are not delivered yet.
func TestADashInPlaceOfADate(t *testing.T) {
	t.Parallel()
	b := newBook("Delivered")
	for i := range 6 {
		cell, shown := fmt.Sprintf("2026-03-%02d", 13+i), fmt.Sprintf("%d.03.2026", 13+i)
		if i == 4 {
			cell, shown = "", "—"
		}
		b.order([]string{cell}, at(1, shown, label("Delivered"), selector(scrape.ByID, "#delivered"))...)
	}
	if f := Learn(b.Sheet, b.pages).of("Delivered"); f == nil || f.Unknown != "" || f.Required || f.Layout != "02.01.2006" {
		t.Errorf("it is %+v", f)
	}
}

// TestCheckedOrdersOfAnotherKind: what hardly any field is found on says nothing of what every order has.
func TestCheckedOrdersOfAnotherKind(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		strange         int
		found           []string
		required, holds bool
	}{
		"one of them":       {1, []string{"Status"}, true, true},
		"most of them":      {4, nil, true, false},
		"it lacks one only": {1, []string{"Status", "Vendor"}, false, true},
	} {
		b := newBook("Vendor", "Status", "Site")
		for i := range 5 {
			cells := []string{names[i], fmt.Sprintf("S%d", i), fmt.Sprintf("Plant %d", i)}
			b.order(cells, all(at(1, cells[0], label("Vendor"), selector(scrape.ByID, "#v")), at(2, cells[1], label("Status"), selector(scrape.ByID, "#s")), at(3, cells[2], label("Site"), selector(scrape.ByID, "#p")))...)
		}
		d := Learn(b.Sheet, b.pages)
		d.Documents = &Documents{Confirmed: true}
		var checked []Checked
		for i, o := range b.Orders {
			result := &tasks.Result{Fields: map[string]tasks.Field{}}
			for k, name := range []string{"Vendor", "Status", "Site"} {
				if i >= c.strange || len(c.found) > 0 && strings.Contains(strings.Join(c.found, " "), name) {
					result.Fields[strings.ToLower(name)] = tasks.Field{Raw: o.Rows[0][k+1], Value: o.Rows[0][k+1]}
				}
			}
			result.Attachments = []tasks.Attachment{{State: tasks.AttachmentDone}}
			checked = append(checked, Checked{Order: o, Result: result})
		}
		d.Check(b.Sheet, checked)
		if f := d.of("Site"); f == nil || f.Required != c.required || d.Holds != c.holds {
			t.Errorf("%s: it holds: %v, and the site is %+v", name, d.Holds, f)
		}
	}
}

// TestADraftThatMayMissDocuments: where pages show a way to more documents, it does not hold.
func TestADraftThatMayMissDocuments(t *testing.T) {
	t.Parallel()
	b := newBook("Vendor")
	for i := range 4 {
		b.order([]string{names[i]}, at(1, names[i], label("Vendor"), selector(scrape.ByID, "#v"))...)
	}
	d := Learn(b.Sheet, b.pages)
	d.Documents = &Documents{Item: "a.doc"}
	var checked []Checked
	for _, o := range b.Orders {
		result := &tasks.Result{Outcome: tasks.OutcomeComplete, Attachments: []tasks.Attachment{{State: tasks.AttachmentDone}}}
		if o.Line == 3 {
			result.Outcome, result.Missing = tasks.OutcomePartial, tasks.Permanent("", tasks.ClassIncomplete, "%q would show more documents", "More")
		}
		checked = append(checked, Checked{Order: o, Result: result})
	}
	d.Check(b.Sheet, checked)
	if d.Holds || !strings.Contains(d.Lacks(), "more documents") || !strings.Contains(d.YAML(), "1 may have more documents") {
		t.Errorf("it holds: %v, lacks %q\n%s", d.Holds, d.Lacks(), d.YAML())
	}
}

// TestLabelsUnderHeadings has one label in two parts of the page, of which on some orders one is not there.
func TestLabelsUnderHeadings(t *testing.T) {
	t.Parallel()
	b := newBook("Total")
	for i := range 6 {
		under := func(heading string) scrape.Locator {
			return scrape.Locator{Kind: scrape.ByLabel, Label: "Total", Under: heading}
		}
		plain := at(1, money(i), label("Total"))
		if i%2 == 0 {
			plain = []scrape.Find{{Locator: label("Total"), Met: 2, Seen: true, Differ: true, Values: []string{"9.00", money(i)}, At: 2}}
			plain = append(plain, at(2, "9.00", under("Previous version"))...)
		}
		b.order([]string{money(i)}, all(plain, at(1, money(i), under("Current version"), selector(scrape.ByPath, "p:nth-of-type(2)")))...)
	}
	d := Learn(b.Sheet, b.pages)
	if f := d.of("Total"); f == nil || f.Unknown != "" || f.Locator.Under != "Current version" {
		t.Errorf("it is %+v", f)
	}
	if !strings.Contains(d.YAML(), `{label: "Total", under: "Current version", type: amount`) {
		t.Errorf("the draft is\n%s", d.YAML())
	}
	if _, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(d.YAML())); err != nil {
		t.Error(err)
	}
}

// TestTheHeadingWithTheNumber: what has the number among other words is found by its place as well, where it is a heading.
func TestTheHeadingWithTheNumber(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"body > div > h2": ".order > h2, body > div > h2", "body > div > p": ".order > h2"} {
		b := newBook("Vendor")
		for i, name := range names {
			b.order([]string{name}, at(2, name, label("Vendor"))...)
			page := &b.pages[i]
			shows := at(1, page.PO+" of "+name, selector(scrape.ByClass, ".order > h2"), selector(scrape.ByPath, path))
			for k := range shows {
				shows[k].Shows = true
			}
			page.Finds = append(page.Finds[:len(page.Finds)-1], shows...)
		}
		if id := Learn(b.Sheet, b.pages).Identity; id == nil || id.Selector != want {
			t.Errorf("it is %+v, not %q", id, want)
		}
	}
}

// TestSomeThatCannotBeRead has an order that shows two amounts, one of which is crossed out.
func TestSomeThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for unread, known := range map[int]bool{1: true, 2: false} {
		b := newBook("amount")
		for i := range 6 {
			shown := money(i)
			if i >= 6-unread {
				shown = "1,010.00 " + money(i)
			}
			b.order([]string{money(i)}, at(1, shown, label("Total"), selector(scrape.ByID, "#total"))...)
		}
		f := Learn(b.Sheet, b.pages).of("amount")
		if f != nil && !known && !strings.Contains(f.Unknown, "1,010.00") {
			t.Errorf("it is unknown because %s", f.Unknown)
		}
		if f == nil || f.Sure() || (f.Unknown == "") != known || known && !strings.Contains(strings.Join(f.Doubts, ";"), "on 1 order, its value is none") {
			t.Errorf("with %d that cannot be read it is %+v", unread, f)
		}
	}
}

// TestCheckingWhatTheSheetLeavesEmpty: an order without a value that neither the page nor the sheet has.
func TestCheckingWhatTheSheetLeavesEmpty(t *testing.T) {
	t.Parallel()
	b := newBook("Delivered")
	for i := range 12 {
		cell := fmt.Sprintf("2026-03-%02d", 10+i)
		if i > 9 {
			cell = ""
		}
		b.order([]string{cell}, at(1, cell, label("Delivered"), selector(scrape.ByID, "#delivered"))...)
	}
	used := map[string]bool{}
	for _, o := range b.Orders[:5] {
		used[o.PO] = true
	}
	orders := ChooseToCheck(b.Sheet, 5, used)
	if len(orders) != 5 || orders[0].Rows[0][1] != "" || len(used) != 5 {
		t.Fatalf("they are %+v", orders)
	}
	d := Learn(b.Sheet, b.pages[:5])
	if f := d.of("Delivered"); f == nil || !f.Required || !f.Sure() {
		t.Fatalf("it is %+v", f)
	}
	var checked []Checked
	for _, o := range orders {
		day := o.Rows[0][1]
		checked = append(checked, Checked{Order: o, Result: &tasks.Result{Fields: map[string]tasks.Field{"delivered": {Raw: day, Value: day}}}})
	}
	d.Check(b.Sheet, checked)
	if f := d.of("Delivered"); f.Required || !f.Sure() {
		t.Errorf("then it is %+v", f)
	}
}

// TestWhatIsRightMostly: who requested an order is its buyer on most, and the page does not show the buyer.
func TestWhatIsRightMostly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		label string
		wrong [3]int // on so many of the 10 orders the sheet says something else in a column
		sure  bool
	}{
		"called otherwise":           {"Requested by", [3]int{1, 0, 0}, false},
		"one other column is so too": {"Requested by", [3]int{1, 4, 0}, false},
		"called as the column":       {"Buyer", [3]int{1, 0, 0}, true},
		"called alike":               {"Buyers", [3]int{1, 0, 0}, true},
		"a sheet that is wrong":      {"Requested by", [3]int{1, 1, 1}, true},
		"wrong on several":           {"Requested by", [3]int{2, 1, 1}, false},
		"always right":               {"Requested by", [3]int{0, 0, 0}, true},
	} {
		b := newBook("Buyer", "Vendor", "Site")
		for i := range 10 {
			shown := [3]string{fmt.Sprint("Person ", i), fmt.Sprint("Vendor ", i), fmt.Sprint("Site ", i)}
			cells := shown
			for k, n := range c.wrong {
				if i >= 10-n {
					cells[k] = "another"
				}
			}
			b.order(cells[:], all(at(1, shown[0], label(c.label), selector(scrape.ByID, "#b")), at(2, shown[1], label("Vendor"), selector(scrape.ByID, "#v")), at(3, shown[2], label("Site"), selector(scrape.ByID, "#s")))...)
		}
		d := Learn(b.Sheet, b.pages)
		var checked []Checked
		for _, o := range b.Orders[:3] {
			result := &tasks.Result{Fields: map[string]tasks.Field{}}
			for k, name := range []string{"buyer", "vendor", "site"} {
				result.Fields[name] = tasks.Field{Raw: o.Rows[0][k+1], Value: o.Rows[0][k+1]}
			}
			checked = append(checked, Checked{Order: o, Result: result})
		}
		d.Check(b.Sheet, checked)
		if f := d.of("Buyer"); f == nil || f.Sure() != c.sure {
			t.Errorf("%s: it is %+v", name, f)
		}
	}
}
