package scrape_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// datedRows are what a list shows that has dates in place of numbers.
var datedRows = []string{"March 1, 2026", "March 11, 2026", "Mar. 21, 2026", "March 1, 2025", "April 1, 2026", "April 1, 2026", "May 1, 2026 and 2 more"}

// checkDatedRows reads orders of which the sheet knows the dates alone.
func checkDatedRows(t *testing.T, shared *bench, base string) {
	recipe := "list: {row: tbody tr, number: {selector: .no, layout: 'January 2, 2006', locale: en}}\nattachments: {item: .doc}\n"
	b := shared.with(scrape.NewPortal(recipeOf(t, base, recipe), nil))
	cases := map[string]string{
		"2026-03-01": "complete 1.pdf", "2026-03-11": "complete 2.pdf", "2026-03-21": "complete 3.pdf", "2025-03-01": "complete 4.pdf",
		"2026-04-01": "identity_mismatch", "2026-05-01": "identity_mismatch", "2026-06-01": "identity_mismatch", "PO1001": "invalid_input",
	}
	for _, po := range kinds(cases, "2026-03-11", "2026-04-01", "2026-06-01", "PO1001") {
		want := cases[po]
		d := b.attempt(t.Context(), t, &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: po, Digits: po, Dir: po, URL: base + "/frame/dates"}})
		got := string(d.Outcome)
		if d.Result != nil {
			for _, doc := range d.Result.Attachments {
				got += " " + doc.Name
			}
		}
		if strings.TrimSpace(got) != want {
			t.Errorf("%s: it ended %s (%s), want %s", po, got, failureText(d), want)
		}
	}
}
