package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// seen returns a task whose one attempt looked for these: "name met", with "!" where
// the value could not be read, and "of selector" where that is known.
func seen(o tasks.Outcome, proof tasks.ProofKind, looks ...string) *tasks.ProcessingTask {
	t := newOrder(1, "PO1", o.State(), o, 2)
	t.Result = &tasks.Result{Outcome: o}
	a := tasks.Attempt{N: 1, Outcome: o}
	if proof != "" {
		t.Result.Proof = &tasks.Proof{By: proof}
	}
	if !o.Well() {
		a.Error = tasks.Permanent(o, tasks.ClassUnproven, "nothing is listed")
	}
	for _, look := range looks {
		look, selector, _ := strings.Cut(look, " of ")
		where, met, _ := strings.Cut(look, " ")
		met, unreadable := strings.CutSuffix(met, "!")
		a.Looks = append(a.Looks, tasks.Look{Where: where, Met: len(met), Unreadable: unreadable, Mark: tasks.MarkOf(selector)})
	}
	t.History = []tasks.Attempt{a}
	return t
}

func refused(class tasks.Class) *tasks.ProcessingTask {
	t := newOrder(1, "PO1", tasks.StateFailed, tasks.OutcomeFailed, 2)
	t.History = []tasks.Attempt{{N: 1, Outcome: tasks.OutcomeFailed, Error: tasks.Permanent(tasks.OutcomeFailed, class, "refused")}}
	return t
}

// refusedBy is refused by what this selector has met.
func refusedBy(class tasks.Class, where string) *tasks.ProcessingTask {
	t := refused(class)
	t.History[0].Looks = []tasks.Look{{Where: where, Met: 1}}
	return t
}

