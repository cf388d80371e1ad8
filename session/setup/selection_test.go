package setup

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// earlierSession returns the folder of a session whose orders ended so, by their priority.
func earlierSession(t *testing.T, specs []tasks.Spec, outcomes ...tasks.Outcome) string {
	t.Helper()
	dir, ctx := t.TempDir(), t.Context()
	l, err := ledger.Open(filepath.Join(dir, folder.LedgerName))
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.Enqueue(ctx, specs...)
	for _, outcome := range outcomes {
		var leases []*tasks.Lease
		if err == nil {
			leases, err = l.Claim(ctx, tasks.ClaimRequest{Worker: "w"})
		}
		if err == nil {
			err = l.Start(ctx, leases[0])
		}
		if err == nil {
			err = l.Record(ctx, leases[0], tasks.Decision{To: outcome.State(), Outcome: outcome})
		}
	}
	if err := errors.Join(err, l.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestOrdersThatAreDoneAreLeftOut(t *testing.T) {
	t.Parallel()
	read := func(text string, o orders.Options) *orders.Sheet {
		sheet, err := orders.Read("pos.csv", strings.NewReader(text), o)
		if err != nil {
			t.Fatal(err)
		}
		return sheet
	}
	first := read("po,url,priority\nPO1,https://h/1,9\nPO2,https://h/2,8\nPO3,https://h/3,7\nPO4,https://h/4,6\nPO5,https://h/5,1\n", orders.Options{})
	one := earlierSession(t, first.Specs(), tasks.OutcomeComplete, tasks.OutcomePartial, tasks.OutcomeNotFound, tasks.OutcomeNoAttachments)
	searched := orders.Options{URLOptional: true}
	two := earlierSession(t, read("po,priority\nPO6,2\n7,1\n", searched).Specs(), tasks.OutcomeComplete, tasks.OutcomeComplete)

	again := read("po,url\nPO1,https://h/1\nPO2,https://h/2\nPO3,https://h/3\n4,https://h/4\nPO5,https://h/5\nPO1,https://elsewhere/1\nPO6,https://h/6\n", orders.Options{})
	if err := Select(t.Context(), Config{SkipDone: []string{one, two}}, again); err != nil {
		t.Fatal(err)
	}
	for i, o := range again.Orders {
		if done := i == 0 || i == 3; (o.Skipped != "") != done || done && o.Skipped != "done in "+one {
			t.Errorf("%s at %s: skipped %q", o.Number, o.URL, o.Skipped)
		}
	}
	bySearch := read("po\nPO6\nPO7\n7\nPO8\n", searched)
	if err := Select(t.Context(), Config{SkipDone: []string{one, two}, Limit: 1}, bySearch); err != nil {
		t.Fatal(err)
	}
	got := []string{bySearch.Orders[0].Skipped, bySearch.Orders[1].Skipped, bySearch.Orders[2].Skipped}
	if got[0] != "done in "+two || got[1] != "" || got[2] != "left out by --limit 1" {
		t.Errorf("skipped %q", got)
	}
	if err := Select(t.Context(), Config{SkipDone: []string{t.TempDir()}}, again); !errors.As(err, new(*folder.Error)) {
		t.Errorf("a folder of no session: %v", err)
	}
}