func TestSelectors(t *testing.T) {
	t.Parallel()
	const complete, none, partial = tasks.OutcomeComplete, tasks.OutcomeNoAttachments, tasks.OutcomePartial
	withDocument := func(t *tasks.ProcessingTask) *tasks.ProcessingTask {
		t.Result.Attachments = []tasks.Attachment{done("PO1", "a.pdf", 1)}
		return t
	}
	const earlierTotal = "1 order was read by an earlier recipe, which looked elsewhere or not at all for total; 'run --update' with this recipe reads every order anew"
	again := func(list ...*tasks.ProcessingTask) *tasks.ProcessingTask {
		for _, later := range list[1:] {
			list[0].History = append(list[0].History, later.History...)
		}
		return list[0]
	}
	unsettled := seen(partial, "", "attachments.item", "attachments.none")
	unsettled.History[0].Error.Class = tasks.ClassUnsettled
	for name, test := range map[string]struct {
		tasks           []*tasks.ProcessingTask
		warnings, notes []string
	}{
		"no order has been opened":           {},
		"orders that were never read":        {tasks: []*tasks.ProcessingTask{refused(tasks.ClassNavigation)}},
		"an item that meets nothing":         {tasks: []*tasks.ProcessingTask{seen(partial, "", "attachments.item"), seen(partial, "", "attachments.item")}, warnings: []string{`attachments.item ".doc" met nothing on 2 of 2 pages`}},
		"one that does on one page":          {tasks: []*tasks.ProcessingTask{seen(partial, "", "attachments.item"), seen(complete, "", "attachments.item x")}},
		"all proven by their marker":         {tasks: []*tasks.ProcessingTask{seen(none, tasks.ProofMarker, "attachments.item"), seen(none, tasks.ProofCount, "attachments.item")}},
		"all but one":                        {tasks: []*tasks.ProcessingTask{seen(none, tasks.ProofMarker, "attachments.item"), seen(none, tasks.ProofOptional, "attachments.item")}, warnings: []string{`attachments.item ".doc" met nothing on 2 of 2 pages`}},
		"proven, and one not read":           {tasks: []*tasks.ProcessingTask{seen(none, tasks.ProofMarker, "attachments.item"), refused(tasks.ClassNotFound)}},
		"a marker of orders with some":       {tasks: []*tasks.ProcessingTask{withDocument(seen(complete, "", "attachments.item x", "attachments.none"))}},
		"a marker that meets nothing":        {tasks: []*tasks.ProcessingTask{seen(none, tasks.ProofCount, "attachments.none")}, warnings: []string{`attachments.none ".none" met nothing on 1 of 1 pages`}},
		"a marker of items left out":         {tasks: []*tasks.ProcessingTask{seen(none, tasks.ProofLeftOut, "attachments.item x", "attachments.none")}},
		"a marker on a page still coming":    {tasks: []*tasks.ProcessingTask{unsettled, seen(complete, "", "attachments.item x")}},
		"a name without an item":             {tasks: []*tasks.ProcessingTask{seen(none, tasks.ProofMarker, "attachments.item", "attachments.name")}},
		"a name that meets nothing":          {tasks: []*tasks.ProcessingTask{seen(complete, "", "attachments.item x", "attachments.name")}, warnings: []string{`attachments.name ".name" met nothing on 1 of 1 pages`}},
		"a column without a row":             {tasks: []*tasks.ProcessingTask{seen(complete, "", "lines.row", "lines.columns.sku")}, warnings: []string{`lines.row "tr" met nothing on 1 of 1 pages`}},
		"a field by its full place":          {tasks: []*tasks.ProcessingTask{seen(complete, "", "fields.total.selector")}, warnings: []string{`fields.total "#total" met nothing on 1 of 1 pages`}},
		"a value that cannot be read":        {tasks: []*tasks.ProcessingTask{seen(complete, "", "fields.total x!"), seen(complete, "", "fields.total x"), seen(complete, "", "fields.total")}, notes: []string{`fields.total "#total" could not be read on 1 of 3 pages`}},
		"values that cannot be read":         {tasks: []*tasks.ProcessingTask{seen(complete, "", "fields.total x!"), seen(complete, "", "fields.total")}, warnings: []string{`fields.total "#total" could not be read on 1 of 2 pages`}},
		"what may meet nothing":              {tasks: []*tasks.ProcessingTask{seen(complete, "", "attachments.exclude[0] x", "attachments.exclude[1]", "not_found.selector")}, notes: []string{`not_found.selector ".404" met nothing on 1 of 1 pages`, `attachments.exclude[1] ".b" met nothing on 1 of 1 pages`}},
		"what met on another page":           {tasks: []*tasks.ProcessingTask{seen(complete, "", "not_found.selector"), again(refused(tasks.ClassNotFound), refusedBy(tasks.ClassNotFound, "not_found.selector"))}},
		"a status alone that says not found": {tasks: []*tasks.ProcessingTask{seen(complete, "", "not_found.selector"), refused(tasks.ClassNotFound)}, notes: []string{`not_found.selector ".404" met nothing on 1 of 1 pages`}},
		"an item that was mended":            {tasks: []*tasks.ProcessingTask{seen(complete, "", "attachments.item of .doc-lnik"), seen(complete, "", "attachments.item x of .doc")}},
		"an item that was spoilt": {tasks: []*tasks.ProcessingTask{seen(complete, "", "attachments.item x of .dock", "fields.total of #total"), seen(partial, "", "attachments.item of .doc", "fields.total of #total")},
			warnings: []string{`fields.total "#total" met nothing on 2 of 2 pages`, `attachments.item ".doc" met nothing on 1 of 1 pages`}},
		"an earlier item's proof":       {tasks: []*tasks.ProcessingTask{seen(none, tasks.ProofMarker, "attachments.item of .dock"), seen(partial, "", "attachments.item of .doc")}, warnings: []string{`attachments.item ".doc" met nothing on 1 of 1 pages`}},
		"the last reading counts":       {tasks: []*tasks.ProcessingTask{again(seen(complete, "", "fields.total"), seen(complete, "", "fields.total x"), refused(tasks.ClassTimeout))}},
		"the last, if it is worse":      {tasks: []*tasks.ProcessingTask{again(seen(complete, "", "fields.total x"), seen(complete, "", "fields.total"))}, warnings: []string{`fields.total "#total" met nothing on 1 of 1 pages`}},
		"what the recipe does not have": {tasks: []*tasks.ProcessingTask{seen(complete, "", "fields.other", "attachments.exclude[0] x", "attachments.exclude[1] x", "attachments.exclude[2]")}, warnings: []string{earlierTotal}},
		"a field that was mended":       {tasks: []*tasks.ProcessingTask{seen(complete, "", "fields.total x of #total"), seen(complete, "", "fields.total x of .total"), seen(partial, "", "fields.total x of #total")}, warnings: []string{earlierTotal}},
	} {
		m := &memory{tasks: test.tasks}
		m.session.Selectors = []tasks.Selector{
			{Where: "not_found.selector", Selector: ".404", Kind: tasks.SelectorNote},
			{Where: "fields.total", Selector: "#total", Kind: tasks.SelectorWarning},
			{Where: "lines.row", Selector: "tr", Kind: tasks.SelectorWarning},
			{Where: "lines.columns.sku", Selector: "td", Kind: tasks.SelectorWarning},
			{Where: "attachments.item", Selector: ".doc", Kind: tasks.SelectorWarning},
			{Where: "attachments.name", Selector: ".name", Kind: tasks.SelectorWarning},
			{Where: "attachments.none", Selector: ".none", Kind: tasks.SelectorWarning},
			{Where: "attachments.exclude[0]", Selector: ".a", Kind: tasks.SelectorNote},
			{Where: "attachments.exclude[1]", Selector: ".b", Kind: tasks.SelectorNote},
		}
		r := build(t, m)
		if !slices.Equal(r.Warnings(), test.warnings) || !slices.Equal(r.Notes(), test.notes) {
			t.Errorf("%s: warnings %q, notes %q; want %q, %q", name, r.Warnings(), r.Notes(), test.warnings, test.notes)
		}
		if len(r.Selectors) != len(m.session.Selectors) {
			t.Errorf("%s: %d selectors are reported", name, len(r.Selectors))
		}
	}
}

// TestSelectorsOfSeveralRecipes: what one recipe's selectors meet says nothing of another's.
func TestSelectorsOfSeveralRecipes(t *testing.T) {
	t.Parallel()
	at := func(portal string, task *tasks.ProcessingTask) *tasks.ProcessingTask {
		task.Portal = portal
		return task
	}
	m := &memory{tasks: []*tasks.ProcessingTask{
		at("a.example", seen(tasks.OutcomeComplete, "", "attachments.item x")), at("b.example", seen(tasks.OutcomePartial, "", "attachments.item")),
	}}
	for _, portal := range []string{"a", "b"} {
		m.session.Selectors = append(m.session.Selectors, tasks.Selector{Where: "attachments.item", Selector: "." + portal, Kind: tasks.SelectorWarning,
			Portal: portal + ".example", Recipe: "portal " + portal})
	}
	r := build(t, m)
	if want := []string{`portal b: attachments.item ".b" met nothing on 1 of 1 pages`}; !slices.Equal(r.Warnings(), want) || len(r.Notes()) > 0 {
		t.Errorf("warnings %q, notes %q; want %q", r.Warnings(), r.Notes(), want)
	}
	want := []Selector{{Recipe: "portal a", Where: "attachments.item", Selector: ".a", Pages: 1, Met: 1},
		{Recipe: "portal b", Where: "attachments.item", Selector: ".b", Pages: 1}}
	if !slices.Equal(r.Selectors, want) {
		t.Errorf("the selectors are %+v", r.Selectors)
	}
	if page := written(t, r.WriteHTML); !strings.Contains(page, "portal b: attachments.item</td>") {
		t.Error("the page does not say whose selector it is")
	}
}

// TestWarnedReports: the page of a session with a warning does not say that all is well.
func TestWarnedReports(t *testing.T) {
	t.Parallel()
	page := written(t, build(t, warned()).WriteHTML)
	if strings.Contains(page, "ended well</h1>") || !strings.Contains(page, "All 2 orders ended, with 1 warning about the recipe; 2 could not be confirmed</h1>") {
		t.Error("the headline is another")
	}
	if facts := fmt.Sprint(tableOf(t, page)[0].Facts); !strings.Contains(facts, "[Note the page shows attachments.none") {
		t.Error("what is remarkable about an order is not reported")
	}
	if !strings.Contains(page, "fields.buyer &#34;input[name=\\&#34;buyre\\&#34;]&#34; met nothing on 2 of 2 pages") {
		t.Error("the selector is not named")
	}
}

func TestTextIsWrittenAsTheInput(t *testing.T) {
	t.Parallel()
	for delimiter, want := range map[string][2]string{
		"":   {"a;b,\"c,d\",", "a;b\",\"c,d\""},
		",":  {"a;b,\"c,d\",", "a;b\",\"c,d\""},
		";":  {"\"a;b\";c,d;", "\"a;b\";\"c,d\""},
		"\t": {"a;b\tc,d\t", "\"a;b\"\t\"c,d\""},
		":":  {"a;b:c,d:", "\"a;b\":\"c,d\""},
	} {
		for _, mark := range []bool{false, true} {
			task := newOrder(1, "PO1", tasks.StateFailed, tasks.OutcomeFailed, 2)
			task.Failure = tasks.Retry(tasks.ClassPage, "broken")
			task.Rows[0].Cells = []string{"a;b", "c,d"}
			m := &memory{tasks: []*tasks.ProcessingTask{task}}
			m.session.Input = tasks.Input{Columns: []string{"po", "x"}, Delimiter: delimiter, Mark: mark}
			r := build(t, m)
			results, failed := written(t, r.WriteResultsCSV), written(t, r.WriteFailedCSV)
			for text, row := range map[string]string{results: want[0], failed: want[1]} {
				if strings.HasPrefix(text, "\ufeff") != mark || !strings.Contains(text, row) {
					t.Errorf("delimiter %q, mark %t: written %q, want %q in it", delimiter, mark, text, row)
				}
			}
			if strings.Contains(failed, "sep=:\n") != (delimiter == ":") {
				t.Errorf("delimiter %q: failed.csv is %q", delimiter, failed)
			}
		}
	}
}
